package textarea

import (
	"image"

	"plait/internal/raster"
	"plait/internal/raster/bitmap"
)

// cells divides a set among the texts: each pixel belongs to the text whose lines are nearest inside of the set. Only pixels that a disc of
// radius brush covers belong to a cell.
func (f *field) cells(set *bitmap.Bitmap, brush float64) []*bitmap.Bitmap {
	type taken struct {
		at   image.Point
		cell *bitmap.Bitmap
	}
	var queue []taken
	free := set.Complement().Dilate(brush).Complement().Dilate(brush)
	take := func(at image.Point, cell *bitmap.Bitmap) {
		if free.Has(at.X, at.Y) {
			i := free.Offset(at.X, at.Y)
			free.Pix[i], cell.Pix[i] = 0, 1
			queue = append(queue, taken{at, cell})
		}
	}
	cells := make([]*bitmap.Bitmap, len(f.texts))
	for n, t := range f.texts {
		cells[n] = bitmap.New(set.Rect)
		for _, line := range t.lines {
			for at := range raster.Pixels(t.core(line)) {
				take(at, cells[n])
			}
		}
	}
	for ; len(queue) > 0; queue = queue[1:] {
		next := queue[0]
		for at := range raster.Pixels(image.Rectangle{Min: next.at, Max: next.at.Add(image.Pt(1, 1))}.Inset(-1)) {
			take(at, next.cell)
		}
	}
	for n, cell := range cells {
		cells[n] = cell.Over(cell.Bounds())
	}
	return cells
}
