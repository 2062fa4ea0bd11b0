package bubbles_test

import "plait/internal/onnx/graph"

// box is what the model of a test finds, with sides as shares of the page. The class is 0 for a bubble, 1 for text in one, and 2 for other text.
type box struct {
	X0, Y0, X1, Y1 float64
	Class          int64
	Score          float64
}

// modelOf is a small model with the ports of the real one. It finds the given boxes on any picture. It multiplies each score by the mean of the
// picture's channels, so that scores are as given on white and 0 on black.
func modelOf(boxes ...box) []byte {
	n := int64(len(boxes))
	var labels []int64
	var sides, scores []float32
	for _, b := range boxes {
		labels = append(labels, b.Class)
		sides = append(sides, float32(b.X0), float32(b.Y0), float32(b.X1), float32(b.Y1))
		scores = append(scores, float32(b.Score))
	}
	return graph.Model{
		Inputs: []graph.Value{
			{Name: "images", Shape: []int64{-1, 3, 640, 640}}, {Name: "orig_target_sizes", Type: graph.Int64, Shape: []int64{-1, 2}},
		},
		Outputs: []graph.Value{
			{Name: "labels", Type: graph.Int64, Shape: []int64{-1, n}}, {Name: "boxes", Shape: []int64{-1, n, 4}}, {Name: "scores", Shape: []int64{-1, n}},
		},
		Initializers: []graph.Tensor{
			{Name: "classes", Shape: []int64{1, n}, Ints: labels}, {Name: "sides", Shape: []int64{1, n, 4}, Floats: sides},
			{Name: "sure", Shape: []int64{1, n}, Floats: scores},
		},
		Nodes: []graph.Node{
			{Op: "Identity", In: []string{"classes"}, Out: []string{"labels"}},
			{Op: "Cast", In: []string{"orig_target_sizes"}, Out: []string{"size"}, Attributes: map[string]any{"to": int64(graph.Float)}},
			{Op: "Concat", In: []string{"size", "size"}, Out: []string{"corners"}, Attributes: map[string]any{"axis": int64(1)}},
			{Op: "Mul", In: []string{"sides", "corners"}, Out: []string{"boxes"}},
			{Op: "ReduceMean", In: []string{"images"}, Out: []string{"brightness"}, Attributes: map[string]any{"keepdims": int64(0)}},
			{Op: "Mul", In: []string{"sure", "brightness"}, Out: []string{"scores"}},
		},
	}.Bytes()
}
