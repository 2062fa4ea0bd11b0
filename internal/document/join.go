package document

import (
	"regexp"
	"slices"
	"strings"
	"unicode"
	"unicode/utf8"
)

// Join is a paragraph that begins as the last text of a page and ends as the first text of the next page. A translator gets it as one text.
type Join struct {
	// Before is the part on the page on which the paragraph begins, and After the part on the next page. Their formulas and markers are
	// numbered by themselves.
	Before, After Passage
	// Whole is both parts. The markers of After are numbered on.
	Whole Passage
}

// JoinPages returns the paragraph that runs from a page to the next one, whose blocks these are; false when there is none.
func JoinPages(page, next []Block) (j Join, ok bool) {
	if j.Before, ok = lastText(page); !ok {
		return j, false
	}
	if j.After, ok = firstText(next); !ok || !Continues(j.Before.Blocks[len(j.Before.Blocks)-1], j.After.Blocks[0]) {
		return j, false
	}
	j.Whole = j.Before
	j.Whole.Blocks = slices.Clone(j.Before.Blocks)
	for _, b := range j.After.Blocks {
		j.Whole.add(b)
	}
	return j, true
}

// RunsOn reports whether the last paragraph of a page may continue on the next page.
func RunsOn(page []Block) bool {
	last, ok := lastText(page)
	return ok && last.Blocks[len(last.Blocks)-1].open()
}

// RunsIn reports whether the first paragraph of a page may begin on the page before.
func RunsIn(page []Block) bool {
	first, ok := firstText(page)
	return ok && first.Blocks[0].resumes()
}

const (
	// footnoteRatio is the size of a text relative to that of the running text, below which it is a footnote or a running head: those of LaTeX
	// have 0.8 to 0.83, and two sorts of text on one page, such as 8 and 9 points, more.
	footnoteRatio = 0.85
	// bodyShare is the least share of the text of a page that is its running text, however many footnotes it has.
	bodyShare = 0.25
)

// lastText returns the text that may continue on the next page: the last paragraph of the running text, above footnotes. A heading below it
// ends it.
func lastText(page []Block) (p Passage, ok bool) {
	list := Passages(page)
	least := footnoteRatio * bodySize(list)
	for _, p := range slices.Backward(list) {
		switch last := p.Blocks[len(p.Blocks)-1]; {
		case last.Class == ClassTitle:
			return p, false
		case last.Flows() && last.Size >= least:
			return p, true
		}
	}
	return p, false
}

// firstText returns the text that may begin on the page before: the first paragraph of the running text. A page that has no other one has
// none, so that no paragraph runs over more than two pages. Neither has a page on which a heading is above it.
func firstText(page []Block) (p Passage, ok bool) {
	list := Passages(page)
	least := footnoteRatio * bodySize(list)
	for _, p := range list {
		switch first := p.Blocks[0]; {
		case first.Class == ClassTitle:
			return p, false
		case first.Flows() && first.Size >= least:
			last, ok := lastText(page)
			return p, !ok || last.Blocks[0].Index != first.Index
		}
	}
	return p, false
}

// bodySize is the size of the running text: the largest that a share of the text has.
func bodySize(list []Passage) (size float64) {
	lengths, total := map[float64]int{}, 0
	for _, p := range list {
		for _, b := range p.Blocks {
			if b.Flows() {
				lengths[b.Size] += len(b.Text)
				total += len(b.Text)
			}
		}
	}
	for s, length := range lengths {
		if float64(length) >= bodyShare*float64(total) {
			size = max(size, s)
		}
	}
	return size
}

