package pdftest_test

import (
	"bytes"
	"testing"

	"github.com/pdfcpu/pdfcpu/pkg/api"
	"github.com/pdfcpu/pdfcpu/pkg/pdfcpu/model"
	"github.com/stretchr/testify/require"

	"plait/internal/document/pdftest"
)

// every builds a file with everything that the builder knows.
func every() []byte {
	b := pdftest.New()
	text := "Hello"
	fonts := map[string]pdftest.Ref{"F1": b.Helvetica(), "F2": b.Simple(), "F3": b.Type0(&text), "F4": b.Type0(nil)}
	form := b.Form("0 0 100 100", "BT /F1 10 Tf 5 5 Td (form) Tj ET", fonts, nil, "/Matrix [1 0 0 1 10 10]")
	second := b.Reserve()
	first := b.Page(pdftest.Page{
		Parts:       []string{"/P << /MCID 0 >> BDC BT /F3 12 Tf 72 700 Td " + pdftest.Hex(text) + " Tj ET EMC", "/X1 Do /X2 Do"},
		Fonts:       fonts,
		XObjects:    map[string]pdftest.Ref{"X1": form, "X2": b.Image(128)},
		Annotations: []pdftest.Ref{b.Link("72 690 120 712", "https://example.org"), b.LinkTo("0 0 10 10", second)},
		Entries:     "/StructParents 0",
	})
	b.SetPage(second, pdftest.Page{Content: "BT /F1 12 Tf (second) Tj ET", NoResources: true, Rotate: 90, Crop: "10 10 500 500"})
	b.Inherited("/Resources " + pdftest.Resources(fonts, nil, ""))
	b.Outline("One", first)
	b.Outline("Two", second)
	b.Tag(first, 1)
	return b.Bytes()
}

func TestMain(m *testing.M) {
	api.DisableConfigDir() // otherwise pdfcpu writes a folder into the home of who runs the tests
	m.Run()
}

func TestFilesAreValid(t *testing.T) {
	file := every()
	require.Equal(t, file, every())
	require.NoError(t, api.Validate(bytes.NewReader(file), model.NewDefaultConfiguration()))
	pages, err := api.PageCount(bytes.NewReader(file), nil)
	require.NoError(t, err)
	require.Equal(t, 2, pages)
}

func TestEncryptedFilesNeedTheirPassword(t *testing.T) {
	file, err := pdftest.Encrypt(every(), "user", "owner")
	require.NoError(t, err)
	require.Error(t, api.Validate(bytes.NewReader(file), model.NewDefaultConfiguration()))
	require.NoError(t, api.Validate(bytes.NewReader(file), model.NewAESConfiguration("user", "", 256)))
}
