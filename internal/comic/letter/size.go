package letter

import (
	"math"
	"slices"

	"plait/internal/comic"
	"plait/internal/comic/textarea"
)

const (
	// ladderStep is the ratio of the sizes that are tried.
	ladderStep = 0.975
	// alike: sizes down to this part of the page's look the same.
	alike = 0.91
	// leastOfWish: below this part of the wished size crowded bubbles stop pulling the whole page down.
	leastOfWish = 0.74
	// costOfSmallPage is the cost of a page without size. That of a page whose texts are all odd is 1: a text is odd that is smaller
	// than its page, oddAtOnce where that only just shows, and wholly where it is plainlyLess smaller still.
	costOfSmallPage, oddAtOnce, plainlyLess = 0.8, 0.8, 0.2
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
	s.wish = p.natural(t, median)
	if usual := p.Usual * pageHeight; s.wish > usual {
		s.wish = usual * math.Pow(s.wish/usual, compression)
	}
	s.wish = max(s.wish, s.floor)
	return s
}

// natural is the cap height that looks as large as a source with lines of that height.
func (p Params) natural(t target, height float64) float64 {
	if t.square() {
		return p.CJKEm * ideographCap * height
	}
	return p.LatinCap * height
}

// chooseSizes gives every job its layout. Normal dialogue has one size, the largest at which most of it fits; louder and
// quieter texts keep their proportion to it. It answers that size.
func (p Params) chooseSizes(jobs []*job, median, pageHeight float64) (shared float64) {
	page := p.sizes(jobs[0].target, median, pageHeight)
	var fits []float64 // cap heights
	for _, j := range jobs {
		ratio := j.source / median
		j.normal = !j.area.OverArt && j.style != Effect && ratio >= quiet && ratio <= loud
		for j.area.Wider != nil && j.largest(page.wish/j.cap, page.wish/j.cap*j.area.Enough, j.text.margin) == 0 {
			j.area = j.area.Wider()
		}
		if j.normal && !j.area.Joined {
			fits = append(fits, j.cap*j.largest(page.wish/j.cap, page.floor/j.cap*0.9, j.text.least))
		}
	}
	own := make([]*textarea.Area, len(jobs))
	for i, j := range jobs {
		own[i] = j.area
	}
	capHeight := page.shared(fits)
	page.settle(jobs, capHeight, median)
	// What a text in a joined bubble can be is seen only when it shared with its neighbors.
	for _, j := range jobs {
		if j.normal && j.area.Joined {
			fits = append(fits, j.cap*j.result.size)
		}
	}
	if lower := page.shared(fits); lower < capHeight {
		capHeight = lower
		for i, j := range jobs {
			j.area = own[i]
		}
		page.settle(jobs, capHeight, median)
	}
	for _, j := range jobs {
		if j.normal {
			shared = capHeight / j.cap
		}
	}
	return shared
}

// shared is the cap height of normal dialogue whose texts fit up to the given ones: what is lost by a smaller page is weighed
// against the texts that are odd on a larger one. So most bubbles carry the size, and neither are the many small for a few, nor
// the few odd for a little of size. Texts that fit nowhere are odd at any size, and count where there are no others.
func (s sizes) shared(fits []float64) float64 {
	least := min(max(leastOfWish*s.wish, s.floor), s.wish)
	whole := slices.DeleteFunc(slices.Clone(fits), func(fit float64) bool { return fit == 0 })
	switch {
	case len(fits) == 0:
		return s.wish
	case len(whole) == 0:
		return least
	}
	best, chosen := math.Inf(1), s.wish
	try := func(size float64) {
		cost := costOfSmallPage * (1 - size/s.wish)
		for _, fit := range whole {
			cost += oddity(fit/size) / float64(len(whole))
		}
		if cost < best {
			best, chosen = cost, size
		}
	}
	try(s.wish)
	for _, fit := range whole { // where one more text becomes odd
		if size := fit / alike; size > least && size < s.wish {
			try(size)
		}
	}
	try(least)
	return chosen
}

// oddity is how much a text looks to be of another size at a part of that of its page: 0 to 1.
func oddity(part float64) float64 {
	if part >= alike*0.999 {
		return 0
	}
	return min(1, oddAtOnce+(1-oddAtOnce)*(alike-part)/plainlyLess)
}

// settle gives every job its layout, when normal dialogue has a cap height.
func (s sizes) settle(jobs []*job, capHeight, median float64) {
	for _, j := range jobs {
		want, least := capHeight/j.cap, s.floor/j.cap
		if !j.normal {
			ratio := min(max(j.source/median, 0.8), 6)
			want, least = want*ratio, least*min(ratio, 1)
		}
		j.settle(want, least)
	}
	shareRoom(jobs)
}

// medianSource is the median source size of the dialogue, or of everything on a page without dialogue; at least 1.
func medianSource(set []comic.Region) float64 {
	var dialogues, all []float64
	for _, r := range set {
		size := sourceSize(r)
		all = append(all, size)
		if r.Kind == comic.KindDialogue {
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
	breaks, text := cheaper(j.chances(wholeWords), costInWord), j.compact()
	n := int(math.Log(least/most)/math.Log(ladderStep)) + 1
	size := func(i int) float64 { return most * math.Pow(ladderStep, float64(i)) }
	lo, hi := 0, n // the first index that fits lies in lo..hi
	for lo < hi {
		mid := (lo + hi) / 2
		if text.set(j.area, breaks, size(mid), margin) != nil {
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
	return j.target.chances(j.runes, j.text.clusters, j.within, d)
}
