package ocr_test

import (
	"image/color"
	"os"
	"testing"

	"github.com/stretchr/testify/require"

	"plait/internal/assets"
	"plait/internal/assets/assetstest"
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

// fastDictionary is the dictionary of the fast model of the assets.
func fastDictionary(t *testing.T) ocr.Dictionary {
	t.Helper()
	path, err := assetstest.Open(t).Path(assets.FastDictionary)
	require.NoError(t, err)
	b, err := os.ReadFile(path)
	require.NoError(t, err)
	d, err := ocr.ParseDictionaryFile(b)
	require.NoError(t, err)
	return d
}

// The full model reads x in every line, so that its lines are known. The shortest line is none of those that tell the script of a page.
func TestTheFastModelReadsTheLinesThatItIsSureOf(t *testing.T) {
	t.Parallel()
	path, digest := onnxtest.Write(t, "model", stubbornRecognizer())
	full, err := ocr.New(loadFile(t, 1, ocr.Model("stubborn", path, digest)))
	require.NoError(t, err)
	r, err := full.Fast(loadModel(t, 1, assets.FastRecognizeModel, ocr.Model), fastDictionary(t))
	require.NoError(t, err)
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
	_, err := newRecognizer(t, 1).Fast(pool, fastDictionary(t)[1:])
	require.Equal(t, core.CodeModelMissing, core.CodeOf(err))
	require.ErrorContains(t, err, "has 6906 classes, but its dictionary has 6905")
}
