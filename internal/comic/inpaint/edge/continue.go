// Package edge continues straight edges across holes: the frames of panels, the outlines of buildings, speed lines.
//
// The edge points near a hole vote for straight lines (Duda and Hart, Use of the Hough Transformation to Detect Lines and Curves in
// Pictures, 1972). Where a line enters the hole on one side and leaves it on another with the same contrast, a narrow band around the line
// is painted: its colors are interpolated between the two ends. A line that is visible on one side only is not extended.
//
// A line with paper on one side and art on the other is the border of a panel. The art changes along the border, so the two ends of a gap
// look different. In that case the part of the hole in the gutter gets the color of the paper, and the gutter is reported, so that the art
// beside it is not painted from paper.
package edge

import (
	"math"

	"plait/internal/comic/inpaint/crop"
	"plait/internal/raster/bitmap"
)

const (
	// band is the half width of the profile of an edge, in pixels: the anti-aliased rim of the edge and a pixel of each side.
	band = 3
	// contrast is the least difference, in levels, between the two sides of an edge.
	contrast = 32
	// The profiles at the two ends of a gap match if they differ by at most sameAll levels as a whole, or by at most sameSide levels on
	// one side.
	sameSide, sameAll = 12, 32
	// An end of a gap needs leastShown visible pixels of the line. Up to mostShown pixels must match each other, and the nearShown pixels
	// next to the gap determine the color. Pixels directly beside the hole may have remains of the lettering and are ignored.
	leastShown, mostShown, nearShown = 3, 16, 6
	// An end that is more than farAway pixels away needs leastShownFar visible pixels.
	farAway, leastShownFar = 24, 12
	// More than mostAlike lines are hatching if the dot product of their normals with that of a line is greater than nearlyParallel.
	mostAlike, nearlyParallel = 4, 0.98
)

// Margin is how many pixels around a hole Continue needs to see to find the lines that cross it.
const Margin = 160

// Continue paints the Hole pixels of c that are crossed by straight edges, or are in the gutter beyond the border of a panel, and makes
// them Known. It returns these pixels as painted. gutter is the part of the crop beyond such borders that has paper.
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

// isHatching reports whether a line is one of many parallel lines, which are a texture.
func (l *line) isHatching(all []line) bool {
	alike := 0
	for i := range all {
		if l.nx*all[i].nx+l.ny*all[i].ny > nearlyParallel {
			alike++
		}
	}
	return alike > mostAlike
}

// line is a straight edge, with samples along it in steps of a pixel.
type line struct {
	// (x, y) is a point of the line in pixels of the crop, (dx, dy) its direction, and (nx, ny) the normal towards its bright side.
	x, y, dx, dy, nx, ny float64
	// from is the position of the first step, in pixels along the line from (x, y).
	from  int
	steps []step
}

type step struct {
	kind  stepKind
	edge  profile
	shows bool // the edge is visible here
}

type stepKind uint8

const (
	beyond stepKind = iota // outside the crop, or barred
	gap                    // in the hole
	unsure                 // beside the hole, with possible remains of the lettering
	seen
)

func (l *line) at(t, d float64) (x, y float64) { return l.x + t*l.dx + d*l.nx, l.y + t*l.dy + d*l.ny }

// walk samples the line from one edge of the crop to the other.
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

// crossing is a gap in a line, with the profiles of the line at its two ends.
type crossing struct {
	first, last int // steps
	start, end  profile
}

// gaps returns the places where the line crosses the hole and its two ends match.
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

// end returns the mean profile of the line in the given direction from step i. It uses the next visible pixels of the line, which may be
// beyond other gaps. It is not ok if the line ends: the pixels are known but have no edge.
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

// paint fills the band around the line between the ends of a gap, and interpolates between the profiles of the ends.
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
