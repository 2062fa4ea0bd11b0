package layout

import (
	"image"
	"math"
)

// scale draws an opaque picture into an area of the target, with a tent filter that is as wide as the pixels of the target. It is the filter
// BiLinear of golang.org/x/image/draw. That package keeps 32 bytes for each pixel of the width of the target and the height of the picture
// meanwhile, 33 MB for a page; this function keeps the few rows that a row of the target needs.
func scale(target *image.RGBA, area image.Rectangle, picture *image.RGBA) {
	columns, rows := taps(picture.Rect.Dx(), area.Dx()), taps(picture.Rect.Dy(), area.Dy())
	window := rowWindow{picture: picture, columns: columns}
	for _, row := range rows {
		for len(window.rows) < len(row.weights) {
			window.rows = append(window.rows, scaledRow{of: -1, values: make([]float32, 3*len(columns))})
		}
	}
	sum := make([]float32, 3*len(columns))
	for y, row := range rows {
		clear(sum)
		for n, weight := range row.weights {
			for i, v := range window.row(row.first + n) {
				sum[i] += weight * v
			}
		}
		pixels := target.Pix[target.PixOffset(area.Min.X, area.Min.Y+y):]
		for x := range columns {
			for c := range 3 {
				pixels[4*x+c] = uint8(min(sum[3*x+c]+0.5, math.MaxUint8))
			}
			pixels[4*x+3] = math.MaxUint8
		}
	}
}

// tap is what a pixel of the target takes of a line of the picture: the weights of the pixels from the first one on. Their sum is 1.
type tap struct {
	first   int
	weights []float32
}

// taps are those of all pixels of a line of the target.
func taps(from, to int) []tap {
	list := make([]tap, to)
	ratio := float64(from) / float64(to)
	reach := max(ratio, 1)
	for i := range list {
		center := (float64(i)+0.5)*ratio - 0.5
		first, last := max(int(math.Ceil(center-reach)), 0), min(int(math.Floor(center+reach)), from-1)
		t := tap{first: first, weights: make([]float32, last-first+1)}
		total := 0.0
		for n := range t.weights {
			weight := max(reach-math.Abs(float64(first+n)-center), 0)
			t.weights[n] = float32(weight)
			total += weight
		}
		for n := range t.weights {
			t.weights[n] /= float32(total)
		}
		list[i] = t
	}
	return list
}

// rowWindow has the last rows of a picture, scaled to the width of the target: red, green and blue of each pixel. It holds as many as a row of
// the target needs.
type rowWindow struct {
	picture *image.RGBA
	columns []tap
	rows    []scaledRow
}

type scaledRow struct {
	of     int
	values []float32
}

func (w *rowWindow) row(y int) []float32 {
	r := &w.rows[y%len(w.rows)]
	if r.of == y {
		return r.values
	}
	r.of = y
	line := w.picture.Pix[y*w.picture.Stride:]
	for x, column := range w.columns {
		var red, green, blue float32
		pixels := line[4*column.first:]
		for n, weight := range column.weights {
			red += weight * float32(pixels[4*n])
			green += weight * float32(pixels[4*n+1])
			blue += weight * float32(pixels[4*n+2])
		}
		r.values[3*x], r.values[3*x+1], r.values[3*x+2] = red, green, blue
	}
	return r.values
}
