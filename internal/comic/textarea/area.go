// Package textarea finds where lettering has room on an erased page: the inside of its bubble or caption, its lobe of a
// joined bubble, or, over art, the box of its lines.
//
// A text area lives in the local frame of its text, in which lines run along x and stack along y: the page itself, the page
// turned so that columns are lines, or the page rotated with a slanted text. Lengths are pixels.
package textarea

import (
	"image"
	"math"

	"plait/internal/raster"
	"plait/internal/raster/bitmap"
)

// Area is where a text may stand.
type Area struct {
	Frame Frame
	// inside is the set of usable pixels in the local frame; clear is the squared distance of each to the nearest
	// pixel that is not usable.
	inside *bitmap.Bitmap
	clear  []int32
	// CX, CY is the optical center in the local frame.
	CX, CY float64
	// Bubble: a bounded interior was found. Shared: it was parted from others with which it is one, without a neck or notches
	// between them. Joined: so it was, or the neck is wide. OverArt: the text stands on more than one color.
	Bubble, Shared, Joined, OverArt bool
	// Ground is the color that the text stands on.
	Ground raster.RGB
	// Wider is the next text area to try when the text does not fit; nil when there is none.
	Wider func() *Area
	// Enough is the part of the wished size that the text has to reach here, or Wider is tried.
	Enough float64
}

func newArea(f Frame, inside *bitmap.Bitmap) *Area {
	// A rim of pixels outside the set, so that distances to the border of the bitmap count.
	padded := bitmap.New(inside.Rect.Inset(-1))
	padded.Union(inside)
	s := &Area{Frame: f, inside: padded, clear: padded.Complement().Distance()}
	s.findCenter()
	return s
}

// Bytes is the memory that the text area holds.
func (s *Area) Bytes() int64 { return int64(len(s.inside.Pix) + 4*len(s.clear)) }

// findCenter is the middle of the roomy part: pixels at least a third as far from the edge as the roomiest. Tails and
// spikes of a bubble do not pull at it.
func (s *Area) findCenter() {
	var most int32
	for _, d := range s.clear {
		if d != bitmap.Far {
			most = max(most, d)
		}
	}
	var x, y, n float64
	for i, d := range s.clear {
		if d*9 >= most && d > 0 {
			p := s.inside.Point(i)
			x, y, n = x+float64(p.X)+0.5, y+float64(p.Y)+0.5, n+1
		}
	}
	s.CX, s.CY = x/max(n, 1), y/max(n, 1)
}

// centerOn takes the middle of the source's lines for the center: where the interior is not known whole, its letterer
// knew best.
func (s *Area) centerOn(box image.Rectangle) {
	x, y := float64(box.Min.X+box.Max.X)/2, float64(box.Min.Y+box.Max.Y)/2
	s.CX, s.CY = s.Frame.ToLocal(x, y)
}

// Chords are, for each row of the text area, the reach to the left and right of cx that keeps margin from the edge; reach
// is negative where cx itself does not.
type Chords struct {
	top         int
	Left, Right []float64
}

// Chords are the reaches around the axis cx that keep margin, in pixels, from the edge.
func (s *Area) Chords(cx, margin float64) Chords {
	w, h := s.inside.Rect.Dx(), s.inside.Rect.Dy()
	c := Chords{top: s.inside.Rect.Min.Y, Left: make([]float64, h), Right: make([]float64, h)}
	limit := int32(margin * margin)
	mid := min(max(int(math.Floor(cx))-s.inside.Rect.Min.X, 0), w-1)
	for y := range h {
		row := s.clear[y*w : (y+1)*w]
		if row[mid] <= limit {
			c.Left[y], c.Right[y] = -1, -1
			continue
		}
		l, r := mid, mid
		for l > 0 && row[l-1] > limit {
			l--
		}
		for r < w-1 && row[r+1] > limit {
			r++
		}
		c.Left[y] = cx - float64(s.inside.Rect.Min.X+l)
		c.Right[y] = float64(s.inside.Rect.Min.X+r+1) - cx
	}
	return c
}

// Endless are chords of one width around cy, for a text that has to go somewhere.
func Endless(cy, width, height float64) Chords {
	h := int(height) + 2
	c := Chords{top: int(cy) - h/2, Left: make([]float64, h), Right: make([]float64, h)}
	for i := range h {
		c.Left[i], c.Right[i] = width/2, width/2
	}
	return c
}

// Between is the reach that holds over the rows from y0 to y1; negative when a row lies outside.
func (c Chords) Between(y0, y1 float64) (left, right float64) {
	from, to := int(math.Floor(y0))-c.top, int(math.Ceil(y1))-c.top
	if from < 0 || to > len(c.Left) || from >= to {
		return -1, -1
	}
	left, right = math.Inf(1), math.Inf(1)
	for y := from; y < to; y++ {
		left, right = min(left, c.Left[y]), min(right, c.Right[y])
	}
	return left, right
}

// Widest is the width of the widest line of a height that has its middle on the axis.
func (c Chords) Widest(high float64) (wide float64) {
	for y := range c.Left {
		left, right := c.Between(float64(c.top+y), float64(c.top+y)+high)
		wide = max(wide, 2*min(left, right))
	}
	return wide
}

// Height is the extent of the rows around cy that the axis reaches.
func (c Chords) Height(cy float64) float64 {
	mid := int(math.Floor(cy)) - c.top
	if mid < 0 || mid >= len(c.Left) || c.Left[mid] < 0 {
		return 0
	}
	a, z := mid, mid
	for a > 0 && c.Left[a-1] >= 0 {
		a--
	}
	for z < len(c.Left)-1 && c.Left[z+1] >= 0 {
		z++
	}
	return float64(z - a + 1)
}

// Room is the distance of a point to the edge of the text area; 0 outside.
func (s *Area) Room(x, y float64) float64 {
	r := s.inside.Rect
	px, py := int(math.Floor(x)), int(math.Floor(y))
	if px < r.Min.X || py < r.Min.Y || px >= r.Max.X || py >= r.Max.Y {
		return 0
	}
	return math.Sqrt(float64(s.clear[s.inside.Offset(px, py)]))
}

// Contains reports whether a pixel of the page belongs to the text area.
func (s *Area) Contains(x, y int) bool {
	lx, ly := s.Frame.ToLocal(float64(x)+0.5, float64(y)+0.5)
	return s.inside.Has(int(math.Floor(lx)), int(math.Floor(ly)))
}

// Count is the number of pixels of the text area.
func (s *Area) Count() int { return s.inside.Count() }

// Width is the extent of the text area along its lines in pixels, with a rim of one.
func (s *Area) Width() float64 { return float64(s.inside.Rect.Dx()) }

// Rectangle reports whether the text area is a bounded box with square corners.
func (s *Area) Rectangle() bool {
	b := s.inside.Bounds()
	return s.Bubble && float64(s.inside.Count()) >= 0.965*float64(b.Dx()*b.Dy())
}

// toColumns turns a set on the page into the local frame of columns.
func toColumns(b *bitmap.Bitmap) *bitmap.Bitmap {
	out := bitmap.New(image.Rect(b.Rect.Min.Y, -b.Rect.Max.X, b.Rect.Max.Y, -b.Rect.Min.X))
	for i, p := range b.Pix {
		if p != 0 {
			at := b.Point(i)
			out.Add(at.Y, -at.X-1)
		}
	}
	return out
}
