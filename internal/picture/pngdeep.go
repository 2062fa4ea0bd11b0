package picture

import (
	"bytes"
	"compress/zlib"
	"context"
	"encoding/binary"
	"errors"
	"image"
	"image/color"
	"io"
)

// deepPNG is a PNG of 16 bits a channel, described by its chunks. image/png would decode it to 8 bytes a pixel. The rows are read one by
// one here instead, so that no more than two of them are in memory at 16 bits.
type deepPNG struct {
	// width and height are those of the stored image.
	width, height int
	// channels are 1 for gray, 2 for gray with alpha, 3 for RGB and 4 for RGB with alpha.
	channels   int
	interlaced bool
	// clear is the one color that is transparent, 2 bytes a channel, or nil.
	clear []byte
	// chunks are those of the file, which [Probe] has checked.
	chunks []byte
}

// pngPass is which pixels a pass of an interlaced image holds: those from x, y on, every dx and dy pixels (W3C PNG, 8.1).
type pngPass struct{ dx, dy, x, y int }

var (
	pngWhole = []pngPass{{1, 1, 0, 0}}
	pngAdam7 = []pngPass{{8, 8, 0, 0}, {8, 8, 4, 0}, {4, 8, 0, 4}, {4, 4, 2, 0}, {2, 4, 0, 2}, {2, 2, 1, 0}, {1, 2, 0, 1}}
)

// decode gives upright pixels of 8 bits a channel: the upper halves of the samples.
func (d *deepPNG) decode(ctx context.Context, info Info) (*image.NRGBA, error) {
	rows, err := d.open(ctx)
	if err != nil {
		return nil, err
	}
	dst := image.NewNRGBA(image.Rect(0, 0, info.Width, info.Height))
	passes := pngWhole
	if d.interlaced {
		passes = pngAdam7
	}
	line := make([]byte, 4*d.width)
	for _, p := range passes {
		across := (d.width - p.x + p.dx - 1) / p.dx
		if across <= 0 {
			continue
		}
		rows.begin(across)
		for y := p.y; y < d.height; y += p.dy {
			row, err := rows.next()
			if err != nil {
				return nil, err
			}
			for x := range across {
				s := d.sample(row, x)
				setPixel(line[4*x:], s[0], s[2], s[4], s[6])
			}
			if p.dx == 1 {
				place(dst, line, 0, y, info.Orientation)
				continue
			}
			for x := range across {
				place(dst, line[4*x:4*x+4], p.x+x*p.dx, y, info.Orientation)
			}
		}
	}
	return dst, rows.end()
}

// sample is pixel x of a row as R, G, B, A, 2 bytes each, alpha not premultiplied.
func (d *deepPNG) sample(row []byte, x int) (s [8]byte) {
	stored := row[2*d.channels*x:][:2*d.channels]
	s[6], s[7] = 255, 255
	if d.channels >= 3 {
		copy(s[:], stored)
	} else {
		for c := 0; c < 6; c += 2 {
			copy(s[c:], stored[:2])
		}
		copy(s[6:], stored[2:])
	}
	if d.clear != nil && bytes.Equal(stored, d.clear) {
		s[6], s[7] = 0, 0
	}
	return s
}

// deepRows are the rows of a deepPNG in the order of the file.
type deepRows struct {
	source *deepPNG
	z      io.ReadCloser
	// line and above are this row and the one before, each behind the byte that names its filter.
	line, above []byte
}

func (d *deepPNG) open(ctx context.Context) (*deepRows, error) {
	z, err := zlib.NewReader(&idatReader{ctx: ctx, chunks: d.chunks})
	if err != nil {
		return nil, err
	}
	return &deepRows{source: d, z: z}, nil
}

// idatReader reads what the IDAT chunks of a file hold, one after the other, until its context ends.
type idatReader struct {
	ctx          context.Context
	data, chunks []byte
}

func (r *idatReader) Read(b []byte) (int, error) {
	if err := r.ctx.Err(); err != nil {
		return 0, err
	}
	for len(r.data) == 0 {
		if len(r.chunks) < 12 {
			return 0, io.EOF
		}
		size := binary.BigEndian.Uint32(r.chunks)
		if string(r.chunks[4:8]) == "IDAT" {
			r.data = r.chunks[8 : 8+size]
		}
		r.chunks = r.chunks[12+size:]
	}
	n := copy(b, r.data)
	r.data = r.data[n:]
	return n, nil
}

