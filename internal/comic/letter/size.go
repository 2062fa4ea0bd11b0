package letter

import (
	"cmp"
	"image"
	"math"
	"slices"
	"sort"

	"plait/internal/comic"
	"plait/internal/languages"
	"plait/internal/raster"
)

const (
	// ladderStep is the ratio of successive sizes that are tried.
	ladderStep = 0.9755
	// alike is the share of the page's size down to which a text looks the same.
	alike = 0.91
	// ideographInLine is the height of ideographs in units of the height of their line.
	ideographInLine = 0.71
	// compression is the exponent with which normal dialogue larger than Params.Usual grows.
	compression = 0.6
)

// sizes are the cap heights of a page, in pixels.
type sizes struct {
	// wish is the cap height of normal dialogue where there is enough room. floor is the least legible one.
	wish, floor float64
}

// sizes returns the cap heights of a page whose source texts have lines of the given height.
func (p Params) sizes(t target, height, pageHeight float64) sizes {
	s := sizes{floor: max(p.Floor*pageHeight, p.LeastCap)}
	s.wish = p.natural(t, height)
	if usual := p.Usual * pageHeight; s.wish > usual {
		s.wish = usual * math.Pow(s.wish/usual, compression)
	}
	s.wish = max(s.wish, s.floor)
	return s
}

// usualLine returns the height of the lines of a page's normal dialogue by the height of its letters: boxes of lines differ by the letters in
// them and by the detector. Without a letter of known height it is the median of the boxes.
func (p Params) usualLine(jobs []*job, boxes float64) float64 {
	var heights []float64
	for _, j := range jobs {
		level := j.region.Kind == comic.KindDialogue && j.region.Direction == comic.Horizontal
		if ratio := j.source / boxes; level && j.look.tall > 0 && ratio >= quiet && ratio <= loud {
			heights = append(heights, p.byLetters(j))
		}
	}
	return cmp.Or(raster.LowerMedian(heights), boxes)
}

// byLetters returns the height of the lines of the source by the height of its letters.
func (p Params) byLetters(j *job) float64 {
	if languages.IsCJK(j.region.SourceLang) {
		return j.look.tall / ideographInLine
	}
	return j.look.tall / p.LatinCap
}

// proportion returns the size of the source in units of that of the page's normal dialogue, whose lines are boxes high by their boxes and
// letters high by their letters. These tell more of small print outside of bubbles, and of a shout.
func (p Params) proportion(j *job, boxes, letters float64) float64 {
	known := j.look.tall > 0 && j.region.Direction == comic.Horizontal
	if known && (j.style == Shout || !j.area.Bubble && comic.Letters(j.region.Text) >= longSource) {
		return p.byLetters(j) / letters
	}
	return j.source / boxes
}

// natural returns the cap height that looks as large as a source with lines of the given height.
func (p Params) natural(t target, height float64) float64 {
	if t.square() {
		return p.CJKEm * ideographCap * height
	}
	return p.LatinCap * height
}

// chooseSizes sets the layout of every job. Normal dialogue has the largest size at which most of it fits, other text its proportion to it.
func (p Params) chooseSizes(jobs []*job, usual, pageHeight float64) {
	line := p.usualLine(jobs, usual)
	page := p.sizes(jobs[0].target, line, pageHeight)
	var fits []float64 // cap heights
	for _, j := range jobs {
		j.ratio = p.proportion(j, usual, line)
		least := quiet
		if !j.area.Bubble {
			least = alike
		}
		j.normal = !j.note && !j.area.OverArt && j.style != Effect && j.style != Shout && j.ratio >= least && j.ratio <= loud && j.region.Override.Style.Size == 0
		for j.area.Wider != nil && !(j.area.Drawn && j.settleDrawn(page.floor/j.cap)) && j.largest(page.wish/j.cap, page.wish/j.cap*j.area.Enough, j.text.margin) == 0 {
			j.area = j.area.Wider()
		}
		if j.normal {
			fits = append(fits, j.cap*j.largest(page.wish/j.cap, page.floor/j.cap*0.9, j.text.margin))
		}
	}
	page.settle(jobs, page.shared(fits))
}

