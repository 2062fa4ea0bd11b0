package flow

import (
	"strings"
	"unicode"
	"unicode/utf8"

	"golang.org/x/text/unicode/norm"

	"plait/internal/document"
)

// block makes a block of the lines of a paragraph or a cell: its text with the markers of formulas, and its styles.
func (p *plane) block(lines []line) document.Block {
	return p.blockOf(lines, p.formulas(lines, p.usualSize(lines)))
}

// blockOf makes a block of lines with these formulas.
func (p *plane) blockOf(lines []line, pieces pieces) document.Block {
	w := &writer{plane: p, block: document.Block{Class: document.ClassText, Direction: p.frame}}
	w.block.Size = p.usualSize(lines)
	w.block.RightToLeft = p.readsLeftward(lines)
	for i, l := range lines {
		l.words = p.inReadingOrder(l, pieces, w.block.RightToLeft)
		w.line(l, pieces, i == 0)
	}
	w.finish(pieces)
	return w.block
}

// usualSize is the size of most glyphs: of those outside of signs, if there are some.
func (p *plane) usualSize(lines []line) float64 {
	var sizes, solid []float64
	for _, l := range lines {
		for _, w := range l.words {
			for _, i := range w.glyphs {
				if size := p.page.Glyphs[i].Size; p.solid[i] {
					solid = append(solid, size)
				} else {
					sizes = append(sizes, size)
				}
			}
		}
	}
	if len(sizes) == 0 {
		sizes = solid
	}
	return median(sizes)
}

// writer writes the text of a block.
type writer struct {
	*plane
	block document.Block
	text  strings.Builder
	spans []document.Span
	// written are the formulas that have their marker.
	written map[int]bool
	first   bool
	// rules and fills are decorations of the block that look different.
	rules, fills []decoration
}

// wideSpace is the least gap, in em, that divides words of scripts without spaces: theirs is as wide as a character, and the gaps of justified lines
// are narrower.
const wideSpace = 0.6

// line appends a line: with a space after the line before it, unless that ends in a divided word or in a script without spaces.
func (w *writer) line(l line, pieces pieces, first bool) {
	for i, word := range l.words {
		// A word that begins within a formula is attached to its marker.
		if at, within := pieces.of[word.glyphs[0]]; (i > 0 || !first) && (!within || !w.written[at]) {
			w.join(word, pieces, i == 0, i > 0 && word.box.X0-l.words[i-1].box.X1 > wideSpace*l.size)
		}
		w.word(word, l, pieces)
	}
}

// join separates a word from the text before it.
func (w *writer) join(next word, pieces pieces, newLine, wide bool) {
	text := w.text.String()
	last, size := utf8.DecodeLastRuneInString(text)
	following, _ := utf8.DecodeRuneInString(w.plane.word(next))
	_, formula := pieces.of[next.glyphs[0]]
	switch {
	case text == "":
	case newLine && !formula && divides(text, last, following):
		w.cutLast(size)
	case newLine && last == '\u00ad':
		w.cutLast(size)
	case newLine && document.IsHyphen(last) && !formula && !unicode.IsSpace(following):
		// A hyphen before a capital or a digit belongs to the word: Paris-Orly, 747-\n8.
	case document.Spaceless(last) && document.Spaceless(following) && !formula && !wide:
	case newLine && (document.Spaceless(last) || document.Spaceless(following)) && !formula:
	default:
		w.write(" ", nil)
	}
}

// divides reports whether the hyphen at the end of a line divides a word: a lower-case letter follows, and a letter stands before it. The
// first part of a compound such as well-known is not told apart.
func divides(text string, last, following rune) bool {
	if !document.IsHyphen(last) || !unicode.IsLower(following) {
		return false
	}
	before, _ := utf8.DecodeLastRuneInString(text[:len(text)-utf8.RuneLen(last)])
	return unicode.IsLetter(before)
}

// cutLast removes the last bytes of the text.
func (w *writer) cutLast(size int) {
	text := w.text.String()
	w.text.Reset()
	w.text.WriteString(text[:len(text)-size])
	if n := len(w.spans); n > 0 {
		w.spans[n-1].End = w.text.Len()
		if w.spans[n-1].Start >= w.spans[n-1].End {
			w.spans = w.spans[:n-1]
		}
	}
}

