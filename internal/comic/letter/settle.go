package letter

import (
	"iter"
	"math"
	"slices"
	"sort"

	"plait/internal/comic/textarea"
)

// settle sets the layout of the job, near the wanted size and at a legible size if possible.
func (j *job) settle(want, floor float64) {
	j.want, j.floor, j.fit = want, min(floor, want), Fits
	if j.cut {
		j.fit = Cut
	}
	j.loosen()
	legible := j.settleLegibly()
	if j.even != nil && (!legible || j.result.size < want*smallPart) {
		j.shaped, j.even = j.even, nil
		j.loosen()
		legible = j.settleLegibly()
	}
	if legible {
		return
	}
	if !j.cut {
		j.fit = Overflow
	}
	t, floor := j.shaped, j.floor
	whole, divided, broken := j.breakPoints(wholeWords), j.breakPoints(divideWords), j.breakPoints(breakWords)
	gentle := cheaper(whole, costInWord)
	if j.descend(gentle, floor, floor*belowFloor, t.least) ||
		j.style == Effect && j.descend(gentle, floor, floor*0.6, t.least) ||
		j.target.ideographic() && j.descend(cheaper(j.splits(whole, j.phraseSize()), costAnywhere), floor, floor*0.75, t.least) ||
		j.descend(whole, floor, floor*belowFloor, t.least) ||
		j.descend(divided, floor, floor*0.75, t.least) ||
		j.descend(broken, floor, floor*0.5, t.least) ||
		j.descend(broken, floor*0.7, floor*0.5, 0) {
		return
	}
	j.force(broken, floor*0.7)
}

// settleLegibly looks for a layout of at least the least legible size. It prefers, in this order: a smaller size with whole words, lines
// and letters closer together, very long words hyphenated, and a much smaller size. Names are broken only if no legible size keeps them
// whole.
func (j *job) settleLegibly() bool {
	want, floor, t := j.want, j.floor, j.shaped
	near, small, smaller := max(want*nearestPart, floor), max(want*smallPart, floor), max(want*smallDivided, floor)
	whole, divided := j.splits(j.breakPoints(wholeWords), j.phraseSize()), j.splits(j.breakPoints(divideLong), j.phraseSize())
	gentle := cheaper(whole, costInWord)
	if j.nearest(gentle, want, small) {
		return true
	}
	if j.tighten(); j.descend(gentle, near, small, t.least) {
		return true
	}
	if j.target.phrases != nil && j.descend(gentle, floor, j.phraseSize(), t.least) {
		return false // a phrase is not split for a size that is only just legible
	}
	tries := []float64{costInName}
	if len(cheaper(whole, costInName)) < len(cheaper(whole, costAnywhere)) {
		tries = append(tries, costAnywhere)
	}
	for _, most := range tries {
		breaks := cheaper(whole, most)
		if j.loosen(); j.nearest(breaks, want, small) || j.cheapest(cheaper(divided, most), want, smaller) {
			return true
		}
		if j.text = j.compact(); j.descend(breaks, smaller, floor, t.least) {
			return true
		}
		if j.tighten(); j.descend(gentle, near, floor, t.least) || j.descend(breaks, near, floor, t.least) {
			return true
		}
	}
	return false
}

// belowFloor is the share of the least legible size down to which a text is set rather than with a word broken.
const belowFloor = 0.87

// phraseSize returns the size at which a phrase of Chinese or Japanese that fits on one line is not split.
func (j *job) phraseSize() float64 { return max(j.want*smallPart, j.floor*belowFloor) }

// splits returns the break points without those inside phrases of Chinese and Japanese that fit on one line at a size.
func (j *job) splits(all []breakPoint, size float64) []breakPoint {
	if j.target.phrases == nil {
		return all
	}
	room := j.area.Chords(j.area.CX, j.text.least*size).Widest((j.text.above+j.text.below)*size) / size
	var out []breakPoint
	from, within := 0, 0 // where the phrase begins, and how many entries of out are before it
	for _, c := range all {
		out = append(out, c)
		if c.cost >= costInWord {
			continue
		}
		if j.text.span(from, c.at) <= room {
			out = append(out[:within], c)
		}
		from, within = c.at, len(out)
	}
	return out
}

const (
	// compact is the factor for the line pitch of square scripts that is tried before a smaller size. closer is the factor for the pitch
	// of any script if there is not enough room.
	compact, closer = 0.94, 0.92
	// narrower is the factor for the width of letters. Readers do not notice it.
	narrower = 0.94
)

// tighten sets lines closer together, and in alphabets letters as well.
func (j *job) tighten() {
	j.loosen()
	if !j.target.square() {
		j.narrowTo(narrower)
	}
	j.text = j.compact()
	j.text.pitch *= closer
}

// narrowTo sets the width of letters.
func (j *job) narrowTo(narrow float64) {
	t := *j.shaped
	j.text, j.narrow = &t, narrow
	t.hyphen.advance *= narrow
	t.clusters = slices.Clone(t.clusters)
	for i := range t.clusters {
		t.clusters[i].advance *= narrow
	}
	t.count(j.runes)
}

