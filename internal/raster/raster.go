// Package raster has the pixel primitives that the engines share: points and outlines, colors and their distances, and the color of a
// pixel. Each sub-package has one standard algorithm:
//
//   - bitmap: sets of pixels in page coordinates, with morphology and a distance transform
//   - components: connected components
//   - integral: integral images, for sums over rectangles
//   - unionfind: disjoint sets, for grouping
//
// Images are [image.NRGBA] whose bounds begin at (0, 0). Coordinates are pixels of the page, with x to the right and y down; the pixel
// (x, y) covers the square from (x, y) to (x+1, y+1). Colors are sRGB with channels of 0..255.
package raster

import (
	"image"
	"iter"
	"math"
	"slices"

	"github.com/lucasb-eyer/go-colorful"
)

// Enclosing returns the smallest rectangle of whole pixels that contains a box, such as that of [Quad.Bounds].
func Enclosing(x0, y0, x1, y1 float64) image.Rectangle {
	return image.Rect(int(math.Floor(x0)), int(math.Floor(y0)), int(math.Ceil(x1)), int(math.Ceil(y1)))
}

// Pixels yields the pixels of a rectangle row by row.
func Pixels(r image.Rectangle) iter.Seq[image.Point] {
	return func(yield func(image.Point) bool) {
		for y := r.Min.Y; y < r.Max.Y; y++ {
			for x := r.Min.X; x < r.Max.X; x++ {
				if !yield(image.Pt(x, y)) {
					return
				}
			}
		}
	}
}

// Clone returns a copy of a picture.
func Clone(img *image.NRGBA) *image.NRGBA {
	return &image.NRGBA{Pix: slices.Clone(img.Pix), Stride: img.Stride, Rect: img.Rect}
}

// RGB is an sRGB color with channels of 0..255.
type RGB [3]uint8

// Luma returns the brightness of a color, 0 to 255 (ITU-R BT.601).
func (c RGB) Luma() float32 {
	return 0.299*float32(c[0]) + 0.587*float32(c[1]) + 0.114*float32(c[2])
}

// Black and white.
var (
	Black = RGB{}
	White = RGB{255, 255, 255}
)

// At returns the color of the pixel (x, y) of img, composited over white if it is not opaque.
func At(img *image.NRGBA, x, y int) RGB {
	i := y*img.Stride + 4*x
	p := img.Pix[i : i+4 : i+4]
	c, alpha := RGB{p[0], p[1], p[2]}, int(p[3])
	if alpha == 255 {
		return c
	}
	for k := range c {
		c[k] = uint8((int(c[k])*alpha + 255*(255-alpha)) / 255)
	}
	return c
}

// Difference returns the largest absolute difference of a channel, 0..255.
func Difference(a, b RGB) int {
	d := 0
	for k := range a {
		d = max(d, int(a[k])-int(b[k]), int(b[k])-int(a[k]))
	}
	return d
}

// Distance returns the Euclidean distance of two colors in sRGB, 0..442.
func Distance(a, b RGB) float64 { return math.Sqrt(float64(squaredDistance(a, b))) }

// leastDistinct is the smallest [Distance] of ink from its background. JPEG artifacts and soft shading differ by less.
const leastDistinct = 60

// Distinct reports whether two colors differ as clearly as ink and its background.
func Distinct(a, b RGB) bool { return squaredDistance(a, b) >= leastDistinct*leastDistinct }

func squaredDistance(a, b RGB) int {
	sum := 0
	for k := range a {
		d := int(a[k]) - int(b[k])
		sum += d * d
	}
	return sum
}

// Contrast returns the distance of two colors in CIE 1976 L*a*b* under D65, which is 100 for black and white.
func Contrast(a, b RGB) float64 { return 100 * a.colorful().DistanceLab(b.colorful()) }

// Lightness returns L* of a color in CIE 1976 L*a*b*, 0..100.
func Lightness(c RGB) float64 {
	l, _, _ := c.colorful().Lab()
	return 100 * l
}

func (c RGB) colorful() colorful.Color {
	return colorful.Color{R: float64(c[0]) / 255, G: float64(c[1]) / 255, B: float64(c[2]) / 255}
}

// Opposite returns black or white, whichever contrasts more with c.
func Opposite(c RGB) RGB {
	const middle = 55 // L* of a gray that contrasts equally with black and white
	if Lightness(c) > middle {
		return Black
	}
	return White
}

// Median returns the median of the colors, channel by channel, and the share of colors (0..1) whose [Difference] from it is at most
// levels. Without colors, it returns black and a share of 0.
func Median(colors []RGB, levels int) (median RGB, share float64) {
	if len(colors) == 0 {
		return median, 0
	}
	channel := make([]uint8, len(colors))
	for k := range median {
		for i, c := range colors {
			channel[i] = c[k]
		}
		slices.Sort(channel)
		median[k] = channel[len(channel)/2]
	}
	same := 0
	for _, c := range colors {
		if Difference(c, median) <= levels {
			same++
		}
	}
	return median, float64(same) / float64(len(colors))
}

// Blend projects c onto the line between two colors. It returns the position t, which is 0 at from and 1 at to, and the distance from the
// line in levels. The line ends a little beyond to.
func Blend(c, from, to RGB) (t, off float64) {
	var along, length float64
	var d, v [3]float64
	for k := range c {
		d[k], v[k] = float64(to[k])-float64(from[k]), float64(c[k])-float64(from[k])
		along, length = along+d[k]*v[k], length+d[k]*d[k]
	}
	if length == 0 {
		return 0, math.Inf(1)
	}
	t = along / length
	for k := range c {
		e := v[k] - min(max(t, 0), 1.2)*d[k]
		off += e * e
	}
	return t, math.Sqrt(off)
}
