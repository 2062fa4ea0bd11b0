package letter

import (
	"cmp"
	"slices"

	"plait/internal/comic/textarea"
)

const (
	// paragraph is the distance, in cap heights, that two texts in one bubble keep beyond the margin of each: they are told
	// apart.
	paragraph = 0.6
	// worthSharing is how much larger a text has to become to be set anew.
	worthSharing = 1.02
)

// shareRoom gives the texts that became smaller than they should be what their neighbors in the same bubble leave: half
// way between the lines of the source is a good border only where the translations are as long as those.
func shareRoom(jobs []*job) {
	short := slices.DeleteFunc(slices.Clone(jobs), func(j *job) bool {
		return !j.area.Joined || j.result.size*worthSharing >= j.want
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
		j.settle(j.want, j.floor)
		torn := before.fit == Fits && j.result.tears() > before.result.tears()
		if torn || j.result.size < worthSharing*before.result.size {
			*j = before
		}
	}
}

// box is where the lines stand.
func (j *job) box() textarea.Box {
	first := j.result.lines[0]
	b := textarea.Box{X0: first.x, X1: first.x, Y0: first.y - j.text.above*j.result.size}
	for _, l := range j.result.lines {
		b.X0, b.X1 = min(b.X0, l.x), max(b.X1, l.x+l.width*j.result.size)
		b.Y1 = l.y + j.text.below*j.result.size
	}
	return b
}
