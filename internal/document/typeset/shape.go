package typeset

import (
	"github.com/go-text/typesetting/di"
	"github.com/go-text/typesetting/language"
	"github.com/go-text/typesetting/shaping"
	"golang.org/x/image/math/fixed"

	"plait/internal/document"
	"plait/internal/hyphen"
)

// unit is the size at which text is shaped: the result is scaled. There is no hinting, so one shaping is valid for all sizes.
const unit = 1024

// setter sets texts in one language. It is not safe for concurrent use, because faces have caches.
type setter struct {
	faces  *Faces
	lang   string
	words  *hyphen.Patterns // nil for a language without patterns
	chains map[styleKey]*chain
	shaper shaping.HarfbuzzShaper
	split  shaping.Segmenter
	wrap   shaping.LineWrapper
}

func newSetter(faces *Faces, lang string) *setter {
	return &setter{faces: faces, lang: lang, words: faces.patterns(lang), chains: map[styleKey]*chain{}}
}

// direction is that of paragraphs in the language.
func (s *setter) direction() di.Direction {
	if RightToLeft(s.lang) {
		return di.DirectionRTL
	}
	return di.DirectionLTR
}

// shape shapes a text, run by run. missing are the characters that no face has.
func (s *setter) shape(t text, block document.Block) (runs []shaping.Output, missing []rune) {
	for start := 0; start < len(t.runes); {
		end := start + 1
		if _, isFormula := t.formulas[start]; isFormula {
			runs = append(runs, formulaRun(start, s.direction()))
			start = end
			continue
		}
		for end < len(t.runes) && t.styles[end] == t.styles[start] {
			if _, isFormula := t.formulas[end]; isFormula {
				break
			}
			end++
		}
		c := s.chain(t.styles[start])
		c.last, c.missing = nil, nil
		input := shaping.Input{
			Text: t.runes, RunStart: start, RunEnd: end, Direction: s.direction(), Language: language.NewLanguage(s.lang),
			Size: fixed.Int26_6(unit * 64 * relative(t.styles[start], block)),
		}
		for _, run := range s.split.Split(input, c) {
			runs = append(runs, s.shaper.Shape(run))
		}
		missing = append(missing, c.missing...)
		start = end
	}
	return runs, missing
}

// relative is the size of a style relative to that of the block: smaller for sub- and superscripts alone.
func relative(style document.Style, block document.Block) float64 {
	if style.Rise == 0 || block.Size <= 0 {
		return 1
	}
	return min(max(style.Size/block.Size, 0.5), 1)
}

// formulaRun is the run of a formula: one glyph, which has its advance when lines are broken.
func formulaRun(at int, direction di.Direction) shaping.Output {
	out := shaping.Output{
		Size: fixed.I(unit), Glyphs: []shaping.Glyph{{}}, Direction: direction, Runes: shaping.Range{Offset: at, Count: 1},
	}
	out.Glyphs[0].ClusterIndex, out.Glyphs[0].RuneCount, out.Glyphs[0].GlyphCount = at, 1, 1 //nolint:staticcheck // no other way to set them
	return out
}

// RightToLeft reports whether a language is written from right to left.
func RightToLeft(lang string) bool {
	for _, prefix := range []string{"ar", "he", "fa", "ur", "yi", "ps", "sd"} {
		if lang == prefix || len(lang) > 2 && lang[:3] == prefix+"-" {
			return true
		}
	}
	return false
}
