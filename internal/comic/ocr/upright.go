package ocr

import (
	"context"
	"image"
	"image/color"
	"image/draw"

	"plait/internal/comic"
	"plait/internal/raster"
)

// cellSize is the size in pixels of a character in a column that is laid out as a row. It leaves the usual margin of a line.
const cellSize = 37

// readUpright reads the letters of a column once more, side by side in a row, and returns that reading if its least certain letter is more
// certain. The model knows letters better upright than lying on their side, as in the crop of a column: it takes つ for っ and へ for く there.
// Marks stay as they were read, because many have another shape in a row.
func (r *Recognizer) readUpright(ctx context.Context, img *image.NRGBA, c crop, column Decoded) (Decoded, error) {
	text := []rune(column.Text)
	var letters []int
	for i, char := range text {
		if isUpright(char) {
			letters = append(letters, i)
		}
	}
	if len(letters) < 2 {
		return column, nil
	}
	view := c.row(img, column, len(text), letters)
	row, err := r.readCrop(ctx, view, newCrop(raster.QuadOf(0, 0, float64(view.Rect.Dx()), lineHeight)))
	read := []rune(row.Text)
	if err != nil || row.Least <= column.Least || len(read) != len(letters) {
		return column, err
	}
	for k, i := range letters {
		if !isUpright(read[k]) {
			return column, nil
		}
		text[i] = read[k]
	}
	return Decoded{Text: string(text), Prob: max(row.Prob, column.Prob), Least: row.Least}, nil
}

// isUpright reports whether a character has the same shape in a column as in a row.
func isUpright(c rune) bool { return comic.Lettered(c) && c != 'ー' && inColumns(c) }

// row draws the letters with the given indices side by side on the ground of a column of count characters. The characters are as far apart
// as those that the model has read first and last are on average.
func (c crop) row(img *image.NRGBA, column Decoded, count int, letters []int) *image.NRGBA {
	margin := (lineHeight - cellSize) / 2
	view := image.NewNRGBA(image.Rect(0, 0, cellSize*len(letters)+2*margin, lineHeight))
	var colors raster.Histogram
	colors.AddAll(c.Colors(img))
	ground, _ := colors.Mode()
	draw.Draw(view, view.Rect, image.NewUniform(color.NRGBA{ground[0], ground[1], ground[2], 255}), image.Point{}, draw.Src)

	step := c.Quad[1].Sub(c.Quad[0]).Times(widthMultiple / float64(c.width))
	down := step.Times(float64(column.Last-column.First) / float64(count-1))
	left := down.QuarterTurn()
	middle := c.Quad[0].Add(c.Quad[3]).Times(0.5)
	corner := middle.Add(step.Times(float64(column.First) + 0.5)).Add(left.Sub(down).Times(0.5))
	for k, i := range letters {
		from := corner.Add(down.Times(float64(i)))
		cell := raster.Quad{from, from.Sub(left), from.Sub(left).Add(down), from.Add(down)}
		for at, p := range raster.Warp(img, cell, cellSize, cellSize) {
			view.SetNRGBA(margin+k*cellSize+at.X, margin+at.Y, color.NRGBA{uint8(p[0]), uint8(p[1]), uint8(p[2]), 255})
		}
	}
	return view
}
