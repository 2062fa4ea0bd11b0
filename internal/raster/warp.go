package raster

import (
	"image"
	"iter"
	"math"
)

// Warp yields the pixels of a picture of the given size in pixels that shows what is inside q, a parallelogram, from its first corner to the
// second in a row: red, green and blue, 0..255, over white. It repeats the edge of img beyond it.
func Warp(img *image.NRGBA, q Quad, width, height int) iter.Seq2[image.Point, [3]float32] {
	along, down := q[1].Sub(q[0]), q[3].Sub(q[0])
	across, upDown := samples(along.Length()/float64(width)), samples(down.Length()/float64(height))
	share := 1 / float32(across*upDown)
	return func(yield func(image.Point, [3]float32) bool) {
		for y := range height {
			for x := range width {
				var sum [3]float32
				for j := range upDown {
					v := (float64(y) + (float64(j)+0.5)/float64(upDown)) / float64(height)
					for i := range across {
						u := (float64(x) + (float64(i)+0.5)/float64(across)) / float64(width)
						addBilinear(&sum, img, q[0][0]+u*along[0]+v*down[0], q[0][1]+u*along[1]+v*down[1])
					}
				}
				if !yield(image.Pt(x, y), [3]float32{sum[0] * share, sum[1] * share, sum[2] * share}) {
					return
				}
			}
		}
	}
}

// samples is the number of samples along a pixel that spans so many source pixels, 1..8: one misses no thin stroke between them.
func samples(pixels float64) int { return min(max(int(math.Ceil(pixels-0.25)), 1), 8) }

// addBilinear adds the color of img at x, y, interpolated between the four nearest pixels.
func addBilinear(sum *[3]float32, img *image.NRGBA, x, y float64) {
	x, y = x-0.5, y-0.5
	left, top := math.Floor(x), math.Floor(y)
	fx, fy := float32(x-left), float32(y-top)
	w, h := img.Rect.Dx()-1, img.Rect.Dy()-1
	x0, y0 := min(max(int(left), 0), w), min(max(int(top), 0), h)
	x1, y1 := min(max(int(left)+1, 0), w), min(max(int(top)+1, 0), h)
	addPixel(sum, img, x0, y0, (1-fx)*(1-fy))
	addPixel(sum, img, x1, y0, fx*(1-fy))
	addPixel(sum, img, x0, y1, (1-fx)*fy)
	addPixel(sum, img, x1, y1, fx*fy)
}

func addPixel(sum *[3]float32, img *image.NRGBA, x, y int, weight float32) {
	p := img.Pix[y*img.Stride+4*x : y*img.Stride+4*x+4 : y*img.Stride+4*x+4]
	r, g, b := float32(p[0]), float32(p[1]), float32(p[2])
	if p[3] != 255 {
		alpha := float32(p[3]) / 255
		r, g, b = 255+(r-255)*alpha, 255+(g-255)*alpha, 255+(b-255)*alpha
	}
	sum[0] += weight * r
	sum[1] += weight * g
	sum[2] += weight * b
}
