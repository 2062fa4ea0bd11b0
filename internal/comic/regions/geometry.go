package regions

import (
	"math"
	"unicode/utf8"

	"plait/internal/raster"
)

// Line is one line of text, with its outline and its reading.
type Line struct {
	// Quad is the outline with the margin that the detector leaves, clockwise from the upper left corner, in pixels of the page. Slack is
	// how much of the margin of a large line is certainly not lettering, on each side.
	Quad  raster.Quad
	Slack float64
	Text  string
	// Prob is the confidence of the reading, 0..1.
	Prob float64
	// Vertical says that the line is a column.
	Vertical bool
	// Bubble is the number, from 1, of the bubble that a model found around the line, or 0. A region never has lines of two bubbles, and
	// text in a bubble is dialogue.
	Bubble int
	// Unread says that the line could not be read, whatever Text and Prob are.
	Unread bool
	// ruby are the outlines of the furigana of the line.
	ruby []raster.Quad
}

// extent is the extent of the line, with its furigana, in a frame of its direction.
func (l Line) extent(f frame) (along, across interval) {
	along, across = f.extent(l.Quad)
	for _, q := range l.ruby {
		_, small := f.extent(q)
		across = interval{min(across.from, small.from), max(across.to, small.to)}
	}
	return along, across
}

// characters estimates the number of characters of a line, at least 1.
func (l Line) characters() int {
	if l.Unread {
		return max(1, int(l.length()/max(l.size(), 1)))
	}
	return max(1, utf8.RuneCountInString(l.Text))
}

// size is the extent across the reading direction: the height of a line, the width of a column.
func (l Line) size() float64 {
	_, size := l.sides()
	return size
}

// length is the extent along the reading direction.
func (l Line) length() float64 {
	length, _ := l.sides()
	return length
}

func (l Line) sides() (along, across float64) {
	along, across = l.Quad.Sides()
	if l.Vertical {
		return across, along
	}
	return along, across
}

// angle is the rotation in radians, clockwise: -pi/4..pi/4, and up to 3pi/4 either way for rows set sideways. It is measured on the longer
// side.
func (l Line) angle() float64 {
	if l.Vertical {
		return math.Atan2(l.Quad[0][0]-l.Quad[3][0], l.Quad[3][1]-l.Quad[0][1])
	}
	return math.Atan2(l.Quad[1][1]-l.Quad[0][1], l.Quad[1][0]-l.Quad[0][0])
}

// frame is a rotated coordinate system: lines run along its first axis and follow each other along its second.
type frame struct {
	// angle is in radians.
	angle         float64
	vertical      bool
	along, across raster.Point
}

func newFrame(angle float64, vertical bool) frame {
	right := raster.Point{math.Cos(angle), math.Sin(angle)}
	if vertical {
		return frame{angle, vertical, right.QuarterTurn(), right}
	}
	return frame{angle, vertical, right, right.QuarterTurn()}
}

// interval is a part of an axis.
type interval struct{ from, to float64 }

func (i interval) length() float64 { return max(0, i.to-i.from) }

// overlap is the intersection of both intervals; its length is 0 when they are disjoint.
func (i interval) overlap(k interval) interval {
	return interval{max(i.from, k.from), min(i.to, k.to)}
}

// between is the gap between disjoint intervals; its length is 0 when they overlap.
func (i interval) between(k interval) interval {
	return interval{min(i.to, k.to), max(i.from, k.from)}
}

// extent is the extent of the outline in the frame.
func (f frame) extent(q raster.Quad) (along, across interval) {
	x0, y0, x1, y1 := q.In(raster.Point{}, f.along, f.across).Bounds()
	return interval{x0, x1}, interval{y0, y1}
}
