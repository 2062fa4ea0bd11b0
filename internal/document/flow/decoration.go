package flow

import (
	"math"
	"slices"

	"plait/internal/document"
)

// Underlines, lines through text and highlights are rules and fills of the page that lie at a text. They go where the text goes.

const (
	// The middle of an underline is between underlineLow and underlineHigh above the baseline, and that of a line through the text between
	// strikeLow and strikeHigh, in em.
	underlineLow, underlineHigh = -0.32, -0.02
	strikeLow, strikeHigh       = 0.15, 0.4
	// thickLine is the largest thickness of such a line, groundHeight the largest height of the ground of a line, and capital the least height
	// of a ground above the baseline, in em.
	thickLine    = 0.15
	groundHeight = 1.8
	capital      = 0.6
	// flush is how far a decoration ends before or after its text, and apartGap the largest gap in that text, in em: justified lines have such
	// spaces.
	flush    = 0.35
	apartGap = 1.0
	// minDecorated is the least number of glyphs at a decoration.
	minDecorated = 2
	// numerator is the largest distance from the bar of a fraction to the baseline below it, in em, and longNumerator the largest number of
	// glyphs above the bar.
	numerator     = 1.0
	longNumerator = 20
	// farthest is the distance of baselines to a decoration that is looked at, in points: that of large type.
	farthest = 40.0
	// alikeRatio is how much the edges of two decorations of one look differ, in em.
	alikeRatio = 0.08
)

// decoration is a rule or a fill at a line of text.
type decoration struct {
	// number is its position in Page.Rules or Page.Fills, from 1.
	number int
	color  document.Color
	// low and high are its edges relative to the baseline, in em.
	low, high float64
}

func (d decoration) alike(o decoration) bool {
	return d.color == o.color && near(d.low, o.low, alikeRatio) && near(d.high, o.high, alikeRatio)
}

// decorations are the rules and the fills at texts, by glyph.
type decorations struct{ rules, fills map[int]decoration }

// findDecorations finds those of the text in the direction of the plane. Operators that paint more than one area cannot be changed in part.
func (p *plane) findDecorations() {
	p.decorated = decorations{rules: map[int]decoration{}, fills: map[int]decoration{}}
	if len(p.page.Rules) == 0 && len(p.page.Fills) == 0 {
		return
	}
	text := p.standing()
	for n, r := range p.page.Rules {
		box := p.rules[n]
		if r.Shared || box.X1-box.X0 <= box.Y1-box.Y0 {
			continue
		}
		line := text.at(box, isLine)
		if len(line) == 0 || text.isBar(box, line) || slices.ContainsFunc(line, func(s standing) bool { return p.isMath(s.glyph) }) {
			continue
		}
		decorate(p.decorated.rules, line, box, decoration{number: n + 1, color: r.Color})
		p.rules[n] = document.Box{} // it divides no cells, and is no part of a formula
	}
	for n, f := range p.page.Fills {
		box := p.frame.BoxIn(f.Box)
		if f.Shared || f.Color == white {
			continue
		}
		line := text.at(box, isGround)
		if len(line) > 0 && p.page.Glyphs[line[0].glyph].Op > f.Op {
			decorate(p.decorated.fills, line, box, decoration{number: n + 1, color: f.Color})
		}
	}
}

var white = document.Color{R: 255, G: 255, B: 255}

func decorate(to map[int]decoration, line []standing, box document.Box, of decoration) {
	first := line[0]
	of.low, of.high = (box.Y0-first.baseline)/first.size, (box.Y1-first.baseline)/first.size
	for _, s := range line {
		to[s.glyph] = of
	}
}

func (p *plane) isMath(glyph int) bool {
	return mathFont.MatchString(p.page.Fonts[p.page.Glyphs[glyph].Font].Name)
}

// isLine and isGround report whether an area from low to high above the baseline, in em, is a line at its text or the ground of it.
func isLine(low, high float64) bool {
	middle := (low + high) / 2
	return high-low <= thickLine && (middle >= underlineLow && middle <= underlineHigh || middle >= strikeLow && middle <= strikeHigh)
}

