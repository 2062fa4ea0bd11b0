// Package mangaocr reads Japanese lines with a vision encoder and a text decoder that have the inputs and outputs of manga-ocr
// (kha-white/manga-ocr, Apache-2.0). The encoder runs once for each line. The decoder outputs the most probable next token until that
// is the end token.
//
// The decoder outputs some text for any picture. A reading that does not end within the length that its line can hold is discarded.
// The probability of a reading is the mean probability of its tokens.
//
// The base set has no such model; a manifest can add one.
package mangaocr

import (
	"context"
	"image"
	"math"
	"strings"

	"plait/internal/comic"
	"plait/internal/comic/ocr"
	"plait/internal/core"
	"plait/internal/onnx"
	"plait/internal/raster"
)

// EncoderModel is the manifest entry of an encoder. Its input is a square picture; its output is a sequence of vectors.
func EncoderModel(name, path, sha256 string) onnx.Model {
	return onnx.Model{
		Name: name, Path: path, SHA256: sha256,
		Inputs:  []onnx.Port{{Name: "pixel_values", Shape: []int64{1, 3, side, side}}},
		Outputs: []onnx.Port{{Name: "last_hidden_state", Shape: []int64{1, onnx.Any, onnx.Any}}},
	}
}

// DecoderModel is the manifest entry of a decoder. Its inputs are the tokens so far and the encoder's vectors; its output is, for each
// position, a score for each token of the vocabulary.
func DecoderModel(name, path, sha256 string) onnx.Model {
	return onnx.Model{
		Name: name, Path: path, SHA256: sha256,
		Inputs: []onnx.Port{
			{Name: "input_ids", Shape: []int64{1, onnx.Any}, Type: onnx.Int64},
			{Name: "encoder_hidden_states", Shape: []int64{1, onnx.OfFile, onnx.OfFile}},
		},
		Outputs: []onnx.Port{{Name: "logits", Shape: []int64{1, onnx.Any, onnx.Any}}},
	}
}

// side is the width and height of the encoder's input.
const side = 224

// Reader reads lines of text. It is safe for concurrent use.
type Reader struct {
	encoder, decoder *onnx.Pool
	vocabulary       Vocabulary
}

// New makes a Reader from pools that were loaded from [EncoderModel] and [DecoderModel]. It fails with CodeModelMissing if the decoder was
// made for a vocabulary of another size.
func New(encoder, decoder *onnx.Pool, vocabulary Vocabulary) (*Reader, error) {
	if n := decoder.Outputs()[0].Shape[2]; n >= 0 && n != int64(len(vocabulary)) {
		return nil, core.Errorf(core.CodeModelMissing, "model %q has %d tokens, but its vocabulary has %d",
			decoder.Name(), n, len(vocabulary))
	}
	return &Reader{encoder: encoder, decoder: decoder, vocabulary: vocabulary}, nil
}

// Warm reads a blank line once, so that the first page does not wait while the device prepares the models.
func (r *Reader) Warm(ctx context.Context) error {
	_, err := r.Read(ctx, image.NewNRGBA(image.Rect(0, 0, 8, 8)), []raster.Quad{raster.QuadOf(0, 0, 8, 8)})
	return err
}

// Read reads lines of img, given by their corners clockwise from the upper left. It returns one reading for each line, in order; the
// reading of a line that cannot be read has no text. It fails with the error of ctx when ctx ends, and with CodeDevice.
func (r *Reader) Read(ctx context.Context, img *image.NRGBA, quads []raster.Quad) ([]ocr.Reading, error) {
	readings := make([]ocr.Reading, len(quads))
	err := r.encoder.Each(ctx, len(quads), func(ctx context.Context, i int) (err error) {
		readings[i], err = r.read(ctx, img, quads[i])
		return err
	})
	return readings, err
}

func (r *Reader) read(ctx context.Context, img *image.NRGBA, q raster.Quad) (ocr.Reading, error) {
	input := r.encoder.Borrow(1, 3, side, side)
	defer r.encoder.Return(input)
	if !sample(img, q, input.Data) {
		return ocr.Reading{}, nil
	}
	hidden := make([]onnx.Tensor, 1)
	if err := r.encoder.Run(ctx, []onnx.Tensor{input}, hidden); err != nil {
		return ocr.Reading{}, err
	}
	text, prob, err := r.write(ctx, hidden[0], mostTokens(q))
	return ocr.Reading{Text: text, Prob: prob, Vertical: comic.IsColumn(q)}, err
}

// sample writes the line, stretched to a square, as three equal planes of gray, -1..1. It reports whether the line has an area.
func sample(img *image.NRGBA, q raster.Quad, planes []float32) bool {
	if width, height := q.Sides(); width*height < 1 {
		return false
	}
	for at, c := range raster.Warp(img, q, side, side) {
		// The model was trained on luma.
		v := raster.RGB{uint8(c[0]), uint8(c[1]), uint8(c[2])}.Luma()/127.5 - 1
		for k := range 3 {
			planes[(k*side+at.Y)*side+at.X] = v
		}
	}
	return true
}

// longest is the greatest number of tokens of a text, the limit of manga-ocr.
const longest = 300

// mostTokens is the number of tokens that a line can hold: Japanese characters are square, and punctuation is a third as long.
func mostTokens(q raster.Quad) int {
	squares := max(q.Sides()) / max(min(q.Sides()), 1)
	return int(min(8+3*math.Ceil(squares), longest))
}

// write runs the decoder until it has written most tokens. The probability is the mean over the tokens, where one that is not text counts
// as 0. Without an end token there is no text.
func (r *Reader) write(ctx context.Context, hidden onnx.Tensor, most int) (text string, prob float64, err error) {
	ids := make([]int64, 1, most+1)
	ids[0] = startToken
	var b strings.Builder
	var sum float64
	for range most {
		token, p, err := r.next(ctx, ids, hidden)
		if err != nil {
			return "", 0, err
		}
		if token == endToken {
			if text = normalize(b.String()); text == "" {
				return "", 0, nil
			}
			return text, sum / float64(len(ids)-1), nil
		}
		if s := r.vocabulary[token]; s != "" {
			b.WriteString(s)
			sum += p
		}
		ids = append(ids, int64(token))
	}
	return "", 0, nil
}

// next is the most probable token after ids, and its probability.
func (r *Reader) next(ctx context.Context, ids []int64, hidden onnx.Tensor) (token int, prob float64, err error) {
	n := int64(len(ids))
	logits := r.decoder.Borrow(1, n, int64(len(r.vocabulary)))
	defer r.decoder.Return(logits)
	in := []onnx.Tensor{{Shape: []int64{1, n}, Ints: ids}, hidden}
	if err := r.decoder.Run(ctx, in, []onnx.Tensor{logits}); err != nil {
		return 0, 0, err
	}
	token, prob = likeliest(logits.Data[len(logits.Data)-len(r.vocabulary):])
	return token, prob, nil
}

// likeliest is the token with the largest logit, and its softmax. If the logits are NaN it is the end token.
func likeliest(logits []float32) (token int, prob float64) {
	token = endToken
	for i, v := range logits {
		if v > logits[token] || logits[token] != logits[token] {
			token = i
		}
	}
	var sum float64
	for _, v := range logits {
		sum += math.Exp(float64(v - logits[token]))
	}
	if !(sum >= 1) { // the largest logit alone adds 1, so this is NaN
		return endToken, 0
	}
	return token, 1 / sum
}