// loosen undoes tighten.
func (j *job) loosen() { j.text, j.narrow = j.shaped, 1 }

const (
	// nearestPart is the least share of the wanted size that counts as near it. nearestSound is that share for sound effects, which may
	// shrink more to keep their words whole.
	nearestPart, nearestSound = 0.905, 0.55
	// costOfShrinking is the cost of a size that only just looks like the wanted one, costOfOdd the additional cost of one that does not,
	// costOfNarrow and costOfLeast those of the narrow and the least margin, and costOfCloser that of lines closer together. A text that almost
	// touches the edge looks worse than one that is slightly smaller than its page.
	costOfShrinking, costOfOdd, costOfNarrow, costOfLeast, costOfCloser = 1.0, 1.5, 0.4, 2.5, 0.4
)

// smallPart is the share of the wanted size down to which a text is set with whole words, before a very long word is hyphenated.
// smallDivided is the share down to which it is then set with such words hyphenated.
const smallPart, smallDivided = 0.8, 0.6

// nearest chooses among the sizes near the wanted one, down to small. A slightly smaller size is better than a very short line.
func (j *job) nearest(breaks []breakPoint, want, small float64) bool {
	if j.style == Effect {
		small = want * nearestSound
	}
	return j.cheapest(breaks, want, small)
}

// cheapest chooses the size from want down to least with the lowest total cost of size and layout.
func (j *job) cheapest(breaks []breakPoint, want, least float64) bool {
	texts := []*shapedText{j.text}
	if j.target.square() {
		texts = append(texts, j.compact())
	}
	best, near := math.Inf(1), max(want*nearestPart, least)
	for size := range ladders(want, near, least) {
		shrinking := costOfShrinking * (1 - size/want) / (1 - alike)
		if size < near {
			shrinking += costOfOdd
		}
		if shrinking >= best {
			break
		}
		for _, margin := range [3]struct{ width, cost float64 }{{j.text.margin, 0}, {j.text.narrowMargin, costOfNarrow}, {j.text.least, costOfLeast}} {
			for k, t := range texts {
				if l := t.set(j.area, breaks, size, margin.width); l != nil {
					if cost := l.cost + shrinking + margin.cost + float64(k)*costOfCloser; cost < best {
						best, j.result = cost, l
					}
				}
			}
		}
	}
	return !math.IsInf(best, 1)
}

// ladder yields the sizes to try from most down to least, both inclusive.
func ladder(most, least float64) iter.Seq[float64] {
	return func(yield func(float64) bool) {
		size := most
		for ; size > least*1.001; size *= ladderStep {
			if !yield(size) {
				return
			}
		}
		if most >= least*0.999 {
			yield(least)
		}
	}
}

// ladders yields the sizes from most down to least, including the size between.
func ladders(most, between, least float64) iter.Seq[float64] {
	return func(yield func(float64) bool) {
		for size := range ladder(most, between) {
			if !yield(size) {
				return
			}
		}
		ladder(between*ladderStep, least)(yield)
	}
}

// descend uses the first size from most down to least at which the text fits.
func (j *job) descend(breaks []breakPoint, most, least, margin float64) bool {
	for size := range ladder(most, least) {
		if j.result = j.text.set(j.area, breaks, size, margin); j.result != nil {
			return true
		}
	}
	return false
}

// force sets a text that does not fit around the center of its text area and ignores the edge: text over the edge is better than no text.
func (j *job) force(breaks []breakPoint, size float64) {
	long := j.text.span(0, len(j.text.clusters)) * size
	width := max(j.area.Width(), math.Sqrt(long*size*2), 2*size)
	for range 8 {
		height := (long/width + 6) * j.text.pitch * size * 1.5
		rows := textarea.Endless(j.area.CY, width, height)
		if j.result = j.text.setIn(j.area, rows, breaks, size); j.result != nil {
			return
		}
		width *= 1.6
	}
	j.result = &layout{size: size, lines: []setLine{{end: len(j.text.clusters), x: j.area.CX - long/2, y: j.area.CY, width: long / size}}}
}

// fitting estimates how many characters of the text would fit at a legible size: the longest beginning that fits, of whole words if one
// word fits. It returns 0 if not even the first letter fits. It is cheap, because the text is already shaped and only about ten layouts
// are tried.
func (j *job) fitting() int {
	for _, d := range []division{wholeWords, breakWords} {
		ends := j.breakPoints(d)
		n := sort.Search(len(ends)-1, func(i int) bool { return j.beginning(ends[:i+1]) == nil })
		if n > 0 {
			return j.text.clusters[ends[n-1].at-1].end
		}
	}
	return 0
}

// beginning lays the text out at the least legible size as if it ended at the last of the break points.
func (j *job) beginning(breaks []breakPoint) *layout {
	t, last := *j.text, breaks[len(breaks)-1].at
	t.clusters, t.sum, t.letters, t.light = t.clusters[:last], t.sum[:last+1], t.letters[:last+1], t.light[:last]
	return t.set(j.area, breaks, j.floor, t.least)
}
