package typeset

import (
	"slices"

	"github.com/go-text/typesetting/di"
	"github.com/go-text/typesetting/language"
	"github.com/go-text/typesetting/shaping"
	"golang.org/x/image/math/fixed"

	"plait/internal/document"
)

// unit is the size at which text is shaped: the result is scaled. There is no hinting, so one shaping is valid for all sizes.
const unit = 1024

// setter sets texts in one language. It is not safe for concurrent use, because faces have caches.
type setter struct {
	faces  *Faces
	lang   string
	chains map[styleKey]*chain
	shaper shaping.HarfbuzzShaper
	split  shaping.Segmenter
	wrap   shaping.LineWrapper
}

func newSetter(faces *Faces, lang string) *setter {
	return &setter{faces: faces, lang: lang, chains: map[styleKey]*chain{}}
}

// direction is that of paragraphs in the language.
func (s *setter) direction() di.Direction {
	if rightToLeft(s.lang) {
		return di.DirectionRTL
	}
	return di.DirectionLTR
}

// shape shapes a text, run by run. missing are the characters that no face has. Formulas have the advance of their source, relative to the
// size of the block.
func (s *setter) shape(t text, block document.Block) (runs []shaping.Output, missing []rune) {
	for start := 0; start < len(t.runes); {
		end := start + 1
		if n, isFormula := t.formulas[start]; isFormula {
			runs = append(runs, formulaRun(start, block.Formulas[n], block.Size, s.direction()))
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

// formulaRun is the run of a formula: one glyph with its advance.
func formulaRun(at int, f document.Formula, size float64, direction di.Direction) shaping.Output {
	advance := fixed.Int26_6(f.Advance / max(size, 1) * unit * 64)
	g := shaping.Glyph{Advance: advance, Width: advance}
	out := shaping.Output{
		Advance: advance, Size: fixed.I(unit), Glyphs: []shaping.Glyph{g}, Direction: direction, Runes: shaping.Range{Offset: at, Count: 1},
	}
	out.Glyphs[0].ClusterIndex, out.Glyphs[0].RuneCount, out.Glyphs[0].GlyphCount = at, 1, 1 //nolint:staticcheck // no other way to set them
	out.Glyphs[0].XAdvance = advance                                                         //nolint:staticcheck // as above
	return out
}

// lines breaks shaped runs into lines. width is that of the line of the number, in units of the size of the block. A word that is longer than
// its line is divided, unless words stay whole.
func (s *setter) lines(t text, runs []shaping.Output, whole bool, width func(line int) float64) []shaping.Line {
	policy := shaping.WhenNecessary
	if whole {
		policy = shaping.Never
	}
	// The wrapper sets the advance of the space at the end of a line to zero, in the runs it is given.
	fresh := make([]shaping.Output, len(runs))
	for i, r := range runs {
		fresh[i] = r
		fresh[i].Glyphs = slices.Clone(r.Glyphs)
	}
	s.wrap.Prepare(shaping.WrapConfig{Direction: s.direction(), BreakPolicy: policy}, t.runes, shaping.NewSliceIterator(fresh))
	var lines []shaping.Line
	for done := false; !done && len(lines) < maxLines; {
		var line shaping.WrappedLine
		line, done = s.wrap.WrapNextLineF(fixed.Int26_6(max(width(len(lines)), 0.5) * unit * 64))
		if len(line.Line) > 0 {
			lines = append(lines, append(shaping.Line{}, line.Line...))
		}
	}
	return lines
}

// maxLines bounds the lines of one text.
const maxLines = 2000

// rightToLeft reports whether a language is written from right to left.
func rightToLeft(lang string) bool {
	for _, prefix := range []string{"ar", "he", "fa", "ur", "yi", "ps", "sd"} {
		if lang == prefix || len(lang) > 2 && lang[:3] == prefix+"-" {
			return true
		}
	}
	return false
}
