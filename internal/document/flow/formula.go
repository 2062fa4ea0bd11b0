package flow

import (
	"fmt"
	"math"
	"regexp"
	"slices"
	"strings"
	"unicode"
	"unicode/utf8"

	"plait/internal/document"
)

// pieces are the formulas of a paragraph. of has the formula of each of their glyphs.
type pieces struct {
	list []document.Formula
	of   map[int]int
}

func markerOf(n int) string { return fmt.Sprintf("{v%d}", n) }

// mathFont matches the names of fonts that only formulas use: the math fonts of TeX, and fonts with Math or Symbol in their names. Italic
// text fonts are not among them.
var mathFont = regexp.MustCompile(`^(CM(MI|SY|EX|BSY|MIB)|MS[AB]M|EU[FSR]|RSFS|rsfs|XY|LCIRCLE|LINE|wasy|stmary|esint|tx(sy|mi|ex|sys)|px(sy|mi|ex)|MTMI|MTSY|MTEX|MathematicalPi|Universal)|Math|[Ss]ymbol$|^Euclid(Symbol|Extra|Math)`)

const (
	// small is the size relative to the line below which a glyph is a sub- or superscript.
	small = 0.8
	// touch is the largest gap between a formula and its sub- or superscripts, in em.
	touch = 0.2
	// maxBetween is the largest number of characters between two formulas of one.
	maxBetween = 24
)

// formulas finds the formulas of the lines of a paragraph: glyphs of math fonts and symbols, with what belongs to them. A formula does not
// run over two lines.
func (p *plane) formulas(lines []line, size float64) pieces {
	found := pieces{of: map[int]int{}}
	_, readable := p.readable(glyphsOf(lines...))
	for _, l := range lines {
		glyphs := glyphsOf(l)
		marks := p.seeds(glyphs, readable)
		if !slices.Contains(marks, true) {
			continue
		}
		p.extend(glyphs, marks, l)
		p.bridge(glyphs, marks, l)
		for at := 0; at < len(glyphs); {
			if !marks[at] {
				at++
				continue
			}
			end := at
			for end < len(glyphs) && marks[end] {
				end++
			}
			if end == at+1 && p.isPlain(glyphs[at]) {
				at = end
				continue
			}
			p.addFormula(&found, glyphs[at:end], l, size)
			at = end
		}
	}
	return found
}

func glyphsOf(lines ...line) (glyphs []int) {
	for _, l := range lines {
		for _, w := range l.words {
			glyphs = append(glyphs, w.glyphs...)
		}
	}
	return glyphs
}

// seeds marks the glyphs that are formulas by themselves. Glyphs without a text stay as they are within a text that can be read.
func (p *plane) seeds(glyphs []int, readable bool) []bool {
	marks := make([]bool, len(glyphs))
	greek := 0
	for _, i := range glyphs {
		if r, _ := utf8.DecodeRuneInString(p.page.Glyphs[i].Text); unicode.Is(unicode.Greek, r) {
			greek++
		}
	}
	for n, i := range glyphs {
		g := p.page.Glyphs[i]
		r, _ := utf8.DecodeRuneInString(g.Text)
		switch {
		case p.solid[i], readable && p.unknown(g):
			marks[n] = true
		case mathFont.MatchString(p.page.Fonts[g.Font].Name):
			marks[n] = !isBullet(r) || n > 0
		case r >= 0x2600 && r <= 0x27BF: // boxes to tick, stars and hands, which text faces lack
			marks[n] = true
		case r >= 0x1D400 && r <= 0x1D7FF, r >= 0x2200 && r <= 0x22FF, r >= 0x27C0 && r <= 0x27EF, r >= 0x2980 && r <= 0x2AFF:
			marks[n] = true
		case unicode.Is(unicode.Greek, r) && greek*4 < len(glyphs):
			marks[n] = true
		case strings.ContainsRune(accents, r):
			marks[n] = n > 0 && p.isAccentOf(i, glyphs[n-1]) || n+1 < len(glyphs) && p.isAccentOf(i, glyphs[n+1])
		}
	}
	return marks
}

// unknown reports whether a glyph is seen and has no text.
func (b *builder) unknown(g document.Glyph) bool {
	return g.Text == "" && g.Advance != 0 && g.Ink.X1 > g.Ink.X0
}

