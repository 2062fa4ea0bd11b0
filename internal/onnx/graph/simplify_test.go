package graph_test

import (
	"bytes"
	"math/rand/v2"
	"os"
	"slices"
	"testing"

	"github.com/stretchr/testify/require"
	ort "github.com/yalue/onnxruntime_go"

	"plait/internal/assets"
	"plait/internal/assets/assetstest"
	"plait/internal/onnx"
	"plait/internal/onnx/graph"
)

func TestTransposedConvolutionsWithoutOverlapAreSimplified(t *testing.T) {
	t.Parallel()
	openRuntime(t)
	for name, c := range map[string]struct {
		model graph.Model
		// left is the number of transposed convolutions that stay.
		left int
	}{
		"one":               {series(node("ConvTranspose", "x", "w2", stride(2))), 0},
		"sides of 3":        {series(node("ConvTranspose", "x", "w3", stride(3))), 0},
		"bias":              {series(graph.Node{Op: "ConvTranspose", In: []string{"x", "w2", "bias"}, Attributes: stride(2)}), 0},
		"copied":            {series(node("Identity", "x", "", nil), node("ConvTranspose", "", "w2", stride(2)), node("Identity", "", "", nil)), 0},
		"pixels":            {series(node("ConvTranspose", "x", "w2", stride(2)), node("Add", "", "shift", nil), node("Relu", "", "", nil)), 0},
		"chain":             {series(node("ConvTranspose", "x", "w2", stride(2)), node("Add", "", "shift", nil), node("Relu", "", "", nil), node("ConvTranspose", "", "wl", stride(2)), node("Add", "", "one", nil), node("Sigmoid", "", "", nil)), 0},
		"chain that grows":  {series(node("ConvTranspose", "x", "w2", stride(2)), node("ConvTranspose", "", "w2", stride(2))), 0},
		"other operators":   {series(node("ConvTranspose", "x", "w2", stride(2)), node("Softmax", "", "", map[string]any{"axis": int64(3)})), 0},
		"row added":         {series(node("ConvTranspose", "x", "w2", stride(2)), node("Add", "", "row", nil)), 0},
		"overlap":           {series(node("ConvTranspose", "x", "w3", stride(2))), 1},
		"gaps":              {series(node("ConvTranspose", "x", "w2", stride(3))), 1},
		"no stride":         {series(node("ConvTranspose", "x", "w2", nil)), 1},
		"margins":           {series(node("ConvTranspose", "x", "w2", with(stride(2), "pads", []int64{1, 1, 1, 1}))), 1},
		"room":              {series(node("ConvTranspose", "x", "w2", with(stride(2), "output_padding", []int64{1, 1}))), 1},
		"groups":            {series(node("ConvTranspose", "x", "w2", with(stride(2), "group", int64(2)))), 1},
		"no transposed one": {series(node("Relu", "x", "", nil)), 0},
		"read twice":        {twice(), 0},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			before := c.model.Bytes()
			after := graph.Simplify(bytes.Clone(before), 1)
			require.Equal(t, c.left, transposed(after))
			if had := transposed(before); had == c.left {
				require.Equal(t, before, after)
			}
			x := noise(2 * channels * 3 * 2)
			require.InDeltaSlice(t, run(t, before, "y", x, 2, channels, 3, 2), run(t, after, "y", x, 2, channels, 3, 2), 1e-5)
		})
	}
}

