package letter

import (
	"image"
	"math"
	"slices"

	"plait/internal/comic"
	"plait/internal/comic/mask"
	"plait/internal/raster"
)

var black, white = raster.RGB{0, 0, 0}, raster.RGB{255, 255, 255}

// lab is a color in CIE 1976 L*a*b* under D65, from sRGB (IEC 61966-2-1).
func lab(c raster.RGB) [3]float64 {
	var linear [3]float64
	for i, v := range c {
		linear[i] = float64(v) / 255
		if linear[i] <= 0.04045 {
			linear[i] /= 12.92
		} else {
			linear[i] = math.Pow((linear[i]+0.055)/1.055, 2.4)
		}
	}
	r, g, b := linear[0], linear[1], linear[2]
	f := func(t float64) float64 {
		if t > 216.0/24389 {
			return math.Cbrt(t)
		}
		return (24389.0/27*t + 16) / 116
	}
	x := f((0.4124564*r + 0.3575761*g + 0.1804375*b) / 0.95047)
	y := f(0.2126729*r + 0.7151522*g + 0.0721750*b)
	z := f((0.0193339*r + 0.1191920*g + 0.9503041*b) / 1.08883)
	return [3]float64{116*y - 16, 500 * (x - y), 200 * (y - z)}
}

// contrast is the distance of two colors in Lab (CIE 1976): 100 from black to white.
func contrast(a, b raster.RGB) float64 {
	p, q := lab(a), lab(b)
	return math.Sqrt((p[0]-q[0])*(p[0]-q[0]) + (p[1]-q[1])*(p[1]-q[1]) + (p[2]-q[2])*(p[2]-q[2]))
}

// opposite is black or white, whichever stands out from c.
func opposite(c raster.RGB) raster.RGB {
	if lab(c)[0] > 55 {
		return black
	}
	return white
}

// erasedLevels: a pixel that erasing changed by so much was inside a stroke.
const erasedLevels = 48

// inkColor is the color of the lettering that was erased: the median of the quarter of its pixels that differ most from
// what was put in their place, because thin strokes are paler than their ink. Where too little was erased to tell, it is
// the color that the reader saw.
func inkColor(original, erased *image.NRGBA, r comic.Region) raster.RGB {
	var ink []inkPixel
	x0, y0, x1, y1 := r.Bounds()
	box := image.Rect(int(x0), int(y0), int(x1), int(y1)).Intersect(erased.Rect).Intersect(original.Rect)
	for y := box.Min.Y; y < box.Max.Y; y++ {
		for x := box.Min.X; x < box.Max.X; x++ {
			c := colorAt(original, x, y)
			if by := mask.Difference(c, colorAt(erased, x, y)); by > erasedLevels {
				ink = append(ink, inkPixel{by, c})
			}
		}
	}
	if len(ink) < 16 {
		return r.FG
	}
	ink = strongest(ink, max(len(ink)/4, 8))
	var out raster.RGB
	levels := make([]uint8, len(ink))
	for k := range out {
		for i, p := range ink {
			levels[i] = p.c[k]
		}
		slices.Sort(levels)
		out[k] = levels[len(levels)/2]
	}
	return out
}

// inkPixel is a pixel of lettering, and by how much it differs from the page without.
type inkPixel struct {
	by int
	c  raster.RGB
}

// strongest are the n pixels of ink, of as many or more, that differ most; of equal ones the first.
func strongest(ink []inkPixel, n int) []inkPixel {
	least := 0
	for _, p := range ink {
		least = max(least, p.by)
	}
	counts := make([]int, least+1)
	for _, p := range ink {
		counts[p.by]++
	}
	left := n
	for ; counts[least] < left; least-- {
		left -= counts[least]
	}
	out := make([]inkPixel, 0, n)
	for _, p := range ink {
		switch {
		case p.by > least:
			out = append(out, p)
		case p.by == least && left > 0:
			out = append(out, p)
			left--
		}
	}
	return out
}

func colorAt(img *image.NRGBA, x, y int) raster.RGB {
	i := img.PixOffset(x, y)
	return raster.RGB{img.Pix[i], img.Pix[i+1], img.Pix[i+2]}
}
