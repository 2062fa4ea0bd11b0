package output_test

import (
	"bytes"
	"errors"
	"math"
	"strconv"
	"testing"

	"github.com/pdfcpu/pdfcpu/pkg/api"
	"github.com/pdfcpu/pdfcpu/pkg/pdfcpu/model"
	"github.com/pdfcpu/pdfcpu/pkg/pdfcpu/types"
	"github.com/stretchr/testify/require"

	"plait/internal/document/pdfedit/output"
)

// document writes a file with more objects than one object stream holds, and with gaps between the numbers.
func document(t *testing.T) []byte {
	t.Helper()
	var file bytes.Buffer
	f := output.New(&file, "1.7", 1000)
	ref := func(number int) types.Object { return *types.NewIndirectRef(number, 3) }
	require.NoError(t, f.Object(7, types.Dict{"Type": types.Name("Catalog"), "Pages": ref(9)}))
	kids := types.Array{}
	for page := range 300 {
		number := 10 + 2*page
		kids = append(kids, ref(number))
		require.NoError(t, f.Object(number, types.Dict{
			"Type": types.Name("Page"), "Parent": ref(9), "Contents": ref(999),
			"MediaBox": types.Array{types.Integer(0), types.Integer(0), types.Float(100.5), types.Integer(200)},
		}))
	}
	require.NoError(t, f.Flate(999, nil, []byte("0 0 10 10 re f")))
	require.NoError(t, f.Object(9, types.Dict{"Type": types.Name("Pages"), "Kids": kids, "Count": types.Integer(len(kids))}))
	require.Error(t, f.Object(9, nil))
	require.NoError(t, f.Close(7, 0))
	return file.Bytes()
}

func TestFilesAreValidAndTheSameEveryTime(t *testing.T) {
	api.DisableConfigDir()
	file := document(t)
	require.Equal(t, file, document(t))
	pages, err := api.PageCount(bytes.NewReader(file), model.NewDefaultConfiguration())
	require.NoError(t, err)
	require.Equal(t, 300, pages)
}

func TestNumbersReadAsTheyWere(t *testing.T) {
	for x, want := range map[float64]string{0: "0", 1: "1", -100: "-100", 0.5: "0.5", 1.0 / 3: "0.333333", 1e-7: "0.0000001", 1e9: "1000000000"} {
		require.Equal(t, want, string(output.AppendNumber(nil, x)))
	}
}

func FuzzNumbers(f *testing.F) {
	f.Add(12.5)
	f.Fuzz(func(t *testing.T, x float64) {
		if math.IsNaN(x) || math.IsInf(x, 0) {
			return
		}
		read, err := strconv.ParseFloat(string(output.AppendNumber(nil, x)), 64)
		require.NoError(t, err)
		require.InDelta(t, x, read, 1e-6)
	})
}

type fullDisk struct{}

var errFull = errors.New("full")

func (fullDisk) Write([]byte) (int, error) { return 0, errFull }

func TestErrorsOfTheWriterStay(t *testing.T) {
	f := output.New(fullDisk{}, "1.7", 2)
	require.NoError(t, f.Object(1, types.Dict{"Type": types.Name("Catalog")}))
	require.ErrorIs(t, f.Close(1, 0), errFull)
}
