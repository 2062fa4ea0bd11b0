package typeset

import (
	"strings"
	"unicode"

	"plait/internal/document"
)

// toCorner is how far a comma or a full stop of a vertical column moves to the upper right of its square, in em.
const toCorner = 0.6

// direction is that in which a character of the text is drawn: in a vertical column, characters of these scripts are upright, and Latin words,
// brackets and dashes are turned with the line.
func (l *layout) direction(r rune) document.Direction {
	upright := unicode.In(r, unicode.Han, unicode.Hiragana, unicode.Katakana, unicode.Hangul) || strings.ContainsRune("、。，．！？", r)
	if l.block.Vertical && upright && r != 'ー' {
		return 0
	}
	return l.block.Direction
}

// stand places the glyphs of a character upright. Vertical columns are set as lines that are turned clockwise, so that their characters stand
// around the middle of the line.
func stand(glyphs []document.PlacedGlyph, r rune, size float64) {
	for i := range glyphs {
		g := &glyphs[i]
		g.Origin.X += (document.UprightAscent-0.5)*size - g.Advance/2
		g.Origin.Y -= document.UprightAscent * size
		if strings.ContainsRune("、。，．", r) {
			g.Origin.X, g.Origin.Y = g.Origin.X+toCorner*size, g.Origin.Y+toCorner*size
		}
	}
}

// appendRun adds a run with glyphs.
func appendRun(runs []document.Run, r document.Run) []document.Run {
	if len(r.Glyphs) == 0 {
		return runs
	}
	return append(runs, r)
}
