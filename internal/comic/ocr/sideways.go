package ocr

import (
	"cmp"
	"context"
	"image"
	"strings"
	"unicode"

	"plait/internal/comic"
	"plait/internal/raster"
)

// leastSideways is the least number of letters of a text in a tall outline that may be a row.
const leastSideways = 3

// Sideways turns the reading of a column into that of a row that runs down the page, if it has no character of a script that is set in
// columns.
func (r Reading) Sideways() Reading {
	if r.Vertical && isRow(r.Text) {
		r.Vertical, r.Turns = false, 1
	}
	return r
}

// isRow reports whether a text that was read along a tall outline is a row rather than a column.
func isRow(text string) bool {
	return comic.Letters(text) >= leastSideways && !strings.ContainsFunc(text, inColumns)
}

// inColumns reports whether a character belongs to a script that is set in columns.
func inColumns(c rune) bool {
	return unicode.In(c, unicode.Han, unicode.Hiragana, unicode.Katakana, unicode.Hangul, unicode.Bopomofo)
}

// readColumn reads a line from top to bottom.
func (r *Recognizer) readColumn(ctx context.Context, img *image.NRGBA, q raster.Quad) (Reading, error) {
	column, err := r.readLine(ctx, img, q.From(1), true)
	column.Vertical = true
	return column, err
}

// readUpward reads a doubtful column as a row that runs up the page, and returns that reading if it is more certain. A row read upside
// down gives about as many letters, so a column with fewer letters is not read again.
func (r *Recognizer) readUpward(ctx context.Context, img *image.NRGBA, q raster.Quad, column Reading) (Reading, error) {
	if column.Prob >= comic.SureReading || comic.Letters(column.Text) < leastSideways {
		return column, nil
	}
	row, err := r.readLine(ctx, img, q.From(3), false)
	row.Turns = 3
	if err != nil || row.Prob <= column.Prob || !isRow(row.Text) {
		return column, err
	}
	return row, nil
}

// readShort reads a line that is higher than wide, though less than a column, as a column. It returns that reading if it has more letters,
// and is more certain than that of the row, or no noise: with its ruby or its halo, a column of two or three characters is hardly higher than
// wide. Read as a row, they are one other character, with a probability of up to .99.
func (r *Recognizer) readShort(ctx context.Context, img *image.NRGBA, q raster.Quad, row Reading) (Reading, error) {
	column, err := r.readColumn(ctx, img, q)
	more := cmp.Or(cmp.Compare(comic.Letters(column.Text), comic.Letters(row.Text)), cmp.Compare(column.Prob, row.Prob)) > 0
	if err != nil || column.Prob < min(row.Prob, comic.LeastReading) || !more ||
		!strings.ContainsFunc(column.Text, inColumns) {
		return row, err
	}
	return column, nil
}