// accents are those that fonts have as glyphs of their own.
const accents = "^~`´¨¯ˆˇ˘˙˚˜"

// isAccentOf reports whether an accent stands over a sign of a math font, such as the hat of a variable, which TeX takes from a font for text.
func (p *plane) isAccentOf(accent, sign int) bool {
	a, s := p.frame.BoxIn(p.page.Glyphs[accent].Ink), p.frame.BoxIn(p.page.Glyphs[sign].Ink)
	middle := (a.X0 + a.X1) / 2
	return a.X1 > a.X0 && middle > s.X0 && middle < s.X1 && p.isMath(sign)
}

// isPlain reports whether a glyph that stands alone is a sign that texts use as well, and that all text fonts have.
func (p *plane) isPlain(i int) bool {
	switch r, _ := utf8.DecodeRuneInString(p.page.Glyphs[i].Text); r {
	case '×', '±', '÷', '−', '<', '>', '=', '+', '_', '·', '°', '≤', '≥', '~', '|', '*', '…', '/', '-', '–', '.', ',', ';', ':', '§', '•', '"':
		return true
	}
	return false
}

// isBullet reports whether r is a mark that lists use, which TeX takes from its symbol fonts.
func isBullet(r rune) bool {
	return r == '•' || r == '∙' || r == '·' || r == '∗' || r == '-' || r == '–' || r == '◦' || r == '§'
}

// extend marks the sub- and superscripts of marked glyphs, and the digits and brackets next to them.
func (p *plane) extend(glyphs []int, marks []bool, l line) {
	for pass := 0; pass < 2; pass++ {
		for n := range glyphs {
			if marks[n] {
				continue
			}
			if n > 0 && marks[n-1] && p.attached(glyphs[n-1], glyphs[n], l) || n+1 < len(glyphs) && marks[n+1] && p.attached(glyphs[n], glyphs[n+1], l) && p.isSmall(glyphs[n], l) {
				marks[n] = true
			}
		}
	}
}

func (p *plane) isSmall(i int, l line) bool { return p.page.Glyphs[i].Size < small*l.size }

// attached reports whether the later of two glyphs belongs to the formula of the earlier one: it is small, or touches it and is no letter of
// a word.
func (p *plane) attached(a, b int, l line) bool {
	first, second := p.frame.BoxIn(p.page.Glyphs[a].Box), p.frame.BoxIn(p.page.Glyphs[b].Box)
	gap := second.X0 - first.X1
	if gap > touch*l.size || gap < -1.5*l.size {
		return false
	}
	if p.isSmall(b, l) || p.isSmall(a, l) {
		return true
	}
	r, _ := utf8.DecodeRuneInString(p.page.Glyphs[b].Text)
	return unicode.IsDigit(r) || r == '(' || r == ')' || r == '[' || r == ']' || r == '\'' || r == '′' || r == '|' || r == '!'
}

// function are the names that formulas write upright.
var function = regexp.MustCompile(`^(sin|cos|tan|cot|log|ln|exp|max|min|sup|inf|lim|dim|ker|det|deg|gcd|arg|mod|id|Im|Re|Hom|Aut|grad|div|rot)$`)

// bridge joins two formulas with nothing but operators, digits, brackets and names of functions between them.
func (p *plane) bridge(glyphs []int, marks []bool, l line) {
	last := -1
	for n := range glyphs {
		if !marks[n] {
			continue
		}
		if last >= 0 && n-last > 1 && n-last <= maxBetween && p.mathBetween(glyphs[last+1:n]) && p.closeEnough(glyphs[last:n+1], l) {
			for k := last + 1; k < n; k++ {
				marks[k] = true
			}
		}
		last = n
	}
	// Brackets and digits right before a formula are part of it: an opening bracket if the formula closes it.
	for n := len(glyphs) - 2; n >= 0; n-- {
		if marks[n+1] && !marks[n] && p.opens(glyphs[n], glyphs[n+1], l) && (!p.isOpening(glyphs[n]) || p.closes(glyphs[n+1:], marks[n+1:])) {
			marks[n] = true
		}
	}
}

