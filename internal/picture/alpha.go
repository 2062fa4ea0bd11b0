package picture

import (
	"bytes"
	"image"
	"iter"
)

// storesAlpha reports whether files of the format have transparent pixels.
func (f Format) storesAlpha() bool { return f == PNG || f == WebP || f == GIF }

// seeThrough gives img, which was made from p's image, the alpha of p's file. Pixels that did not change are copied from the file. Others
// look the same over white: they get the alpha of their surroundings, or more if their color needs it. So the paper between new letters is
// transparent where that of the page is, and opaque elsewhere.
func (p *Picture) seeThrough(img *image.NRGBA, format Format) *image.NRGBA {
	out := &image.NRGBA{Pix: bytes.Clone(p.translucent.Pix), Stride: p.translucent.Stride, Rect: p.translucent.Rect}
	w := img.Rect.Dx()
	for changed, around := range p.changes(img) {
		for _, i := range changed {
			from, to := img.Pix[img.PixOffset(i%w, i/w):], out.Pix[4*i:4*i+4]
			alpha := max(around, 255-min(from[0], from[1], from[2]))
			if format == GIF && alpha > 0 { // GIF has only opaque and transparent pixels
				alpha = 255
			}
			for c := range 3 {
				to[c] = uncovered(from[c], alpha)
			}
			to[3] = alpha
		}
	}
	return out
}

// uncovered is the channel value that looks like v over white at the given alpha, which is at least 255-v.
func uncovered(v, alpha byte) byte {
	if alpha == 0 {
		return 255
	}
	a := int(alpha)
	return byte(255 - min((255*(255-int(v))+a/2)/a, 255))
}

// changes are the connected components of the pixels in which img differs from p's image, each as a list of pixels with the median alpha
// of the pixels around it: most of these are paper, and few are old strokes that new ones cross. The median is 255 if there are no pixels
// around.
func (p *Picture) changes(img *image.NRGBA) iter.Seq2[[]int, byte] {
	w, h := img.Rect.Dx(), img.Rect.Dy()
	open := make([]bool, w*h) // changed, and not yet in a component
	changed := make([]bool, w*h)
	for i := range changed {
		o := img.PixOffset(i%w, i/w)
		changed[i] = [4]byte(img.Pix[o:]) != [4]byte(p.Image.Pix[4*i:])
		open[i] = changed[i]
	}
	return func(yield func([]int, byte) bool) {
		for first := range open {
			if !open[first] {
				continue
			}
			var around [256]int // how many pixels of each alpha
			open[first] = false
			piece := []int{first}
			for k := 0; k < len(piece); k++ {
				for n := range neighbors(piece[k], w, h) {
					switch {
					case !changed[n]:
						around[p.translucent.Pix[4*n+3]]++
					case open[n]:
						open[n] = false
						piece = append(piece, n)
					}
				}
			}
			if !yield(piece, median(&around)) {
				return
			}
		}
	}
}

// median is the median of values given by their counts; 255 if there are none.
func median(counts *[256]int) byte {
	all, below := 0, 0
	for _, n := range counts {
		all += n
	}
	for v, n := range counts {
		if below += n; 2*below > all {
			return byte(v)
		}
	}
	return 255
}

// neighbors are the pixels that share a side with pixel i of a picture of w x h.
func neighbors(i, w, h int) iter.Seq[int] {
	return func(yield func(int) bool) {
		x, y := i%w, i/w
		_ = (x == 0 || yield(i-1)) && (x == w-1 || yield(i+1)) && (y == 0 || yield(i-w)) && (y == h-1 || yield(i+w))
	}
}
