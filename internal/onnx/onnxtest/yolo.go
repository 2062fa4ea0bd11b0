package onnxtest

import (
	"testing"

	"plait/internal/onnx/graph"
)

// YOLO writes a model with the inputs and outputs of DocLayout-YOLO that finds the same boxes on every page: six values each, x1, y1, x2 and y2 in
// pixels of the input, confidence and class. It returns its path and SHA-256.
func YOLO(tb testing.TB, boxes []float32) (path, digest string) {
	tb.Helper()
	const values = 6
	g := graph.Model{
		Inputs:  []graph.Value{{Name: "images", Type: graph.Float, Shape: []int64{1, 3, -1, -1}}},
		Outputs: []graph.Value{{Name: "output0", Type: graph.Float, Shape: []int64{1, -1, values}}},
		Initializers: []graph.Tensor{
			{Name: "boxes", Shape: []int64{1, int64(len(boxes)) / values, values}, Floats: boxes}, {Name: "zero", Shape: []int64{1}, Floats: []float32{0}},
		},
		Nodes: []graph.Node{
			{Op: "ReduceMean", In: []string{"images"}, Out: []string{"mean"}, Attributes: map[string]any{"keepdims": int64(0)}},
			{Op: "Mul", In: []string{"mean", "zero"}, Out: []string{"nothing"}},
			{Op: "Add", In: []string{"boxes", "nothing"}, Out: []string{"output0"}},
		},
	}
	return Write(tb, "yolo", g.Bytes())
}
