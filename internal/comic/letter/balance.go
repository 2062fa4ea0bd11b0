package letter

import (
	"math"

	"plait/internal/comic/textarea"
)

// balance moves the block slightly to where its lines are farthest from the edge of the text area. Bubbles are seldom symmetric, and a
// block in the exact middle looks off-center if one side of the bubble is lower.
func (l *layout) balance(t *shapedText, s *textarea.Area) {
	if s.InGutter() {
		l.alignWithSource(s)
		return
	}
	reach := int(0.3 * l.size)
	best, bx, by := math.Inf(-1), 0, 0
	for dy := -reach; dy <= reach; dy++ {
		for dx := -reach; dx <= reach; dx++ {
			// A move has to increase the clearance by more than a third of its length.
			if gain := l.clearance(t, s, dx, dy) - 0.33*math.Hypot(float64(dx), float64(dy)); gain > best {
				best, bx, by = gain, dx, dy
			}
		}
	}
	for i := range l.lines {
		l.lines[i].x += float64(bx)
		l.lines[i].y += float64(by)
	}
}

// clearance returns the least distance of the corners, edge middles and centers of the lines from the edge of the text area, after a move
// by (dx, dy). It is at most three em: more makes no difference.
func (l *layout) clearance(t *shapedText, s *textarea.Area, dx, dy int) float64 {
	least := 3 * l.size
	for _, line := range l.lines {
		x0, x1 := line.x+float64(dx), line.x+line.width*l.size+float64(dx)
		y0, y1 := line.y-t.above*l.size+float64(dy), line.y+t.below*l.size+float64(dy)
		for _, x := range [3]float64{x0, (x0 + x1) / 2, x1} {
			for _, y := range [3]float64{y0, (y0 + y1) / 2, y1} {
				least = min(least, s.Room(x, y))
			}
		}
	}
	return least
}

// alignWithSource moves the block along the gutter that it stands in.
func (l *layout) alignWithSource(s *textarea.Area) {
	from, to := math.Inf(1), math.Inf(-1)
	for _, line := range l.lines {
		from, to = min(from, line.x), max(to, line.x+line.width*l.size)
	}
	by := s.Start(to-from) - from
	for i := range l.lines {
		l.lines[i].x += by
	}
}
