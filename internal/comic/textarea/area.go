// Package textarea finds the text area of each region on an erased page: the pixels where its translation may be set. That is the inside
// of its bubble or caption, its lobe of a joined bubble or, over art, the bounding box of its lines. Package letter lays out the text.
//
// [Find] returns an [Area] for each region. An interior is a connected part of the ground, the color that the text is on. Where it is open
// to a gutter, the edge of its panel closes it. Where several texts share it, each has what is nearest to it.
//
// A text area uses the local frame of its text, in which lines run along x and stack along y: the page itself, the page turned so that
// columns are lines, or the page rotated by the angle of a slanted text. Lengths are in pixels unless a comment says em: units of the
// font size of the source.
package textarea

import (
	"image"
	"math"

	"plait/internal/raster"
	"plait/internal/raster/bitmap"
)

// Area is the set of pixels where a text may be set.
type Area struct {
	Frame Frame
	// inside is the set of usable pixels in the local frame, and clear the squared distance of each pixel to the nearest other one.
	inside *bitmap.Bitmap
	clear  []int32
	// CX and CY are the optical center in the local frame.
	CX, CY float64
	// Bubble says that a bounded interior was found. OverArt says that the background has more than one color. Drawn says that it is the
	// box of the ink of a sound or a label.
	Bubble, OverArt, Drawn bool
	// Ground is the color behind the text.
	Ground raster.RGB
	// strip is the part of the gutter that the text area is, or nil.
	strip *strip
	// Wider returns the next text area to try if the text does not fit. It is nil if there is none.
	Wider func() *Area
	// Enough is the least size of the text in this area, as a share of the wanted size, below which Wider is tried.
	Enough float64
}

func newArea(f Frame, inside *bitmap.Bitmap) *Area {
	// A rim of unusable pixels, so that distances to the border of the bitmap count.
	padded := inside.Over(inside.Rect.Inset(-1))
	s := &Area{Frame: f, inside: padded, clear: padded.Complement().Distance()}
	s.findCenter()
	return s
}

// Chosen returns the text area of a rectangle of the erased page that a person chose.
func Chosen(page *image.NRGBA, box image.Rectangle, columns bool) *Area {
	box = box.Intersect(page.Rect)
	p := &place{lines: []image.Rectangle{box}, box: box}
	p.findGround(page)
	s := p.areaIn(levelFrame(columns), bitmap.New(box).Complement())
	s.OverArt = !p.flat
	return s
}

// Bytes returns the memory that the text area holds, in bytes.
func (s *Area) Bytes() int64 { return int64(len(s.inside.Pix) + 4*len(s.clear)) }

// findCenter sets the center to the mean of the pixels at least a third as far from the edge as the farthest: tails do not shift it.
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
			p := middle(s.inside.Point(i))
			x, y, n = x+p[0], y+p[1], n+1
		}
	}
	s.CX, s.CY = x/max(n, 1), y/max(n, 1)
}

// Chords has, for each row of a text area, the distances to the left and right of an axis that keep a margin from the edge, in pixels.
// They are negative where the axis itself is too near the edge.
type Chords struct {
	Axis        float64
	top         int
	Left, Right []float64
}

// Chords returns the chords around the axis cx that keep margin pixels from the edge.
func (s *Area) Chords(cx, margin float64) Chords {
	w, h := s.inside.Rect.Dx(), s.inside.Rect.Dy()
	c := Chords{Axis: cx, top: s.inside.Rect.Min.Y, Left: make([]float64, h), Right: make([]float64, h)}
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

// Endless returns chords of one width and height around the center of the text area, for a text that fits into none.
func (s *Area) Endless(width, height float64) Chords {
	h := int(height) + 2
	c := Chords{Axis: s.CX, top: int(s.CY) - h/2, Left: make([]float64, h), Right: make([]float64, h)}
	for i := range h {
		c.Left[i], c.Right[i] = width/2, width/2
	}
	return c
}

// Between returns the distances that all rows from y0 to y1 allow. They are negative if a row is outside the text area.
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

// Widest returns the width of the widest line of the given height that is centered on the axis.
func (c Chords) Widest(high float64) (wide float64) {
	for y := range c.Left {
		left, right := c.Between(float64(c.top+y), float64(c.top+y)+high)
		wide = max(wide, 2*min(left, right))
	}
	return wide
}

// Height returns the height of the rows around cy in which the axis is inside.
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

// Contains reports whether a pixel of the page belongs to the text area.
func (s *Area) Contains(x, y int) bool {
	at := s.Frame.local(image.Pt(x, y))
	return s.inside.Has(at.X, at.Y)
}

// Count returns the number of pixels of the text area.
func (s *Area) Count() int { return s.inside.Count() }

// Height returns the extent of the text area across its lines in pixels.
func (s *Area) Height() float64 { return float64(s.inside.Bounds().Dy()) }

// Width returns the extent of the text area along its lines in pixels, including a rim of one pixel on each side.
func (s *Area) Width() float64 { return float64(s.inside.Rect.Dx()) }

// Rectangle reports whether the text area is a bounded box with square corners.
func (s *Area) Rectangle() bool {
	b := s.inside.Bounds()
	return s.Bubble && float64(s.inside.Count()) >= 0.965*float64(b.Dx()*b.Dy())
}
