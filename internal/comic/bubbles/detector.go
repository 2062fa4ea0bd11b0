// Package bubbles detects speech bubbles and blocks of text on a page, with a model of the RT-DETRv2 family ("RT-DETRv2: Improved
// Baseline with Bag-of-Freebies for Real-Time Detection Transformer", Lv et al., 2024).
//
// The model takes the whole page, stretched to a square. A strip is cut into overlapping windows; boxes found in two windows are
// merged.
//
// The base set has no such model; a manifest can add one. [Divide] assigns lines to the bubbles that hold them.
package bubbles

import (
	"context"
	"image"
	"image/color"
	"math"

	"plait/internal/raster"

	"golang.org/x/image/draw"
	"golang.org/x/sync/errgroup"

	"plait/internal/core"
	"plait/internal/onnx"
)

// Class is the kind of thing that a box encloses, by the number that the model uses.
type Class int64

// The classes.
const (
	Bubble     Class = 0
	BubbleText Class = 1
	FreeText   Class = 2
)

// Box is an axis-aligned rectangle on a page, in pixels.
type Box struct {
	X0, Y0, X1, Y1 float64
	Class          Class
	// Score is the confidence of the model, 0..1.
	Score float64
}

// side is the width and height of the model's input.
const side = 640

// threshold is the least score of a box, as the authors of the model use it.
const threshold = 0.3

// Model is the manifest entry of an RT-DETRv2 model. Its inputs are a picture in red, green and blue, 0..1, and the width and height of
// the page to which boxes are scaled; its outputs are a class, a box and a score for each query.
func Model(name, path, sha256 string) onnx.Model {
	return onnx.Model{
		Name: name, Path: path, SHA256: sha256,
		Inputs: []onnx.Port{
			{Name: "images", Shape: []int64{1, 3, side, side}},
			{Name: "orig_target_sizes", Shape: []int64{1, 2}, Type: onnx.Int64},
		},
		Outputs: []onnx.Port{
			{Name: "labels", Shape: []int64{1, onnx.Any}, Type: onnx.Int64},
			{Name: "boxes", Shape: []int64{1, onnx.Any, 4}},
			{Name: "scores", Shape: []int64{1, onnx.Any}},
		},
	}
}

// Detector finds bubbles and blocks of text. It is safe for concurrent use.
type Detector struct{ pool *onnx.Pool }

// New makes a Detector from a pool that was loaded from [Model].
func New(pool *onnx.Pool) *Detector { return &Detector{pool: pool} }

// Warm runs the model once on a blank page, so that the first page does not wait while the device prepares it.
func (d *Detector) Warm(ctx context.Context) error {
	_, err := d.Find(ctx, image.NewNRGBA(image.Rect(0, 0, side, side)))
	return err
}

// Find returns the boxes of a page, in descending order of score for each window. It fails with the error of ctx when ctx ends, and with
// CodeDevice, also if the model's outputs have the wrong shape.
func (d *Detector) Find(ctx context.Context, img *image.NRGBA) ([]Box, error) {
	bounds := img.Bounds()
	if bounds.Empty() {
		return nil, nil
	}
	windows := cut(bounds.Dx(), bounds.Dy())
	found := make([][]Box, len(windows))
	group, groupContext := errgroup.WithContext(ctx)
	group.SetLimit(d.pool.Places())
	for i, w := range windows {
		group.Go(func() (err error) {
			found[i], err = d.look(groupContext, img, w)
			return err
		})
	}
	if err := group.Wait(); err != nil {
		return nil, err
	}
	return unite(found), nil
}

// look finds the boxes in one window of the page.
func (d *Detector) look(ctx context.Context, img *image.NRGBA, window image.Rectangle) ([]Box, error) {
	if err := ctx.Err(); err != nil {
		return nil, err
	}
	input := d.pool.Borrow(1, 3, side, side)
	defer d.pool.Return(input)
	stretch(img, window.Add(img.Rect.Min), input.Data)
	size := onnx.Tensor{Shape: []int64{1, 2}, Ints: []int64{int64(window.Dx()), int64(window.Dy())}}
	out := make([]onnx.Tensor, 3)
	if err := d.pool.Run(ctx, []onnx.Tensor{input, size}, out); err != nil {
		return nil, err
	}
	labels, boxes, scores := out[0].Ints, out[1].Data, out[2].Data
	if len(scores) != len(labels) || len(boxes) != 4*len(labels) {
		return nil, core.Errorf(core.CodeDevice, "model %q gave %d labels, %d scores and %d sides of boxes",
			d.pool.Name(), len(labels), len(scores), len(boxes))
	}
	var found []Box
	for i, label := range labels {
		if box, ok := newBox(Class(label), boxes[4*i:4*i+4], scores[i], window); ok {
			found = append(found, box)
		}
	}
	sortBoxes(found)
	return found, nil
}

// newBox converts a box of a window to the page. It is not ok if its score is low, it is empty, or its class is unknown.
func newBox(class Class, sides []float32, score float32, window image.Rectangle) (b Box, ok bool) {
	if class < Bubble || class > FreeText || !(score >= threshold) { // true for NaN
		return Box{}, false
	}
	place := func(v float32, length, from int) float64 {
		return math.Min(math.Max(float64(v), 0), float64(length)) + float64(from)
	}
	b = Box{
		X0: place(sides[0], window.Dx(), window.Min.X), Y0: place(sides[1], window.Dy(), window.Min.Y),
		X1: place(sides[2], window.Dx(), window.Min.X), Y1: place(sides[3], window.Dy(), window.Min.Y),
		Class: class, Score: math.Min(float64(score), 1),
	}
	return b, b.X1 > b.X0 && b.Y1 > b.Y0
}

// stretch writes a part of img as red, green and blue planes of side x side, 0..1, over a white background.
func stretch(img *image.NRGBA, part image.Rectangle, planes []float32) {
	square := image.NewRGBA(image.Rect(0, 0, side, side))
	draw.Draw(square, square.Rect, image.NewUniform(color.White), image.Point{}, draw.Src)
	draw.BiLinear.Scale(square, square.Rect, img, part, draw.Over, nil)
	const area = side * side
	for i := range area {
		p := square.Pix[4*i : 4*i+3]
		planes[i], planes[area+i], planes[2*area+i] = float32(p[0])/255, float32(p[1])/255, float32(p[2])/255
	}
}

// Divide assigns lines to bubbles. For each line it returns the index of the smallest bubble of boxes that contains the middle of the
// line, or -1 for a line outside every bubble.
func Divide(boxes []Box, lines []raster.Quad) []int {
	in := make([]int, len(lines))
	for i, q := range lines {
		in[i] = -1
		x0, y0, x1, y1 := q.Bounds()
		x, y := (x0+x1)/2, (y0+y1)/2
		for k, b := range boxes {
			if b.Class != Bubble || x < b.X0 || x > b.X1 || y < b.Y0 || y > b.Y1 {
				continue
			}
			if in[i] < 0 || b.area() < boxes[in[i]].area() {
				in[i] = k
			}
		}
	}
	return in
}
