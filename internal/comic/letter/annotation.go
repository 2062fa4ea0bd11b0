package letter

import (
	"image"
	"math"

	"plait/internal/comic"
	"plait/internal/raster"
)

const (
	// annotationSize is the size of an annotation in units of the median size of the page's source texts.
	annotationSize = 0.75
	// annotationWidth is the most that a line of an annotation is wide, in em. narrowEm is the usual width of a letter that is not an
	// ideograph.
	annotationWidth, narrowEm = 8.0, 0.6
	// annotationGap is the distance of an annotation from its sound effect, in em.
	annotationGap = 0.3
	// strongEdge is the difference of neighboring pixels from which they are on an outline of the art. edgeCost is its cost relative to the
	// mean difference of pixels: an outline is more visible behind small letters than shading is.
	strongEdge, edgeCost = 48, 4.0
	// coveredCost is the cost of covering other text, which no art reaches.
	coveredCost = 1e4
)

// annotations returns, for each sound effect to annotate, a region beside it for its translation: the position of the calmest art around
// the sound effect where no other text is.
func (p Page) annotations(f *Found, set []comic.Region, median float64) []comic.Region {
	texts := p.texts()
	var notes []comic.Region
	for _, r := range p.Annotated {
		if len(r.Lines) == 0 {
			continue
		}
		em := annotationSize * median
		text, width := texts[r.Index].Text, 0.0
		for _, c := range text {
			if isWide(c) {
				width++
			} else {
				width += narrowEm
			}
		}
		lines := math.Ceil(width / annotationWidth)
		size := image.Pt(int(math.Ceil(width/lines*em+em)), int(math.Ceil(1.3*lines*em)))
		box := p.calmest(r, size, int(annotationGap*em)+1, func(box image.Rectangle) bool {
			return f.covers(set, box) || covers(p.Annotated, box) || covers(notes, box)
		})
		x0, y0, x1, y1 := float64(box.Min.X), float64(box.Min.Y), float64(box.Max.X), float64(box.Max.Y)
		note := r
		note.Text = text
		note.Kind, note.Direction, note.Alignment, note.Angle, note.FontSize = comic.KindFree, comic.Horizontal, comic.AlignCenter, 0, em
		note.Lines = nil
		for i := range int(lines) {
			top, bottom := y0+(y1-y0)*float64(i)/lines, y0+(y1-y0)*float64(i+1)/lines
			note.Lines = append(note.Lines, raster.Quad{{x0, top}, {x1, top}, {x1, bottom}, {x0, bottom}})
		}
		notes = append(notes, note)
	}
	return notes
}

// calmest returns the box of the given size around a region that has the least cost. Among boxes of equal cost it prefers those below.
func (p Page) calmest(r comic.Region, size image.Point, gap int, covered func(image.Rectangle) bool) (best image.Rectangle) {
	x0, y0, x1, y1 := r.Bounds()
	around := image.Rect(int(x0)-gap-size.X, int(y0)-gap-size.Y, int(x1)+gap, int(y1)+gap)
	least := math.Inf(1)
	const steps = 5
	try := func(x, y int) {
		box := image.Rectangle{Max: size}.Add(image.Pt(x, y))
		if !box.In(p.Erased.Rect) {
			return
		}
		cost := unrest(p.Erased, box)
		if covered(box) {
			cost += coveredCost
		}
		if cost < least {
			best, least = box, cost
		}
	}
	for i := range steps {
		x, y := around.Min.X+around.Dx()*i/(steps-1), around.Min.Y+around.Dy()*i/(steps-1)
		try(x, around.Max.Y)
		try(x, around.Min.Y)
		try(around.Max.X, y)
		try(around.Min.X, y)
	}
	if best.Empty() { // the sound effect fills the page
		return image.Rectangle{Max: size}.Add(image.Pt(int(x0+x1)/2-size.X/2, int(y0+y1)/2-size.Y/2)).Intersect(p.Erased.Rect)
	}
	return best
}

// unrest returns how restless the art in a box is: the mean difference of neighboring pixels, in levels, where outlines count more.
func unrest(page *image.NRGBA, box image.Rectangle) float64 {
	var sum float64
	for y := box.Min.Y; y < box.Max.Y-1; y++ {
		for x := box.Min.X; x < box.Max.X-1; x++ {
			c := raster.At(page, x, y)
			d := max(raster.Difference(c, raster.At(page, x+1, y)), raster.Difference(c, raster.At(page, x, y+1)))
			if d >= strongEdge {
				d *= edgeCost
			}
			sum += float64(d)
		}
	}
	return sum / float64(max(box.Dx()*box.Dy(), 1))
}

// covers reports whether a box covers a line of text or a bubble.
func (f *Found) covers(set []comic.Region, box image.Rectangle) bool {
	if covers(set, box) {
		return true
	}
	const step = 4
	for _, a := range f.areas {
		if !a.Bubble {
			continue
		}
		for y := box.Min.Y; y < box.Max.Y; y += step {
			for x := box.Min.X; x < box.Max.X; x += step {
				if a.Contains(x, y) {
					return true
				}
			}
		}
	}
	return false
}

func covers(regions []comic.Region, box image.Rectangle) bool {
	for _, r := range regions {
		for _, q := range r.Lines {
			x0, y0, x1, y1 := q.Bounds()
			if box.Overlaps(image.Rect(int(x0), int(y0), int(math.Ceil(x1)), int(math.Ceil(y1)))) {
				return true
			}
		}
	}
	return false
}