// shared returns the cap height of normal dialogue, given the greatest cap height at which each text fits. It balances the share of its
// size that the page loses against the share of the texts that look smaller than the rest, so that neither the whole page is small because
// of a few texts, nor a few texts are noticeably smaller for a slightly larger page. The page never becomes as small as a whisper. Texts that
// fit at no size count only if there are no others.
func (s sizes) shared(fits []float64) float64 {
	whole, all := slices.DeleteFunc(slices.Clone(fits), func(fit float64) bool { return fit == 0 }), []float64{s.wish}
	if len(whole) == 0 && len(fits) > 0 {
		return max(smallPart*s.wish, s.floor)
	}
	for _, fit := range whole { // the size above which one more text looks smaller
		all = append(all, min(max(fit/alike, quiet*s.wish, s.floor), s.wish))
	}
	cost := func(size float64) float64 {
		smaller := 0
		for _, fit := range whole {
			if fit < alike*0.999*size {
				smaller++
			}
		}
		return 1 - size/s.wish + float64(smaller)/float64(max(len(whole), 1))
	}
	return slices.MinFunc(all, func(a, b float64) int { return cmp.Compare(cost(a), cost(b)) })
}

// settle computes the layout of every job, given the cap height of normal dialogue.
func (s sizes) settle(jobs []*job, capHeight float64) {
	for _, j := range jobs {
		if size := j.region.Override.Style.Size; size > 0 {
			j.settle(size, size, size)
			continue
		}
		if j.area.Drawn && j.settleDrawn(s.floor/j.cap) {
			continue
		}
		want, least := capHeight/j.cap, s.floor/j.cap
		if !j.normal {
			if j.style == Shout { // as high as its source, however small crowded dialogue is
				want = s.wish / j.cap
			}
			ratio := max(j.ratio, quiet)
			want, least = want*ratio, least*min(ratio, 1)
		}
		j.settle(want, least, leastPart*least)
	}
	evenPairs(jobs)
}

// longSource is the least number of letters of a long source. The lines of fewer letters are often low because these are dots.
const longSource = 8

// medianSource returns the median source size of the dialogue, or of all text on a page without dialogue; at least 1.
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

// largest returns the greatest size from most down to least at which the text fits, or zero.
func (j *job) largest(most, least, margin float64) float64 {
	breaks, text := j.breakPoints(false), j.text
	breaks = slices.DeleteFunc(breaks, func(b breakPoint) bool { return b.cost >= costInWord })
	if j.target.square() { // a common size matters more than the distance of lines
		text = text.closer(compact)
	}
	sizes := append(ladder(most, least), 0)
	return sizes[sort.Search(len(sizes)-1, func(i int) bool { return text.set(j.area, breaks, sizes[i], margin) != nil })]
}

func (j *job) breakPoints(divided bool) []breakPoint {
	all := j.target.breakPoints(j.runes, j.text.clusters, j.within, divided)
	for i := range all[:len(all)-1] { // between emphasized text and other text they are cheap
		at := j.text.clusters[all[i].at].start
		if j.loud != nil && all[i].cost < costInWord && j.loud[at] != j.loud[at-1] {
			all[i].cost = 0
		}
	}
	return all
}

// beside is the greatest distance of the lines of two texts that are seen together, in lines.
const beside = 2

// evenPairs gives texts of normal dialogue that stand close together, where two sizes show, the smaller size unless it looks small.
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
	most := int(beside * j.text.pitch * j.result.size)
	return j.area.Bubble && o.area.Bubble && j.area.Frame == o.area.Frame && j.box().Inset(-most).Overlaps(o.box())
}

// box returns the bounding box of the lines in the local frame.
func (j *job) box() (box image.Rectangle) {
	for _, line := range j.result.lines {
		box = box.Union(j.lineBox(line))
	}
	return box
}

func (j *job) lineBox(l setLine) image.Rectangle {
	t, size := j.text, j.result.size
	return raster.Enclosing(l.x, l.y-t.above*size, l.x+l.width*size, l.y+t.below*size)
}
