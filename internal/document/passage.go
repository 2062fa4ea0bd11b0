package document

import (
	"fmt"
	"math"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"unicode"
	"unicode/utf8"
)

// Passage is a text that is translated in one piece: a block, or a paragraph that runs over several blocks.
type Passage struct {
	// Blocks are the blocks in reading order, at least one.
	Blocks []Block
	// Text is the source text for a translator: the markers of formulas are numbered through all blocks, and runs that differ in style from
	// most of the text are between tags, <s2> and </s2> for the third of Block.Spans. A passage of several blocks has no tags.
	Text string
	// Formulas are those of all blocks, in the order of their markers.
	Formulas []Formula
}

// Passages returns the passages of blocks that are to be translated.
func Passages(blocks []Block) []Passage {
	var list []Passage
	for _, b := range blocks {
		if b.Untranslated != "" {
			continue
		}
		if b.Continues {
			if i := continued(list, b); i >= 0 {
				list[i].add(b)
				continue
			}
		}
		list = append(list, Passage{Blocks: []Block{b}, Text: tagged(b), Formulas: b.Formulas})
	}
	return list
}

// sameSize is the ratio of the sizes of two texts up to which one can continue the other.
const sameSize = 1.1

// continued returns the passage that a block continues: the last one of its size, so that footnotes in between do not matter. It returns -1
// when that is no text.
func continued(list []Passage, b Block) int {
	for i, p := range slices.Backward(list) {
		last := p.Blocks[len(p.Blocks)-1]
		if last.Size*sameSize < b.Size {
			continue
		}
		if last.Cell != nil || b.Cell != nil || last.Size > b.Size*sameSize {
			return -1
		}
		return i
	}
	return -1
}

func (p *Passage) add(b Block) {
	if len(p.Blocks) == 1 {
		p.Text = p.Blocks[0].Text
	}
	text := renumber(b.Text, len(p.Formulas))
	p.Blocks = append(p.Blocks, b)
	p.Formulas = append(p.Formulas[:len(p.Formulas):len(p.Formulas)], b.Formulas...)
	p.Text = joinText(p.Text, text)
}

var marker = regexp.MustCompile(`\{v(\d+)\}`)

// renumber adds n to the numbers of the markers of formulas.
func renumber(text string, n int) string {
	if n == 0 {
		return text
	}
	return marker.ReplaceAllStringFunc(text, func(m string) string {
		return fmt.Sprintf("{v%d}", markerNumber(m[2:len(m)-1])+n)
	})
}

// markerNumber is the number of a marker. One that is too large for a number is that of no formula.
func markerNumber(digits string) int {
	number, err := strconv.Atoi(digits)
	if err != nil {
		return math.MaxInt32
	}
	return number
}

// joinText joins two parts of a paragraph. A hyphen at the end of the first part before a lower-case letter divides a word.
func joinText(a, b string) string {
	last, size := utf8.DecodeLastRuneInString(a)
	first, _ := utf8.DecodeRuneInString(b)
	switch {
	case a == "" || b == "":
		return a + b
	case IsHyphen(last) && unicode.IsLower(first):
		return a[:len(a)-size] + b
	case Spaceless(last) || Spaceless(first):
		return a + b
	}
	return a + " " + b
}

// Spaceless reports whether r belongs to a script that is written without spaces.
func Spaceless(r rune) bool {
	return unicode.In(r, unicode.Han, unicode.Hiragana, unicode.Katakana, unicode.Thai) || r >= 0x3000 && r <= 0x303F || r >= 0xFF00 && r <= 0xFFEF
}

const (
	// maxTags bounds the tags in one text: with more of them, a model loses the text among the tags.
	maxTags = 8
	// minTagged is the least number of letters and digits in a run with a tag.
	minTagged = 1
)

var (
	literalTag = regexp.MustCompile(`</?s\d`)
	styleTag   = regexp.MustCompile(`</?s\d+>`)
)

// WithoutTags returns a text without the tags of styles.
func WithoutTags(text string) string { return styleTag.ReplaceAllString(text, "") }

