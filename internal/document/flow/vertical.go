package flow

import (
	"math"
	"slices"
	"unicode/utf8"

	"plait/internal/document"
)

const (
	// minVertical is the least number of characters of a vertical column, unless another one stands on its right, alignedColumn how far their
	// middles are apart, nearestBelow and furthestBelow the distance of two that follow each other, and furthestBeside that of two columns, in em.
	minVertical                 = 3
	alignedColumn               = 0.3
	nearestBelow, furthestBelow = 0.7, 1.6
	furthestBeside              = 3.5
)

// vertical finds the columns of upright characters that are read from top to bottom, as pages in Japanese and Chinese have them: characters
// that the page draws one below the other. Their lines are read as if they were turned clockwise, column by column from the right.
func (b *builder) vertical() {
	glyphs := b.page.Glyphs
	before := -1 // the first character of the column before, if that ends here
	for first := 0; first < len(glyphs); {
		end := first + 1
		for end < len(glyphs) && isBelow(glyphs[end-1], glyphs[end]) {
			end++
		}
		if end-first < minVertical && (before < 0 || !isBeside(glyphs[before], glyphs[first])) {
			before, first = -1, end
			continue
		}
		if b.upright == nil {
			b.page.Glyphs, b.upright = slices.Clone(glyphs), map[int]bool{}
		}
		for i := first; i < end; i++ {
			b.page.Glyphs[i], b.upright[i] = clockwise(glyphs[i]), true
		}
		before, first = first, end
	}
}

// clockwise is an upright character as if it were turned clockwise with its line.
func clockwise(g document.Glyph) document.Glyph {
	middle, top := (g.Box.X0+g.Box.X1)/2, g.Origin.Y+document.UprightAscent*g.Size
	g.Direction, g.Advance = 270, g.Size
	g.Origin = document.Point{X: middle - (document.UprightAscent-0.5)*g.Size, Y: top}
	g.Box = document.Box{X0: middle - g.Size/2, X1: middle + g.Size/2, Y0: top - g.Size, Y1: top}
	return g
}

// isBelow reports whether a character stands right below the one before it.
func isBelow(above, g document.Glyph) bool {
	em, aside, down := g.Size, toTheLeft(above, g), above.Origin.Y-g.Origin.Y
	return alike(above, g) && math.Abs(aside) < alignedColumn*em && down > nearestBelow*em && down < furthestBelow*em
}

// isBeside reports whether a character begins the column on the left of the one that begins with another.
func isBeside(begin, g document.Glyph) bool {
	em, aside := g.Size, toTheLeft(begin, g)
	return alike(begin, g) && aside > em && aside < furthestBeside*em && math.Abs(begin.Origin.Y-g.Origin.Y) < furthestBelow*em
}

// toTheLeft is how far the middle of a character is on the left of that of another one.
func toTheLeft(of, g document.Glyph) float64 {
	return (of.Box.X0 + of.Box.X1 - g.Box.X0 - g.Box.X1) / 2
}

// alike reports whether both are upright characters of these scripts, of one size.
func alike(a, b document.Glyph) bool {
	for _, c := range []document.Glyph{a, b} {
		if r, _ := utf8.DecodeRuneInString(c.Text); c.Hidden || c.Direction != 0 || !document.Spaceless(r) {
			return false
		}
	}
	return near(a.Size, b.Size, 0.05*b.Size)
}
