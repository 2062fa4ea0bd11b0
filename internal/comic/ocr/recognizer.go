// Package ocr reads lines of text with a recognizer of the PP-OCR family.
//
// A line is sampled from the page by one affine map to the height of the model's input, at the width that keeps its proportions. A
// column of vertical text is rotated a quarter counter-clockwise, as in the model's training. The model gives a probability of each
// character for each step along the line; [Dictionary.Decode] takes the best of each step, removes repeats and then blanks (greedy CTC,
// Graves et al., 2006).
//
// Some lines are read more than once, and the most certain reading is kept:
//
//   - A row that runs down the page is rotated like a column; an uncertain column is also read as a row that runs up (see [Reading]).
//   - A line that is hardly higher than wide is read as a row and as a column.
//   - A column with an uncertain letter is read as a row of upright letters.
//   - A line with an uncertain letter is read with a smaller crop, and a column without the part where its furigana may be.
//
// Characters with an ambiguous shape, such as the dots of an ellipsis and katakana that look like Chinese characters, are resolved by
// their neighbors.
//
// A smaller model can read long lines or every line first, so that the usual one reads only what is left in doubt (see
// [Recognizer.WithSmall] and [Recognizer.Fast]).
package ocr

import (
	"context"
	"fmt"
	"image"
	"strings"
	"unicode/utf8"

	"plait/internal/comic"
	"plait/internal/core"
	"plait/internal/onnx"
	"plait/internal/raster"
)

// Reading is the text of a line.
type Reading struct {
	Text string
	// Prob is the mean probability of the characters, 0..1.
	Prob float64
	// Vertical says that the line is a column, which reads from top to bottom.
	Vertical bool
	// Turns says where a row set sideways begins: at the corner that is so many after the first of its outline. It is 1 for a row that runs down
	// the page, 3 for one that runs up, and 0 for any other line.
	Turns int
	// small says that the small model alone has read the line.
	small bool
}

// tighter is the share of its height by which a line with a letter in doubt is cropped on both sides when it is read once more. The reading
// with the more certain such letter is kept. Measured: one more slanted character is right on 27 pages, and one line in seven is read twice.
const tighter = 0.1

// Model is the manifest entry of a PP-OCR recognition model. Its input is a line in blue, green and red, -1..1; its output is one softmax
// over the classes for each step.
func Model(name, path, sha256 string) onnx.Model {
	return onnx.Model{
		Name: name, Path: path, SHA256: sha256,
		Inputs:  []onnx.Port{{Name: "x", Shape: []int64{onnx.Any, 3, lineHeight, onnx.Any}}},
		Outputs: []onnx.Port{{Name: "fetch_name_0", Shape: []int64{onnx.Any, onnx.Any, onnx.Any}}},
	}
}

// Recognizer reads lines of text. It is safe for concurrent use.
type Recognizer struct {
	network
	// small gives the model that reads long lines first, or every line if fast is set. It may be nil, and then fast is not set.
	small func(context.Context) (*Small, error)
	fast  bool
}

// New makes a Recognizer from a pool that was loaded from [Model]. It fails with CodeModelMissing if the file has no dictionary, or one
// that does not fit its output.
func New(pool *onnx.Pool) (*Recognizer, error) {
	metadata, _ := pool.Metadata("character")
	dictionary, err := ParseDictionary(metadata)
	if err != nil {
		return nil, core.Wrap(core.CodeModelMissing, err, fmt.Sprintf("model %q has no dictionary", pool.Name()))
	}
	n, err := newNetwork(pool, dictionary)
	return &Recognizer{network: n}, err
}

// Warm runs the model once on a blank line, so that the first page does not wait while the device prepares it.
func (r *Recognizer) Warm(ctx context.Context) error {
	blank := image.NewNRGBA(image.Rect(0, 0, lineHeight, lineHeight))
	_, err := r.Read(ctx, blank, []raster.Quad{raster.QuadOf(0, 0, lineHeight, lineHeight)})
	return err
}

