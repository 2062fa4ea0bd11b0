package letter

import (
	"math"
	"slices"

	"plait/internal/comic/space"
	"plait/internal/pipeline"
)

const (
	// Dialogue within this range of the page's median source size is normal; below it is a whisper, above a shout.
	quiet, loud = 0.7, 1.36
	// ladderStep is the ratio of the sizes that are tried.
	ladderStep = 0.97
	// mostFit is the share of normal dialogues that the page's size has to fit; the others are set smaller.
	mostFit = 0.85
	// generous is how much larger than the source normal dialogue may be.
	generous = 1.08
	// leastOfWish: below this part of the wished size one crowded bubble stops pulling the whole page down.
	leastOfWish = 0.86
)

// chooseSizes gives every job its layout. The page's size for normal dialogue is the largest at which most fit; louder
// and quieter texts keep their proportion to it. It answers that size.
func (p Params) chooseSizes(jobs []*job, median, pageHeight float64) (shared float64) {
	for _, j := range jobs {
		ratio := j.source / median
		j.normal = !j.space.OverArt && j.style == dialogue && ratio >= quiet && ratio <= loud
	}
	bound := func(j *job, size float64) float64 {
		return min(max(size, p.Floor*pageHeight/j.cap), p.Ceiling*pageHeight/j.cap)
	}
	var shares []float64 // of the wish, for each normal dialogue
	wish := func(j *job) float64 { return bound(j, j.natural*median/max(j.source, 1)) }
	for _, j := range jobs {
		for j.space.Wider != nil && j.largest(wish(j), wish(j)*j.space.Enough, j.text.margin) == 0 {
			j.space = j.space.Wider()
		}
		if j.normal {
			size := j.largest(wish(j)*generous, wish(j)*0.6, j.text.margin)
			shares = append(shares, size/wish(j))
		}
	}
	share := 1.0
	if len(shares) > 0 {
		slices.Sort(shares)
		share = max(shares[int(float64(len(shares))*(1-mostFit))], leastOfWish)
	}
	for _, j := range jobs {
		want := wish(j) * share
		if !j.normal {
			ratio := min(max(j.source/median, 0.8), 6)
			want = wish(j) * share * ratio
		} else {
			shared = want
		}
		p.settle(j, want, p.Floor*pageHeight/j.cap)
	}
	return shared
}

// medianSource is the median source size of the dialogue, or of everything on a page without dialogue; at least 1.
func medianSource(set []pipeline.Region) float64 {
	var sizes, all []float64
	for _, r := range set {
		size := sourceSize(r)
		all = append(all, size)
		if r.Kind == pipeline.KindDialogue {
			sizes = append(sizes, size)
		}
	}
	if len(sizes) == 0 {
		sizes = all
	}
	slices.Sort(sizes)
	return max(sizes[len(sizes)/2], 1)
}

// largest is the greatest size of a ladder from most down to least at which the text fits, or zero.
func (j *job) largest(most, least, margin float64) float64 {
	breaks := chances(j.runes, j.text.clusters, j.lang, false)
	n := int(math.Log(least/most)/math.Log(ladderStep)) + 1
	size := func(i int) float64 { return most * math.Pow(ladderStep, float64(i)) }
	lo, hi := 0, n // the first index that fits lies in lo..hi
	for lo < hi {
		mid := (lo + hi) / 2
		if j.text.set(j.space, breaks, size(mid), margin) != nil {
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

// settle sets the job at the wished size, or at the largest below it that fits; then with less margin, then broken
// words, then below the legible floor.
func (p Params) settle(j *job, want, floor float64) {
	whole := chances(j.runes, j.text.clusters, j.lang, false)
	if j.descend(whole, want, min(floor, want), j.text.margin) {
		return
	}
	if j.descend(whole, min(want, floor*1.15), min(floor, want)*0.92, j.text.least) {
		return
	}
	j.fit = Tight
	broken := chances(j.runes, j.text.clusters, j.lang, true)
	if j.descend(whole, min(want, floor), floor*0.75, j.text.least) ||
		j.descend(broken, min(want, floor), floor*0.6, j.text.least) ||
		j.descend(broken, floor*0.6, floor*0.3, 0) {
		return
	}
	j.force(broken, floor*0.5)
}

// descend tries sizes from most down to least.
func (j *job) descend(breaks []chance, most, least, margin float64) bool {
	for size := most; size >= least*0.999; size *= ladderStep {
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
	width := max(float64(j.space.Width()), math.Sqrt(long*size*2), 2*size)
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
