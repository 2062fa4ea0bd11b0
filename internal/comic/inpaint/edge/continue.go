// Package edge continues straight edges across holes: the frames of panels, the outlines of buildings, speed lines.
//
// The edges beside a hole vote for the straight lines that they lie on (Duda and Hart, Use of the Hough Transformation to
// Detect Lines and Curves in Pictures, 1972). Where a line enters the hole at one side and leaves it at another, with the same
// contrast, the narrow band around it is painted with what the two ends look like. Nothing is extended that only one side
// shows.
//
// A line with paper on one side and art on the other is the border of a panel. The art differs along it, so that the two ends of a
// gap are not alike; what the hole takes of the gutter gets the color of the paper, which the art beside it is not
// painted from.
package edge

import (
	"math"

	"plait/internal/comic/inpaint/crop"
	"plait/internal/raster/bitmap"
)

const (
	// band is how far, in pixels, the profile of an edge reaches to each side: its anti-aliased rim and a pixel of what it parts.
	band = 3
	// contrast is the least difference, in levels, between the two sides of an edge.
	contrast = 32
	// sameSide is the most, in levels, that one side of an edge, and sameAll that all of its profile differs from one
	// end of a gap to the other.
	sameSide, sameAll = 12, 32
	// An end of a gap is shown by leastShown to mostShown pixels of the line, which must agree; its color is that of the
	// nearShown nearest. Those next to the hole may hold a rest of what is erased, and are left out.
	leastShown, mostShown, nearShown = 3, 16, 6
	// An end farther away than farAway must be shown by leastShownFar pixels.
	farAway, leastShownFar = 24, 12
	// More lines than mostAlike whose normals have at least this product are hatching.
	mostAlike, nearlyParallel = 4, 0.98
)

// Margin is how many pixels around a hole tell enough of the lines that cross it.
const Margin = 160

// Continue paints the Hole pixels of c that straight edges cross, and those behind the border of a panel, and makes them Known. It
// returns the set of them, and the gutter beyond such borders.
func Continue(c *crop.Crop) (painted, gutter *bitmap.Bitmap) {
	painted, gutter = bitmap.New(c.Rect), bitmap.New(c.Rect)
	hole := c.Set(crop.Hole)
	toHole := hole.Distance()
	lines := findLines(c, toHole)
	for _, l := range lines {
		if l.isHatching(lines) {
			continue
		}
		l.walk(c, toHole)
		if p, ok := l.paper(c); ok {
			l.clear(c, p, toHole, painted, gutter)
		}
		for _, g := range l.gaps() {
			l.paint(c, g, painted)
		}
	}
	return painted, gutter
}

// isHatching reports whether a line is one of many alike: those are a texture.
func (l *line) isHatching(all []line) bool {
	alike := 0
	for i := range all {
		if l.nx*all[i].nx+l.ny*all[i].ny > nearlyParallel {
			alike++
		}
	}
	return alike > mostAlike
}

// line is a straight edge, with what is found walking along it in steps of a pixel.
type line struct {
	// (x, y) is a point of the line in pixels of the crop, (dx, dy) its direction, (nx, ny) the normal towards its bright side.
	x, y, dx, dy, nx, ny float64
	// from is the place of the first step.
	from  int
	steps []step
}

type step struct {
	kind  stepKind
	edge  profile
	shows bool // the edge is seen here
}

type stepKind uint8

const (
	beyond stepKind = iota // outside of the crop, or barred
	gap                    // in the hole
	unsure                 // beside the hole
	seen
)

func (l *line) at(t, d float64) (x, y float64) { return l.x + t*l.dx + d*l.nx, l.y + t*l.dy + d*l.ny }