func TestChannelsArePadded(t *testing.T) {
	t.Parallel()
	openRuntime(t)
	// a is a convolution to 6 channels, from which b makes 6 and c makes 4.
	a, pool := node("Conv", "x", "w6", nil), node("MaxPool", "", "", map[string]any{"kernel_shape": []int64{2, 2}, "auto_pad": "SAME_UPPER"})
	b, c := node("Conv", "", "w66", map[string]any{"pads": []int64{0, 0, 1, 1}}), node("Conv", "", "w46", nil)
	join := func(axis int64, values ...string) graph.Node {
		return graph.Node{Op: "Concat", In: append([]string{""}, values...), Attributes: map[string]any{"axis": axis}}
	}
	for name, test := range map[string]struct {
		nodes  []graph.Node
		padded bool
	}{
		"two":            {[]graph.Node{a, c}, true},
		"pooled":         {[]graph.Node{a, node("Add", "", "shift6", nil), node("Relu", "", "", nil), pool, c}, true},
		"shift of all":   {[]graph.Node{a, node("Add", "", "one", nil), pool, c}, true},
		"bias":           {[]graph.Node{{Op: "Conv", In: []string{"x", "w6", "bias6"}}, c}, true},
		"joined":         {[]graph.Node{a, pool, b, join(1, "vb"), node("Conv", "", "w4-12", nil)}, true},
		"joined to full": {[]graph.Node{a, pool, node("Conv", "", "w16-6", map[string]any{"pads": []int64{0, 0, 1, 1}}), join(1, "vb"), node("Conv", "", "w4-22", nil)}, true},
		"full":           {[]graph.Node{node("Conv", "x", "w16", nil), node("Conv", "", "w4-16", nil)}, false},
		"rows joined":    {[]graph.Node{a, pool, join(2, "va"), c}, false},
		"joined to x":    {[]graph.Node{node("Conv", "x", "w1", nil), join(1, "x"), node("Conv", "", "w4-5", nil)}, false},
		"normalized":     {[]graph.Node{a, node("Softmax", "", "", map[string]any{"axis": int64(1)}), c}, false},
		"grouped":        {[]graph.Node{a, node("Conv", "", "w6-1", map[string]any{"group": int64(6)}), node("Relu", "", "", nil)}, false},
		"output":         {[]graph.Node{a, node("Relu", "", "", nil)}, false},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			nodes := slices.Clone(test.nodes)
			for i := range nodes {
				nodes[i].In = slices.Clone(nodes[i].In)
			}
			before := series(nodes...).Bytes()
			after := graph.Simplify(bytes.Clone(before), 16)
			require.Equal(t, test.padded, !bytes.Equal(before, after))
			x := noise(2 * channels * 3 * 2)
			require.InDeltaSlice(t, run(t, before, "y", x, 2, channels, 3, 2), run(t, after, "y", x, 2, channels, 3, 2), 1e-5)
		})
	}
}

func TestTheDetectorIsSimplified(t *testing.T) {
	t.Parallel()
	openRuntime(t)
	for _, name := range []string{assets.DetectModel, assets.FastDetectModel} {
		path, err := assetstest.Open(t).Path(name)
		require.NoError(t, err)
		before, err := os.ReadFile(path)
		require.NoError(t, err)
		require.Equal(t, 2, transposed(before))
		x := noise(3 * 64 * 96)
		want := run(t, before, "fetch_name_0", x, 1, 3, 64, 96)
		for _, block := range []int{1, 8, 16} {
			after := graph.Simplify(bytes.Clone(before), block)
			require.Zero(t, transposed(after))
			require.InDeltaSlice(t, want, run(t, after, "fetch_name_0", x, 1, 3, 64, 96), 1e-5)
		}
	}
}

func FuzzSimplify(f *testing.F) {
	f.Add(series(node("ConvTranspose", "x", "w2", stride(2))).Bytes())
	f.Add(twice().Bytes())
	f.Add(series(node("Conv", "x", "w6", nil), node("Relu", "", "", nil), node("Conv", "", "w46", nil)).Bytes())
	f.Fuzz(func(t *testing.T, file []byte) {
		once := graph.Simplify(bytes.Clone(file), 16)
		require.Equal(t, once, graph.Simplify(bytes.Clone(once), 16))
	})
}

// transposed counts the transposed convolutions of a model, by the field with the operator of a node.
func transposed(model []byte) int { return bytes.Count(model, []byte("\"\rConvTranspose")) }

// channels is the number of channels of the input of a series.
const channels = 4

