package mangaocr_test

import (
	"slices"

	"plait/internal/onnx/graph"
)

// encoder is a small model with the ports of the encoder of manga-ocr. It outputs one vector of three values: the mean of each channel of the
// picture, from -1 for black to 1 for white.
func encoder() []byte {
	return graph.Model{
		Inputs:  []graph.Value{{Name: "pixel_values", Shape: []int64{-1, 3, 224, 224}}},
		Outputs: []graph.Value{{Name: "last_hidden_state", Shape: []int64{-1, -1, 3}}},
		Nodes: []graph.Node{
			{Op: "ReduceMean", In: []string{"pixel_values"}, Out: []string{"rows"}, Attributes: map[string]any{"axes": []int64{3}, "keepdims": int64(0)}},
			{Op: "ReduceMean", In: []string{"rows"}, Out: []string{"means"}, Attributes: map[string]any{"axes": []int64{2}}},
			{Op: "Transpose", In: []string{"means"}, Out: []string{"last_hidden_state"}, Attributes: map[string]any{"perm": []int64{0, 2, 1}}},
		},
	}.Bytes()
}

// decoderOf is a small model with the ports of the decoder of manga-ocr. It writes the tokens dark for a picture that is mostly dark, and light
// for any other. Both are tokens of a vocabulary of that size, without the start and end tokens. Each token may occur only once in both
// together, except that a sequence may end with an earlier token of its own: it then continues from there and never ends.
func decoderOf(vocabulary int, dark, light []int64) []byte {
	n := int64(vocabulary)
	table := make([]float32, n*n)   // the logits after each token
	toLight := make([]float32, 3*n) // what the mean of each channel adds to the logit of each token
	for i, sequence := range [][]int64{dark, light} {
		for channel := range int64(3) {
			toLight[channel*n+sequence[0]] = float32(2*i - 1)
		}
		if last := len(sequence) - 1; !slices.Contains(sequence[:last], sequence[last]) {
			sequence = append(slices.Clone(sequence), 3)
		}
		after := int64(2)
		for _, token := range sequence {
			table[after*n+token], after = 12, token // the softmax of 12 among a few tokens is nearly 1
		}
	}
	return graph.Model{
		Inputs: []graph.Value{
			{Name: "input_ids", Type: graph.Int64, Shape: []int64{-1, -1}}, {Name: "encoder_hidden_states", Shape: []int64{-1, -1, 3}},
		},
		Outputs: []graph.Value{{Name: "logits", Shape: []int64{-1, -1, n}}},
		Initializers: []graph.Tensor{
			{Name: "table", Shape: []int64{n, n}, Floats: table}, {Name: "light", Shape: []int64{3, n}, Floats: toLight},
		},
		Nodes: []graph.Node{
			{Op: "Gather", In: []string{"table", "input_ids"}, Out: []string{"after"}},
			{Op: "MatMul", In: []string{"encoder_hidden_states", "light"}, Out: []string{"seen"}},
			{Op: "Add", In: []string{"after", "seen"}, Out: []string{"logits"}},
		},
	}.Bytes()
}
