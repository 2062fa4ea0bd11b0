package textarea

import (
	"image"
	"math"

	"plait/internal/raster/bitmap"
)

// Box is a rectangle in the local frame of a text area.
type Box struct{ X0, Y0, X1, Y1 float64 }

// apart returns the gap between two intervals, negative if they overlap.
func apart(from, to, oFrom, oTo float64) float64 { return max(oFrom-to, from-oTo) }

// Neighbor is another text area with the bounding box of its text.
type Neighbor struct {
	Area *Area
	Text Box
}

// Beside returns s extended by what its neighbors in the same interior leave free, up to gap pixels from their texts. own is the bounding
// box of the text in s; it determines on which side of it a neighbor is. Beside returns nil if s touches no neighbor.
func (s *Area) Beside(own Box, neighbors []Neighbor, gap float64) *Area {
	var near []Neighbor
	bounds := s.inside.Rect
	for _, n := range neighbors {
		if n.Area.Frame == s.Frame && s.touches(n.Area) {
			near = append(near, n)
			bounds = bounds.Union(n.Area.inside.Rect)
		}
	}
	if near == nil {
		return nil
	}
	inside := bitmap.New(bounds)
	inside.Union(s.inside)
	for _, n := range near {
		inside.Union(n.Area.inside)
	}
	for _, n := range near {
		cut := inside.Rect
		switch x, y := apart(own.X0, own.X1, n.Text.X0, n.Text.X1), apart(own.Y0, own.Y1, n.Text.Y0, n.Text.Y1); {
		case y >= x && n.Text.Y0 > own.Y0:
			cut.Max.Y = int(math.Floor(n.Text.Y0 - gap))
		case y >= x:
			cut.Min.Y = int(math.Ceil(n.Text.Y1 + gap))
		case n.Text.X0 > own.X0:
			cut.Max.X = int(math.Floor(n.Text.X0 - gap))
		default:
			cut.Min.X = int(math.Ceil(n.Text.X1 + gap))
		}
		if inside = clip(inside, cut); inside.Rect.Empty() {
			return nil
		}
	}
	out := newArea(s.Frame, inside)
	out.Bubble, out.Joined, out.OverArt, out.Ground = s.Bubble, s.Joined, s.OverArt, s.Ground
	return out
}

// touches reports whether a pixel of o is next to one of s.
func (s *Area) touches(o *Area) bool {
	both := s.inside.Rect.Inset(-1).Intersect(o.inside.Rect)
	for y := both.Min.Y; y < both.Max.Y; y++ {
		for x := both.Min.X; x < both.Max.X; x++ {
			if !o.inside.Has(x, y) {
				continue
			}
			for _, d := range [4]image.Point{{1, 0}, {-1, 0}, {0, 1}, {0, -1}} {
				if s.inside.Has(x+d.X, y+d.Y) {
					return true
				}
			}
		}
	}
	return false
}
