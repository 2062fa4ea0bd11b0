package letter

import (
	"image"
	"math"

	"plait/internal/comic/mask/bitmap"
	"plait/internal/pipeline"
)

// space is where a text may stand.
type space struct {
	frame frame
	// inside is the set of usable pixels in the local frame; clear is the squared distance of each to the nearest
	// pixel that is not usable.
	inside *bitmap.Bitmap
	clear  []int32
	// cx, cy is the optical center in the local frame.
	cx, cy float64
	// bubble: a bounded interior was found. overArt: the text stands on more than one color.
	bubble, overArt bool
	ground          pipeline.RGB
	// wider is the next space to try when the text does not fit; nil when there is none.
	wider func() *space
	// enough is the part of the wished size that the text has to reach here, or wider is tried.
	enough float64
}

func newSpace(f frame, inside *bitmap.Bitmap) *space {
	// A rim of pixels outside the set, so that distances to the border of the bitmap count.
	rimmed := bitmap.New(inside.Rect.Inset(-1))
	rimmed.Union(inside)
	s := &space{frame: f, inside: rimmed, clear: rimmed.Complement().Distance()}
	s.findCenter()
	return s
}

// findCenter is the middle of the roomy part: pixels at least a third as far from the edge as the roomiest. Tails and
// spikes of a bubble do not pull at it.
func (s *space) findCenter() {
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
	s.cx, s.cy = x/max(n, 1), y/max(n, 1)
}

// centerOn takes the middle of the source's lines for the center: where the interior is not known whole, its letterer
// knew best.
func (s *space) centerOn(box image.Rectangle) {
	x, y := float64(box.Min.X+box.Max.X)/2, float64(box.Min.Y+box.Max.Y)/2
	s.cx, s.cy = s.frame.toLocal(x, y)
}

// chords are, for each row of the space, the reach to the left and right of cx that keeps margin from the edge; reach
// is negative where cx itself does not.
type chords struct {
	top         int
	left, right []float64
}

func (s *space) chords(cx, margin float64) chords {
	w, h := s.inside.Rect.Dx(), s.inside.Rect.Dy()
	c := chords{top: s.inside.Rect.Min.Y, left: make([]float64, h), right: make([]float64, h)}
	limit := int32(margin * margin)
	mid := min(max(int(math.Floor(cx))-s.inside.Rect.Min.X, 0), w-1)
	for y := range h {
		row := s.clear[y*w : (y+1)*w]
		if row[mid] <= limit {
			c.left[y], c.right[y] = -1, -1
			continue
		}
		l, r := mid, mid
		for l > 0 && row[l-1] > limit {
			l--
		}
		for r < w-1 && row[r+1] > limit {
			r++
		}
		c.left[y] = cx - float64(s.inside.Rect.Min.X+l)
		c.right[y] = float64(s.inside.Rect.Min.X+r+1) - cx
	}
	return c
}

// endless are chords of one width around cy, for a text that has to go somewhere.
func endless(cy, width, height float64) chords {
	h := int(height) + 2
	c := chords{top: int(cy) - h/2, left: make([]float64, h), right: make([]float64, h)}
	for i := range h {
		c.left[i], c.right[i] = width/2, width/2
	}
	return c
}

// between is the reach that holds over the rows from y0 to y1; negative when a row lies outside.
func (c chords) between(y0, y1 float64) (left, right float64) {
	from, to := int(math.Floor(y0))-c.top, int(math.Ceil(y1))-c.top
	if from < 0 || to > len(c.left) || from >= to {
		return -1, -1
	}
	left, right = math.Inf(1), math.Inf(1)
	for y := from; y < to; y++ {
		left, right = min(left, c.left[y]), min(right, c.right[y])
	}
	return left, right
}

// height is the extent of the rows around cy that cx reaches.
func (c chords) height(cy float64) float64 {
	mid := int(math.Floor(cy)) - c.top
	if mid < 0 || mid >= len(c.left) || c.left[mid] < 0 {
		return 0
	}
	a, z := mid, mid
	for a > 0 && c.left[a-1] >= 0 {
		a--
	}
	for z < len(c.left)-1 && c.left[z+1] >= 0 {
		z++
	}
	return float64(z - a + 1)
}

// rectangle reports whether the space is a bounded box with square corners.
func (s *space) rectangle() bool {
	b := s.inside.Bounds()
	return s.bubble && float64(s.inside.Count()) >= 0.965*float64(b.Dx()*b.Dy())
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
