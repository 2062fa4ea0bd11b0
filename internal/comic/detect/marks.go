package detect

import (
	"cmp"
	"image"
	"math"
	"slices"

	"plait/internal/raster"
)

// Marks of exclamation and question that stand alone in a bubble, as the model often overlooks: a stem over a dot, on paper.
// Widths of the page are those of a single one.
const (
	// markPixels is the width in pixels at which a page is searched, about.
	markPixels = 620
	// markDark is the brightest mean of a channel of ink, and markLight the darkest of paper.
	markDark, markLight = 90, 200
	// markLeast and markMost are the least and the greatest height of a mark, in widths of the page.
	markLeast, markMost = 0.012, 0.09
	// A dot is round: the ratio of its sides, and the least share of its bounds that is ink.
	dotRatio, dotFilled = 1.6, 0.55
	// The stem over it: its height, the blank between and the greatest and least width, in sizes of the dot.
	stemLeast, stemMost, stemBlank, stemWide, stemNarrow = 1.4, 6, 1.3, 3.2, 0.6
	// Marks side by side: the widest blank between, in their heights, and how much higher one is than the other at most.
	markBlank, markRatio = 0.6, 1.35
	// markAround is the paper around marks, and markMargin what is left of it as of a line, in their heights.
	markAround, markMargin = 0.35, 0.22
	// markOwn is how many times higher than the marks a box is that is not a line of theirs, but the bubble around them, and
	// lineRatio from how many heights on it is a line all the same.
	markOwn, lineRatio = 2.4, 1.5
	// markFound is the least share of marks that lies in a line that they are of.
	markFound = 0.4
	// markScore is the score of what was found so: reading has to be sure of it.
	markScore = 0.6
)

// withMarks adds the marks that stand alone to lines.
func withMarks(img *image.NRGBA, p Params, lines []Line) []Line {
	bounds := img.Bounds()
	unit := min(bounds.Dx(), bounds.Dy())
	if p.isStrip(bounds.Dx(), bounds.Dy()) {
		unit = bounds.Dx()
	}
	r := reduce(img, max(1, unit/markPixels))
	size := float64(unit) / float64(r.step)
	var found []Line
	for _, group := range grouped(r.marks(markLeast*size, markMost*size)) {
		height := float64(group.Dy())
		if !r.alone(group.Inset(-max(2, int(markAround*height)))) {
			continue
		}
		q := onPage(r.toPage(group, markMargin*height), img)
		if !slices.ContainsFunc(lines, func(l Line) bool {
			isLine := thickness(l.Quad) < markOwn*height*float64(r.step) || length(l.Quad) >= lineRatio*thickness(l.Quad)
			return isLine && inside(q, l.Quad) >= markFound
		}) {
			found = append(found, Line{Quad: q, Score: markScore})
		}
	}
	return append(lines, found...)
}

// reduced is a page in steps of some pixels: 255 where ink is, and where paper is.
type reduced struct {
	step  int
	ink   *probabilityMap
	paper []bool
}

func reduce(img *image.NRGBA, step int) reduced {
	w, h := img.Rect.Dx()/step, img.Rect.Dy()/step
	r := reduced{step, newProbabilityMap(w, h), make([]bool, w*h)}
	for y := range h {
		for x := range w {
			sum := 0
			for j := range step {
				row := img.Pix[(y*step+j)*img.Stride+4*x*step : (y*step+j)*img.Stride+4*(x+1)*step]
				for i := 0; i < len(row); i += 4 {
					sum += 255*255 + (int(row[i])+int(row[i+1])+int(row[i+2])-3*255)*int(row[i+3])/3
				}
			}
			switch mean := sum / (step * step * 255); {
			case mean <= markDark:
				r.ink.values[y*w+x] = 255
			case mean >= markLight:
				r.paper[y*w+x] = true
			}
		}
	}
	return r
}

