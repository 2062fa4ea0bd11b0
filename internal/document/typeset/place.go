package typeset

import (
	"slices"
	"strings"

	"github.com/go-text/typesetting/shaping"

	"plait/internal/document"
)

// layout collects what a paragraph draws.
type layout struct {
	*paragraph
	attempt
	// down is how far the last line reaches below its baseline.
	down      float64
	runs      []document.Run
	moves     []document.Move
	decorated []decorated
	box       document.Box
	empty     bool
}

// extent is how far a line reaches above and below its baseline.
func (l *layout) extent(line shaping.Line) (up, down float64) {
	up, down = ascent*l.size, descent*l.size
	for _, run := range line {
		if n, isFormula := l.text.formulas[run.Runes.Offset]; isFormula && run.Face == nil {
			b, origin := l.formula(n)
			up, down = max(up, b.Y1-origin), max(down, origin-b.Y0)
		}
	}
	return up, down
}

// formula returns the box of a formula in the frame, and its baseline.
func (l *layout) formula(n int) (b document.Box, origin float64) {
	f := l.block.Formulas[n]
	_, origin = l.block.Direction.In(f.Origin.X, f.Origin.Y)
	return l.block.Direction.BoxIn(f.Box), origin
}

// line places the runs of a line; it returns false if the line is too long.
func (l *layout) line(line shaping.Line, indent, y float64, last bool) bool {
	sorted := slices.Clone(line)
	slices.SortStableFunc(sorted, func(a, b shaping.Output) int { return int(a.VisualIndex) - int(b.VisualIndex) })
	width := 0.0
	for _, run := range sorted {
		width += l.advance(run)
	}
	available := l.width - indent
	if width > available+tolerance {
		return false
	}
	x := l.left + indent
	gap := 0.0
	switch align := l.align(); {
	case align == document.AlignCenter:
		x += (available - width) / 2
	case align == document.AlignEnd, align == document.AlignJustify && last && RightToLeft(l.lang):
		x = l.left + available - width
	case align == document.AlignJustify && !last:
		gap = l.stretch(sorted, available-width)
	}
	for _, run := range sorted {
		x = l.run(run, x, y, gap)
	}
	return true
}

// advance is the width of a run. A formula keeps its size.
func (l *layout) advance(run shaping.Output) float64 {
	if n, isFormula := l.text.formulas[run.Runes.Offset]; isFormula && run.Face == nil {
		return l.block.Formulas[n].Advance
	}
	return float64(run.Advance) / 64 / unit * l.size
}

const (
	// maxStretch is the most that a space grows when a line is justified, and maxLoose what goes between two characters of a script without
	// spaces, in em.
	maxStretch = 0.5
	maxLoose   = 0.08
)

// stretch is how much each gap of a justified line grows: spaces, or all characters of a line without spaces.
func (l *layout) stretch(line []shaping.Output, extra float64) float64 {
	spaces, clusters := 0, 0
	for _, run := range line {
		for _, g := range run.Glyphs {
			clusters++
			if run.Face != nil && l.text.runes[g.TextIndex()] == ' ' && g.Advance > 0 {
				spaces++
			}
		}
	}
	switch {
	case spaces > 0 && extra/float64(spaces) <= maxStretch*l.size:
		return extra / float64(spaces)
	case spaces == 0 && clusters > 1 && extra/float64(clusters-1) <= maxLoose*l.size:
		return -extra / float64(clusters-1)
	}
	return 0
}

// run places the glyphs of a run, and returns where the next one begins. A positive gap is added to spaces, and a negative one, without its
// sign, after each glyph.
func (l *layout) run(run shaping.Output, x, y, gap float64) float64 {
	if n, isFormula := l.text.formulas[run.Runes.Offset]; isFormula && run.Face == nil {
		l.move(n, x, y)
		return x + l.block.Formulas[n].Advance + max(-gap, 0)
	}
	if len(run.Glyphs) == 0 {
		return x
	}
	style := l.text.styles[run.Runes.Offset]
	face := l.chain(style).find(run.Face)
	rise := style.Rise * l.size / l.block.Size
	out := document.Run{
		Face: face.name, Size: l.size * relative(style, l.block), Color: style.Color, Direction: l.block.Direction, Link: style.Link,
	}
	if face.skewed {
		out.Skew = slant
	}
	start := x
	for _, cluster := range clusters(run.Glyphs) {
		before := x
		r := l.text.runes[cluster[0].TextIndex()]
		if direction := l.direction(r); direction != out.Direction {
			l.runs = appendRun(l.runs, out)
			out.Direction, out.Glyphs = direction, nil
		}
		at := len(out.Glyphs)
		out.Glyphs, x = l.cluster(out.Glyphs, cluster, x, y+rise, out.Size)
		if out.Direction != l.block.Direction {
			stand(out.Glyphs[at:], r, out.Size)
		}
		switch {
		case gap < 0:
			x -= gap
		case gap > 0 && r == ' ' && x > before:
			x += gap
		}
	}
	l.runs = appendRun(l.runs, out)
	l.decorated = append(l.decorated, decorated{style: style, x0: start, x1: x, y: y})
	l.cover(document.Box{X0: start, X1: x, Y0: y - descent*l.size, Y1: y + ascent*l.size})
	return x
}

