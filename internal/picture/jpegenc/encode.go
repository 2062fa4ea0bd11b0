package jpegenc

import (
	"context"
	"fmt"
	"image"
)

// MaxSide is the largest width and height of a frame in pixels.
const MaxSide = 65535

// Sampling is how many pixels, across and down, share a chroma sample: H is 1, 2 or 4, and V is 1 or 2. 4:4:4 is
// {1, 1}, 4:2:2 is {2, 1} and 4:2:0 is {2, 2}.
type Sampling struct{ H, V int }

// Table holds the steps of quantization, 1..255, in zig-zag order (T.81, figure A.6).
type Table [64]uint8

// Params are how a picture is written.
type Params struct {
	// Gray writes one component, the luma.
	Gray     bool
	Sampling Sampling
	// Tables quantize Y, Cb and Cr.
	Tables [3]Table
	// Known is what the picture was made from, or nil.
	Known *Known
}

// Known is a decoded JPEG of the size of the picture, as samples and as the pixels that became of them. Where the picture
// has these pixels, the samples are taken: colors outside of 0..255 were cut, so a pixel does not tell them all.
type Known struct {
	Pixels  *image.NRGBA
	Samples *image.YCbCr
}

// component is one component of the frame.
type component struct {
	id, h, v int
	table    *Table
	// coding is 0 for the codes of luma and 1 for those of chroma.
	coding int
	steps  *divisors
	// dc is the DC coefficient of the block before.
	dc int32
}

// encoder is one picture on its way into a file.
type encoder struct {
	img        *image.NRGBA
	params     Params
	components []component
	symbols    [2]symbols
}

// Append writes img, opaque and not empty, behind b, which begins with a start marker and may have further segments: tables,
// frame, scan and end marker. Beside the file it needs about four times the file's size for the symbols, of which the codes
// are made. It fails when ctx ends, and for a picture of more than [MaxSide].
func Append(ctx context.Context, b []byte, img *image.NRGBA, p Params) ([]byte, error) {
	if width, height := img.Rect.Dx(), img.Rect.Dy(); width > MaxSide || height > MaxSide {
		return nil, fmt.Errorf("a JPEG of %d x %d pixels: a side has %d at most", width, height, MaxSide)
	}
	e := &encoder{img: img, params: p}
	if p.Gray {
		e.params.Sampling = Sampling{1, 1}
	}
	e.components = []component{{id: 1, h: e.params.Sampling.H, v: e.params.Sampling.V, table: &p.Tables[0]}}
	if !p.Gray {
		e.components = append(e.components,
			component{id: 2, h: 1, v: 1, table: &p.Tables[1], coding: 1},
			component{id: 3, h: 1, v: 1, table: &p.Tables[2], coding: 1})
	}
	for i := range e.components {
		e.components[i].steps = newDivisors(e.components[i].table)
	}
	stream, err := e.transform(ctx)
	if err != nil {
		return nil, err
	}
	var codes [2]codes
	for i := range codes[:e.codings()] {
		codes[i] = e.symbols[i].codes()
	}
	return e.scan(e.header(b, codes[:e.codings()]), codes, stream), nil
}

// codings is how many pairs of code tables there are.
func (e *encoder) codings() int {
	if e.params.Gray {
		return 1
	}
	return 2
}

// transform turns the picture into symbols, one row of MCUs (T.81, A.2.4) after the other.
func (e *encoder) transform(ctx context.Context) (*stream, error) {
	s := &stream{}
	rows := newStrip(e.img, e.params)
	mcuWidth, mcuHeight := 8*e.params.Sampling.H, 8*e.params.Sampling.V
	for y := 0; y < e.img.Rect.Dy(); y += mcuHeight {
		if err := ctx.Err(); err != nil {
			return nil, err
		}
		rows.fill(y)
		for mcu := range (e.img.Rect.Dx() + mcuWidth - 1) / mcuWidth {
			for i := range e.components {
				e.unit(s, &e.components[i], &rows.planes[i], mcu)
			}
		}
	}
	return s, nil
}

// unit takes the blocks that a component has in an MCU.
func (e *encoder) unit(s *stream, c *component, p *plane, mcu int) {
	var quantized [64]int32
	for v := range c.v {
		for h := range c.h {
			quantize(&quantized, p.pix[8*v*p.stride+8*(mcu*c.h+h):], p.stride, c.steps)
			s.block(&quantized, c, &e.symbols[c.coding])
		}
	}
}
