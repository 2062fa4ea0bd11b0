package textarea

import (
	"image"
	"math"
	"slices"

	"plait/internal/raster/bitmap"
)

// farthest is how far the border of a panel may be extended beyond its visible part, in em.
const farthest = 18

// withWalls returns the ground without walls: the hidden parts of panel borders, between their visible stretches and on to the corner with
// another edge. A bubble of the color of the gutter hides the border that it covers, but its part inside the panel still ends there. A
// text across a wall shows that its bubble extends across it, so that wall is left out, and so is the one on the other side of the gutter.
func (f *field) withWalls(ground *bitmap.Bitmap) *bitmap.Bitmap {
	found := edges(ground, f.em)
	all := slices.Concat(found, f.frame)
	var walls []wall
	for _, e := range found {
		for i := 1; i < len(e.seen); i++ {
			walls = append(walls, wall{e, e.seen[i-1].to + 1, e.seen[i].from - 1})
		}
		if end, ok := f.corner(e, -1, all); ok {
			walls = append(walls, wall{e, end, e.from() - 1})
		}
		if end, ok := f.corner(e, 1, all); ok {
			walls = append(walls, wall{e, e.to() + 1, end})
		}
	}
	for _, e := range f.frame {
		walls = append(walls, wall{e, e.from(), e.to()})
	}
	walls = slices.DeleteFunc(slices.Clone(walls), func(w wall) bool { return f.ownOutline(w, walls) })
	var crossed []wall
	for _, w := range walls {
		if f.crosses(w) {
			crossed = append(crossed, w)
		}
	}
	out := bitmap.New(f.window)
	copy(out.Pix, ground.Pix)
	for _, w := range walls {
		if !slices.ContainsFunc(crossed, func(c wall) bool { return w == c || w.faces(c, widestGutter*f.em) }) {
			w.draw(out)
		}
	}
	return out
}

// wall is a hidden part of an edge. from and to are inclusive.
type wall struct {
	edge     *edge
	from, to int
}

// widestGutter is the greatest distance between the panels on the two sides of a gutter, in em.
const widestGutter = 2.5

// faces reports whether two walls are the two sides of one gutter.
func (w wall) faces(o wall, widest float64) bool {
	if w.edge.upright != o.edge.upright || w.edge.art == o.edge.art || w.from > o.to || o.from > w.to {
		return false
	}
	u := (max(w.from, o.from) + min(w.to, o.to)) / 2
	gap := (w.edge.at(u) - o.edge.at(u)) * w.edge.art
	return gap > 0 && float64(gap) <= widest
}

// crosses reports whether a text is across a wall.
func (f *field) crosses(w wall) bool {
	for _, t := range f.texts {
		core := t.box.Inset(int(min(0.6*t.em, float64(t.box.Dx())/3, float64(t.box.Dy())/3))).Sub(f.window.Min)
		from, to := core.Min.X, core.Max.X
		if w.edge.upright {
			from, to = core.Min.Y, core.Max.Y
		}
		for u := max(from, w.from); u < min(to, w.to+1); u++ {
			at := image.Pt(u, w.edge.at(u))
			if w.edge.upright {
				at.X, at.Y = at.Y, at.X
			}
			if at.In(core) {
				return true
			}
		}
	}
	return false
}

// nearOutline is the greatest distance of a text from the outline of its own bubble, in em. Gutters and margins are farther away.
const nearOutline = 1.3

// ownOutline reports whether a wall extends the outline of a text's own bubble, which may also have long straight parts. In that case the
// text is close to the wall, on the side of the ground, and no other wall is between them.
func (f *field) ownOutline(w wall, all []wall) bool {
	for _, t := range f.texts {
		box := t.box.Sub(f.window.Min)
		if w.edge.upright {
			box = image.Rect(box.Min.Y, box.Min.X, box.Max.Y, box.Max.X)
		}
		from, to := max(w.from, box.Min.X), min(w.to, box.Max.X-1)
		if from > to {
			continue
		}
		u, near := (from+to)/2, box.Min.Y
		if w.edge.art > 0 {
			near = box.Max.Y
		}
		gap := (w.edge.at(u) - near) * w.edge.art
		if gap < -1 || float64(gap) >= nearOutline*min(t.em, f.em) {
			continue
		}
		if !slices.ContainsFunc(all, func(o wall) bool { return o.edge != w.edge && o.between(w, u, near) }) {
			return true
		}
	}
	return false
}

// between reports whether w is between o and a position across it, at u.
func (w wall) between(o wall, u, place int) bool {
	at, v := o.edge.at(u), w.edge.at(u)
	return w.edge.upright == o.edge.upright && w.from <= u && u <= w.to && min(at, place) <= v && v <= max(at, place)
}

// draw removes the pixels of a wall from the ground.
func (w wall) draw(out *bitmap.Bitmap) {
	g := newGrid(out, w.edge.upright)
	for u := max(w.from, 0); u <= min(w.to, g.nu-1); u++ {
		for v := max(w.edge.at(u)-1, 0); v <= min(w.edge.at(u)+1, g.nv-1); v++ {
			out.Pix[u*g.du+v*g.dv] = 0
		}
	}
}

// corner returns how far an edge continues beyond its visible part: to where it meets another edge that continues to the same point,
// around the same art. It is not ok if there is none within farthest em.
func (f *field) corner(e *edge, onward int, all []*edge) (end int, ok bool) {
	from := e.to()
	if onward < 0 {
		from = e.from()
	}
	best := farthest * f.em
	for _, o := range all {
		if o.upright == e.upright {
			continue
		}
		u, v, meets := e.meet(o)
		if !meets {
			continue
		}
		beyond := float64(onward * (int(math.Round(u)) - from))
		// The art must be on the side that e comes from, and o must end, or continue, on the side of e with the art.
		if beyond < -2 || beyond >= best || o.art != -onward || !o.reaches(v, e.art, farthest*f.em) {
			continue
		}
		best, end, ok = beyond, int(math.Round(u))+onward, true
	}
	return end, ok
}

// meet returns the point where two edges of different axes cross, as u and v of e. It is not ok if they are nearly parallel.
func (e *edge) meet(o *edge) (u, v float64, ok bool) {
	// v = s*u + c and u = t*v + d.
	d := 1 - e.slope*o.slope
	if math.Abs(d) < 0.1 {
		return 0, 0, false
	}
	u = (o.slope*e.offset + o.offset) / d
	return u, e.slope*u + e.offset, true
}

// reaches reports whether e is visible on the side of w (a position along it) that direction points to, no more than most pixels from it.
func (e *edge) reaches(w float64, direction int, most float64) bool {
	for _, s := range e.seen {
		if direction > 0 && float64(s.to) > w+4 && float64(s.from) < w+most || direction < 0 && float64(s.from) < w-4 && float64(s.to) > w-most {
			return true
		}
	}
	return false
}
