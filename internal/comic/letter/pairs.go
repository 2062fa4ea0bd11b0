package letter

import "math"

// beside is the greatest distance of the lines of two texts that are seen together, in lines.
const beside = 2

// evenPairs gives texts of normal dialogue that stand close together the size of the smallest, as far as it does not look small: side by side,
// two sizes are plainly two.
func evenPairs(jobs []*job) {
	for _, j := range jobs {
		least := math.Inf(1)
		for _, o := range jobs {
			if j.normal && o.normal && j.near(o) {
				least = min(least, o.result.size)
			}
		}
		if size := max(least, smallPart*j.want); size < j.result.size {
			j.settle(size, j.floor, leastPart*j.floor)
		}
	}
}

// near reports whether the lines of two texts in bubbles are close together.
func (j *job) near(o *job) bool {
	a, b, most := j.box(), o.box(), beside*j.text.pitch*j.result.size
	return j.area.Bubble && o.area.Bubble && j.area.Frame == o.area.Frame &&
		max(b.x0-a.x1, a.x0-b.x1, b.y0-a.y1, a.y0-b.y1) <= most
}

// box is a rectangle in the local frame.
type box struct{ x0, y0, x1, y1 float64 }

// box returns the bounding box of the lines.
func (j *job) box() box {
	first := j.result.lines[0]
	b := box{x0: first.x, x1: first.x, y0: first.y - j.text.above*j.result.size}
	for _, l := range j.result.lines {
		b.x0, b.x1 = min(b.x0, l.x), max(b.x1, l.x+l.width*j.result.size)
		b.y1 = l.y + j.text.below*j.result.size
	}
	return b
}
