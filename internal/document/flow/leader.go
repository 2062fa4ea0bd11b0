package flow

import (
	"regexp"
	"slices"
	"strings"

	"plait/internal/document"
)

const (
	// minLeader is the least number of dots of a leader, and shortLeader that of one before a number on a page with others. keptDots is the
	// number of those at the end that stay in any case.
	minLeader   = 4
	shortLeader = 2
	keptDots    = 3
	// leaderGap is the largest distance of a leader to the text before it and to the number after it, in em: dots that stand below each other
	// begin up to one of their distances later.
	leaderGap = 2.5
	// samePitch is how far the distances of the dots of a leader differ, and their baselines, in em.
	samePitch = 0.1
)

// leader is a row of dots from a text to the number of its page.
type leader struct {
	// dots are positions in Page.Glyphs, from left to right.
	dots     []int
	box      document.Box
	baseline float64
}

// pageNumber matches the number of a page, or one of several.
var pageNumber = regexp.MustCompile(`^([ivxlc]+|[IVXLC]+|[A-Z]?[-–.]?[0-9]+([-–.][0-9]+)*)[.,;]?$`)

// leaders takes runs of dots, such as those of a table of contents, out of the words, with the numbers of pages after them: they stay as they
// are, and divide what is beside them.
func (p *plane) leaders(words []word) []word {
	rest := p.dots(words, minLeader)
	if len(p.dotted) > 0 {
		rest = p.dots(rest, shortLeader)
	}
	for _, l := range p.dotted {
		rest = p.keep(l, rest)
	}
	return rest
}

// dots takes the runs of at least so many dots out of the words. Short ones stand before a number.
func (p *plane) dots(words []word, least int) (rest []word) {
	var run []word
	flush := func(next []word) {
		glyphs := 0
		for _, w := range run {
			glyphs += len(w.glyphs)
		}
		if glyphs < least || least < minLeader && !(len(next) > 0 && p.numbers(boxOf(run), run[0].baseline, next[0])) {
			rest = append(rest, run...)
		} else {
			p.dotted = append(p.dotted, newLeader(run))
		}
		run = nil
	}
	words = p.withoutTails(words, least)
	for i, w := range words {
		if len(run) > 0 && !(p.isDots(w) && near(run[len(run)-1].baseline, w.baseline, samePitch*w.size)) {
			flush(words[i:])
		}
		if p.isDots(w) {
			run = append(run, w)
			continue
		}
		rest = append(rest, w)
	}
	if len(run) > 0 {
		flush(nil)
	}
	return rest
}

// numbers reports whether a word is the number of a page after a leader.
func (p *plane) numbers(leader document.Box, baseline float64, w word) bool {
	return near(w.baseline, baseline, samePitch*w.size) && follows(leader, w.box, w.size) && pageNumber.MatchString(p.word(w))
}

// follows reports whether a leader or its number stands right after what is before it, in texts of a size.
func follows(before, after document.Box, size float64) bool {
	gap := after.X0 - before.X1
	return gap > -touch*size && gap < leaderGap*size
}

func newLeader(dots []word) leader {
	l := leader{box: boxOf(dots), baseline: dots[0].baseline}
	sorted := slices.SortedStableFunc(slices.Values(dots), func(a, b word) int { return compare(a.box.X0, b.box.X0) })
	for _, w := range sorted {
		l.dots = append(l.dots, w.glyphs...)
	}
	return l
}

// keep adds the block of a leader with the numbers after it, and returns the other words.
func (p *plane) keep(l leader, words []word) (rest []word) {
	whole := line{words: []word{{glyphs: l.dots, box: l.box, baseline: l.baseline}}, box: l.box, baseline: l.baseline}
	whole.size = p.page.Glyphs[l.dots[0]].Size
	whole.words[0].size = whole.size
	for n := -1; n < len(whole.words); {
		n = len(whole.words)
		rest = rest[:0:0]
		for _, w := range words {
			if p.numbers(whole.box, l.baseline, w) {
				whole.add(w)
				continue
			}
			rest = append(rest, w)
		}
		words = rest
	}
	block := p.blockOf([]line{whole}, pieces{})
	block.Untranslated = document.ReasonNoText
	p.kept = append(p.kept, ordered{block: block, limit: p.frame.BoxOut(whole.box)})
	return rest
}

// withoutTails makes dots at the ends of words that belong to a leader words of their own: so many, or those that others go on after.
func (p *plane) withoutTails(words []word, least int) (list []word) {
	for i, w := range words {
		n := p.tail(w)
		if n < least && (i+1 == len(words) || !p.continuesTail(w, words[i+1])) {
			n = 0
		}
		if n > 0 && least < minLeader && (i+1 == len(words) || !p.numbers(w.box, w.baseline, words[i+1])) {
			n = 0
		}
		if at := len(w.glyphs) - n; n > 0 && at > 0 {
			first, last := w, word{baseline: w.baseline, size: w.size}
			first.glyphs, last.glyphs = w.glyphs[:at:at], w.glyphs[at:]
			first.box, last.box = p.boxOfGlyphs(first.glyphs), p.boxOfGlyphs(last.glyphs)
			list = append(list, first, last)
			continue
		}
		list = append(list, w)
	}
	return list
}

// tail is the number of dots at the end of a word.
func (p *plane) tail(w word) (n int) {
	for n < len(w.glyphs) && p.page.Glyphs[w.glyphs[len(w.glyphs)-1-n]].Text == "." {
		n++
	}
	return n
}

// continuesTail reports whether the dots of the next word go on at the distance of the last dot of a word.
func (p *plane) continuesTail(w, next word) bool {
	if p.tail(w) == 0 || !p.isDots(next) || !near(w.baseline, next.baseline, samePitch*w.size) {
		return false
	}
	left := func(i int) float64 { return p.frame.BoxIn(p.page.Glyphs[i].Box).X0 }
	last, first := w.glyphs[len(w.glyphs)-1], next.glyphs[0]
	after := first + 1 // the dot after it, in the order of the page
	for after < len(p.page.Glyphs) && isSpace(p.page.Glyphs[after].Text) {
		after++
	}
	if after == len(p.page.Glyphs) || p.page.Glyphs[after].Text != "." {
		return false
	}
	return near(left(first)-left(last), left(after)-left(first), samePitch*w.size)
}

func (p *plane) boxOfGlyphs(glyphs []int) (box document.Box) {
	for n, i := range glyphs {
		box = union(box, p.frame.BoxIn(p.page.Glyphs[i].Box), n == 0)
	}
	return box
}

// isDots reports whether a word consists of dots.
func (p *plane) isDots(w word) bool {
	return strings.Trim(p.word(w), ".·…") == "" && p.word(w) != ""
}

// leaderOf returns the dots of the leader after a line that may give way to a longer text.
func (p *plane) leaderOf(l line) (dots []int, ok bool) {
	for _, d := range p.dotted {
		if near(d.baseline, l.baseline, samePitch*l.size) && follows(l.box, d.box, l.size) {
			return d.dots[:max(len(d.dots)-keptDots, 0)], true
		}
	}
	return nil, false
}
