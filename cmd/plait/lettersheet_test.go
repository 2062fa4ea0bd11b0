package main

import (
	"image"
	"image/color"
	"image/draw"
	"image/jpeg"
	"io"
	"testing"

	"github.com/stretchr/testify/require"
	xdraw "golang.org/x/image/draw"

	"plait/internal/files"
)

// contactSheet shows pages before and after, one pair a row.
type contactSheet struct{ pairs [][2]*image.RGBA }

const (
	sheetPage = 760 // width of a page on a contact sheet, in pixels
	sheetGap  = 12
)

func (s *contactSheet) add(before, after *image.NRGBA) {
	s.pairs = append(s.pairs, [2]*image.RGBA{sheetScaled(before), sheetScaled(after)})
}

// sheetScaled makes large pages smaller; strips are cut where a page of usual proportions ends.
func sheetScaled(page *image.NRGBA) *image.RGBA {
	from := page.Rect
	from.Max.Y = min(from.Max.Y, from.Min.Y+2*from.Dx())
	w := min(sheetPage, from.Dx())
	small := image.NewRGBA(image.Rect(0, 0, w, from.Dy()*w/from.Dx()))
	xdraw.CatmullRom.Scale(small, small.Bounds(), page, from, draw.Src, nil)
	return small
}

func (s *contactSheet) write(b *testing.B, file string) {
	b.Helper()
	var size image.Point
	for _, p := range s.pairs {
		size.X = max(size.X, p[0].Rect.Dx()+sheetGap+p[1].Rect.Dx())
		size.Y += p[0].Rect.Dy() + sheetGap
	}
	sheet := image.NewRGBA(image.Rectangle{Max: size})
	draw.Draw(sheet, sheet.Rect, image.NewUniform(color.White), image.Point{}, draw.Src)
	y := 0
	for _, p := range s.pairs {
		at := image.Pt(0, y)
		for _, page := range p {
			draw.Draw(sheet, page.Rect.Add(at), page, image.Point{}, draw.Src)
			at.X += page.Rect.Dx() + sheetGap
		}
		y += p[0].Rect.Dy() + sheetGap
	}
	require.NoError(b, files.Write(file, func(w io.Writer) error { return jpeg.Encode(w, sheet, &jpeg.Options{Quality: 80}) }))
}
