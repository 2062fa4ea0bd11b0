package letter

import (
	"math"
	"slices"
	"strings"
	"unicode"

	"plait/internal/comic"
	tags "plait/internal/translate/emphasis"
)

// sentence is a part of a text from its first rune to its end, exclusive, that ends with a mark of sentences or with the text.
type sentence struct{ from, end int }

const (
	sentenceMarks = ".!?…。！？‼⁇⁈⁉"
	closingMarks  = "\"'”’»」』)）"
)

// sentences divides a text after the marks that end sentences and follow a letter. A word of marks belongs to the sentence before it.
func sentences(text []rune) []sentence {
	var out []sentence
	from, said := 0, false
	for i := 0; i < len(text); i++ {
		said = said || comic.Lettered(text[i])
		if !said || !strings.ContainsRune(sentenceMarks, text[i]) {
			continue
		}
		end := i + 1
		for end < len(text) && (strings.ContainsRune(sentenceMarks+closingMarks, text[end]) || unicode.IsSpace(text[end])) {
			end++
		}
		spaced := unicode.IsSpace(text[end-1])
		if end < len(text) && !spaced && !comic.Unspaced(text[i]) && !comic.Unspaced(text[end]) {
			continue // such as the dot in an address
		}
		out = append(out, sentence{from, end})
		from, said, i = end, false, end-1
	}
	if from < len(text) {
		if said || len(out) == 0 {
			return append(out, sentence{from, len(text)})
		}
		out[len(out)-1].end = len(text)
	}
	return out
}

// sourceRunes returns the text of the lines of a region, and which of it is emphasized.
func sourceRunes(r comic.Region, lines []int) (text []rune, loud []bool) {
	for i := range r.Texts {
		text = []rune(comic.JoinTexts(r.Texts[:i+1]))
		loud = append(loud, slices.Repeat([]bool{slices.Contains(lines, i)}, len(text)-len(loud))...)
	}
	return text, loud
}

// emphasized says which runes of a translation are emphasized, given which lines of its source are: whole sentences by their number from the
// start or the end of the text, and the end of a sentence by its length. It returns nil if no place is certain.
func (t target) emphasized(r comic.Region, lines []int, text []rune) []bool {
	if len(lines) == 0 {
		return nil
	}
	source, loud := sourceRunes(r, lines)
	from, to := sentences(source), sentences(text)
	if len(from) == 0 || len(to) == 0 {
		return nil
	}
	out := make([]bool, len(text))
	mark := func(s sentence) {
		for i := s.from; i < s.end; i++ {
			out[i] = true
		}
	}
	last := len(from) - 1
	for i, s := range from {
		k := i
		if 2*i >= len(from) {
			k = len(to) - len(from) + i
		}
		if share, _ := loudEnd(source[s.from:s.end], loud[s.from:s.end]); share == 1 && k >= 0 && k < len(to) && len(to) > 1 {
			mark(to[k])
		}
	}
	ending := from[last].from
	if share, first := loudEnd(source[ending:], loud[ending:]); share > 0 && share <= mostEnd {
		begin := to[len(to)-1].from
		if len(from) != len(to) {
			begin = 0
			share, _ = loudEnd(source, loud)
		}
		if at := t.endAt(text[begin:], share, endsWith(source[:ending+first], endsPart)); at > 0 {
			mark(sentence{begin + at, len(text)})
		}
	}
	if !slices.Contains(out, true) {
		return nil
	}
	return out
}

// loudEnd returns the share of the letters at the end of a sentence that are emphasized, and their start; or 0 if others are too.
func loudEnd(text []rune, loud []bool) (share float64, from int) {
	before, after, all := 0, 0, 0
	for i, c := range text {
		switch {
		case !comic.Lettered(c):
			continue
		case loud[i]:
			if after++; after == 1 {
				from = i
			}
		case after > 0:
			return 0, 0
		default:
			before++
		}
		all++
	}
	return float64(after) / float64(max(all, 1)), from
}

const (
	// mostEnd is the greatest share of a sentence that is emphasized as its end.
	mostEnd = 0.6
	// sameShare is the greatest difference of that share between a translation and its source: ends of sentences correspond by length.
	sameShare = 0.18
	// endsPart are the marks at the end of a clause, or any comma.
	endsPart = endsClause + ","
)