// marks are the bounds of pairs of a stem and a dot below, of some height, from left to right.
func (r reduced) marks(least, most float64) []image.Rectangle {
	var pieces []image.Rectangle
	var dots []image.Rectangle
	for _, c := range r.ink.components(1) {
		b := c.Bounds
		if size := float64(max(b.Dx(), b.Dy())); size > most || size < 2 {
			continue
		}
		pieces = append(pieces, b)
		long, short := float64(max(b.Dx(), b.Dy())), float64(min(b.Dx(), b.Dy()))
		if long <= dotRatio*short && float64(c.Area) >= dotFilled*float64(b.Dx()*b.Dy()) {
			dots = append(dots, b)
		}
	}
	// Screentone is tens of thousands of dots: each is compared with what ends closely above it alone.
	slices.SortFunc(pieces, func(a, b image.Rectangle) int { return cmp.Compare(a.Max.Y, b.Max.Y) })
	var found []image.Rectangle
	for _, d := range dots {
		highest := d.Min.Y - int(math.Ceil(stemBlank*float64(max(d.Dx(), d.Dy()))))
		first, _ := slices.BinarySearchFunc(pieces, highest, func(s image.Rectangle, y int) int { return cmp.Compare(s.Max.Y, y) })
		for _, s := range pieces[first:] {
			if s.Max.Y > d.Min.Y {
				break
			}
			mark := s.Union(d)
			if height := float64(mark.Dy()); isStem(s, d) && height >= least && height <= most {
				found = append(found, mark)
			}
		}
	}
	slices.SortFunc(found, func(a, b image.Rectangle) int {
		return cmp.Or(cmp.Compare(a.Min.X, b.Min.X), cmp.Compare(a.Min.Y, b.Min.Y), cmp.Compare(a.Max.X, b.Max.X), cmp.Compare(a.Max.Y, b.Max.Y))
	})
	return found
}

// isStem reports whether a piece of ink may be the stem over a dot.
func isStem(s, dot image.Rectangle) bool {
	size, blank := float64(max(dot.Dx(), dot.Dy())), float64(dot.Min.Y-s.Max.Y)
	height, width := float64(s.Dy()), float64(s.Dx())
	return blank >= 0 && blank <= stemBlank*size && height >= stemLeast*size && height <= stemMost*size &&
		width >= stemNarrow*size && width <= stemWide*size && width <= height && s.Min.X < dot.Max.X && s.Max.X > dot.Min.X
}

// grouped joins marks, sorted from left to right, that stand side by side.
func grouped(marks []image.Rectangle) []image.Rectangle {
	var groups []image.Rectangle
	for _, m := range marks {
		at := slices.IndexFunc(groups, func(g image.Rectangle) bool {
			high, low := float64(max(g.Dy(), m.Dy())), float64(min(g.Dy(), m.Dy()))
			return high <= markRatio*low && float64(m.Min.X-g.Max.X) <= markBlank*low &&
				float64(min(g.Max.Y, m.Max.Y)-max(g.Min.Y, m.Min.Y)) >= 0.6*low
		})
		if at < 0 {
			groups = append(groups, m)
		} else {
			groups[at] = groups[at].Union(m)
		}
	}
	return groups
}

// alone reports whether the edge of a rectangle lies on paper.
func (r reduced) alone(around image.Rectangle) bool {
	if !around.In(image.Rect(0, 0, r.ink.width, r.ink.height)) {
		return false
	}
	for y := around.Min.Y; y < around.Max.Y; y++ {
		for x := around.Min.X; x < around.Max.X; x++ {
			edge := y < around.Min.Y+2 || y >= around.Max.Y-2 || x < around.Min.X+2 || x >= around.Max.X-2
			if edge && !r.paper[y*r.ink.width+x] {
				return false
			}
		}
	}
	return true
}

// toPage is a rectangle with a margin, in pixels of the page.
func (r reduced) toPage(b image.Rectangle, margin float64) raster.Quad {
	step := float64(r.step)
	x0, y0 := (float64(b.Min.X)-margin)*step, (float64(b.Min.Y)-margin)*step
	x1, y1 := (float64(b.Max.X)+margin)*step, (float64(b.Max.Y)+margin)*step
	return raster.Quad{{x0, y0}, {x1, y0}, {x1, y1}, {x0, y1}}
}
