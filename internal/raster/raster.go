// Package raster holds the pixel primitives that the engines share: points and outlines, colors and their distances, and the
// sampling of an image. Its sub-packages are each one algorithm of the field:
//
//   - bitmap: sets of pixels in page coordinates, their morphology and distance transform
//   - components: connected components
//   - integral: sums over rectangles
//   - unionfind: disjoint sets, for grouping
//
// Images are [image.NRGBA] whose bounds begin at (0, 0). Places are in pixels of the page, x to the right and y down; a pixel (x, y)
// covers the square from x, y to x+1, y+1. Colors are sRGB, 0..255 a channel.
package raster

import (
	"image"
	"math"
	"slices"

	"github.com/lucasb-eyer/go-colorful"
)

// Point is a place on a page in pixels, from the upper left corner, x to the right and y down.
type Point [2]float64

// Quad is the outline of a line of text: four corners, clockwise from the corner where reading begins.
type Quad [4]Point

// Bounds is the smallest upright rectangle around q: x0, y0, x1, y1 in pixels.
func (q Quad) Bounds() (x0, y0, x1, y1 float64) {
	x0, y0, x1, y1 = q[0][0], q[0][1], q[0][0], q[0][1]
	for _, p := range q[1:] {
		x0, x1 = min(x0, p[0]), max(x1, p[0])
		y0, y1 = min(y0, p[1]), max(y1, p[1])
	}
	return x0, y0, x1, y1
}

// RGB is a color: sRGB, 0..255 a channel.
type RGB [3]uint8

// The ends of the scale.
var (
	Black = RGB{}
	White = RGB{255, 255, 255}
)

// At is the color of a pixel of img, x to the right and y down from its upper left corner, laid over white where it is not opaque.
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

// Difference is the largest difference of a channel, 0..255.
func Difference(a, b RGB) int {
	d := 0
	for k := range a {
		d = max(d, int(a[k])-int(b[k]), int(b[k])-int(a[k]))
	}
	return d
}

// Distance is the Euclidean distance of two colors in sRGB, 0..442.
func Distance(a, b RGB) float64 { return math.Sqrt(float64(squaredDistance(a, b))) }

// leastDistinct is the least [Distance] of ink from the ground it stands on: JPEG artifacts and soft shading differ by less.
const leastDistinct = 60

// Distinct reports whether two colors are seen as two, as ink and its ground are.
func Distinct(a, b RGB) bool { return squaredDistance(a, b) >= leastDistinct*leastDistinct }

func squaredDistance(a, b RGB) int {
	sum := 0
	for k := range a {
		d := int(a[k]) - int(b[k])
		sum += d * d
	}
	return sum
}

// Contrast is the distance of two colors in CIE 1976 L*a*b* under D65: 100 from black to white.
func Contrast(a, b RGB) float64 { return 100 * a.colorful().DistanceLab(b.colorful()) }

// Lightness is L* of CIE 1976 L*a*b*, 0..100.
func Lightness(c RGB) float64 {
	l, _, _ := c.colorful().Lab()
	return 100 * l
}

func (c RGB) colorful() colorful.Color {
	return colorful.Color{R: float64(c[0]) / 255, G: float64(c[1]) / 255, B: float64(c[2]) / 255}
}

// Opposite is black or white, whichever stands out from c.
func Opposite(c RGB) RGB {
	const middle = 55 // L* of a gray that black and white stand out from alike
	if Lightness(c) > middle {
		return Black
	}
	return White
}

// Median is the median of the colors, channel by channel, and the share of them, 0..1, that differs from it by no more
// than levels (see [Difference]). Of no colors it is black, with a share of 0.
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
