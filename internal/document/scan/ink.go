package scan

import (
	"image"

	"plait/internal/raster"
)

// gray is the luminance of a part of a picture by Rec. 601, 0..255, row by row.
type gray struct {
	width, height int
	pix           []uint8
}

// grayOf is that of a rectangle inside the picture.
func grayOf(picture *image.NRGBA, r image.Rectangle) gray {
	g := gray{width: r.Dx(), height: r.Dy()}
	g.fill(func(x, y int) raster.RGB { return raster.At(picture, r.Min.X+x, r.Min.Y+y) })
	return g
}

func (g *gray) fill(pixel func(x, y int) raster.RGB) {
	g.pix = make([]uint8, 0, g.width*g.height)
	for y := range g.height {
		for x := range g.width {
			g.pix = append(g.pix, luminance(pixel(x, y)))
		}
	}
}

func (g gray) at(x, y int) uint8 { return g.pix[y*g.width+x] }

func luminance(c raster.RGB) uint8 {
	return uint8((299*int(c[0]) + 587*int(c[1]) + 114*int(c[2])) / 1000)
}

// minContrast is the least difference in luminance of ink from its ground, 0..255.
const minContrast = 24

// ground tells ink from its ground by luminance. The ink is what there is less of.
type ground struct {
	threshold uint8
	// dark reports whether the ink is what is not lighter than the threshold.
	dark bool
	// contrast is the difference of the means of both sides.
	contrast float64
}

func (g ground) isInk(luminance uint8) bool { return (luminance <= g.threshold) == g.dark }

// otsu finds the threshold that divides the values best into two classes (Otsu, "A threshold selection method from gray-level histograms",
// 1979).
func (g gray) otsu() ground {
	var histogram [256]int
	total := 0
	for _, v := range g.pix {
		histogram[v]++
		total += int(v)
	}
	found := ground{dark: true}
	best, count, sum := -1.0, 0, 0
	for t := range 255 {
		count += histogram[t]
		sum += t * histogram[t]
		rest := len(g.pix) - count
		if count == 0 || rest == 0 {
			continue
		}
		below, above := float64(sum)/float64(count), float64(total-sum)/float64(rest)
		if between := float64(count) * float64(rest) * (above - below) * (above - below); between > best {
			best, found = between, ground{threshold: uint8(t), dark: count <= rest, contrast: above - below}
		}
	}
	return found
}
