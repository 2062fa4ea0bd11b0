package engine_test

import (
	"testing"

	"plait/internal/onnx"
	"plait/internal/onnx/graph"
	"plait/internal/onnx/onnxtest"
)

// blindDetector is a detection model that finds nothing. The name of its output differs from the base model's.
func blindDetector() []byte {
	return graph.Model{
		Inputs:       []graph.Value{{Name: "x", Shape: []int64{-1, 3, -1, -1}}},
		Outputs:      []graph.Value{{Name: "sigmoid_0.tmp_0", Shape: []int64{-1, 1, -1, -1}}},
		Initializers: []graph.Tensor{{Name: "weights", Shape: []int64{1, 3, 1, 1}, Floats: []float32{0, 0, 0}}},
		Nodes:        []graph.Node{{Op: "Conv", In: []string{"x", "weights"}, Out: []string{"sigmoid_0.tmp_0"}}},
	}.Bytes()
}

// stubbornRecognizer is a recognition model that reads the same character in any line, with a probability of nearly e^logit / (e^logit +
// 2).
func stubbornRecognizer(character string, logit float32) []byte {
	return graph.Model{
		Inputs:  []graph.Value{{Name: "x", Shape: []int64{-1, 3, 48, -1}}},
		Outputs: []graph.Value{{Name: "fetch_name_0", Shape: []int64{-1, -1, 3}}},
		Initializers: []graph.Tensor{
			{Name: "axis", Shape: []int64{1}, Ints: []int64{2}}, {Name: "nothing", Shape: []int64{3, 3}, Floats: make([]float32, 9)},
			{Name: "bias", Shape: []int64{3}, Floats: []float32{0, logit, 0}}, // blank, the character, space
		},
		Nodes: []graph.Node{
			{Op: "AveragePool", In: []string{"x"}, Out: []string{"steps"}, Attributes: map[string]any{"kernel_shape": []int64{48, 8}, "strides": []int64{48, 8}}},
			{Op: "Squeeze", In: []string{"steps", "axis"}, Out: []string{"flat"}},
			{Op: "Transpose", In: []string{"flat"}, Out: []string{"rows"}, Attributes: map[string]any{"perm": []int64{0, 2, 1}}},
			{Op: "MatMul", In: []string{"rows", "nothing"}, Out: []string{"zeros"}},
			{Op: "Add", In: []string{"zeros", "bias"}, Out: []string{"logits"}},
			{Op: "Softmax", In: []string{"logits"}, Out: []string{"fetch_name_0"}, Attributes: map[string]any{"axis": int64(-1)}},
		},
		Metadata: map[string]string{"character": character},
	}.Bytes()
}

// bubblesAt is a model of bubbles that finds the same boxes on any page: x0, y0, x1, y1 in pixels.
func bubblesAt(boxes ...[4]float32) []byte {
	n := int64(len(boxes))
	var sides, scores []float32
	for _, b := range boxes {
		sides, scores = append(sides, b[:]...), append(scores, 1)
	}
	return graph.Model{
		Inputs: []graph.Value{
			{Name: "images", Shape: []int64{1, 3, 640, 640}}, {Name: "orig_target_sizes", Type: graph.Int64, Shape: []int64{1, 2}},
		},
		Outputs: []graph.Value{
			{Name: "labels", Type: graph.Int64, Shape: []int64{1, n}}, {Name: "boxes", Shape: []int64{1, n, 4}}, {Name: "scores", Shape: []int64{1, n}},
		},
		Initializers: []graph.Tensor{
			{Name: "bubble", Shape: []int64{1, n}, Ints: make([]int64, n)}, {Name: "sides", Shape: []int64{1, n, 4}, Floats: sides},
			{Name: "sure", Shape: []int64{1, n}, Floats: scores},
		},
		Nodes: []graph.Node{
			{Op: "Identity", In: []string{"bubble"}, Out: []string{"labels"}}, {Op: "Identity", In: []string{"sides"}, Out: []string{"boxes"}},
			{Op: "Identity", In: []string{"sure"}, Out: []string{"scores"}},
		},
	}.Bytes()
}

// mangaOCR has the files of a model that reads "朝." in any line, with a vocabulary.
func mangaOCR(vocabulary string) map[string][]byte {
	const tokens = 8
	table := make([]float32, tokens*tokens) // the logits after each token
	for _, step := range [][2]int{{2, 6}, {6, 7}, {7, 3}} {
		table[step[0]*tokens+step[1]] = 12 // the softmax of 12 among a few tokens is nearly 1
	}
	seen := graph.Value{Name: "last_hidden_state", Shape: []int64{1, 1, 1}}
	encoder := graph.Model{
		Inputs: []graph.Value{{Name: "pixel_values", Shape: []int64{1, 3, 224, 224}}}, Outputs: []graph.Value{seen},
		Initializers: []graph.Tensor{{Name: "nothing", Shape: seen.Shape, Floats: []float32{0}}},
		Nodes:        []graph.Node{{Op: "Identity", In: []string{"nothing"}, Out: []string{seen.Name}}},
	}
	decoder := graph.Model{
		Inputs: []graph.Value{
			{Name: "input_ids", Type: graph.Int64, Shape: []int64{1, -1}}, {Name: "encoder_hidden_states", Shape: seen.Shape},
		},
		Outputs:      []graph.Value{{Name: "logits", Shape: []int64{1, -1, tokens}}},
		Initializers: []graph.Tensor{{Name: "table", Shape: []int64{tokens, tokens}, Floats: table}},
		Nodes:        []graph.Node{{Op: "Gather", In: []string{"table", "input_ids"}, Out: []string{"logits"}}},
	}
	return map[string][]byte{onnx.RoleEncoder: encoder.Bytes(), onnx.RoleDecoder: decoder.Bytes(), onnx.RoleVocabulary: []byte(vocabulary)}
}

// inpainter is a model with the ports of LaMa, for pictures of a type. It paints the hole black.
func inpainter(kind graph.Type) []byte {
	return graph.Model{
		Inputs: []graph.Value{
			{Name: "image", Type: kind, Shape: []int64{1, 3, -1, -1}}, {Name: "mask", Type: kind, Shape: []int64{1, 1, -1, -1}},
		},
		Outputs: []graph.Value{{Name: "output", Type: kind, Shape: []int64{1, 3, -1, -1}}},
		Nodes:   []graph.Node{{Op: "Identity", In: []string{"image"}, Out: []string{"output"}}},
	}.Bytes()
}

// added is a manifest entry whose files hold the given contents, by role.
func added(t *testing.T, name string, kind onnx.Kind, contents map[string][]byte) onnx.Entry {
	t.Helper()
	e := onnx.Entry{Name: name, Kind: kind, License: "MIT", Source: "the test", Files: map[string]onnx.File{}}
	for role, b := range contents {
		path, digest := onnxtest.Write(t, role, b)
		e.Files[role] = onnx.File{Path: path, SHA256: digest}
	}
	return e
}

func one(content []byte) map[string][]byte { return map[string][]byte{onnx.RoleModel: content} }
