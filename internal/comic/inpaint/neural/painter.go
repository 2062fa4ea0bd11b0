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
	// width and height are the size of the input if the file fixes it, or 0.
	width, height int
	// bytes says that the model returns 0..255 although its input is 0..1.
	bytes bool
}

// New returns a Painter that uses a pool loaded from [Model] with the same contract.
func New(pool *onnx.Pool, contract string) *Painter {
	p := &Painter{pool: pool, contract: contracts[contract]}
	if s := pool.Inputs()[0].Shape; s[2] > 0 && s[3] > 0 {
		p.width, p.height = int(s[3]), int(s[2])
	}
	return p
}

// Warm runs the model once on a white picture, so that the first page does not wait until the device is prepared. It also detects whether
// the model returns 0..1 or 0..255. Call it before the first Paint.
func (p *Painter) Warm(ctx context.Context) error {
	w, h, _ := p.size(margin, margin)
	white, hole := image.NewRGBA(image.Rect(0, 0, w, h)), make([]bool, w*h)
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
	w, h, scale := p.size(c.Width(), c.Height())
	img, hole := fit(c, w, h, scale)
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
	take(c, img, scale)
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

// fit scales the crop and extends it by mirroring to a picture of w by h pixels. hole says which pixels the model has to fill.
func fit(c *crop.Crop, w, h int, scale float64) (img *image.RGBA, hole []bool) {
	iw, ih := scaled(c, scale)
	src := c.RGBA
	if scale < 1 {
		src = image.NewRGBA(image.Rect(0, 0, iw, ih))
		plain := withoutLettering(c) // otherwise scaling would mix lettering into the known pixels beside it
		draw.BiLinear.Scale(src, src.Rect, plain.RGBA, plain.Rect, draw.Src, nil)
	}
	inside := make([]bool, iw*ih)
	for i := range c.Hole.Pix {
		if !c.Known(i) {
			x, y := i%c.Width()*iw/c.Width(), i/c.Width()*ih/c.Height()
			inside[y*iw+x] = true
		}
	}
	img, hole = image.NewRGBA(image.Rect(0, 0, w, h)), make([]bool, w*h)
	for i := range hole {
		x, y := mirrored(i%w, iw), mirrored(i/w, ih)
		copy(img.Pix[4*i:4*i+4], src.Pix[4*(y*iw+x):])
		hole[i] = inside[y*iw+x]
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

func scaled(c *crop.Crop, scale float64) (w, h int) {
	return max(int(float64(c.Width())*scale+0.5), 1), max(int(float64(c.Height())*scale+0.5), 1)
}

// mirrored returns the position in a row of n pixels that position v shows if the row is continued by mirroring.
func mirrored(v, n int) int {
	v %= 2 * n
	return min(v, 2*n-1-v)
}

// take copies the output of the model to the hole of c. The upper left part of the output is the crop at that scale.
func take(c *crop.Crop, answer *image.RGBA, scale float64) {
	if scale < 1 {
		iw, ih := scaled(c, scale)
		large := image.NewRGBA(image.Rect(0, 0, c.Width(), c.Height()))
		draw.CatmullRom.Scale(large, large.Rect, answer, image.Rect(0, 0, iw, ih), draw.Src, nil)
		answer = large
	}
	for i := range c.Hole.All() {
		copy(c.Pix[4*i:], answer.Pix[answer.PixOffset(i%c.Width(), i/c.Width()):][:4])
	}
}
