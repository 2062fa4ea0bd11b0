// Package bubblestest makes a small model with the contract of a bubble detector.
package bubblestest

import (
	"plait/internal/comic/bubbles"
	"plait/internal/onnx/onnxtest"
)

// Model finds the given boxes, whose sides are shares of the page, on any picture. Each score is multiplied by the mean of
// the picture's channels, so that on white it is as given and on black 0.
func Model(boxes ...bubbles.Box) []byte {
	n := int64(len(boxes))
	var labels []int64
	var sides, scores []float32
	for _, b := range boxes {
		labels = append(labels, int64(b.Class))
		sides = append(sides, float32(b.X0), float32(b.Y0), float32(b.X1), float32(b.Y1))
		scores = append(scores, float32(b.Score))
	}
	return onnxtest.Graph{
		Inputs: []onnxtest.Value{
			{Name: "images", Shape: []int64{-1, 3, 640, 640}}, {Name: "orig_target_sizes", Type: onnxtest.Int64, Shape: []int64{-1, 2}},
		},
		Outputs: []onnxtest.Value{
			{Name: "labels", Type: onnxtest.Int64, Shape: []int64{-1, n}}, {Name: "boxes", Shape: []int64{-1, n, 4}}, {Name: "scores", Shape: []int64{-1, n}},
		},
		Initializers: []onnxtest.Tensor{
			{Name: "classes", Shape: []int64{1, n}, Ints: labels}, {Name: "sides", Shape: []int64{1, n, 4}, Floats: sides},
			{Name: "sure", Shape: []int64{1, n}, Floats: scores},
		},
		Nodes: []onnxtest.Node{
			{Op: "Identity", In: []string{"classes"}, Out: []string{"labels"}},
			{Op: "Cast", In: []string{"orig_target_sizes"}, Out: []string{"size"}, Attributes: map[string]any{"to": int64(onnxtest.Float)}},
			{Op: "Concat", In: []string{"size", "size"}, Out: []string{"corners"}, Attributes: map[string]any{"axis": int64(1)}},
			{Op: "Mul", In: []string{"sides", "corners"}, Out: []string{"boxes"}},
			{Op: "ReduceMean", In: []string{"images"}, Out: []string{"brightness"}, Attributes: map[string]any{"keepdims": int64(0)}},
			{Op: "Mul", In: []string{"sure", "brightness"}, Out: []string{"scores"}},
		},
	}.Bytes()
}