// Read reads lines of img, given by their corners clockwise from the upper left. It returns one reading for each line, in order. It fails
// with the error of ctx when ctx ends, and with CodeDevice.
func (r *Recognizer) Read(ctx context.Context, img *image.NRGBA, quads []raster.Quad) ([]Reading, error) {
	readings := make([]Reading, len(quads))
	if img.Bounds().Empty() {
		return readings, nil
	}
	all := make([]int, len(quads))
	for i := range all {
		all[i] = i
	}
	if r.fast {
		return readings, r.readFast(ctx, img, quads, all, readings)
	}
	return readings, r.readLines(ctx, img, quads, all, readings)
}

// readLines reads the lines with the given indices.
func (r *Recognizer) readLines(ctx context.Context, img *image.NRGBA, quads []raster.Quad, lines []int, readings []Reading) error {
	return r.pool.Each(ctx, len(lines), func(ctx context.Context, k int) (err error) {
		i := lines[k]
		readings[i], err = r.read(ctx, img, quads[i])
		return err
	})
}

func (r *Recognizer) read(ctx context.Context, img *image.NRGBA, q raster.Quad) (Reading, error) {
	if !comic.IsColumn(q) {
		row, err := r.readLine(ctx, img, q, false)
		if width, height := q.Sides(); err != nil || height <= width || !comic.PassShort.Runs(ctx) {
			return row, err
		}
		return r.readShort(ctx, img, q, row)
	}
	column, err := r.readColumn(ctx, img, q)
	if err != nil || !comic.PassUpward.Runs(ctx) {
		return column, err
	}
	return r.readUpward(ctx, img, q, column)
}

// readLine reads a line along the first side of q. It reads the line again if a letter is in doubt: the letters of a column are first stood
// upright.
func (r *Recognizer) readLine(ctx context.Context, img *image.NRGBA, q raster.Quad, column bool) (Reading, error) {
	c := newCrop(q)
	if reading, kept, err := r.readSmall(ctx, img, c); kept || err != nil {
		return reading, err
	}
	first, err := r.readCrop(ctx, img, c)
	if err != nil {
		return Reading{}, err
	}
	if column && inDoubt(first) && comic.PassUpright.Runs(ctx) {
		if first, err = r.readUpright(ctx, img, c, first); err != nil {
			return Reading{}, err
		}
	}
	if inDoubt(first) && comic.PassTighter.Runs(ctx) {
		if first, err = r.surer(ctx, img, first, c.part(tighter, 1-tighter)); err != nil {
			return Reading{}, err
		}
	}
	if column && inDoubt(first) && comic.PassRuby.Runs(ctx) {
		// Furigana is half as wide as its base, so it takes a third of the width of the column.
		if first, err = r.surer(ctx, img, first, c.part(1.0/3, 1)); err != nil {
			return Reading{}, err
		}
	}
	return Reading{Text: settled(ctx, first.Text), Prob: first.Prob}, nil
}

// inDoubt reports whether a letter of a reading is in doubt.
func inDoubt(d Decoded) bool { return d.Text != "" && d.Least < comic.SureReading }

func settled(ctx context.Context, text string) string {
	if !comic.PassSettled.Runs(ctx) {
		return text
	}
	return settle(text)
}

// surer reads a line once more. It returns the reading with the more certain least certain letter, but never a second reading that lacks a
// part of the first.
func (r *Recognizer) surer(ctx context.Context, img *image.NRGBA, first Decoded, c crop) (Decoded, error) {
	second, err := r.readCrop(ctx, img, c)
	if err != nil || second.Least <= first.Least || loses(settle(first.Text), settle(second.Text)) {
		return first, err
	}
	return second, nil
}

// loses reports whether the second reading lacks characters or an ellipsis of the first: it may then be certain only because it is
// shorter.
func loses(first, second string) bool {
	count := func(s string) int { return utf8.RuneCountInString(strings.ReplaceAll(s, " ", "")) }
	dotted := func(s string) bool { return strings.Contains(s, "…") || strings.Contains(s, "...") }
	return count(second) < count(first) || dotted(first) && !dotted(second)
}
