package letter

import (
	"image"
	"slices"

	"plait/internal/comic"
	"plait/internal/raster"
)

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
			c := raster.At(original, x, y)
			if by := raster.Difference(c, raster.At(erased, x, y)); by > erasedLevels {
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
