package space

import (
	"image"
	"math"

	"plait/internal/comic/mask/bitmap"
)

// farthest is how far, in em, the border of a panel is continued beyond what is seen of it.
const farthest = 18

// withWalls is ground without the continuations of the edges of panels: between the stretches of an edge that are
// seen, and on to the corner with another edge. A bubble of the gutter's color hides the edge
// that it lies across; what is inside of the panel ends there all the same. Where a text of the field stands across
// a continuation, the bubble does too, and there is none.
func (f *field) withWalls(ground *bitmap.Bitmap) *bitmap.Bitmap {
	found := edges(ground, f.em)
	out := bitmap.New(f.window)
	copy(out.Pix, ground.Pix)
	for _, e := range f.frame {
		f.wall(out, e, 0, max(f.window.Max.X, f.window.Max.Y))
	}
	for _, e := range found {
		for i := 1; i < len(e.seen); i++ {
			f.wall(out, e, e.seen[i-1].to+1, e.seen[i].from-1)
		}
		for _, onward := range []int{-1, 1} {
			if end, ok := f.corner(e, onward, found); ok {
				if onward < 0 {
					f.wall(out, e, end, e.from()-1)
				} else {
					f.wall(out, e, e.to()+1, end)
				}
			}
		}
	}
	return out
}

// wall takes the pixels along an edge out of the ground, unless a text stands there.
func (f *field) wall(out *bitmap.Bitmap, e *edge, from, to int) {
	g := newGrid(out, e.upright)
	var pixels []int
	for u := max(from, 0); u <= min(to, g.nu-1); u++ {
		for v := e.at(u) - 1; v <= e.at(u)+1; v++ {
			if v < 0 || v >= g.nv {
				continue
			}
			i := u*g.du + v*g.dv
			if f.inText(out.Point(i)) {
				return
			}
			pixels = append(pixels, i)
		}
	}
	for _, i := range pixels {
		out.Pix[i] = 0
	}
}

// inText reports whether a point lies well inside a line of a text.
func (f *field) inText(at image.Point) bool {
	for _, t := range f.texts {
		if !at.In(t.box) {
			continue
		}
		for _, line := range t.lines {
			if at.In(line.Inset(min(line.Dx(), line.Dy()) / 5)) {
				return true
			}
		}
	}
	return false
}

// corner is how far an edge goes on beyond what is seen of it: to where it meets another edge that goes on to the same
// point, around the same art.
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
		// The art lies on the side from which e comes, and o ends, or goes on, on the art's side of e.
		if beyond < -2 || beyond >= best || o.art != -onward || !o.reaches(v, e.art, farthest*f.em) {
			continue
		}
		best, end, ok = beyond, int(math.Round(u))+onward, true
	}
	return end, ok
}

// meet is where two edges of different axes cross, as u and v of e.
func (e *edge) meet(o *edge) (u, v float64, ok bool) {
	// v = s*u + c and u = t*v + d.
	d := 1 - e.slope*o.slope
	if math.Abs(d) < 0.1 {
		return 0, 0, false
	}
	u = (o.slope*e.offset + o.offset) / d
	return u, e.slope*u + e.offset, true
}

// reaches reports whether o is seen on the side of w (a place along it) to which direction points, not farther than most
// from it.
func (e *edge) reaches(w float64, direction int, most float64) bool {
	for _, s := range e.seen {
		if direction > 0 && float64(s.to) > w+4 && float64(s.from) < w+most || direction < 0 && float64(s.from) < w-4 && float64(s.to) > w-most {
			return true
		}
	}
	return false
}
