package letter

import (
	"math"

	"plait/internal/comic/textarea"
)

// layout is a text set at a size.
type layout struct {
	size  float64
	lines []setLine
	cost  float64
	block float64 // width of the widest line, in em
}

// setLine is a line of the clusters from to end, exclusive, without a trailing space. y is its baseline, and x the start of its pen, in the
// local frame.
type setLine struct {
	from, end int
	hyphen    bool
	// broken says that the line ends inside a word where no language divides one.
	broken bool
	width  float64
	x, y   float64
}

const (
	// maxLines limits the search. No bubble has room for more lines.
	maxLines = 40
	// moreLines is how many more lines than the fewest that fit are tried.
	moreLines = 6
	// rounding is by how much the outermost lines of a centered block should be shorter than the middle one, as a share of the room.
	rounding = 0.14
	// aspectWeight is the weight of the difference between the proportions of the block and those of its text area.
	aspectWeight = 0.35
	// hang is the share of the width of dots and quotes at the ends of a line that optical centering ignores.
	hang = 0.5
	// offCenter is the cost of moving the block by one line pitch from the center.
	offCenter = 4
)

// offsets are the distances of a block from the center that are tried in this order, in line pitches: along the lines until a text fits, as
// another text may cut a corner off an area, and across them.
var offsets = [...]float64{0, -0.25, 0.25, -0.5, 0.5}

// set returns the best layout of the text at a size with a margin in em, or nil if it does not fit.
func (t *shapedText) set(s *textarea.Area, breaks []breakPoint, size, margin float64) *layout {
	return t.setIn(s, s.Chords(s.CX, margin*size), breaks, size)
}

// setAside is like set for a text that fits only beside the center.
func (t *shapedText) setAside(s *textarea.Area, breaks []breakPoint, size, margin float64) *layout {
	for _, aside := range offsets {
		if l := t.setIn(s, s.Chords(s.CX+aside*t.pitch*size, margin*size), breaks, size); l != nil {
			l.cost += offCenter * math.Abs(aside)
			return l
		}
	}
	return nil
}

func (t *shapedText) setIn(s *textarea.Area, rows textarea.Chords, breaks []breakPoint, size float64) *layout {
	high := rows.Height(s.CY) / size
	most := min(len(breaks), maxLines, int((high-t.above-t.below)/t.pitch)+2)
	var best *layout
	for n, first := 1, most; n <= min(most, first+moreLines); n++ {
		for _, shift := range offsets {
			if best != nil && offCenter*math.Abs(shift) >= best.cost {
				continue // the shift alone costs too much
			}
			l := t.setLines(s, rows, breaks, size, n, shift)
			if l == nil {
				continue
			}
			first = min(first, n)
			l.cost += t.aspectCost(l, rows, high) + offCenter*math.Abs(shift)
			if best == nil || l.cost < best.cost {
				best = l
			}
		}
	}
	return best
}

// height returns the height of n lines, in em.
func (t *shapedText) height(n int) float64 { return t.above + t.below + float64(n-1)*t.pitch }

// setLines breaks the text into n lines. It moves them by shift line pitches from the center.
func (t *shapedText) setLines(s *textarea.Area, rows textarea.Chords, breaks []breakPoint, size float64, n int, shift float64) *layout {
	top := s.CY - size*t.height(n)/2 + shift*t.pitch*size
	room := make([]lineRoom, n)
	var widest float64
	for i := range room {
		y := top + size*(t.above+float64(i)*t.pitch)
		left, right := rows.Between(y-size*t.above, y+size*t.below)
		room[i] = lineRoom{left: left/size - t.overhang, right: right/size - t.overhang}
		if room[i].left <= 0 || room[i].right <= 0 {
			return nil
		}
		widest = max(widest, 2*min(room[i].left, room[i].right))
	}
	if t.span(0, len(t.clusters)) > widest*float64(n) {
		return nil
	}
	var best *layout
	for _, measure := range t.measures(widest) {
		l := t.breakLines(room, breaks, measure)
		if l != nil && (best == nil || l.cost < best.cost) {
			best = l
		}
	}
	if best == nil {
		return nil
	}
	best.size = size
	for i := range best.lines {
		line := &best.lines[i]
		line.y = top + size*(t.above+float64(i)*t.pitch)
		line.x = rows.Axis + size*(float64(t.flush)*(best.block-line.width)/2-line.width/2)
		if t.flush == 0 {
			shift := hang * (t.marks(line.end-1, -1) - t.marks(line.from, 1)) / 2
			line.x += size * max(min(shift, room[i].right-line.width/2), line.width/2-room[i].left)
		}
	}
	return best
}

// alignWithSource moves the block along the gutter that it stands in.
func (l *layout) alignWithSource(s *textarea.Area) {
	if !s.InGutter() {
		return
	}
	from, to := math.Inf(1), math.Inf(-1)
	for _, line := range l.lines {
		from, to = min(from, line.x), max(to, line.x+line.width*l.size)
	}
	by := s.Start(to-from) - from
	for i := range l.lines {
		l.lines[i].x += by
	}
}

// measures returns the block widths to try, in em. Centered lines need one only, because they follow the contour.
func (t *shapedText) measures(widest float64) []float64 {
	if t.flush == 0 {
		return []float64{widest}
	}
	var out []float64
	for m := widest; m > widest*0.3; m *= 0.93 {
		out = append(out, m)
	}
	return out
}

// aspectCost returns a high cost for a flat block in a tall text area, or a tall block in a flat one.
func (t *shapedText) aspectCost(l *layout, rows textarea.Chords, high float64) float64 {
	wide := rows.Widest(1) / l.size
	if wide == 0 || high == 0 || l.block == 0 {
		return 0
	}
	r := math.Log(l.block / wide * high / t.height(len(l.lines)))
	return aspectWeight * r * r
}