// walk looks at the line from one side of the crop to the other.
func (l *line) walk(c *crop.Crop, toHole []int32) {
	reach := c.Width() + c.Height()
	first, last := reach, -reach
	for t := -reach; t <= reach; t++ {
		if x, y := l.at(float64(t), 0); x >= 0 && y >= 0 && x < float64(c.Width()) && y < float64(c.Height()) {
			first, last = min(first, t), max(last, t)
		}
	}
	l.from, l.steps = first, nil
	for t := first; t <= last; t++ {
		s := l.look(c, toHole, float64(t))
		s.shows = s.kind == seen && s.edge.contrast() >= contrast
		l.steps = append(l.steps, s)
	}
}

func (l *line) look(c *crop.Crop, toHole []int32, t float64) step {
	s := step{kind: seen}
	for d := -band; d <= band; d++ {
		x, y := l.at(t, float64(d))
		px, py := int(math.Round(x)), int(math.Round(y))
		if px < 1 || py < 1 || px >= c.Width()-1 || py >= c.Height()-1 {
			return step{kind: beyond}
		}
		i := py*c.Width() + px
		switch {
		case c.State[i] == crop.Barred:
			return step{kind: beyond}
		case c.State[i] == crop.Hole && d >= -1 && d <= 1:
			s.kind = gap
		case toHole[i] <= 2 && s.kind == seen:
			s.kind = unsure
		}
		s.edge[d+band] = sample(c, x, y)
	}
	return s
}

// crossing is a gap in a line, and what the line looks like at its two ends.
type crossing struct {
	first, last int // steps
	start, end  profile
}

// gaps are the places where the line crosses the hole, and shows what it looks like before and behind.
func (l *line) gaps() []crossing {
	var out []crossing
	for i := 0; i < len(l.steps); i++ {
		if l.steps[i].kind != gap {
			continue
		}
		g := crossing{first: i}
		for i+1 < len(l.steps) && l.steps[i+1].kind == gap {
			i++
		}
		g.last = i
		var before, behind bool
		g.start, before = l.end(g.first, -1)
		g.end, behind = l.end(g.last, 1)
		if before && behind && alike(&g.start, &g.end) {
			out = append(out, g)
		}
	}
	return out
}

// end is what the line looks like in the given direction from step i: where it shows next, perhaps behind other gaps. Where it is seen and shows no edge, it has ended.
func (l *line) end(i, direction int) (mean profile, ok bool) {
	var all []*profile
	far := false
	for j := i + direction; j >= 0 && j < len(l.steps) && len(all) < mostShown; j += direction {
		s := &l.steps[j]
		if s.shows {
			far = far || len(all) == 0 && max(i-j, j-i) > farAway
			all = append(all, &s.edge)
		} else if s.kind == seen || s.kind == beyond {
			break
		}
	}
	if len(all) < leastShown || far && len(all) < leastShownFar {
		return mean, false
	}
	near := all[:min(len(all), nearShown)]
	for _, p := range near {
		for i := range p {
			for k := range 3 {
				mean[i][k] += p[i][k] / float32(len(near))
			}
		}
	}
	for _, p := range all {
		if !alike(p, &mean) {
			return mean, false
		}
	}
	return mean, true
}

// paint fills the band around the line between the ends of a gap, blending from one to the other.
func (l *line) paint(c *crop.Crop, g crossing, painted *bitmap.Bitmap) {
	for i := g.first - 2; i <= g.last+2; i++ {
		for d := -2 * band; d <= 2*band; d++ {
			x, y := l.at(float64(l.from+i), float64(d)/2)
			px, py := int(math.Round(x)), int(math.Round(y))
			if px < 0 || py < 0 || px >= c.Width() || py >= c.Height() || c.State[py*c.Width()+px] != crop.Hole {
				continue
			}
			x, y = float64(px)-l.x, float64(py)-l.y
			along, across := x*l.dx+y*l.dy-float64(l.from), x*l.nx+y*l.ny
			share := float32(min(max((along-float64(g.first))/float64(max(g.last-g.first, 1)), 0), 1))
			if math.Abs(across) > band {
				continue
			}
			c.Put(py*c.Width()+px, blend(&g.start, &g.end, share, across+band))
			painted.Pix[py*c.Width()+px] = 1
		}
	}
}
