package script

import (
	"cmp"
	"path"
	"slices"
	"strings"
	"unicode"

	"github.com/agnivade/levenshtein"
	"golang.org/x/text/cases"
	"golang.org/x/text/unicode/norm"

	"plait/internal/translate/emphasis"
)

const (
	// minSimilarity is the least similarity of two readings of one text: recognition may get two of five characters wrong (handwritten
	// asides), and different bubbles have far less in common.
	minSimilarity = 0.6
	// maxComparedRunes bounds a comparison, because its time is quadratic.
	maxComparedRunes = 128
)

// Find returns the part of the script for a page: by its whole name, else by its file name, else without regard to case, else without the
// extension. A name that matches several pages of the script matches none.
func (f *File) Find(page string) (*Page, bool) {
	fold := cases.Fold()
	for _, form := range []func(string) string{
		func(name string) string { return name },
		baseName,
		func(name string) string { return fold.String(baseName(name)) },
		func(name string) string {
			base := fold.String(baseName(name))
			return strings.TrimSuffix(base, path.Ext(base))
		},
	} {
		var found []*Page
		for i := range f.Pages {
			if form(f.Pages[i].Page) == form(page) {
				found = append(found, &f.Pages[i])
			}
		}
		if len(found) == 1 {
			return found[0], true
		}
	}
	return nil, false
}

func baseName(name string) string { return path.Base(strings.ReplaceAll(name, `\`, "/")) }

// Reading is a region as recognition has read it now.
type Reading struct {
	Index int
	Text  string
}

// Match finds for each reading the index of its region in p.Regions, or -1, and uses each index once: first where number and source agree,
// then the most similar pairs first. A script region without a source is matched by its number alone.
func (p *Page) Match(readings []Reading) []int {
	places := make([]int, len(readings))
	taken := make([]bool, len(p.Regions))
	texts := make([][]rune, len(p.Regions))
	for i, r := range p.Regions {
		texts[i] = compared(r.Source)
	}
	type pair struct {
		reading, place int
		similarity     float64
	}
	var pairs []pair
	for i, reading := range readings {
		places[i] = -1
		text := compared(reading.Text)
		for place, r := range p.Regions {
			same := r.Region != nil && *r.Region == reading.Index
			s := similarity(text, texts[place])
			if same && (r.Source == "" || s >= minSimilarity) {
				places[i], taken[place] = place, true
			}
			if r.Source != "" && s >= minSimilarity {
				pairs = append(pairs, pair{i, place, s})
			}
		}
	}
	slices.SortStableFunc(pairs, func(a, b pair) int { return cmp.Compare(b.similarity, a.similarity) })
	for _, m := range pairs {
		if places[m.reading] < 0 && !taken[m.place] {
			places[m.reading], taken[m.place] = m.place, true
		}
	}
	return places
}

// Normalize returns the form in which two readings of a text are compared: NFKC, case folded, without tags of emphasis, spaces, punctuation
// and symbols; a text that consists only of these loses just its tags and spaces.
func Normalize(text string) string {
	text = cases.Fold().String(norm.NFKC.String(emphasis.Plain(text)))
	if letters := strings.Map(onlyLetters, text); letters != "" {
		return letters
	}
	return strings.Map(noSpaces, text)
}

func onlyLetters(r rune) rune {
	if unicode.IsSpace(r) || unicode.IsControl(r) || unicode.IsPunct(r) || unicode.IsSymbol(r) {
		return -1
	}
	return r
}

func noSpaces(r rune) rune {
	if unicode.IsSpace(r) {
		return -1
	}
	return r
}

func compared(text string) []rune {
	runes := []rune(Normalize(text))
	return runes[:min(len(runes), maxComparedRunes)]
}

// similarity is 1 - distance/length of the longer, 0..1, with the Levenshtein distance; 0 where one is empty.
func similarity(a, b []rune) float64 {
	longer, shorter := max(len(a), len(b)), min(len(a), len(b))
	if shorter == 0 || float64(shorter) < minSimilarity*float64(longer) {
		return 0 // the distance is at least the difference of the lengths
	}
	return 1 - float64(levenshtein.ComputeDistance(string(a), string(b)))/float64(longer)
}
