package typeset

import (
	"strings"
	"sync"

	"github.com/go-text/typesetting/shaping"

	"plait/internal/core"
	"plait/internal/document"
)

// Typesetter sets texts in one language. It is safe for concurrent use.
type Typesetter struct {
	setters sync.Pool
	lang    string
}

// New makes a typesetter for a language, by its BCP 47 tag.
func New(faces *Faces, lang string) *Typesetter {
	t := &Typesetter{lang: lang}
	t.setters.New = func() any { return newSetter(faces, lang) }
	return t
}

// Result is a text that is set.
type Result struct {
	Text document.Text
	// Moves move the formulas, and Repaints the underlines and highlights.
	Moves    []document.Move
	Repaints []document.Repaint
	// Covered are the dots of the leader that the text reaches.
	Covered []int
	// Scale is the size relative to that of the source. Overflow is set for a text that is smaller than it should be: it does not fit.
	Scale    float64
	Overflow bool
}

// ErrNoRoom is the error of a text that does not fit at any size.
var ErrNoRoom = core.NewError(core.CodeTooLarge, "the translation does not fit")

// Set sets the translation of a block of a page, no larger than cap relative to the size of the source. It fails with CodeModelMissing for
// characters that no font has, and with [ErrNoRoom].
func (t *Typesetter) Set(page document.Page, block document.Block, translation string, limit float64) (Result, error) {
	s, ok := t.setters.Get().(*setter)
	if !ok {
		return Result{}, core.NewError(core.CodeInternal, "no setter")
	}
	defer t.setters.Put(s)
	parsed := parse(translation, block).hyphenated(s.words)
	runs, missing := s.shape(parsed, block)
	if len(missing) > 0 {
		return Result{}, core.Errorf(core.CodeModelMissing, "no font has %U", missing[0])
	}
	p := &paragraph{setter: s, page: page, block: block, text: parsed, runs: runs, breaks: breaksOf(parsed, runs)}
	p.box, p.room = block.Direction.BoxIn(block.Box), block.Direction.BoxIn(block.Room)
	_, p.baseline = block.Direction.In(block.Baseline.X, block.Baseline.Y)
	return p.fit(limit)
}

// paragraph is a text that is being set, in the frame of its direction.
type paragraph struct {
	*setter
	page      document.Page
	block     document.Block
	text      text
	runs      []shaping.Output
	breaks    breaks
	box, room document.Box
	baseline  float64
}

// attempt is one way to set a paragraph.
type attempt struct {
	size    float64
	leading float64
	left    float64
	width   float64
	// over is set for a text that goes over the dots of its leader, which has one line.
	over bool
	// whole is set if words are divided only where [paragraph.hyphenates] allows it.
	whole bool
}

const (
	// step is by how much the size shrinks, in points, and leastSize the size below which a text is too small to read well.
	step      = 0.5
	leastSize = 6.0
	// leastScale is the scale below which a text is not set. smallScale is the scale to which sources that are hardly larger than leastSize
	// shrink before they count as too small.
	leastScale = 0.35
	smallScale = 0.75
	// wholeScale is the scale to which a paragraph shrinks before its words are divided anywhere, such as a long address.
	wholeScale = 0.7
	// ascent and descent are those of the faces above and below a baseline, in em, as far as texts need them.
	ascent  = 0.8
	descent = 0.22
	// tolerance is how far a text may reach beyond its room, in points: fonts of source and translation differ in height by that.
	tolerance = 0.75
)

// fit tries ways to set the paragraph, the best first.
func (p *paragraph) fit(limit float64) (Result, error) {
	least := leastScale * p.block.Size
	legible := max(min(leastSize, smallScale*p.block.Size), least)
	full := max(p.block.Size*min(limit, 1), least)
	whole := max(wholeScale*p.block.Size, legible)
	if p.block.Cell != nil {
		whole = legible
	}
	if result, ok := p.shrink(full, min(whole, full), true); ok {
		return result, nil
	}
	if result, ok := p.shrink(full, least, false); ok {
		return result, nil
	}
	return Result{}, ErrNoRoom
}

// shrink tries sizes from full to least, with words whole or not.
func (p *paragraph) shrink(full, least float64, whole bool) (Result, bool) {
	natural, tight := p.leadings()
	for size := full; size >= least-1e-6; size = p.smaller(size) {
		if area, ok := p.overLeader(); ok {
			a := attempt{size: size, leading: natural, left: area.X0, width: area.X1 - area.X0, whole: whole, over: true}
			if result, ok := p.try(a); ok {
				return p.sized(result, size), true
			}
		}
		for _, leading := range []float64{natural, (natural + tight) / 2, tight} {
			for _, area := range p.areas() {
				a := attempt{size: size, leading: leading, left: area.X0, width: area.X1 - area.X0, whole: whole}
				if result, ok := p.try(a); ok {
					return p.sized(result, size), true
				}
			}
		}
	}
	return Result{}, false
}

// sized says the size of a result.
func (p *paragraph) sized(r Result, size float64) Result {
	r.Scale = size / p.block.Size
	r.Overflow = size < min(leastSize, smallScale*p.block.Size)-1e-6
	return r
}

// smaller is the next size to try.
func (p *paragraph) smaller(size float64) float64 {
	if p.block.Size < leastSize+2 {
		return size - step/2 // small type in tables
	}
	return size - step
}

