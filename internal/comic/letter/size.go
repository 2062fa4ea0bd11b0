package letter

import (
	"iter"
	"math"
	"slices"

	"plait/internal/comic/space"
	"plait/internal/pipeline"
)

const (
	// ladderStep is the ratio of the sizes that are tried.
	ladderStep = 0.975
	// alike: sizes down to this part of the page's look the same.
	alike = 0.91
	// mostFit is the share of normal dialogues that the page's size has to fit; the others are set smaller.
	mostFit = 0.85
	// leastOfWish: below this part of the wished size crowded bubbles stop pulling the whole page down.
	leastOfWish = 0.74
	// compression is the power with which normal dialogue that is larger than Params.Usual grows.
	compression = 0.6
)

// sizes are the cap heights of a page in pixels.
type sizes struct {
	// wish is that of normal dialogue where there is room; floor the least that is legible.
	wish, floor float64
}

// sizes of a page with the given usual size of source texts.
func (p Params) sizes(t target, median, pageHeight float64) sizes {
	s := sizes{floor: max(p.Floor*pageHeight, p.LeastCap)}
	natural := p.LatinCap * median
	if t.square() {
		natural = p.CJKEm * ideographCap * median
	}
	if usual := p.Usual * pageHeight; natural > usual {
		natural = usual * math.Pow(natural/usual, compression)
	}
	s.wish = max(natural, s.floor)
	return s
}

// chooseSizes gives every job its layout. Normal dialogue has one size, the largest at which most of it fits; louder and
// quieter texts keep their proportion to it. It answers that size.
func (p Params) chooseSizes(jobs []*job, median, pageHeight float64) (shared float64) {
	page := p.sizes(jobs[0].target, median, pageHeight)
	var most []float64 // cap heights
	for _, j := range jobs {
		ratio := j.source / median
		j.normal = !j.space.OverArt && j.style != Effect && ratio >= quiet && ratio <= loud
		for j.space.Wider != nil && j.largest(page.wish/j.cap, page.wish/j.cap*j.space.Enough, j.text.margin) == 0 {
			j.space = j.space.Wider()
		}
		if j.normal {
			most = append(most, j.cap*j.largest(page.wish/j.cap, page.floor/j.cap*0.9, j.text.least))
		}
	}
	capHeight := page.wish
	if len(most) > 0 {
		slices.Sort(most)
		fits := most[int(float64(len(most))*(1-mostFit))] / alike
		capHeight = min(page.wish, max(fits, leastOfWish*page.wish, page.floor))
	}
	for _, j := range jobs {
		want, least := capHeight/j.cap, page.floor/j.cap
		if j.normal {
			shared = want
		} else {
			ratio := min(max(j.source/median, 0.8), 6)
			want, least = want*ratio, least*min(ratio, 1)
		}
		j.settle(want, least)
	}
	shareRoom(jobs)
	return shared
}

// medianSource is the median source size of the dialogue, or of everything on a page without dialogue; at least 1.
func medianSource(set []pipeline.Region) float64 {
	var dialogues, all []float64
	for _, r := range set {
		size := sourceSize(r)
		all = append(all, size)
		if r.Kind == pipeline.KindDialogue {
			dialogues = append(dialogues, size)
		}
	}
	if len(dialogues) == 0 {
		dialogues = all
	}
	slices.Sort(dialogues)
	return max(dialogues[len(dialogues)/2], 1)
}

// compact is the text with the lines of square letters a little closer together: a size in common counts for more than their
// distance.
func (j *job) compact() *shapedText {
	c := *j.text
	if j.target.square() {
		c.pitch *= compact
	}
	return &c
}

// largest is the greatest size of a ladder from most down to least at which the text fits, or zero.
func (j *job) largest(most, least, margin float64) float64 {
	breaks, text := j.chances(wholeWords), j.compact()
	n := int(math.Log(least/most)/math.Log(ladderStep)) + 1
	size := func(i int) float64 { return most * math.Pow(ladderStep, float64(i)) }
	lo, hi := 0, n // the first index that fits lies in lo..hi
	for lo < hi {
		mid := (lo + hi) / 2
		if text.set(j.space, breaks, size(mid), margin) != nil {
			hi = mid
		} else {
			lo = mid + 1
		}
	}
	if lo == n {
		return 0
	}
	return size(lo)
}

func (j *job) chances(d division) []chance {
	return j.target.chances(j.runes, j.text.clusters, d)
}

