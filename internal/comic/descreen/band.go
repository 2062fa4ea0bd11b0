package descreen

import (
	"image"

	"plait/internal/raster/components"
)

// darker is how much darker than the mean around it ink is, in levels: less is the grain of paint and the noise of a
// JPEG.
const darker = 12

// band is some rows of a page: what is dark there.
type band struct {
	img *image.NRGBA
	// owned are its rows on the page; seen are these with those around them.
	owned, seen   image.Rectangle
	width, height int
	dark          []bool
}

// newBand looks at the rows from top, and beyond them by twice the side of a crowd. It tells what is darker than the square of twice
// a dot's side around it.
func newBand(img *image.NRGBA, top int, s scale) *band {
	owned := image.Rect(0, top, img.Rect.Dx(), min(img.Rect.Dy(), top+bandHeight))
	seen := image.Rect(0, max(0, top-2*s.crowd), img.Rect.Dx(), min(img.Rect.Dy(), top+bandHeight+2*s.crowd))
	b := &band{img: img, owned: owned, seen: seen, width: seen.Dx(), height: seen.Dy()}
	light, side := lightness(img, seen), s.side
	b.dark = make([]bool, len(light))
	columns := make([]int, b.width) // sums of the rows of the square
	rows := 0
	for y := -side; y < b.height; y++ {
		if enter := y + side; enter < b.height {
			for x, v := range light[enter*b.width : (enter+1)*b.width] {
				columns[x] += int(v)
			}
			rows++
		}
		if leave := y - side - 1; leave >= 0 {
			for x, v := range light[leave*b.width : (leave+1)*b.width] {
				columns[x] -= int(v)
			}
			rows--
		}
		if y >= 0 {
			darkIn(columns, rows, side, light[y*b.width:(y+1)*b.width], b.dark[y*b.width:(y+1)*b.width])
		}
	}
	return b
}

// darkIn tells what is dark of one row.
func darkIn(columns []int, rows, side int, light []uint8, dark []bool) {
	sum, n := 0, 0
	for x := -side; x < len(columns); x++ {
		if enter := x + side; enter < len(columns) {
			sum, n = sum+columns[enter], n+rows
		}
		if leave := x - side - 1; leave >= 0 {
			sum, n = sum-columns[leave], n-rows
		}
		if x >= 0 {
			dark[x] = (int(light[x])+darker)*n < sum
		}
	}
}

// lightness is the luma (BT.601) of each pixel, over white.
func lightness(img *image.NRGBA, seen image.Rectangle) []uint8 {
	light := make([]uint8, 0, seen.Dx()*seen.Dy())
	for y := seen.Min.Y; y < seen.Max.Y; y++ {
		row := img.Pix[y*img.Stride+4*seen.Min.X : y*img.Stride+4*seen.Max.X]
		for i := 0; i < len(row); i += 4 {
			v := (299*int(row[i]) + 587*int(row[i+1]) + 114*int(row[i+2]) + 500) / 1000
			if a := int(row[i+3]); a != 255 {
				v = 255 + (v-255)*a/255
			}
			light = append(light, uint8(v))
		}
	}
	return light
}

// dot is a small piece of ink: its pixels, as places in the band, and its bounds there.
type dot struct {
	pixels []int32
	bounds image.Rectangle
}

func (d dot) middle() image.Point {
	return image.Pt((d.bounds.Min.X+d.bounds.Max.X)/2, (d.bounds.Min.Y+d.bounds.Max.Y)/2)
}

// dots are the pieces of ink whose sides are at most side. Pieces that meet at corners are two: the dots of a dark tone do.
func (b *band) dots(side int) []dot {
	var found []dot
	for _, c := range components.Find(b.width, b.height, components.Four, func(x, y int) bool { return b.dark[y*b.width+x] }) {
		if c.Bounds.Dx() > side || c.Bounds.Dy() > side {
			continue
		}
		pixels := make([]int32, 0, c.Area)
		for _, r := range c.Runs {
			for x := r.X0; x < r.X1; x++ {
				pixels = append(pixels, int32(r.Y*b.width+x))
			}
		}
		found = append(found, dot{pixels, c.Bounds})
	}
	return found
}
