package edge

import (
	"math"
	"slices"

	"plait/internal/comic/inpaint/crop"
	"plait/internal/raster"
	"plait/internal/raster/bitmap"
)

const (
	// A side of a line is paper if paperShare of its visible pixels are within paperLevels of one color. The line is a border if the other
	// side has another color in at least leastBorder steps, there and also inArt pixels away from the line: behind a line drawn on paper
	// there is paper again. A bubble that is open to the gutter and the corners of the panel do not count as border.
	paperShare  = 0.9
	paperLevels = 8
	leastBorder = 16
	inArt       = 10
	// Art that is painted beside a border must not be copied from paper up to alongCrossing pixels along the border and behindCrossing
	// pixels beyond it.
	alongCrossing, behindCrossing = 48, 20
	// rest is how many pixels beside a hole may have remains of the lettering.
	rest = 3
)

// paper is the gutter on one side of the border of a panel.
type paper struct {
	color raster.RGB
	// side is the sign of the normal that points to the gutter.
	side float64
}

// paper returns the gutter and true if the line is a border between paper and art. Comparing the ends of gaps does not work here: the art
// changes along the border, and often too little of the border is visible between two glyphs.
func (l *line) paper(c *crop.Crop) (paper, bool) {
	for _, side := range []float64{1, -1} {
		on, off := band+int(side)*band, band-int(side)*band
		var colors []raster.RGB
		for i := range l.steps {
			if s := &l.steps[i]; s.kind == seen {
				colors = append(colors, s.edge.color(on))
			}
		}
		color, agree := raster.Median(colors, paperLevels)
		if agree < paperShare {
			continue
		}
		border := 0
		for i := range l.steps {
			if s := &l.steps[i]; s.kind == seen && raster.Difference(s.edge.color(off), color) > paperLevels && !l.shows(c, i, -side*inArt, color) {
				border++
			}
		}
		if border >= leastBorder {
			return paper{color: color, side: side}, true
		}
	}
	return paper{}, false
}

// shows reports whether the pixel at a distance from step i, across the line, has the given color.
func (l *line) shows(c *crop.Crop, i int, across float64, color raster.RGB) bool {
	at := l.place(c, float64(l.from+i), across)
	return at >= 0 && c.State[at] == crop.Known && raster.Difference(c.Color(at), color) <= paperLevels
}

// place returns the index of the pixel at position t and a distance across the line, or -1 outside the crop.
func (l *line) place(c *crop.Crop, t, across float64) int {
	x, y := l.at(t, across)
	px, py := int(math.Round(x)), int(math.Round(y))
	if px < 0 || py < 0 || px >= c.Width() || py >= c.Height() {
		return -1
	}
	return py*c.Width() + px
}

// color returns sample i of the profile.
func (p *profile) color(i int) (c raster.RGB) {
	for k, v := range p[i] {
		c[k] = uint8(v + 0.5)
	}
	return c
}

// clear paints the part of the hole between the border and the visible paper beyond it. Where the hole continues on the other side of the
// border, it adds the paper nearby to gutter, because the erased art does not continue into it.
func (l *line) clear(c *crop.Crop, p paper, toHole []int32, painted, gutter *bitmap.Bitmap) {
	crossed := l.crossed(c, p)
	for t := range 2 * len(l.steps) { // in half pixels, so that no pixel is skipped
		hole, known := l.ray(c, float64(l.from)+float64(t)/2, p, toHole)
		for _, i := range hole {
			c.Put(i, p.color)
			painted.Pix[i] = 1
		}
		if near := crossed[max(0, t/2-alongCrossing):min(len(crossed), t/2+alongCrossing)]; !slices.Contains(near, true) {
			continue
		}
		for _, i := range slices.Concat(hole[:min(len(hole), 2*behindCrossing)], known[:min(len(known), 2*behindCrossing)]) {
			gutter.Pix[i] = 1
		}
	}
}

// crossed reports for each step whether the hole is on the side of the border that has art.
func (l *line) crossed(c *crop.Crop, p paper) []bool {
	out := make([]bool, len(l.steps))
	for i := range out {
		at := l.place(c, float64(l.from+i), -2*p.side)
		out[i] = at >= 0 && c.State[at] == crop.Hole
	}
	return out
}

// ray returns the pixels from the border at step t outwards: those of the hole that begins at the border, and the known paper beyond them.
// It returns none if there is no paper beyond the hole.
func (l *line) ray(c *crop.Crop, t float64, p paper, toHole []int32) (hole, known []int) {
	for d := 1.0; ; d += 0.5 {
		i := l.place(c, t, d*p.side)
		switch {
		case i < 0:
			return hole, known // the gutter extends to the edge of the page
		case c.State[i] == crop.Known && raster.Difference(c.Color(i), p.color) <= paperLevels:
			known = append(known, i)
		case len(known) > 0:
			return hole, known
		case c.State[i] == crop.Hole:
			hole = append(hole, i)
		case c.State[i] == crop.Barred || d > band && toHole[i] > rest*rest:
			return nil, nil
		}
	}
}