// endAt returns where the end of a sentence begins that has a share of its letters: before a word or a phrase, after a mark if there is one
// and the end of the source begins after one. It returns 0 if no word or phrase begins near.
func (t target) endAt(text []rune, share float64, afterMark bool) int {
	var scores []float64
	if t.phrases != nil {
		scores = t.phrases.Scores(text)
	}
	total := comic.Letters(string(text))
	best, at, before := sameShare, 0, 0
	for i, c := range text {
		if before > 0 && comic.Lettered(c) && beginsWord(text, i, scores) {
			off := math.Abs(1 - float64(before)/float64(total) - share)
			if afterMark && off <= sameShare && endsWith(text[:i], endsPart) {
				off-- // before any other place
			}
			if off <= best {
				best, at = off, i
			}
		}
		if comic.Lettered(c) {
			before++
		}
	}
	return at
}

// beginsWord reports whether a word or a phrase begins at text[at]. The scores of the phrase model, or nil, miss some names in katakana.
func beginsWord(text []rune, at int, scores []float64) bool {
	if scores == nil || text[at-1] == ' ' {
		return text[at-1] == ' '
	}
	return comic.Katakana(text[at]) && unicode.Is(unicode.Hiragana, text[at-1]) || scores[at] > 0 && !inKatakana(text, at)
}

// tagged says which runes of a prepared text stand between tags in the text that it was prepared from: whole words, by the number of
// letters before them, because preparing a text changes marks and spaces. It returns nil without tags.
func tagged(text string, prepared []rune) []bool {
	plain, parts := tags.Split(text)
	in := tags.Runes(plain, parts)
	if in == nil {
		return nil
	}
	var letters []bool
	for i, r := range []rune(plain) {
		if comic.Lettered(r) {
			letters = append(letters, in[i])
		}
	}
	out, n := make([]bool, len(prepared)), 0
	for i, r := range prepared {
		switch {
		case comic.Lettered(r):
			out[i] = n < len(letters) && letters[n]
			n++
		case r != ' ': // a mark belongs to the word before it
			out[i] = i > 0 && out[i-1]
		}
	}
	if !slices.Contains(out, true) {
		return nil
	}
	for i := len(out) - 2; i >= 0; i-- {
		switch first := i == 0 || prepared[i-1] == ' '; {
		case comic.Lettered(prepared[i]) || !out[i+1]:
		case prepared[i] == ' ':
			out[i] = i > 0 && out[i-1]
		case first: // or to the word after it
			out[i] = true
		}
	}
	return out
}

// emphasized is how the emphasized part of a translation is set.
type emphasized struct {
	// faces are those of the emphasized part. It is scale times as large as the rest, and leans more by lean; see glyph.
	faces       fontChain
	scale, lean float64
}

// emphasize finds what is emphasized in the text of a job, and chooses its look: the heaviest font of its style.
func (t *typesetter) emphasize(f *fonts, j *job) (e emphasized, err error) {
	source, chosen := j.look.emphasis, j.region.Override.Style
	if j.style != Effect && !j.note && chosen.Bold == nil && chosen.Italic == nil {
		if j.loud = tagged(j.said, j.runes); j.loud == nil {
			j.loud = j.target.emphasized(j.region, source.lines, j.runes)
		}
	}
	if e.scale = max(source.scale, 1); j.loud == nil {
		return e, nil
	}
	style := j.style
	if isItalic(j.region, source.lean) {
		if f.faces[j.target.script][Italic] == nil {
			e.lean = obliqueLean
		} else {
			style = Italic
		}
	}
	weights := f.weights(j.target.script, style)
	e.faces, _, err = t.chain(f.chain(j.target.script, weights[len(weights)-1]), j.runes)
	e.faces = e.faces.forText(j.runes)
	return e, err
}

// shapeEmphasized shapes the text of a job with its emphasized part.
func (t *typesetter) shapeEmphasized(j *job, chain fontChain, e emphasized) (out []cluster) {
	columns := j.area.Frame.Columns
	if j.loud == nil {
		return t.shape(j.runes, j.target, chain, columns)
	}
	for from := 0; from < len(j.runes); {
		end, faces, scale, lean := from+1, chain, 1.0, 0.0
		for end < len(j.runes) && j.loud[end] == j.loud[from] {
			end++
		}
		if j.loud[from] {
			faces, scale, lean = e.faces, e.scale, e.lean
		}
		for _, c := range t.shape(j.runes[from:end], j.target, faces, columns) {
			c.start, c.end, c.advance = c.start+from, c.end+from, c.advance*scale
			for i := range c.glyphs {
				g := &c.glyphs[i]
				g.x, g.y, g.scale, g.lean = g.x*scale, g.y*scale, g.scale*scale, lean
			}
			out = append(out, c)
		}
		from = end
	}
	return out
}

// loudPitch is by how much the distance of lines grows with the scale of emphasized text.
const loudPitch = 0.6