func (p *plane) opens(a, b int, l line) bool {
	r, _ := utf8.DecodeRuneInString(p.page.Glyphs[a].Text)
	first, second := p.frame.BoxIn(p.page.Glyphs[a].Box), p.frame.BoxIn(p.page.Glyphs[b].Box)
	return (p.isOpening(a) || r == '|' || unicode.IsDigit(r)) && second.X0-first.X1 < touch*l.size
}

func (p *plane) isOpening(i int) bool {
	r, _ := utf8.DecodeRuneInString(p.page.Glyphs[i].Text)
	return r == '(' || r == '[' || r == '{'
}

// closes reports whether the marked glyphs at the beginning have a closing bracket without its opening one.
func (p *plane) closes(glyphs []int, marks []bool) bool {
	depth := 0
	for n := 0; n < len(glyphs) && marks[n]; n++ {
		switch r, _ := utf8.DecodeRuneInString(p.page.Glyphs[glyphs[n]].Text); r {
		case '(', '[', '{':
			depth++
		case ')', ']', '}':
			if depth--; depth < 0 {
				return true
			}
		}
	}
	return false
}

// closeEnough reports whether no gap within the glyphs is wider than the space around an operator.
func (p *plane) closeEnough(glyphs []int, l line) bool {
	for k := 1; k < len(glyphs); k++ {
		a, b := p.frame.BoxIn(p.page.Glyphs[glyphs[k-1]].Box), p.frame.BoxIn(p.page.Glyphs[glyphs[k]].Box)
		if b.X0-a.X1 > 0.6*l.size {
			return false
		}
	}
	return true
}

// mathBetween reports whether glyphs have only what formulas consist of.
func (p *plane) mathBetween(glyphs []int) bool {
	name := ""
	for _, i := range glyphs {
		text := p.page.Glyphs[i].Text
		r, _ := utf8.DecodeRuneInString(text)
		switch {
		case unicode.IsLetter(r):
			name += text
			continue
		case unicode.IsDigit(r), unicode.Is(unicode.Sm, r), r == '(', r == ')', r == '[', r == ']', r == '{', r == '}', r == '/', r == '-', r == '−', r == '*',
			r == '.', r == ':', r == '!', r == '\'', r == '′', r == '|', r == '‖', r == ',', r == '…', r == '·':
		default:
			return false
		}
		if name != "" && !function.MatchString(name) {
			return false
		}
		name = ""
	}
	return name == "" || function.MatchString(name)
}

// inkOf is the box of a glyph in a formula: as high as its ink, because the heights of math fonts say little about their signs, and as wide as
// its advance or its ink.
func (p *plane) inkOf(g document.Glyph) document.Box {
	box, ink := p.frame.BoxIn(g.Box), p.frame.BoxIn(g.Ink)
	if ink.X1 <= ink.X0 || ink.Y1 <= ink.Y0 {
		return box
	}
	return document.Box{X0: box.X0, X1: max(box.X1, ink.X1), Y0: ink.Y0, Y1: ink.Y1}
}

// addFormula adds a formula of the glyphs, with the rules that belong to it.
func (p *plane) addFormula(found *pieces, glyphs []int, l line, size float64) {
	f := document.Formula{Glyphs: slices.Clone(glyphs)}
	box := document.Box{}
	for n, i := range glyphs {
		g := p.page.Glyphs[i]
		box = union(box, p.inkOf(g), n == 0)
		f.Text += g.Text
		found.of[i] = len(found.list)
	}
	near := document.Box{X0: box.X0 - 1, Y0: box.Y0 - 0.4*size, X1: box.X1 + 1, Y1: box.Y1 + 0.4*size}
	for n, r := range p.rules {
		if p.page.Rules[n].Shared || r.X1-r.X0 > box.X1-box.X0+size || r.X0 < near.X0 || r.X1 > near.X1 || r.Y0 < near.Y0 || r.Y1 > near.Y1 {
			continue
		}
		f.Rules = append(f.Rules, n)
		box = union(box, r, false)
	}
	x, y := p.frame.Out(box.X0, l.baseline)
	f.Origin = document.Point{X: x, Y: y}
	f.Advance = math.Max(box.X1-box.X0, 0)
	f.Box = p.frame.BoxOut(box)
	found.list = append(found.list, f)
}
