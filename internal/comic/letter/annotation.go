package letter

import (
	"image"
	"math"
	"slices"
	"strings"

	"plait/internal/comic"
	"plait/internal/comic/textarea"
	"plait/internal/raster"
	"plait/internal/raster/integral"
)

const (
	// narrowEm is the usual width of a letter that is not an ideograph.
	narrowEm = 0.6
	// annotationGap and annotationReach are the least and the greatest distance of an annotation from its sound, which is also the width of a
	// line. annotationStep is the distance of the places that are tried. All are in em. The border of the panel is annotationGap away.
	annotationGap, annotationReach, annotationStep = 0.3, 8.0, 0.5
	// farther is what a distance of one em from the sound effect counts, in levels of unrest.
	farther = 6.0
	// coverStep is the distance in pixels of those that are examined for what a box covers.
	coverStep = 4
)

// annotations returns, for each sound effect to annotate, a region for its translation near it: on calm art, over no other text, bubble or
// border of a panel, and inside of the panel that the sound is in. A word that is repeated is said once.
func (p Page) annotations(f *Found, set []comic.Region, median float64) []comic.Region {
	if len(p.Annotated) == 0 {
		return nil
	}
	texts, layout := p.texts(), f.layout
	var notes []comic.Region
	for _, r := range p.Annotated {
		if len(r.Lines) == 0 {
			continue
		}
		em := quiet * median
		text := strings.Join(slices.Compact(strings.Fields(texts[r.Index].Text)), " ")
		size, lines := sizeOf(text, em)
		outside := shareOf(raster.Enclosing(r.Bounds()), layout.InGutter) > 0.5
		taken := slices.Concat(set, p.Annotated, notes)
		box := p.calmest(r, size, em, func(box image.Rectangle) bool {
			in := shareOf(box.Inset(-int(annotationGap*em)), layout.InGutter)
			return in > 0 && (in < 1 || !outside) || covers(taken, box) || slices.ContainsFunc(f.areas, func(a *textarea.Area) bool {
				return a.Bubble && shareOf(box, a.Contains) > 0
			})
		})
		x0, y0, x1, y1 := float64(box.Min.X), float64(box.Min.Y), float64(box.Max.X), float64(box.Max.Y)
		note := r
		note.Text = text
		note.Kind, note.Direction, note.Alignment, note.Angle, note.FontSize = comic.KindFree, comic.Horizontal, comic.AlignCenter, 0, em
		note.Lines = nil
		for i := range lines {
			top := y0 + (y1-y0)*float64(i)/float64(lines)
			note.Lines = append(note.Lines, raster.QuadOf(x0, top, x1, top+em))
		}
		notes = append(notes, note)
	}
	return notes
}

// sizeOf returns the size of the box of an annotation, and its number of lines.
func sizeOf(text string, em float64) (size image.Point, lines int) {
	width := 0.0
	for _, c := range text {
		if comic.Unspaced(c) {
			width++
		} else {
			width += narrowEm
		}
	}
	lines = max(1, int(math.Ceil(width/annotationReach)))
	return image.Pt(int(math.Ceil(width/float64(lines)*em+em)), int(math.Ceil(1.3*float64(lines)*em))), lines
}

// calmest returns the box of the given size around a region that has the least cost, of those that are not covered: the unrest of the art
// in it, and its distance. Among boxes of equal cost it prefers those below. If there is none it returns the middle of the region.
func (p Page) calmest(r comic.Region, size image.Point, em float64, covered func(image.Rectangle) bool) (best image.Rectangle) {
	own, page := raster.Enclosing(r.Bounds()), p.Erased.Rect.Inset(coverStep)
	step := max(1, int(annotationStep*em))
	window := own.Inset(-int(annotationReach*em) - step - max(size.X, size.Y)).Intersect(p.Erased.Rect)
	unrest, area := unrestIn(p.Erased, window), float64(max(size.X*size.Y, 1))
	least := math.Inf(1)
	for gap := annotationGap * em; gap <= annotationReach*em; gap += float64(step) {
		around := image.Rectangle{Min: own.Min.Sub(size), Max: own.Max}.Inset(-int(gap) - 1)
		try := func(x, y int) {
			box := image.Rectangle{Max: size}.Add(image.Pt(x, y))
			if !box.In(page) {
				return
			}
			if cost := float64(unrest.In(box.Sub(window.Min)))/area + farther*gap/em; cost < least && !covered(box) {
				best, least = box, cost
			}
		}
		for x := around.Min.X; x <= around.Max.X; x += step {
			try(x, around.Max.Y)
			try(x, around.Min.Y)
		}
		for y := around.Min.Y; y <= around.Max.Y; y += step {
			try(around.Max.X, y)
			try(around.Min.X, y)
		}
	}
	if best.Empty() {
		return image.Rectangle{Max: size}.Add(image.Pt((own.Min.X+own.Max.X-size.X)/2, (own.Min.Y+own.Max.Y-size.Y)/2)).Intersect(p.Erased.Rect)
	}
	return best
}

// unrestIn sums up how restless the art in a window of a page is: the differences of neighboring pixels, in levels. An outline
// of the art counts as black beside white: it is more visible behind small letters than shading is.
func unrestIn(page *image.NRGBA, window image.Rectangle) integral.Table {
	return integral.New(window.Dx(), window.Dy(), func(i int) int32 {
		x, y := window.Min.X+i%window.Dx(), window.Min.Y+i/window.Dx()
		c := raster.At(page, x, y)
		d := 0
		for _, at := range [2]image.Point{{x + 1, y}, {x, y + 1}} {
			if at.In(page.Rect) {
				d = max(d, raster.Difference(c, raster.At(page, at.X, at.Y)))
			}
		}
		if d >= inkLevels {
			d = math.MaxUint8
		}
		return int32(d)
	})
}

// shareOf returns the share of a sample of the pixels of a box that are in a set.
func shareOf(box image.Rectangle, set func(x, y int) bool) float64 {
	var in, all float64
	for y := box.Min.Y; y < box.Max.Y+coverStep; y += coverStep {
		for x := box.Min.X; x < box.Max.X+coverStep; x += coverStep {
			if all++; set(x, y) {
				in++
			}
		}
	}
	return in / max(all, 1)
}

// covers reports whether a box covers a line of text.
func covers(regions []comic.Region, box image.Rectangle) bool {
	for _, r := range regions {
		for _, q := range r.Lines {
			if box.Overlaps(raster.Enclosing(q.Bounds())) {
				return true
			}
		}
	}
	return false
}
