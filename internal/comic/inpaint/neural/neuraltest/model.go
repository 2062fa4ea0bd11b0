// Package neuraltest makes small models for tests, with the contracts of inpainting models.
package neuraltest

import (
	"plait/internal/onnx"
	"plait/internal/onnx/graph"
)

// Model returns a model that keeps the known pixels and paints the hole in one gray, in the units of its contract. The size of the input
// is side, or not fixed if side is 0. gain multiplies the output: 255 for models that return 0..255.
func Model(contract string, side int64, gray, gain float32) []byte {
	if side == 0 {
		side = -1
	}
	if contract == onnx.ContractMIGAN {
		return bytes(side, gray)
	}
	return graph.Model{
		Inputs:  []graph.Value{{Name: "image", Shape: []int64{1, 3, side, side}}, {Name: "mask", Shape: []int64{1, 1, side, side}}},
		Outputs: []graph.Value{{Name: "output", Shape: []int64{1, 3, side, side}}},
		Initializers: []graph.Tensor{
			{Name: "gray", Shape: []int64{1}, Floats: []float32{gray}}, {Name: "gain", Shape: []int64{1}, Floats: []float32{gain}},
		},
		Nodes: []graph.Node{
			{Op: "Mul", In: []string{"mask", "gray"}, Out: []string{"paint"}},
			{Op: "Add", In: []string{"image", "paint"}, Out: []string{"painted"}}, // the picture is 0 in the hole
			{Op: "Mul", In: []string{"painted", "gain"}, Out: []string{"output"}},
		},
	}.Bytes()
}

func bytes(side int64, gray float32) []byte {
	toFloat, toBytes := map[string]any{"to": int64(graph.Float)}, map[string]any{"to": int64(graph.Uint8)}
	return graph.Model{
		Inputs: []graph.Value{
			{Name: "image", Type: graph.Uint8, Shape: []int64{1, 3, side, side}}, {Name: "mask", Type: graph.Uint8, Shape: []int64{1, 1, side, side}},
		},
		Outputs: []graph.Value{{Name: "result", Type: graph.Uint8, Shape: []int64{1, 3, side, side}}},
		Initializers: []graph.Tensor{
			{Name: "white", Shape: []int64{1}, Floats: []float32{255}}, {Name: "one", Shape: []int64{1}, Floats: []float32{1}},
			{Name: "gray", Shape: []int64{1}, Floats: []float32{gray}},
		},
		Nodes: []graph.Node{
			{Op: "Cast", In: []string{"image"}, Out: []string{"picture"}, Attributes: toFloat},
			{Op: "Cast", In: []string{"mask"}, Out: []string{"given"}, Attributes: toFloat},
			{Op: "Div", In: []string{"given", "white"}, Out: []string{"known"}},
			{Op: "Sub", In: []string{"one", "known"}, Out: []string{"hole"}},
			{Op: "Mul", In: []string{"picture", "known"}, Out: []string{"kept"}},
			{Op: "Mul", In: []string{"hole", "gray"}, Out: []string{"paint"}},
			{Op: "Add", In: []string{"kept", "paint"}, Out: []string{"painted"}},
			{Op: "Cast", In: []string{"painted"}, Out: []string{"result"}, Attributes: toBytes},
		},
	}.Bytes()
}
