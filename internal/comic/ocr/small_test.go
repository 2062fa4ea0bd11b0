package ocr_test

import (
	"context"
	"errors"
	"image/color"
	"os"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"plait/internal/assets"
	"plait/internal/assets/assetstest"
	"plait/internal/comic"
	"plait/internal/comic/ocr"
	"plait/internal/core"
	"plait/internal/onnx/graph"
	"plait/internal/onnx/onnxtest"
)

// stubbornRecognizer is a recognition model that reads an x in any line.
func stubbornRecognizer() []byte {
	return graph.Model{
		Inputs:  []graph.Value{{Name: "x", Shape: []int64{-1, 3, 48, -1}}},
		Outputs: []graph.Value{{Name: "fetch_name_0", Shape: []int64{-1, -1, 3}}},
		Initializers: []graph.Tensor{
			{Name: "axis", Shape: []int64{1}, Ints: []int64{2}}, {Name: "nothing", Shape: []int64{3, 3}, Floats: make([]float32, 9)},
			{Name: "bias", Shape: []int64{3}, Floats: []float32{0, 1, 0}}, // blank, x, space
		},
		Nodes: []graph.Node{
			{Op: "AveragePool", In: []string{"x"}, Out: []string{"steps"}, Attributes: map[string]any{"kernel_shape": []int64{48, 8}, "strides": []int64{48, 8}}},
			{Op: "Squeeze", In: []string{"steps", "axis"}, Out: []string{"flat"}},
			{Op: "Transpose", In: []string{"flat"}, Out: []string{"rows"}, Attributes: map[string]any{"perm": []int64{0, 2, 1}}},
			{Op: "MatMul", In: []string{"rows", "nothing"}, Out: []string{"zeros"}},
			{Op: "Add", In: []string{"zeros", "bias"}, Out: []string{"fetch_name_0"}},
		},
		Metadata: map[string]string{"character": "x"},
	}.Bytes()
}

// smallDictionary is the dictionary of the small model of the assets.
func smallDictionary(t *testing.T) ocr.Dictionary {
	t.Helper()
	path, err := assetstest.Open(t).Path(assets.FastDictionary)
	require.NoError(t, err)
	b, err := os.ReadFile(path)
	require.NoError(t, err)
	d, err := ocr.ParseDictionaryFile(b)
	require.NoError(t, err)
	return d
}

// smallModel loads the small model of the assets.
func smallModel(t *testing.T) func(context.Context) (*ocr.Small, error) {
	t.Helper()
	small, err := ocr.NewSmall(loadModel(t, 1, assets.FastRecognizeModel, ocr.Model), smallDictionary(t))
	require.NoError(t, err)
	return func(context.Context) (*ocr.Small, error) { return small, nil }
}

// stubborn is a recognizer that reads an x in any line.
func stubborn(t *testing.T) *ocr.Recognizer {
	t.Helper()
	path, digest := onnxtest.Write(t, "model", stubbornRecognizer())
	r, err := ocr.New(loadFile(t, 1, ocr.Model("stubborn", path, digest)))
	require.NoError(t, err)
	return r
}

// The full model reads x in every line, so that its lines are known. The shortest line is none of those that tell the script of a page.
func TestTheSmallModelReadsTheLinesThatItIsSureOf(t *testing.T) {
	t.Parallel()
	r := stubborn(t).WithSmall(smallModel(t)).Fast()
	for name, c := range map[string]struct {
		font string
		want map[string]string
	}{
		"Latin":   {"font-comic-neue-bold", map[string]string{"Wait for me, Captain!": "Wait for me, Captain!", "Who are you?": "Who are you?", "Well...": "x"}},
		"Chinese": {"font-noto-sans-sc-medium", map[string]string{"我们一起去看灯塔吧": "我们一起去看灯塔吧", "灯塔": "灯塔"}},
		"kana":    {"font-noto-sans-jp-medium", map[string]string{"あかりがきえている": "x", "だれがきたの": "x", "まちがいない": "x", "いますぐに": "x", "灯台": "x"}},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			p := newPage(800, 400, color.White, color.Black)
			var want []string
			for text, read := range c.want {
				p.write(t, c.font, text, 28, 60, 30+60*len(want), false)
				want = append(want, read)
			}
			readings, err := r.Read(t.Context(), p.NRGBA, p.quads)
			require.NoError(t, err)
			var got []string
			for _, reading := range readings {
				got = append(got, reading.Text)
			}
			require.Equal(t, want, got)
		})
	}
}

func TestADictionaryFitsItsModel(t *testing.T) {
	t.Parallel()
	pool := loadModel(t, 1, assets.FastRecognizeModel, ocr.Model)
	_, err := ocr.NewSmall(pool, smallDictionary(t)[1:])
	require.Equal(t, core.CodeModelMissing, core.CodeOf(err))
	require.ErrorContains(t, err, "has 6906 classes, but its dictionary has 6905")
}

// credits is a line longer than any of a bubble.
const credits = "Antan Karmola - Anthony Edlin - Antoine - Antonio Mendoza - Antonio Parisi - Anvid - Arnaud"

// The full model reads x in every line. The small one doubts some of the characters of the list, and knows no kana.
func TestTheSmallModelReadsLongLines(t *testing.T) {
	t.Parallel()
	const latin, japanese = "font-comic-neue-bold", "font-noto-sans-jp-medium"
	r := stubborn(t).WithSmall(smallModel(t))
	for name, c := range map[string]struct {
		font, text, want string
		without          []comic.Pass
	}{
		"a list of credits": {latin, credits, credits, nil},
		"a short line":      {latin, "Wait for me, Captain!", "x", nil},
		"kana":              {japanese, strings.Repeat("あかりがきえている", 6), "x", nil},
		"without the pass":  {latin, credits, "x", []comic.Pass{comic.PassLong}},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			p := newPage(1300, 60, color.White, color.Black)
			p.write(t, c.font, c.text, 22, 20, 20, false)
			readings, err := r.Read(comic.Without(t.Context(), c.without...), p.NRGBA, p.quads)
			require.NoError(t, err)
			require.Equal(t, c.want, readings[0].Text)
		})
	}
}

func TestTheSmallModelIsLoadedForALongLine(t *testing.T) {
	t.Parallel()
	failure := errors.New("no model")
	r := stubborn(t).WithSmall(func(context.Context) (*ocr.Small, error) { return nil, failure })
	p := newPage(1300, 100, color.White, color.Black)
	p.write(t, "font-comic-neue-bold", "Wait for me!", 22, 20, 10, false)
	_, err := r.Read(t.Context(), p.NRGBA, p.quads)
	require.NoError(t, err)
	p.write(t, "font-comic-neue-bold", credits, 22, 20, 50, false)
	_, err = r.Read(t.Context(), p.NRGBA, p.quads)
	require.ErrorIs(t, err, failure)
}