// clusters divides glyphs into those that stand for the same characters.
func clusters(glyphs []shaping.Glyph) (list [][]shaping.Glyph) {
	for start := 0; start < len(glyphs); {
		end := start + 1
		for end < len(glyphs) && glyphs[end].TextIndex() == glyphs[start].TextIndex() {
			end++
		}
		list = append(list, glyphs[start:end])
		start = end
	}
	return list
}

// unseen removes what is not drawn.
var unseen = strings.NewReplacer(string(softHyphen), "", "\u200b", "")

// cluster places the glyphs of a cluster and returns where the next one begins. Glyphs without an advance are marks of the one before them, or
// of the first one with an advance, because viewers would take them for characters. The first glyph has the text.
func (l *layout) cluster(placed []document.PlacedGlyph, glyphs []shaping.Glyph, x, y, size float64) ([]document.PlacedGlyph, float64) {
	scale := l.size / unit / 64
	text := unseen.Replace(string(l.text.runes[glyphs[0].TextIndex() : glyphs[0].TextIndex()+glyphs[0].RunesCount()]))
	if text == "" && glyphs[0].Advance > 0 {
		text = string(softHyphen) // one that is drawn
	}
	first := len(placed)
	var early []document.Mark
	for _, g := range glyphs {
		at := document.Point{X: x + float64(g.XOffset)*scale, Y: y + float64(g.YOffset)*scale}
		advance := float64(g.Advance) * scale
		x += advance
		switch {
		case g.Advance != 0 || len(glyphs) == 1:
			glyph := document.PlacedGlyph{ID: uint32(g.GlyphID), Origin: at, Advance: advance}
			if len(placed) == first {
				glyph.Text = text
			}
			placed = append(placed, glyph)
		case len(placed) == first:
			early = append(early, document.Mark{ID: uint32(g.GlyphID), X: at.X, Y: at.Y})
		default:
			base := &placed[len(placed)-1]
			base.Marks = append(base.Marks, document.Mark{ID: uint32(g.GlyphID), X: (at.X - base.Origin.X) / size, Y: (at.Y - base.Origin.Y) / size})
		}
	}
	if len(placed) == first && len(early) > 0 { // marks alone
		placed = append(placed, document.PlacedGlyph{ID: early[0].ID, Origin: document.Point{X: early[0].X, Y: early[0].Y}, Text: text})
		early = early[1:]
	}
	for _, m := range early {
		base := &placed[first]
		base.Marks = append(base.Marks, document.Mark{ID: m.ID, X: (m.X - base.Origin.X) / size, Y: (m.Y - base.Origin.Y) / size})
	}
	for i := range placed[first:] {
		glyph := &placed[first+i]
		glyph.Origin.X, glyph.Origin.Y = l.block.Direction.Out(glyph.Origin.X, glyph.Origin.Y)
	}
	return placed, x
}

// slant is the tangent of an artificial slant of twelve degrees.
const slant = 0.2126

// move moves a formula so that it begins at x on the baseline y.
func (l *layout) move(n int, x, y float64) {
	f := l.block.Formulas[n]
	fromX, fromY := l.block.Direction.In(f.Origin.X, f.Origin.Y)
	dx, dy := l.block.Direction.Out(x-fromX, y-fromY)
	l.moves = append(l.moves, document.Move{Glyphs: f.Glyphs, Rules: f.Rules, DX: dx, DY: dy})
	b, _ := l.formula(n)
	l.cover(document.Box{X0: b.X0 + x - fromX, X1: b.X1 + x - fromX, Y0: b.Y0 + y - fromY, Y1: b.Y1 + y - fromY})
}

// cover adds to the area that the text uses.
func (l *layout) cover(b document.Box) {
	if !l.empty {
		l.box, l.empty = b, true
		return
	}
	l.box = l.box.Union(b)
}

func (l *layout) finish() Result {
	text := document.Text{Block: l.block.Index, Op: l.op(), Runs: l.runs, Box: l.block.Direction.BoxOut(l.box)}
	return Result{Text: text, Moves: l.moves, Repaints: l.repaints(), Covered: l.covered()}
}

// covered are the dots of the leader that the text reaches.
func (l *layout) covered() (dots []int) {
	for _, i := range l.block.Leader {
		if dot := l.block.Direction.BoxIn(l.page.Glyphs[i].Box); dot.X0 < l.box.X1+leaderSpace*l.size {
			dots = append(dots, i)
		}
	}
	return dots
}

// op is the operator in whose place the text is drawn: the first of its source, or the first one after the areas that are filled between the
// operators of the source, such as the highlight of a word in its middle. Without glyphs, it is the end of the page.
func (l *layout) op() document.Op {
	var ops []document.Op
	for _, i := range l.block.Glyphs {
		ops = append(ops, l.page.Glyphs[i].Op)
	}
	if len(ops) == 0 {
		return -1
	}
	first, last := slices.Min(ops), slices.Max(ops)
	for _, f := range l.page.Fills {
		if f.Op > first && f.Op < last && f.Box.Overlap(l.block.Box) > 0 {
			later := slices.DeleteFunc(slices.Clone(ops), func(op document.Op) bool { return op < f.Op })
			first = max(first, slices.Min(later))
		}
	}
	return first
}
