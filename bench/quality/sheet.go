package main

import (
	"image"
	"image/color"
	"image/draw"
	"image/jpeg"
	"io"

	xdraw "golang.org/x/image/draw"

	"plait/internal/files"
)

// contactSheet shows pages side by side with what was made of them, one page in a row.
type contactSheet struct{ rows [][]*image.RGBA }

const (
	sheetPage = 520 // width of a page on a contact sheet, in pixels
	sheetGap  = 12
)

func (s *contactSheet) add(pages ...*image.NRGBA) {
	var row []*image.RGBA
	for _, p := range pages {
		row = append(row, sheetScaled(p))
	}
	s.rows = append(s.rows, row)
}

// sheetScaled makes large pages smaller. Strips are cut where a page of usual proportions ends.
func sheetScaled(page *image.NRGBA) *image.RGBA {
	from := page.Rect
	from.Max.Y = min(from.Max.Y, from.Min.Y+2*from.Dx())
	w := min(sheetPage, from.Dx())
	small := image.NewRGBA(image.Rect(0, 0, w, from.Dy()*w/from.Dx()))
	xdraw.CatmullRom.Scale(small, small.Bounds(), page, from, draw.Src, nil)
	return small
}

// write writes the sheet as a JPEG.
func (s *contactSheet) write(file string) error {
	height := func(row []*image.RGBA) int {
		h := 0
		for _, p := range row {
			h = max(h, p.Rect.Dy())
		}
		return h + sheetGap
	}
	var size image.Point
	for _, row := range s.rows {
		w := 0
		for _, p := range row {
			w += p.Rect.Dx() + sheetGap
		}
		size = image.Pt(max(size.X, w), size.Y+height(row))
	}
	sheet := image.NewRGBA(image.Rectangle{Max: size})
	draw.Draw(sheet, sheet.Rect, image.NewUniform(color.White), image.Point{}, draw.Src)
	y := 0
	for _, row := range s.rows {
		at := image.Pt(0, y)
		for _, page := range row {
			draw.Draw(sheet, page.Rect.Add(at), page, image.Point{}, draw.Src)
			at.X += page.Rect.Dx() + sheetGap
		}
		y += height(row)
	}
	return files.Write(file, func(w io.Writer) error { return jpeg.Encode(w, sheet, &jpeg.Options{Quality: 75}) })
}