// word appends a word, glyph by glyph; the glyphs of a formula become its marker.
func (w *writer) word(word word, l line, pieces pieces) {
	for _, i := range word.glyphs {
		if at, isFormula := pieces.of[i]; isFormula {
			if !w.written[at] {
				if w.written == nil {
					w.written = map[int]bool{}
				}
				w.written[at] = true
				w.write(markerOf(len(w.written)-1), nil)
				w.block.Formulas = append(w.block.Formulas, pieces.list[at])
			}
			continue
		}
		g := w.page.Glyphs[i]
		w.write(plain(g.Text), w.style(i, l))
		w.block.Glyphs = append(w.block.Glyphs, i)
	}
}

// write appends a text in a style; nil is the style before it.
func (w *writer) write(text string, style *document.Style) {
	if text == "" {
		return
	}
	start := w.text.Len()
	w.text.WriteString(text)
	n := len(w.spans)
	if style == nil {
		if n == 0 {
			w.spans = append(w.spans, document.Span{Start: start, Style: document.Style{Size: w.block.Size}})
			n++
			w.first = true
		}
		w.spans[n-1].End = w.text.Len()
		return
	}
	if n > 0 && (w.spans[n-1].Style == *style || w.first) {
		// A marker at the beginning takes the style of the text after it.
		w.spans[n-1].Style, w.spans[n-1].End, w.first = *style, w.text.Len(), false
		return
	}
	w.spans = append(w.spans, document.Span{Start: start, End: w.text.Len(), Style: *style})
}

// style is how a glyph looks.
func (w *writer) style(i int, l line) *document.Style {
	g := w.page.Glyphs[i]
	font := w.page.Fonts[g.Font]
	s := document.Style{Size: round(g.Size), Color: g.Color, Serif: font.Serif, Fixed: font.Fixed, Bold: font.Bold, Italic: font.Italic}
	_, baseline := w.frame.In(g.Origin.X, g.Origin.Y)
	if r, _ := utf8.DecodeRuneInString(g.Text); document.Spaceless(r) {
		s.Fixed = false // all characters of these scripts have one width
	}
	if w.lowered[i] {
		s.Size, baseline = round(l.size), l.baseline
	}
	if rise := baseline - l.baseline; rise > 0.12*l.size || rise < -0.12*l.size {
		s.Rise = round(rise)
	}
	s.Rule = w.decoration(w.decorated.rules, i, &w.block.Rules, &w.rules)
	s.Fill = w.decoration(w.decorated.fills, i, &w.block.Fills, &w.fills)
	x, y := (g.Box.X0+g.Box.X1)/2, (g.Box.Y0+g.Box.Y1)/2
	for n, link := range w.page.Links {
		if x > link.X0 && x < link.X1 && y > link.Y0 && y < link.Y1 {
			s.Link = n + 1
			break
		}
	}
	return &s
}

func round(v float64) float64 { return float64(int(v*10+0.5)) / 10 }

// finish sets what is known when the whole text is.
func (w *writer) finish(pieces pieces) {
	b := &w.block
	b.Text, b.Spans = w.text.String(), w.spans
	first := true
	for _, i := range b.Glyphs {
		b.Box = union(b.Box, w.page.Glyphs[i].Box, first)
		first = false
	}
	for _, f := range b.Formulas {
		b.Box = union(b.Box, f.Box, first)
		first = false
	}
	b.Vertical = len(b.Glyphs) > 0 && w.upright[b.Glyphs[0]]
	b.Untranslated = w.reason(pieces)
}

// reason is why a block is not translated.
func (w *writer) reason(pieces pieces) document.Reason {
	letters, readable := w.readable(w.block.Glyphs)
	switch {
	case !readable:
		return document.ReasonUnmapped
	case letters > 0:
		return ""
	case len(pieces.list) > 0:
		return document.ReasonFormula
	}
	return document.ReasonNoText
}

// readable counts the letters of glyphs. A text of which a sixth is unknown cannot be translated.
func (b *builder) readable(glyphs []int) (letters int, ok bool) {
	unmapped := 0
	for _, i := range glyphs {
		switch g := b.page.Glyphs[i]; {
		case g.Text == "" && g.Advance == 0: // a mark of another glyph
		case g.Text == "":
			unmapped++
		case strings.IndexFunc(g.Text, unicode.IsLetter) >= 0:
			letters++
		}
	}
	return letters, unmapped == 0 || unmapped*5 <= letters
}

// plain splits ligatures and other presentation forms. Other characters stay as they are.
func plain(text string) string {
	for _, r := range text {
		if r >= 0xFB00 && r <= 0xFDFF || r >= 0xFE70 && r <= 0xFEFF {
			return norm.NFKC.String(text)
		}
	}
	return text
}
