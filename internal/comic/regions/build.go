// Package regions groups lines of text into the regions of a page, and measures each region.
//
// # Grouping
//
// Two lines may belong together when they have the same direction, sizes within a factor of 2 (less outside of bubbles), angles within 15
// degrees, and a gap of at most about one size between them. Two lines are separated when the colors around them differ. The remaining pairs
// form minimum spanning trees over the page; an edge far longer than is usual on the page is removed. Each tree that remains is a region.
//
// Bubbles that merge are separated by their lines: the lines of each bubble are centered on their own middle.
//
// # Measuring
//
// The direction is that of most characters. The color around the glyphs is the most frequent one inside the lines; the color of the
// glyphs is the most frequent one that is distinct from it. A region is dialogue when it stands in a flat area, and free
// otherwise. Free lettering that is large or slanted is a sound effect when it spells a sound, or when its reading is uncertain; in the
// second case the region is marked unread and has no text. Page numbers in the margins, and credits and web
// addresses in small print, are furniture.
//
// Furigana, small kana above a line with kanji or to the right of such a column, is stored apart from the text of its region. Lines
// without a letter or a digit, and lines read with too little certainty, belong to no region.
package regions

import (
	"image"
	"math"
	"slices"
	"strings"
	"unicode/utf8"

	"plait/internal/comic"
	"plait/internal/languages"
	"plait/internal/raster"
)

// levelAngle is the rotation in degrees up to which lines count as level: smaller angles are noise of the detector.
const levelAngle = 2

// build makes one region from lines that belong together.
func (p Page) build(lines []Line) comic.Region {
	f := frameOf(lines)
	lines = readingOrder(lines, f)
	r := comic.Region{
		Direction: comic.Horizontal, Alignment: alignment(lines, f), SourceLang: p.Language,
		LineSpacing: 1, StrokeWidth: 0.2, StrokeColorType: "bg", AdjustBGColor: true, // as the field's projects fill the record
		FontSize: math.Inf(1), Unread: !slices.ContainsFunc(lines, func(l Line) bool { return !l.Unread }),
	}
	if f.vertical {
		r.Direction = comic.Vertical
	}
	if degrees := f.angle * 180 / math.Pi; math.Abs(degrees) > levelAngle {
		r.Angle = degrees
	}
	characters := 0
	for _, l := range lines {
		n := l.characters()
		characters += n
		r.Prob += l.Prob * float64(n)
		r.FontSize = min(r.FontSize, l.size())
		r.Lines = append(r.Lines, l.Quad.Inset(l.Slack))
		r.Texts = append(r.Texts, l.Text)
		r.Ruby = append(r.Ruby, l.ruby...)
	}
	r.Prob /= float64(characters)
	if !r.Unread {
		r.Text = comic.JoinTexts(r.Texts)
	}
	r.BG, r.FG = colors(p.Image, lines)
	r.Kind = comic.KindFree
	if slices.ContainsFunc(lines, func(l Line) bool { return l.Bubble != 0 }) || inBubble(p.Image, r) {
		r.Kind = comic.KindDialogue
	}
	return r
}

// isSaid reports whether a region is text, and not art mistaken for text, which is read as a single character or as marks. Both are text
// if they were read with confidence, and a single character, which a stroke of a drawing resembles, only in a bubble, and there no single
// letter among Chinese or Japanese characters.
func isSaid(r comic.Region) bool {
	if r.Unread {
		return true
	}
	letters, sure := comic.Letters(r.Text), r.Prob >= comic.SureReading
	if utf8.RuneCountInString(r.Text) > 1 {
		return sure || letters > 0
	}
	foreign := letters > 0 && languages.IsCJK(r.SourceLang) && !strings.ContainsFunc(r.Text, comic.Unspaced)
	return sure && r.Kind == comic.KindDialogue && !foreign
}

// colors are the two colors inside lines: that around the glyphs, and that of the glyphs.
func colors(img *image.NRGBA, lines []Line) (around, glyphs raster.RGB) {
	var h raster.Histogram
	for _, l := range lines {
		h.AddAll(l.Quad.Colors(img))
	}
	around, found := h.Mode()
	if !found {
		return raster.White, raster.Black
	}
	// The edges of glyphs blend both colors, so the color of the glyphs is the fullest bin far from the color around. A bin of a few pixels
	// is noise.
	glyphs, found = h.ModeBeyond(around, max(0.6*h.Farthest(around, 0.002), 1))
	if !found {
		glyphs = raster.Opposite(around)
	}
	return around, glyphs
}