func node(op, in, operand string, attributes map[string]any) graph.Node {
	n := graph.Node{Op: op, In: []string{in}, Attributes: attributes}
	if operand != "" {
		n.In = append(n.In, operand)
	}
	return n
}

func stride(n int64) map[string]any { return map[string]any{"strides": []int64{n, n}} }

func with(attributes map[string]any, name string, value any) map[string]any {
	attributes[name] = value
	return attributes
}

// series returns a model from x to y in which each node without a first input reads the result of the one before.
func series(nodes ...graph.Node) graph.Model {
	for i := range nodes {
		if i > 0 {
			nodes[i].In[0] = nodes[i-1].Out[0]
		}
		nodes[i].Out = []string{"v" + string(rune('a'+i))}
	}
	nodes[len(nodes)-1].Out = []string{"y"}
	open4 := []int64{-1, -1, -1, -1}
	weight := func(name string, shape ...int64) graph.Tensor {
		n := int64(1)
		for _, d := range shape {
			n *= d
		}
		return graph.Tensor{Name: name, Shape: shape, Floats: noise(n)}
	}
	return graph.Model{
		Inputs:  []graph.Value{{Name: "x", Shape: open4}},
		Outputs: []graph.Value{{Name: "y", Shape: open4}},
		Initializers: []graph.Tensor{
			weight("w2", channels, channels, 2, 2), weight("w3", channels, channels, 3, 3), weight("wl", channels, 1, 2, 2),
			weight("bias", channels), weight("shift", 1, channels, 1, 1), weight("one", 1, 1, 1, 1), weight("row", channels),
			weight("w6", 6, channels, 1, 1), weight("w66", 6, 6, 2, 2), weight("w46", channels, 6, 1, 1), weight("w4-12", channels, 12, 1, 1),
			weight("w16", 16, channels, 1, 1), weight("w4-16", channels, 16, 1, 1), weight("w16-6", 16, 6, 2, 2), weight("w4-22", channels, 22, 1, 1),
			weight("w1", 1, channels, 1, 1), weight("w4-5", channels, 5, 1, 1), weight("w6-1", 6, 1, 1, 1),
			weight("shift6", 1, 6, 1, 1), weight("bias6", 6),
		},
		Nodes: nodes,
	}
}

// twice returns a model in which two nodes read what a transposed convolution returns.
func twice() graph.Model {
	m := series(node("ConvTranspose", "x", "w2", stride(2)), node("Relu", "", "", nil), node("Add", "", "", nil))
	m.Nodes[2].In = []string{m.Nodes[0].Out[0], m.Nodes[1].Out[0]}
	return m
}

func noise(n int64) []float32 {
	random := rand.New(rand.NewPCG(1, uint64(n)))
	values := make([]float32, n)
	for i := range values {
		values[i] = random.Float32()*2 - 1
	}
	return values
}

// openRuntime opens the library until the test ends.
func openRuntime(t *testing.T) {
	t.Helper()
	library, err := assetstest.Open(t).Path(assets.OnnxRuntime)
	require.NoError(t, err)
	rt, err := onnx.Open(onnx.Config{LibraryPath: library, Device: onnx.CPU})
	require.NoError(t, err)
	t.Cleanup(func() { require.NoError(t, rt.Close()) })
}

// run returns the output of a model as it is, which [onnx.Runtime.Load] would simplify.
func run(t *testing.T, model []byte, output string, x []float32, shape ...int64) []float32 {
	t.Helper()
	session, err := ort.NewDynamicAdvancedSessionWithONNXData(model, []string{"x"}, []string{output}, nil)
	require.NoError(t, err)
	defer func() { require.NoError(t, session.Destroy()) }()
	in, err := ort.NewTensor(shape, x)
	require.NoError(t, err)
	defer func() { require.NoError(t, in.Destroy()) }()
	out := []ort.Value{nil}
	require.NoError(t, session.Run([]ort.Value{in}, out))
	values := append([]float32{}, out[0].(*ort.Tensor[float32]).GetData()...)
	require.NoError(t, out[0].Destroy())
	return values
}