// begin starts a pass with the given number of pixels a row.
func (r *deepRows) begin(across int) {
	n := 1 + 2*r.source.channels*across
	r.line, r.above = make([]byte, n), make([]byte, n)
}

// next is the next row, 2 bytes a sample. It is valid until the next call.
func (r *deepRows) next() ([]byte, error) {
	r.line, r.above = r.above, r.line
	if _, err := io.ReadFull(r.z, r.line); err != nil {
		return nil, err
	}
	return r.line[1:], unfilter(r.line[0], r.line[1:], r.above[1:], 2*r.source.channels)
}

// end fails unless all rows have been read and the checksum is right.
func (r *deepRows) end() error {
	n, err := r.z.Read(make([]byte, 1))
	if n > 0 {
		return errors.New("there are more pixels than the header says")
	}
	if err != nil && !errors.Is(err, io.EOF) {
		return err
	}
	return nil
}

// unfilter undoes the filter of a row of so many bytes a pixel (W3C PNG, 9.2).
func unfilter(filter byte, line, above []byte, size int) error {
	switch filter {
	case 0:
	case 1:
		for i := size; i < len(line); i++ {
			line[i] += line[i-size]
		}
	case 2:
		for i, up := range above {
			line[i] += up
		}
	case 3:
		for i, up := range above {
			left := 0
			if i >= size {
				left = int(line[i-size])
			}
			line[i] += byte((left + int(up)) / 2)
		}
	case 4:
		for i, up := range above {
			var left, corner byte
			if i >= size {
				left, corner = line[i-size], above[i-size]
			}
			line[i] += paeth(left, up, corner)
		}
	default:
		return errors.New("a row has an unknown filter")
	}
	return nil
}

// paeth is which of three neighbors is nearest to left + up - corner (W3C PNG, 9.4).
func paeth(left, up, corner byte) byte {
	a, b := int(up)-int(corner), int(left)-int(corner)
	da, db, dc := max(a, -a), max(b, -b), max(a+b, -a-b)
	switch {
	case da <= db && da <= dc:
		return left
	case db <= dc:
		return up
	default:
		return corner
	}
}

// deepened is img with the 16 bits a channel of the file that it was made from: pixels that are those of the file have its samples,
// and others their 8 bits spread over 16. Its pixels can be asked for once, row by row from the top, as image/png does.
type deepened struct {
	img          *image.NRGBA
	rows         *deepRows
	opaque, gray bool
	y            int
	row          []byte
	err          error
}

// deepen opens the rows of the file again. gray says that img is opaque and gray.
func (d *deepPNG) deepen(ctx context.Context, img *image.NRGBA, gray bool) (*deepened, error) {
	rows, err := d.open(ctx)
	if err != nil {
		return nil, err
	}
	rows.begin(d.width)
	return &deepened{img: img, rows: rows, opaque: isOpaque(img), gray: gray, y: -1}, nil
}

func (d *deepened) Bounds() image.Rectangle { return d.img.Rect }

func (d *deepened) Opaque() bool { return d.opaque }

func (d *deepened) ColorModel() color.Model {
	if d.gray {
		return color.Gray16Model
	}
	return color.NRGBA64Model
}

func (d *deepened) At(x, y int) color.Color {
	for ; d.y < y && d.err == nil; d.y++ {
		d.row, d.err = d.rows.next()
	}
	p := [4]byte(d.img.Pix[y*d.img.Stride+4*x:])
	s := [8]byte{p[0], p[0], p[1], p[1], p[2], p[2], p[3], p[3]}
	if d.err == nil {
		if deep := d.rows.source.sample(d.row, x); p == [4]byte{deep[0], deep[2], deep[4], deep[6]} {
			s = deep
		}
	}
	wide := func(i int) uint16 { return uint16(s[i])<<8 | uint16(s[i+1]) }
	switch {
	case d.gray:
		return color.Gray16{Y: wide(0)}
	case d.opaque:
		return color.NRGBA64{R: wide(0), G: wide(2), B: wide(4), A: 0xffff}
	default:
		return color.NRGBA64{R: wide(0), G: wide(2), B: wide(4), A: wide(6)}
	}
}
