// Package neural paints holes in art with ONNX models. It supports three contracts. All take an RGB picture [1,3,H,W] and a mask [1,1,H,W],
// and return a picture:
//
//	lama   0..1, mask 1 in the hole; sides are multiples of 64, or fixed by the file. Some files return 0..255 instead of 0..1;
//	       [Painter.Warm] detects which.
//	aot    -1..1, mask 1 in the hole; sides are multiples of 8.
//	migan  bytes, mask 0 in the hole and 255 elsewhere; any size.
//
// The model sees the hole with a margin. What is barred is part of the hole for it. A crop that is larger than the model accepts is scaled
// down, and the output is scaled up again. Only the hole takes the output.
package neural

import (
	"context"
	"image"

	"golang.org/x/image/draw"

	"plait/internal/comic/inpaint/crop"
	"plait/internal/comic/inpaint/membrane"
	"plait/internal/core"
	"plait/internal/onnx"
)

const (
	// margin is how many pixels around a hole a model needs to continue the art.
	margin = 128
	// mostSide limits the sides of the input of a model without a fixed size, in pixels, and so its memory.
	mostSide = 1024
)

// Painter paints with one model. It is safe for concurrent use after Warm.
type Painter struct {
	pool     *onnx.Pool
	contract contract
	// fixed is the size of the input if the file fixes it, or 0.
	fixed image.Point
	// bytes says that the model returns 0..255 although its input is 0..1.
	bytes bool
}

// New returns a Painter that uses a pool loaded from [Model] with the same contract.
func New(pool *onnx.Pool, contract string) *Painter {
	p := &Painter{pool: pool, contract: contracts[contract]}
	if s := pool.Inputs()[0].Shape; s[2] > 0 && s[3] > 0 {
		p.fixed = image.Pt(int(s[3]), int(s[2]))
	}
	return p
}

// Warm runs the model once on a white picture, so that the first page does not wait until the device is prepared. It also detects whether
// the model returns 0..1 or 0..255. Call it before the first Paint.
func (p *Painter) Warm(ctx context.Context) error {
	input, _ := p.size(image.Pt(margin, margin))
	white, hole := image.NewRGBA(image.Rectangle{Max: input}), make([]bool, input.X*input.Y)
	draw.Draw(white, white.Rect, image.White, image.Point{}, draw.Src)
	hole[len(hole)/2] = true
	out, err := p.run(ctx, white, hole)
	if err != nil {
		return err
	}
	defer p.pool.Return(out)
	var mean float64
	for _, v := range out.Data {
		mean += float64(v) / float64(len(out.Data))
	}
	p.bytes = p.contract.high == 1 && mean > 2
	return nil
}

// Margin returns how many pixels around a hole the model sees.
func (p *Painter) Margin() int { return margin }

// Paint sets the hole of c to the output of the model. It fails with the error of ctx, or with CodeDevice.
func (p *Painter) Paint(ctx context.Context, c *crop.Crop) error {
	input, inner := p.size(c.Rect.Size())
	img, hole := fit(c, input, inner)
	out, err := p.run(ctx, img, hole)
	if err != nil {
		return err
	}
	defer p.pool.Return(out)
	answer := p.contract
	if p.bytes {
		answer.high = 255
	}
	if err := answer.decode(out, img); err != nil {
		return err
	}
	take(c, img, inner)
	return nil
}

func (p *Painter) run(ctx context.Context, img *image.RGBA, hole []bool) (onnx.Tensor, error) {
	w, h := img.Rect.Dx(), img.Rect.Dy()
	in := []onnx.Tensor{p.tensor(3, w, h), p.tensor(1, w, h)}
	defer p.pool.Return(in...)
	p.contract.encode(img, hole, in[0], in[1])
	out := []onnx.Tensor{p.tensor(3, w, h)}
	if err := p.pool.Run(ctx, in, out); err != nil {
		if ctx.Err() != nil {
			return onnx.Tensor{}, ctx.Err()
		}
		return onnx.Tensor{}, core.Wrap(core.CodeDevice, err, "the inpainting model failed")
	}
	return out[0], nil
}

func (p *Painter) tensor(channels, w, h int) onnx.Tensor {
	if p.contract.kind == onnx.Uint8 {
		return onnx.Tensor{Shape: []int64{1, int64(channels), int64(h), int64(w)}, Bytes: make([]uint8, channels*w*h)}
	}
	return p.pool.Borrow(1, int64(channels), int64(h), int64(w))
}

// fit scales the crop to a size, and extends it by mirroring to the size of the input. hole says which pixels the model has to fill.
func fit(c *crop.Crop, input, size image.Point) (img *image.RGBA, hole []bool) {
	src := c.RGBA
	if size != c.Rect.Size() {
		src = image.NewRGBA(image.Rectangle{Max: size})
		plain := withoutLettering(c) // otherwise scaling would mix lettering into the known pixels beside it
		draw.BiLinear.Scale(src, src.Rect, plain.RGBA, plain.Rect, draw.Src, nil)
	}
	inside := make([]bool, size.X*size.Y)
	for i := range c.Hole.Pix {
		if !c.Known(i) {
			x, y := i%c.Width()*size.X/c.Width(), i/c.Width()*size.Y/c.Height()
			inside[y*size.X+x] = true
		}
	}
	img, hole = image.NewRGBA(image.Rectangle{Max: input}), make([]bool, input.X*input.Y)
	for i := range hole {
		from := mirrored(i/input.X, size.Y)*size.X + mirrored(i%input.X, size.X)
		copy(img.Pix[4*i:4*i+4], src.Pix[4*from:])
		hole[i] = inside[from]
	}
	return img, hole
}

// withoutLettering returns the crop with a membrane over all pixels that are not known.
func withoutLettering(c *crop.Crop) *crop.Crop {
	plain := crop.New(c.Rect)
	copy(plain.Pix, c.Pix)
	plain.Hole.Union(c.Hole)
	plain.Hole.Union(c.Barred)
	membrane.Fill(plain)
	return plain
}

// mirrored returns the position in a row of n pixels that position v shows if the row is continued by mirroring.
func mirrored(v, n int) int {
	v %= 2 * n
	return min(v, 2*n-1-v)
}

// take copies the output of the model to the hole of c. The upper left part of the output is the crop at that size.
func take(c *crop.Crop, answer *image.RGBA, size image.Point) {
	if size != c.Rect.Size() {
		large := image.NewRGBA(image.Rectangle{Max: c.Rect.Size()})
		draw.CatmullRom.Scale(large, large.Rect, answer, image.Rectangle{Max: size}, draw.Src, nil)
		answer = large
	}
	for i := range c.Hole.All() {
		copy(c.Pix[4*i:], answer.Pix[answer.PixOffset(i%c.Width(), i/c.Width()):][:4])
	}
}
