// Package bubbles detects speech bubbles on a page, with a model of the RT-DETRv2 family ("RT-DETRv2: Improved
// Baseline with Bag-of-Freebies for Real-Time Detection Transformer", Lv et al., 2024).
//
// The model takes the whole page, stretched to a square. A strip is cut into overlapping windows; boxes found in two windows are
// merged.
//
// The base set has no such model; a manifest can add one. [Around] assigns a line to the bubble that holds it.
package bubbles

import (
	"context"
	"image"
	"image/color"

	"golang.org/x/image/draw"

	"plait/internal/core"
	"plait/internal/onnx"
	"plait/internal/raster"
)

// side is the width and height of the model's input.
const side = 640

const (
	// threshold is the least score of a box, as the authors of the model use it.
	threshold = 0.3
	// bubble is the class of speech bubbles. The model also finds the text in them, and free text.
	bubble = 0
)

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

// Detector finds bubbles. It is safe for concurrent use.
type Detector struct{ pool *onnx.Pool }

// New makes a Detector from a pool that was loaded from [Model].
func New(pool *onnx.Pool) *Detector { return &Detector{pool: pool} }

// Warm runs the model once on a blank page, so that the first page does not wait while the device prepares it.
func (d *Detector) Warm(ctx context.Context) error {
	_, err := d.Find(ctx, image.NewNRGBA(image.Rect(0, 0, side, side)))
	return err
}

// Find returns the boxes of the bubbles of a page. It fails with the error of ctx when ctx ends, and with CodeDevice, also if the model's
// outputs have the wrong shape.
func (d *Detector) Find(ctx context.Context, img *image.NRGBA) ([]image.Rectangle, error) {
	bounds := img.Bounds()
	if bounds.Empty() {
		return nil, nil
	}
	windows := cut(bounds.Dx(), bounds.Dy())
	found := make([][]image.Rectangle, len(windows))
	err := d.pool.Each(ctx, len(windows), func(ctx context.Context, i int) (err error) {
		found[i], err = d.look(ctx, img, windows[i])
		return err
	})
	return unite(found), err
}

// look finds the bubbles in one window of the page.
func (d *Detector) look(ctx context.Context, img *image.NRGBA, window image.Rectangle) (found []image.Rectangle, err error) {
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
	for i, label := range labels {
		if label != bubble || !(scores[i] >= threshold) { // true for NaN
			continue
		}
		b := boxes[4*i:]
		box := raster.Enclosing(float64(b[0]), float64(b[1]), float64(b[2]), float64(b[3])).Add(window.Min).Intersect(window)
		if !box.Empty() {
			found = append(found, box)
		}
	}
	return found, nil
}

// stretch writes a part of img as red, green and blue planes of side x side, 0..1, over a white background.
func stretch(img *image.NRGBA, part image.Rectangle, planes []float32) {
	square := image.NewRGBA(image.Rect(0, 0, side, side))
	draw.Draw(square, square.Rect, image.NewUniform(color.White), image.Point{}, draw.Src)
	draw.BiLinear.Scale(square, square.Rect, img, part, draw.Over, nil)
	for i := range side * side {
		for k := range 3 {
			planes[k*side*side+i] = float32(square.Pix[4*i+k]) / 255
		}
	}
}

// Around returns the index of the smallest bubble of boxes that contains the middle of a line, or -1 for a line outside every bubble.
func Around(boxes []image.Rectangle, line raster.Quad) int {
	middle, smallest := line.Middle().Pixel(), -1
	for i, b := range boxes {
		if middle.In(b) && (smallest < 0 || area(b) < area(boxes[smallest])) {
			smallest = i
		}
	}
	return smallest
}
