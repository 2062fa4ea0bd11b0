package letter

import (
	"cmp"
	"math"
	"slices"

	"plait/internal/comic/textarea"
)

const (
	// paragraph is the distance between two texts in one bubble beyond the margin of each, in cap heights, so that readers can tell them
	// apart.
	paragraph = 0.6
	// beside is the greatest distance of the lines of two texts that are seen together, in lines.
	beside = 2
	// worthSharing is the least factor by which a text must become larger to be set again.
	worthSharing = 1.02
)

// shareRoom gives the texts that became too small the room that their neighbors in the same bubble leave: the middle between the lines of
// the source is a good border only if the lengths of the translations have the same ratio.
func shareRoom(jobs []*job) {
	short := slices.DeleteFunc(slices.Clone(jobs), func(j *job) bool {
		return !j.area.Joined || j.region.Override.Style.Size > 0 || j.result.size*worthSharing >= j.want
	})
	slices.SortStableFunc(short, func(a, b *job) int { return cmp.Compare(a.result.size/a.want, b.result.size/b.want) })
	for _, j := range short {
		var neighbors []textarea.Neighbor
		for _, o := range jobs {
			if o != j && o.area.Joined {
				neighbors = append(neighbors, textarea.Neighbor{Area: o.area, Text: o.box()})
			}
		}
		wider := j.area.Beside(j.box(), neighbors, paragraph*j.cap*j.want)
		if wider == nil {
			continue
		}
		before := *j
		j.area = wider
		j.settle(j.want, j.floor, leastPart*j.floor)
		torn := before.fit == Fits && j.result.tears() > before.result.tears()
		if torn || j.result.size < worthSharing*before.result.size {
			*j = before
		}
	}
}

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
		max(b.X0-a.X1, a.X0-b.X1, b.Y0-a.Y1, a.Y0-b.Y1) <= most
}

// box returns the bounding box of the lines.
func (j *job) box() textarea.Box {
	first := j.result.lines[0]
	b := textarea.Box{X0: first.x, X1: first.x, Y0: first.y - j.text.above*j.result.size}
	for _, l := range j.result.lines {
		b.X0, b.X1 = min(b.X0, l.x), max(b.X1, l.x+l.width*j.result.size)
		b.Y1 = l.y + j.text.below*j.result.size
	}
	return b
}