// Split divides the translation of the paragraph among the blocks of both pages, as [Passage.Split] does. The markers of each part are
// numbered as in its source. It reports false when no cut keeps every formula on its page and leaves words on
// both.
func (j Join) Split(translation string) (before, after []string, ok bool) {
	first, last := 0, len(translation)
	for _, m := range marker.FindAllStringSubmatchIndex(translation, -1) {
		if markerNumber(translation[m[2]:m[3]]) < len(j.Before.Formulas) {
			first = m[1]
		} else if m[0] < last {
			last = m[0]
		}
	}
	if first > last {
		return nil, nil, false
	}
	share, total := j.Before.runes(), j.Before.runes()+j.After.runes()
	at := cutNear(translation, share, total, first, last)
	if at < first || at > last || strings.TrimSpace(translation[:at]) == "" || strings.TrimSpace(translation[at:]) == "" {
		return nil, nil, false
	}
	return j.Before.Split(translation[:at]), j.After.Split(renumber(translation[at:], -len(j.Before.Formulas))), true
}

// Continues reports whether a block goes on with the text of another one, as far as the texts tell: that one is running text and ends in the
// middle of a sentence, and the block begins without an indent and as a sentence does not: in lower case, or in a script without cases.
func Continues(before, next Block) bool {
	return before.open() && next.resumes() && before.Size <= next.Size*sameSize && next.Size <= before.Size*sameSize &&
		before.Direction == next.Direction && (!begins(next.Text, hasNoCase) || strings.ContainsFunc(before.Text, hasNoCase))
}

// open reports whether a block is running text that ends in the middle of a sentence.
func (b Block) open() bool {
	last, _ := utf8.DecodeLastRuneInString(b.Text)
	return b.Flows() && b.Lines > 1 && (!EndsSentence(b.Text) || IsHyphen(last))
}

// Indented is the least indent of the first line of a paragraph, in em.
const Indented = 0.7

// itemMarker is the marker of an item of a list, or of a chapter, that begins in lower case or in a script without cases: a Latin letter or
// number, a Chinese number, a Korean syllable or an Arabic, Hebrew or Devanagari letter.
var itemMarker = regexp.MustCompile(`^(([a-z]|[ivx]{1,5})[.)]\s|[一二三四五六七八九十百]+[、.．)）]|第[一二三四五六七八九十百千0-9]+[章節节条條款編编部回]|` +
	`[가나다라마바사아자차카타파하][.)]|[\p{Arabic}\p{Hebrew}\p{Devanagari}]([.)]|\s*[-–]\s))`)

// caseless are scripts without cases that mark the end of a sentence, as Thai does not.
var caseless = []*unicode.RangeTable{
	unicode.Han, unicode.Hiragana, unicode.Katakana, unicode.Hangul, unicode.Arabic, unicode.Hebrew, unicode.Devanagari,
}

// resumes reports whether a block is running text that begins in the middle of a sentence, as far as its beginning tells.
func (b Block) resumes() bool {
	return b.Flows() && b.Indent < Indented*b.Size && (begins(b.Text, unicode.IsLower) || begins(b.Text, hasNoCase)) && !itemMarker.MatchString(b.Text)
}

// hasNoCase reports whether a character is a letter of a script without cases.
func hasNoCase(r rune) bool { return unicode.IsLetter(r) && unicode.In(r, caseless...) }

// begins reports whether the first character of a text is of a kind.
func begins(text string, is func(rune) bool) bool {
	first, _ := utf8.DecodeRuneInString(text)
	return is(first)
}

// Flows reports whether a block is a part of the running text, which goes from column to column and from page to page.
func (b Block) Flows() bool {
	return b.Cell == nil && b.Untranslated == "" && (b.Class == ClassText || b.Class == ClassReference)
}

// EndsSentence reports whether a text ends with the punctuation of a sentence, or of a heading or an item.
func EndsSentence(text string) bool {
	last, _ := utf8.DecodeLastRuneInString(text)
	switch last {
	case '.', '!', '?', ':', ';', '。', '！', '？', '：', '；', '…':
		return true
	case ')', '"', '\'', '”', '’', '»', '」', ']':
		return true
	}
	return !unicode.In(last, unicode.Letter, unicode.Mark, unicode.Digit) && !strings.ContainsRune(",，、،-", last)
}

// IsHyphen reports whether r divides a word at the end of a line.
func IsHyphen(r rune) bool { return r == '-' || r == '\u2010' || r == '\u00ad' }