// leadings are the usual and the least distance of baselines, in em, for the language: what the field uses for it, but no more than the
// source has, and no less than its letters need.
func (p *paragraph) leadings() (natural, tight float64) {
	natural, tight = 1.2, 1.08
	switch base, _, _ := strings.Cut(p.lang, "-"); base {
	case "zh":
		natural, tight = 1.4, 1.15
	case "ja":
		natural, tight = 1.3, 1.12
	case "ko":
		natural, tight = 1.25, 1.12
	case "ar", "fa", "ur":
		natural, tight = 1.35, 1.2
	}
	if source := p.block.LineHeight; source > 0 {
		natural = min(max(source, tight), 2.2)
	}
	return natural, tight
}

// areas are the horizontal extents to try: that of the source first, unless it is a single line, which may be longer.
func (p *paragraph) areas() []document.Box {
	leftward, start := RightToLeft(p.lang), p.block.Align == document.AlignStart || p.block.Align == ""
	switch {
	case start && p.block.RightToLeft && leftward:
		return []document.Box{{X0: p.room.X0, X1: p.box.X1, Y0: p.room.Y0, Y1: p.room.Y1}}
	case start && p.block.RightToLeft:
		rightward := p.room
		rightward.X0 = min(p.box.X0, p.room.X0+p.room.X1-p.box.X1)
		return []document.Box{rightward}
	case start && leftward:
		whole := p.mirrored(p.room)
		if p.block.Cell == nil {
			return []document.Box{whole}
		}
		return []document.Box{p.mirrored(p.block.Direction.BoxIn(p.block.Cell.Area)), whole}
	}
	wide := p.wide()
	if p.block.Lines <= 1 {
		return []document.Box{wide}
	}
	return []document.Box{p.box, wide}
}

// leaderSpace is the least distance of a text to the dots of its leader, in em.
const leaderSpace = 0.3

// overLeader is the room of a single line with that of the dots which may give way to it; ok is false without any. Texts that begin on the right
// end at the dots.
func (p *paragraph) overLeader() (b document.Box, ok bool) {
	if len(p.block.Leader) == 0 || p.block.Lines > 1 || p.align() != document.AlignStart && p.align() != document.AlignJustify {
		return b, false
	}
	b = p.box
	b.X1 = max(b.X1, p.block.Direction.BoxIn(p.page.Glyphs[p.block.Leader[len(p.block.Leader)-1]].Box).X0)
	return b, true
}

// mirrored is the room up to the indent of the box in an area, on its other side.
func (p *paragraph) mirrored(area document.Box) document.Box {
	b := p.room
	b.X1 = min(max(p.box.X1, area.X1-(p.box.X0-area.X0)), p.room.X1)
	return b
}

// wide is the box with the room that its alignment lets it take.
func (p *paragraph) wide() document.Box {
	b := p.box
	switch p.align() {
	case document.AlignCenter:
		middle := (b.X0 + b.X1) / 2
		half := max(min(middle-p.room.X0, p.room.X1-middle), (b.X1-b.X0)/2)
		b.X0, b.X1 = middle-half, middle+half
	case document.AlignEnd:
		b.X0 = min(b.X0, p.room.X0)
	case document.AlignStart, document.AlignJustify:
		b.X1 = max(b.X1, p.room.X1)
	}
	return b
}

// align is the alignment in the frame, where start is always on the left. Texts of right-to-left scripts begin on the right; what ends there in
// the source stays there, as columns of numbers do.
func (p *paragraph) align() document.Align {
	if RightToLeft(p.lang) && (p.block.Align == document.AlignStart || p.block.Align == "") {
		return document.AlignEnd
	}
	return p.block.Align
}

// try sets the paragraph one way; ok is false if it does not fit.
func (p *paragraph) try(a attempt) (r Result, ok bool) {
	indent := 0.0
	if p.block.Lines > 1 && (p.block.Align == document.AlignJustify || p.block.Align == document.AlignStart) {
		indent = p.block.Indent * a.size / p.block.Size
	}
	left := func(line int) float64 {
		switch {
		case line == 0 && indent > 0:
			return indent
		case line > 0 && indent < 0:
			return -indent
		}
		return 0
	}
	lines := p.lines(a.size, a.whole, func(line int) float64 { return (a.width - left(line)) / a.size })
	if a.over && len(lines) > 1 {
		return r, false
	}
	l := &layout{paragraph: p, attempt: a}
	y := p.baseline
	for i, line := range lines {
		up, down := l.extent(line)
		if i == 0 {
			y = min(y, p.room.Y1+tolerance-up)
		} else {
			y -= max(a.leading*a.size, l.down+up+0.02*a.size)
		}
		l.down = down
		if !l.line(line, left(i), y, i == len(lines)-1) {
			return r, false
		}
	}
	if y-l.down < p.room.Y0-tolerance && !p.asHigh(len(lines), a) {
		return r, false
	}
	return l.finish(), true
}

// asHigh reports whether lines are no higher than those of the source: they are no more, no larger and no further apart.
func (p *paragraph) asHigh(lines int, a attempt) bool {
	return lines <= p.block.Lines && len(p.block.Formulas) == 0 && (lines == 1 || a.leading*a.size <= p.block.LineHeight*p.block.Size+1e-6)
}
