// Package jpegenc writes baseline JPEG files (ITU-T T.81). Unlike the encoder of the standard library it lets the caller
// choose the chroma subsampling and the quantization tables. A picture that was decoded from a JPEG and is
// written with the sampling and the tables of that file comes out, where nobody drew on it, with nearly the
// coefficients that it had: quantizing a multiple of a step by the same step gives it back.
//
// To that end the transform is exact: its numbers are integers that are rounded once, by the quantization. So a picture also
// gives the same bytes on every machine. The codes are the best for the picture's own symbols (annex K.2), and there are
// no restarts.
package jpegenc

import (
	"context"
	"fmt"
	"image"
)

// MaxSide is the largest width and height of a frame in pixels.
const MaxSide = 65535

// Sampling is the number of pixels, across and down, that share a chroma sample: H is 1, 2 or 4, and V is 1 or 2. 4:4:4 is {1, 1}, 4:2:2
// is {2, 1} and 4:2:0 is {2, 2}.
type Sampling struct{ H, V int }

// Table holds the steps of quantization, 1..255, in zig-zag order (T.81, figure A.6).
type Table [64]uint8

// Params configure the encoding of a picture.
type Params struct {
	// Gray writes one component, the luma.
	Gray     bool
	Sampling Sampling
	// Tables quantize Y, Cb and Cr.
	Tables [3]Table
	// Known is the JPEG from which the picture was made, or nil.
	Known *Known
}

// component is one component of the frame.
type component struct {
	id, h, v int
	table    *Table
	// coding is 0 for the codes of luma and 1 for those of chroma.
	coding int
	steps  *divisors
}

// encoder encodes one picture. Its bands only read it.
type encoder struct {
	img        *image.NRGBA
	params     Params
	components []component
	// mcu is the size of an MCU in pixels, and mcus how many there are across.
	mcu  image.Point
	mcus int
}

// Append appends the encoded img, opaque and not empty, to b, which begins with a start marker and may have further segments. It writes
// tables, frame, scan and end marker, and uses all cores. Besides the file it needs about four times the file's size for symbols. It fails
// when ctx ends, and for a picture with a side longer than [MaxSide].
func Append(ctx context.Context, b []byte, img *image.NRGBA, p Params) ([]byte, error) {
	if width, height := img.Rect.Dx(), img.Rect.Dy(); width > MaxSide || height > MaxSide {
		return nil, fmt.Errorf("a JPEG of %d x %d pixels: a side has %d at most", width, height, MaxSide)
	}
	e := &encoder{img: img, params: p}
	if p.Gray {
		e.params.Sampling = Sampling{1, 1}
	}
	e.mcu = image.Pt(8*e.params.Sampling.H, 8*e.params.Sampling.V)
	e.mcus = (img.Rect.Dx() + e.mcu.X - 1) / e.mcu.X
	e.components = []component{{id: 1, h: e.params.Sampling.H, v: e.params.Sampling.V, table: &p.Tables[0]}}
	if !p.Gray {
		e.components = append(e.components,
			component{id: 2, h: 1, v: 1, table: &p.Tables[1], coding: 1},
			component{id: 3, h: 1, v: 1, table: &p.Tables[2], coding: 1})
	}
	for i := range e.components {
		e.components[i].steps = newDivisors(e.components[i].table)
	}
	bands, err := e.transform(ctx)
	if err != nil {
		return nil, err
	}
	codes := e.codes(bands)
	return e.scan(e.header(b, codes), codes, bands), nil
}

// codes are the codes of luma and, unless the picture is gray, of chroma.
func (e *encoder) codes(bands []band) []codes {
	all := make([]codes, e.components[len(e.components)-1].coding+1)
	for i := range all {
		var seen symbols
		for k := range bands {
			seen.add(&bands[k].seen[i])
		}
		all[i] = seen.codes()
	}
	return all
}
