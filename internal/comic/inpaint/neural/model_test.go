package neural_test

import (
	"plait/internal/onnx"
	"plait/internal/onnx/graph"
)

// painting returns a small model with a contract of inpainting models. It keeps the known pixels and paints the hole in one gray, in the units
// of the contract. The size of the input is side, or not fixed if side is 0. gain multiplies the output: 255 for models that return 0..255.
func painting(contract string, side int64, gray, gain float32) []byte {
	if side == 0 {
		side = -1
	}
	kind, output, marked := graph.Float, "output", []string{"paint", "image"}
	if contract == onnx.ContractMIGAN { // its mask marks the known pixels
		kind, output, marked = graph.Uint8, "result", []string{"image", "paint"}
	}
	to := func(t graph.Type) map[string]any { return map[string]any{"to": int64(t)} }
	return graph.Model{
		Inputs: []graph.Value{
			{Name: "image", Type: kind, Shape: []int64{1, 3, side, side}}, {Name: "mask", Type: kind, Shape: []int64{1, 1, side, side}},
		},
		Outputs: []graph.Value{{Name: output, Type: kind, Shape: []int64{1, 3, side, side}}},
		Initializers: []graph.Tensor{
			{Name: "gray", Shape: []int64{1}, Floats: []float32{gray}}, {Name: "gain", Shape: []int64{1}, Floats: []float32{gain}},
		},
		Nodes: []graph.Node{
			{Op: "Cast", In: []string{"gray"}, Out: []string{"paint"}, Attributes: to(kind)},
			{Op: "Cast", In: []string{"mask"}, Out: []string{"marked"}, Attributes: to(graph.Bool)},
			{Op: "Where", In: append([]string{"marked"}, marked...), Out: []string{"painted"}},
			{Op: "Cast", In: []string{"painted"}, Out: []string{"floats"}, Attributes: to(graph.Float)},
			{Op: "Mul", In: []string{"floats", "gain"}, Out: []string{"scaled"}},
			{Op: "Cast", In: []string{"scaled"}, Out: []string{output}, Attributes: to(kind)},
		},
	}.Bytes()
}