func isGround(low, high float64) bool {
	return low <= -0.1 && high >= capital && high-low <= groundHeight
}

// standing is a glyph on its baseline, in the frame.
type standing struct {
	glyph          int
	box            document.Box
	baseline, size float64
}

// standings are glyphs by their baselines, from the lowest.
type standings []standing

// standing returns the glyphs of the plane that a reader sees.
func (p *plane) standing() (list standings) {
	for i, g := range p.page.Glyphs {
		if g.Hidden || g.Direction != p.frame || isSpace(g.Text) || g.Size <= 0 {
			continue
		}
		_, baseline := p.frame.In(g.Origin.X, g.Origin.Y)
		list = append(list, standing{i, p.frame.BoxIn(g.Box), baseline, g.Size})
	}
	slices.SortStableFunc(list, func(a, b standing) int { return compare(a.baseline, b.baseline) })
	return list
}

// between returns the glyphs whose baselines are between two heights and whose middles are between two edges.
func (list standings) between(low, high, left, right float64) (found []standing) {
	at, _ := slices.BinarySearchFunc(list, low, func(s standing, low float64) int { return compare(s.baseline, low) })
	for _, s := range list[at:] {
		if s.baseline > high {
			break
		}
		if x := (s.box.X0 + s.box.X1) / 2; x > left && x < right {
			found = append(found, s)
		}
	}
	return found
}

// at returns the glyphs of a line of text, from the left, at which a box is as fits says, and which it begins and ends with.
func (list standings) at(box document.Box, fits func(low, high float64) bool) (line []standing) {
	for _, s := range list.between(box.Y0-farthest, box.Y1+farthest, box.X0, box.X1) {
		if !fits((box.Y0-s.baseline)/s.size, (box.Y1-s.baseline)/s.size) {
			continue
		}
		if len(line) > 0 && math.Abs(s.baseline-line[0].baseline) > 0.1*s.size {
			return nil // two lines
		}
		line = append(line, s)
	}
	if len(line) < minDecorated {
		return nil
	}
	slices.SortFunc(line, func(a, b standing) int { return compare(a.box.X0, b.box.X0) })
	first, last := line[0], line[len(line)-1]
	if !near(first.box.X0, box.X0, flush*first.size) || !near(last.box.X1, box.X1, flush*last.size) {
		return nil
	}
	for i := 1; i < len(line); i++ {
		if line[i].box.X0-line[i-1].box.X1 > apartGap*first.size {
			return nil
		}
	}
	return line
}

// isBar reports whether a rule below a short line is the bar of a fraction: what stands below it is centered, and reaches over it on neither side.
func (list standings) isBar(box document.Box, line []standing) bool {
	size := line[0].size
	if len(line) > longNumerator || line[0].baseline < box.Y0 {
		return false
	}
	below := list.between(box.Y0-numerator*size, box.Y0-0.3*size, box.X0-size, box.X1+size)
	if len(below) == 0 {
		return false
	}
	all := below[0].box
	for _, s := range below {
		all = all.Union(s.box)
	}
	return all.X0 >= box.X0-0.1*size && all.X1 <= box.X1+0.1*size && near(all.X0+all.X1, box.X0+box.X1, 0.5*size)
}

// decoration notes the rule or fill at a glyph among those that the block takes with it, and returns its number: that of the first one of the
// block that looks like it, so that a text over several lines has one style.
func (w *writer) decoration(at map[int]decoration, glyph int, taken *[]int, known *[]decoration) int {
	d, ok := at[glyph]
	if !ok {
		return 0
	}
	if !slices.Contains(*taken, d.number-1) {
		*taken = append(*taken, d.number-1)
	}
	for _, k := range *known {
		if k.alike(d) {
			return k.number
		}
	}
	*known = append(*known, d)
	return d.number
}
