// Package regions groups lines of text into the regions of a page, and measures each region.
//
// # Grouping
//
// Two lines may belong together when they have the same direction, sizes within a factor of 2, angles within 15 degrees, and a gap of at
// most about one size between them. Two lines are separated when the flat colors around them differ. The remaining pairs form minimum
// spanning trees over the page; an edge far longer than is usual on the page is removed. Each tree that remains is a region.
//
// Bubbles that merge are separated by their lines: the lines of each bubble are centered on their own middle.
//
// # Measuring
//
// The direction is that of most characters. The color around the glyphs is the most frequent one inside the lines; the color of the
// glyphs is the most frequent one that is distinct from it. A region is dialogue when it stands in a bounded flat area, and free
// otherwise. Free lettering that is large or slanted is a sound effect when it spells a sound, or when its reading is uncertain; in the
// second case the region is marked unread and has no text. Page numbers and credits in the margins, and web addresses on a line of their
// own, are furniture.
//
// Furigana, small kana above a line with kanji or to the right of such a column, is stored apart from the text of its region. Lines
// without a letter or a digit, and lines read with too little certainty, belong to no region.
package regions

import (
	"math"
	"slices"
	"strings"
	"unicode"

	"plait/internal/comic"
	"plait/internal/languages"
)

const (
	// sureProb is the least confidence of a region with a single letter, or with marks only, that is text.
	sureProb = 0.9
	// loneProb is the least confidence of a single Chinese or Japanese character over art that is text: strokes of a drawing were read as
	// 一 with 0.6. fewProb is the same for two letters of other scripts; art was read as such with 0.72.
	loneProb, fewProb = 0.75, 0.85
	// levelAngle is the rotation in degrees up to which lines count as level: smaller angles are noise of the detector.
	levelAngle = 2
	// The rest of the region record, as the field's projects fill it.
	lineSpacing     = 1
	strokeWidth     = 0.2
	strokeColorType = "bg"
)

// build makes one region from lines that belong together.
func (b builder) build(lines []Line) comic.Region {
	vertical := mostlyVertical(lines)
	angle := meanAngle(lines, vertical)
	f := newFrame(angle, vertical)
	lines = readingOrder(lines, f)
	r := comic.Region{
		Direction: comic.Horizontal, Alignment: alignment(lines, f), SourceLang: b.language,
		LineSpacing: lineSpacing, StrokeWidth: strokeWidth, StrokeColorType: strokeColorType, AdjustBGColor: true,
		FontSize: math.Inf(1), Unread: !slices.ContainsFunc(lines, func(l Line) bool { return !l.Unread }),
	}
	if vertical {
		r.Direction = comic.Vertical
	}
	if degrees := angle * 180 / math.Pi; math.Abs(degrees) > levelAngle {
		r.Angle = degrees
	}
	characters := 0
	for _, l := range lines {
		n := l.characters()
		characters += n
		r.Prob += l.Prob * float64(n)
		r.FontSize = min(r.FontSize, l.size())
		r.Lines = append(r.Lines, l.Quad)
		r.Texts = append(r.Texts, l.Text)
	}
	r.Prob /= float64(characters)
	if !r.Unread {
		r.Text = comic.JoinTexts(r.Texts)
	}
	colors := measure(b.img, lines)
	r.FG, r.BG = colors.glyphs, colors.around
	r.Kind = comic.KindFree
	if slices.ContainsFunc(lines, func(l Line) bool { return l.Bubble != 0 }) || b.inBubble(r) {
		r.Kind = comic.KindDialogue
	}
	return r
}

// isSaid reports whether a region is text, and not art mistaken for text. It is text if it has letters or digits, unless they are just one
// or two that were read with doubt. A single Chinese or Japanese character is a word, but a lone letter among them is a stroke of the
// drawing. Marks without letters may also be text; see isExclaimed.
func isSaid(r comic.Region) bool {
	if r.Unread {
		return true
	}
	words, least, letter := 0, 2, false
	for _, c := range r.Text {
		if unicode.IsLetter(c) || unicode.IsDigit(c) {
			words++
			letter = unicode.IsLetter(c)
			if comic.Unspaced(c) && (r.Kind == comic.KindDialogue || r.Prob >= loneProb) {
				least = 1
			}
		}
	}
	if words == 2 && least == 2 && r.Kind == comic.KindFree && r.Prob < fewProb {
		return false
	}
	lone := letter && languages.IsCJK(r.SourceLang)
	return words >= least || words == 1 && r.Prob >= sureProb && !lone || words == 0 && r.Prob >= sureProb && isExclaimed(r)
}

// isExclaimed reports whether a region without words says something by its marks: an exclamation, a question or a silence in a bubble.
// Over art it takes at least two exclamation or question marks, which strokes of a drawing rarely resemble.
func isExclaimed(r comic.Region) bool {
	cries := strings.Map(func(c rune) rune {
		if strings.ContainsRune("!?！？‼⁇⁈⁉", c) {
			return c
		}
		return -1
	}, r.Text)
	if r.Kind != comic.KindDialogue {
		return len([]rune(cries)) >= 2
	}
	return cries != "" || strings.ContainsAny(r.Text, "…⋯") || strings.Contains(r.Text, "...") || strings.Contains(r.Text, "・・・")
}
