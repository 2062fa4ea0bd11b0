// Package layers takes a translated page apart: into what was painted over the lettering of the original, and the lettering in its place.
// Both are pictures of the size of the page, transparent where they change nothing.
package layers

import (
	"bytes"
	"context"
	"image"
	"io"

	"plait/internal/archive"
	"plait/internal/core"
	"plait/internal/picture"
)

// Patch has the pixels in which one picture differs from another of its size.
type Patch struct {
	// runs are the differences in the order of their pixels.
	runs []run
	// pixels are those of the runs one after another, as R, G, B, A.
	pixels []byte
}

// run is a row of neighboring pixels that differ.
type run struct{ x, y, length int }

// Difference returns the pixels of to that differ from those of from. Both have their origin at 0,0 and the same size, and are opaque.
func Difference(from, to *image.NRGBA) *Patch {
	p := &Patch{}
	for y := range to.Rect.Dy() {
		p.compare(y, rowOf(from, y), rowOf(to, y))
	}
	return p
}

func rowOf(img *image.NRGBA, y int) []byte { return img.Pix[y*img.Stride:][:4*img.Rect.Dx()] }

// compare appends what a row of pixels has and another has not.
func (p *Patch) compare(y int, from, to []byte) {
	if bytes.Equal(from, to) {
		return
	}
	for x := 0; x < len(to); x += 4 {
		if [4]byte(from[x:]) == [4]byte(to[x:]) {
			continue
		}
		if last := len(p.runs) - 1; last >= 0 && p.runs[last].y == y && p.runs[last].x+p.runs[last].length == x/4 {
			p.runs[last].length++
		} else {
			p.runs = append(p.runs, run{x: x / 4, y: y, length: 1})
		}
		p.pixels = append(p.pixels, to[x:x+4]...)
	}
}

// reader returns a function that overwrites a row of a picture with that of the patch. It is called for each row in turn.
func (p *Patch) reader() func(y int, row []byte) {
	next, offset := 0, 0
	return func(y int, row []byte) {
		for ; next < len(p.runs) && p.runs[next].y == y; next++ {
			offset += copy(row[4*p.runs[next].x:], p.pixels[offset:][:4*p.runs[next].length])
		}
	}
}

// encode is the patch as a PNG file like a page's, transparent where nothing differs.
func (p *Patch) encode(ctx context.Context, like picture.Info) ([]byte, error) {
	over := p.reader()
	return picture.EncodeRows(ctx, like, func(y int, row []byte) {
		clear(row)
		over(y, row)
	})
}

// The names of the pictures in a packed page.
const (
	erasedFile    = "erased.png"
	letteringFile = "lettering.png"
)

// Page is a translated page taken apart, as two PNG files.
type Page struct {
	// Erased is what was painted over the original, and Lettering is what stands over both.
	Erased, Lettering []byte
}

// Split returns the layers of a page: erased are the pixels of the erased page that differ from the original, and lettered is the finished
// page. Besides the changed pixels it holds one row. It fails with the error of ctx.
func Split(ctx context.Context, original *picture.Picture, erased *Patch, lettered *image.NRGBA) (p Page, err error) {
	lettering, over := &Patch{}, erased.reader()
	row := make([]byte, 4*original.Width)
	for y := range original.Height {
		copy(row, rowOf(original.Image, y))
		over(y, row)
		lettering.compare(y, row, rowOf(lettered, y))
	}
	if p.Erased, err = erased.encode(ctx, original.Info); err != nil {
		return p, err
	}
	p.Lettering, err = lettering.encode(ctx, original.Info)
	return p, err
}

// Pack is the page as one file.
func (p Page) Pack(ctx context.Context) ([]byte, error) {
	file := func(name string, content []byte) archive.File {
		return archive.File{Name: name, Store: true, Open: func() (io.ReadCloser, error) { return io.NopCloser(bytes.NewReader(content)), nil }}
	}
	var b bytes.Buffer
	err := archive.Write(ctx, &b, []archive.File{file(erasedFile, p.Erased), file(letteringFile, p.Lettering)})
	return b.Bytes(), err
}

// Unpack reads a file of [Page.Pack]. It fails with CodeInvalidArchive.
func Unpack(file []byte) (p Page, err error) {
	a, err := archive.Open(bytes.NewReader(file), int64(len(file)), archive.DefaultLimits())
	if err != nil {
		return p, err
	}
	for name, into := range map[string]*[]byte{erasedFile: &p.Erased, letteringFile: &p.Lettering} {
		if *into, err = content(a, name); err != nil {
			return p, core.Wrap(core.CodeInvalidArchive, err, "the file has no layers of a page")
		}
	}
	return p, nil
}

func content(a *archive.Archive, name string) ([]byte, error) {
	r, err := a.Open(name)
	if err != nil {
		return nil, err
	}
	defer r.Close()
	return io.ReadAll(r)
}
