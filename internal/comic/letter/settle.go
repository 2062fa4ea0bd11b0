package letter

import (
	"math"
	"slices"
	"sort"
)

const (
	// smallPart is the least share of the wanted size that does not look small.
	smallPart = 0.8
	// legible is the share of the least size of dialogue down to which a text can be read: people letter one text in twenty as small.
	legible = 0.88
	// leastPart is the share of the least legible size below which no text is set inside of its area.
	leastPart = 0.5
	// costOfShrinking is the cost of shrinking a text to nothing: it grows with the square of what is lost, as a slightly smaller text hardly
	// shows.
	costOfShrinking = 100
	// costOfClose is the cost of the narrow margin, or of lines closer together, costOfTight that of letters and lines closer together, and
	// costOfLeast that of the least margin, or in addition of a size below the least legible one. A text that almost touches the edge looks
	// worse than one that is slightly smaller than its page.
	costOfClose, costOfTight, costOfLeast = 0.4, 1.5, 2.5
	// costOfCondensed is the cost of condensing a shout to nothing: it stays as tall as its source rather than as wide.
	costOfCondensed = 8
)

// settle sets the layout of least total cost at a size from the wanted one down to least. A smaller size is better than a word broken.
func (j *job) settle(want, floor, least float64) {
	j.want, j.floor, j.fit, j.result = want, min(floor, want), Fits, nil
	best, ways, sizes := math.Inf(1), j.ways(), slices.Concat(ladder(want, j.floor), ladder(j.floor*ladderStep, least))
	for _, divided := range []bool{false, true} {
		if !divided || breakWeight*costDivided < best {
			best = j.cheapest(ways, j.breakPoints(divided), sizes, best)
		}
	}
	if j.result == nil {
		j.text = j.shaped
		j.force(j.breakPoints(false), least)
	}
	broken := slices.ContainsFunc(j.result.lines, func(l setLine) bool { return l.broken })
	if math.IsInf(best, 1) || j.result.size < legible*j.floor || broken {
		j.fit = Overflow
	}
}

// way is a form in which a text may be set, and its cost.
type way struct {
	text *shapedText
	cost float64
}

func (j *job) ways() []way {
	all := []way{{j.shaped, 0}, {j.tight(), costOfTight}}
	if j.target.square() {
		all = append(all, way{j.shaped.closer(compact), costOfClose})
	}
	if j.style == Shout {
		for narrow := condense; narrow >= mostCondensed; narrow *= condense {
			all = append(all, way{j.shaped.narrowed(narrow), costOfCondensed * (1 - narrow)})
		}
	}
	return all
}

// cheapest sets the layout with the lowest total cost of size, margin, way and breaks, if it is below best. It returns the lower one of both.
func (j *job) cheapest(ways []way, breaks []breakPoint, sizes []float64, best float64) float64 {
	for _, size := range sizes {
		shrinking := j.costOfSize(size)
		if shrinking >= best {
			break
		}
		for _, w := range ways {
			for _, margin := range [3]struct{ width, cost float64 }{{w.text.margin, 0}, {w.text.narrowMargin, costOfClose}, {w.text.least, costOfLeast}} {
				fixed := shrinking + w.cost + margin.cost
				if fixed >= best {
					continue
				}
				if l := w.text.setAside(j.area, breaks, size, margin.width); l != nil && l.cost+fixed < best {
					best, j.result, j.text = l.cost+fixed, l, w.text
				}
			}
		}
	}
	return best
}

func (j *job) costOfSize(size float64) float64 {
	lost := 1 - size/j.want
	cost := costOfShrinking * lost * lost
	if size < j.floor*0.999 {
		cost += costOfLeast
	}
	return cost
}

const (
	// compact is the factor for the pitch of square scripts, and for the width of other letters, before a smaller size: readers miss it.
	compact = 0.94
	// condense is the factor for the pitch where there is no room, and for each step of the letters of shouts and sounds to mostCondensed.
	condense, mostCondensed = 0.92, 0.65
)

// tight returns the text with its lines closer together, and in alphabets its letters as well.
func (j *job) tight() *shapedText {
	if j.target.square() {
		return j.shaped.closer(compact * condense)
	}
	return j.shaped.narrowed(compact).closer(condense)
}

// closer returns the text with a smaller distance of its lines.
func (t *shapedText) closer(by float64) *shapedText {
	c := *t
	c.pitch *= by
	return &c
}

// narrowed returns the text with narrower letters.
func (t *shapedText) narrowed(by float64) *shapedText {
	c := t.with(func(c *cluster) { c.advance *= by })
	c.narrow *= by
	c.hyphen.advance *= by
	return c
}

// ladder returns the sizes to try from most down to least, both inclusive.
func ladder(most, least float64) (sizes []float64) {
	for size := most; size > least*1.001; size *= ladderStep {
		sizes = append(sizes, size)
	}
	if most >= least*0.999 {
		sizes = append(sizes, least)
	}
	return sizes
}

// force sets a text that does not fit around the center of its text area and ignores the edge: text over the edge is better than no text.
func (j *job) force(breaks []breakPoint, size float64) {
	long := j.text.span(0, len(j.text.clusters)) * size
	width := max(j.area.Width(), math.Sqrt(long*size*2), 2*size)
	for ; j.result == nil; width *= 1.6 {
		height := (long/width + 6) * j.text.pitch * size * 1.5
		j.result = j.text.setIn(j.area, j.area.Endless(width, height), breaks, size)
	}
}

// room estimates how many characters of a text that does not fit would fit at a legible size: the longest beginning that does, of whole words
// if one does. It returns 0 if not even the first letter fits. It tries only about ten layouts of the shaped text.
func (j *job) room() int {
	if j.fit == Fits {
		return 0
	}
	for _, divided := range []bool{false, true} {
		ends := j.breakPoints(divided)
		n := sort.Search(len(ends)-1, func(i int) bool { return j.beginning(ends[:i+1]) == nil })
		if n > 0 {
			return j.text.clusters[ends[n-1].at-1].end
		}
	}
	return 0
}

// beginning lays the text out at the least legible size as if it ended at the last break, with a margin, so that such a text is set so too.
func (j *job) beginning(breaks []breakPoint) *layout {
	t, last := *j.text, breaks[len(breaks)-1].at
	t.clusters, t.sum = t.clusters[:last], t.sum[:last+1]
	return t.set(j.area, breaks, j.floor, t.narrowMargin)
}