// settle sets the job near the wished size, then at the largest below it that fits and is legible, at last with lines
// closer together; then below the legible floor, then with divided words, then with broken ones.
func (j *job) settle(want, floor float64) {
	whole, floor := j.chances(wholeWords), min(floor, want)
	j.want, j.floor = want, floor
	gentle, t, below := gentle(whole), j.shaped, max(want*nearestPart, floor)
	if j.cut {
		j.fit = Cut
	}
	if j.nearest(whole, want, floor) {
		return
	}
	j.text = j.compact()
	if j.descend(whole, below, floor, t.least) {
		return
	}
	j.tighten()
	if j.descend(gentle, below, floor, t.least) || j.descend(whole, below, floor, t.least) {
		return
	}
	if !j.cut {
		j.fit = Tight
	}
	divided, broken := j.chances(divideWords), j.chances(breakWords)
	if j.descend(gentle, floor, floor*0.87, t.least) ||
		j.style == Effect && j.descend(gentle, floor, floor*0.6, t.least) ||
		j.descend(whole, floor, floor*0.87, t.least) ||
		j.descend(divided, floor, floor*0.75, t.least) ||
		j.descend(broken, floor, floor*0.5, t.least) ||
		j.descend(broken, floor*0.7, floor*0.3, 0) {
		return
	}
	j.force(broken, floor*0.5)
}

const (
	// compact is what the distance of lines of square letters may shrink to before their size does, and closer that of any
	// lines where there is no room.
	compact, closer = 0.94, 0.92
	// narrower is what the width of letters may shrink to: no reader sees it.
	narrower = 0.94
)

// tighten takes lines and, of alphabets, letters closer together.
func (j *job) tighten() {
	t := *j.text
	j.text = &t
	t.pitch *= closer
	if j.target.square() {
		return
	}
	j.narrow = narrower
	t.hyphen.advance *= narrower
	t.clusters = slices.Clone(t.clusters)
	for i := range t.clusters {
		t.clusters[i].advance *= narrower
	}
	t.count(j.runes)
}

const (
	// nearestPart is the least part of the wished size that counts as near it; sounds may shrink more to stay whole.
	nearestPart, nearestSound = 0.905, 0.55
	// costOfShrinking is the cost of a size that only just looks like the wished one; costOfMargin that of the least margin;
	// costOfCloser that of lines closer together.
	costOfShrinking, costOfMargin, costOfCloser = 1.5, 0.4, 0.4
)

// nearest chooses among the sizes near the wished one: a little smaller is better than a word cut in two or a scrap of a
// line.
func (j *job) nearest(breaks []chance, want, floor float64) bool {
	least := max(want*nearestPart, floor)
	if j.style == Effect {
		breaks, least = gentle(breaks), want*nearestSound
	}
	texts := []*shapedText{j.text}
	if j.target.square() {
		texts = append(texts, j.compact())
	}
	best := math.Inf(1)
	for size := range ladder(want, least) {
		shrinking := costOfShrinking * (1 - size/want) / (1 - alike)
		if shrinking >= best {
			break
		}
		for i, margin := range []float64{j.text.margin, j.text.least} {
			for k, t := range texts {
				if l := t.set(j.space, breaks, size, margin); l != nil {
					if cost := l.cost + shrinking + float64(i)*costOfMargin + float64(k)*costOfCloser; cost < best {
						best, j.result = cost, l
					}
				}
			}
		}
	}
	return !math.IsInf(best, 1)
}

// ladder are the sizes to try from most down to least, both among them.
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

// descend tries sizes from most down to least.
func (j *job) descend(breaks []chance, most, least, margin float64) bool {
	for size := range ladder(most, least) {
		if j.result = j.text.set(j.space, breaks, size, margin); j.result != nil {
			return true
		}
	}
	return false
}

// force sets a text that fits nowhere around the middle of its space, without regard to its edge: a reader would rather
// see it there than miss it.
func (j *job) force(breaks []chance, size float64) {
	long := j.text.span(0, len(j.text.clusters)) * size
	width := max(j.space.Width(), math.Sqrt(long*size*2), 2*size)
	for range 8 {
		height := (long/width + 6) * j.text.pitch * size * 1.5
		rows := space.Endless(j.space.CY, width, height)
		if j.result = j.text.setIn(j.space, rows, breaks, size); j.result != nil {
			return
		}
		width *= 1.6
	}
	j.result = &layout{size: size, lines: []setLine{{end: len(j.text.clusters), x: j.space.CX - long/2, y: j.space.CY, width: long / size}}}
}
