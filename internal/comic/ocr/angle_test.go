package ocr_test

import (
	"image"
	"image/color"
	"slices"
	"testing"

	"github.com/stretchr/testify/require"

	"plait/internal/assets"
	"plait/internal/assets/assetstest"
	"plait/internal/comic/ocr"
	"plait/internal/onnx"
	"plait/internal/onnx/graph"
	"plait/internal/onnx/onnxtest"
)

// classifier is an angle classifier by which any line is e^logit times as likely upside down as upright.
func classifier(t *testing.T, logit float32) *onnx.Pool {
	t.Helper()
	path, digest := onnxtest.Write(t, "classifier", graph.Model{
		Inputs:  []graph.Value{{Name: "x", Shape: []int64{-1, 3, -1, -1}}},
		Outputs: []graph.Value{{Name: "fetch_name_0", Shape: []int64{-1, 2}}},
		Initializers: []graph.Tensor{
			{Name: "axes", Shape: []int64{2}, Ints: []int64{2, 3}}, {Name: "nothing", Shape: []int64{3, 2}, Floats: make([]float32, 6)},
			{Name: "bias", Shape: []int64{2}, Floats: []float32{0, logit}},
		},
		Nodes: []graph.Node{
			{Op: "GlobalAveragePool", In: []string{"x"}, Out: []string{"mean"}},
			{Op: "Squeeze", In: []string{"mean", "axes"}, Out: []string{"row"}},
			{Op: "MatMul", In: []string{"row", "nothing"}, Out: []string{"zeros"}},
			{Op: "Add", In: []string{"zeros", "bias"}, Out: []string{"logits"}},
			{Op: "Softmax", In: []string{"logits"}, Out: []string{"fetch_name_0"}, Attributes: map[string]any{"axis": int64(-1)}},
		},
	}.Bytes())
	library, err := assetstest.Open(t).Path(assets.OnnxRuntime)
	require.NoError(t, err)
	rt, err := onnx.Open(onnx.Config{LibraryPath: library, Device: onnx.CPU, Threads: 1})
	require.NoError(t, err)
	t.Cleanup(func() { require.NoError(t, rt.Close()) })
	pool, err := rt.Load(ocr.AngleModel("classifier", path, digest), 1)
	require.NoError(t, err)
	t.Cleanup(func() { require.NoError(t, pool.Close()) })
	return pool
}

func TestDoubtfulLongLinesAreTurned(t *testing.T) {
	t.Parallel()
	const long, short = "Wait for me, Captain!", "Look"
	for name, c := range map[string]struct {
		text   string
		logit  float32
		turned bool
	}{
		"upside down":                    {long, 5, true},
		"upright for the classifier":     {long, -5, false},
		"unsure":                         {long, 1, false},
		"too short to ask, as if turned": {short, 5, false},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			r := newRecognizer(t, 1)
			r.UseAngles(classifier(t, c.logit))
			p := newPage(500, 120, color.White, color.Black)
			p.write(t, "font-comic-neue-bold", c.text, 32, 60, 40, false)
			upright, err := r.Read(t.Context(), p.NRGBA, p.quads)
			require.NoError(t, err)
			require.Equal(t, c.text, upright[0].Text)

			turn(p.NRGBA)
			for i, corner := range p.quads[0] {
				p.quads[0][i] = [2]float64{500 - corner[0], 120 - corner[1]}
			}
			q := p.quads[0]
			q[0], q[1], q[2], q[3] = q[2], q[3], q[0], q[1] // as the page is seen
			p.quads[0] = q
			turned, err := r.Read(t.Context(), p.NRGBA, p.quads)
			require.NoError(t, err)
			alone, err := newRecognizer(t, 1).Read(t.Context(), p.NRGBA, p.quads)
			require.NoError(t, err)
			if c.turned {
				require.Equal(t, c.text, turned[0].Text)
				require.NotEqual(t, c.text, alone[0].Text)
			} else {
				require.Equal(t, alone, turned)
			}
		})
	}
}

// turn rotates a picture by 180 degrees.
func turn(img *image.NRGBA) {
	slices.Reverse(img.Pix)
	for i := 0; i < len(img.Pix); i += 4 {
		slices.Reverse(img.Pix[i : i+4])
	}
}