// tagged returns the text of a block with tags around the runs whose style differs from that of most of the text.
func tagged(b Block) string {
	usual := b.usualStyle()
	var out strings.Builder
	tags := 0
	for i, s := range b.Spans {
		if s.Start < 0 || s.End > len(b.Text) || s.Start > s.End {
			return b.Text
		}
		run := b.Text[s.Start:s.End]
		if !s.differs(usual) || !worthTag(run) {
			out.WriteString(run)
			continue
		}
		tags++
		inner := strings.TrimSpace(run)
		before, after, _ := strings.Cut(run, inner)
		fmt.Fprintf(&out, "%s<s%d>%s</s%d>%s", before, i, inner, i, after)
	}
	if tags == 0 || tags > maxTags || literalTag.MatchString(b.Text) || marker.ReplaceAllString(out.String(), "") == "" {
		return b.Text
	}
	return out.String()
}

func worthTag(run string) bool {
	letters := 0
	for _, r := range marker.ReplaceAllString(run, "") {
		if unicode.IsLetter(r) || unicode.IsDigit(r) {
			letters++
		}
	}
	return letters >= minTagged
}

// usualStyle is the style of most of the text of the block.
func (b Block) usualStyle() Style {
	lengths := map[Style]int{}
	var usual Style
	for _, s := range b.Spans {
		style := s.Style
		style.Size = 0 // sizes differ by rounding alone
		lengths[style] += s.End - s.Start
		if lengths[style] > lengths[usual] {
			usual = style
		}
	}
	return usual
}

// differs reports whether a reader sees the run as different from text of the usual style.
func (s Style) differs(usual Style) bool {
	return s.Bold != usual.Bold || s.Italic != usual.Italic || s.Fixed != usual.Fixed || s.Color != usual.Color || s.Link != usual.Link ||
		s.Rule != usual.Rule || s.Fill != usual.Fill || (s.Rise != 0) != (usual.Rise != 0)
}

// Split divides the translation of the passage among its blocks: in proportion to their source texts, at the end of a sentence or a word.
// The result has one text for each block.
func (p Passage) Split(translation string) []string {
	parts := make([]string, len(p.Blocks))
	left, total := strings.TrimSpace(translation), p.runes()
	for i, b := range p.Blocks {
		share := max(utf8.RuneCountInString(b.Text), 1)
		at := len(left)
		if i < len(p.Blocks)-1 {
			at = cutNear(left, share, total, 0, len(left))
		}
		parts[i] = strings.TrimSpace(left[:at])
		left, total = strings.TrimSpace(left[at:]), total-share
	}
	return parts
}

// runes is the length of the source text, in which a block without a text counts as one character.
func (p Passage) runes() (n int) {
	for _, b := range p.Blocks {
		n += max(utf8.RuneCountInString(b.Text), 1)
	}
	return n
}

// cutNear returns the offset of the boundary between words that is nearest to the fraction share/total of the text, among those from one
// offset to another; the length of the text if there is none. It does not divide a marker or a tag.
func cutNear(text string, share, total, from, to int) int {
	runes := utf8.RuneCountInString(text)
	want := runes * share / max(total, 1)
	best, distance := len(text), runes+1
	position := 0
	for _, b := range boundaries(text) {
		position += utf8.RuneCountInString(text[b.from:b.to])
		if far := abs(position - want); far < distance && b.to >= from && b.to <= to {
			best, distance = b.to, far
		}
	}
	return best
}

// stretch is a part of a text that is not divided.
type stretch struct{ from, to int }

// boundaries divides a text into words with the spaces after them, markers, and characters of scripts without spaces.
func boundaries(text string) []stretch {
	var list []stretch
	from, depth := 0, 0
	for at, r := range text {
		end := at + utf8.RuneLen(r)
		switch {
		case r == '{' || r == '<':
			depth++
		case (r == '}' || r == '>') && depth > 0:
			depth--
		}
		if depth == 0 && (unicode.IsSpace(r) || Spaceless(r)) {
			list = append(list, stretch{from, end})
			from = end
		}
	}
	if from < len(text) {
		list = append(list, stretch{from, len(text)})
	}
	return list
}

func abs(n int) int { return max(n, -n) }

// Tagged reports whether the text has tags.
func (p Passage) Tagged() bool { return len(p.Blocks) == 1 && p.Text != p.Blocks[0].Text }
