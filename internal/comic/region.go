package comic

import (
	"math"
	"slices"
	"strings"
	"unicode/utf8"

	"plait/internal/raster"
	"plait/internal/translate/emphasis"
)

// Direction is the direction in which the lines of a region run.
type Direction string

// The directions.
const (
	Horizontal Direction = "h"
	Vertical   Direction = "v"
)

// Alignment is how the lines of a region are aligned to each other.
type Alignment string

// The alignments.
const (
	AlignLeft   Alignment = "left"
	AlignCenter Alignment = "center"
	AlignRight  Alignment = "right"
)

// RegionKind says what a region is on the page.
type RegionKind string

// The kinds of regions: text inside a bubble or caption, text over art or paper, drawn sound effects, and text that belongs to the page
// rather than to the story (page numbers, credits, watermarks).
const (
	KindDialogue  RegionKind = "dialogue"
	KindFree      RegionKind = "free"
	KindEffect    RegionKind = "sfx"
	KindFurniture RegionKind = "furniture"
)

// RegionKinds is a set of kinds.
type RegionKinds []RegionKind

// Have reports whether the kind of the region is in the set.
func (k RegionKinds) Have(r Region) bool { return slices.Contains(k, r.Kind) }

// Region is one block of text on a page. Its JSON form is the region record that detect passes to translate.
type Region struct {
	// Index is the position in reading order, 0..n-1, without gaps.
	Index int `json:"region_index"`
	// Lines are the outlines of the lines in reading order. Texts are their texts, in the same order.
	Lines []raster.Quad `json:"lines"`
	Texts []string      `json:"texts"`
	// Ruby are the outlines of the furigana of the lines: small kana that give a reading. They are not part of the text.
	Ruby []raster.Quad `json:"ruby,omitempty"`
	// Emphasized are the indices of the lines that are lettered louder than the others, in ascending order.
	Emphasized []int `json:"emphasized,omitempty"`
	// Text is the whole text. Lines are joined by a space, or directly where either side is Chinese or Japanese.
	Text string     `json:"text"`
	Kind RegionKind `json:"kind,omitempty"`
	// Unread says that no line was read with confidence: Text is empty, and Texts hold guesses at most.
	Unread bool `json:"unread,omitempty"`
	// Angle is the rotation of the lines in degrees, clockwise positive; 0 is upright. It lies in -45..45, or near -90 or 90 for rows set
	// sideways.
	Angle float64 `json:"angle"`
	// FontSize is the height of the text in pixels: the smallest height of a line (width, for vertical text).
	FontSize float64 `json:"font_size"`
	// FG and BG are the colors of the glyphs and of what surrounds them.
	FG raster.RGB `json:"fg_colors"`
	BG raster.RGB `json:"bg_colors"`

	Direction  Direction `json:"direction"`
	Alignment  Alignment `json:"alignment"`
	SourceLang string    `json:"source_lang"`
	TargetLang string    `json:"target_lang"`

	// LineSpacing is the distance of baselines in units of the measured line pitch; 1 keeps the spacing of the source.
	LineSpacing float64 `json:"line_spacing"`
	// StrokeWidth is the width of the outline of the lettering in units of the font size.
	StrokeWidth     float64 `json:"stroke_width"`
	StrokeColorType string  `json:"stroke_color_type"`
	AdjustBGColor   bool    `json:"adjust_bg_color"`
	// Prob is the mean confidence of the reading, 0..1.
	Prob float64 `json:"prob"`

	// Override is what a person chose for the region, whose Kind is that choice already.
	Override Override `json:"override,omitzero"`
	// Reading is the state of a region that a person drew; empty for one that detect found.
	Reading Reading `json:"reading,omitempty"`
}

// Reading is how far the reading of a region that a person drew has come.
type Reading string

// The states of a reading: the text is being read, a model is being asked for its translation, and neither.
const (
	ReadingRunning     Reading = "running"
	ReadingTranslating Reading = "translating"
	ReadingDone        Reading = "done"
)

// Absent reports whether the region is not on the page: another one has its text, or a person drew it and took that back.
func (r Region) Absent() bool {
	return r.Override.JoinedInto != nil || r.Reading != "" && r.Override.Deleted
}

// slantedAngle is the least rotation of slanted lettering, in degrees: a smaller one may be that of a page that was scanned askew.
const slantedAngle = 8

// Slanted reports whether the region is lettered at an angle on purpose.
func (r Region) Slanted() bool { return math.Abs(r.Angle) >= slantedAngle }

// mostDrawn is the length in characters up to which free text is a sound or a label. Longer text is read like dialogue.
const mostDrawn = 24

// Drawn reports whether the region is a sound or a label: part of the drawing, with the place, size and look that it has there.
func (r Region) Drawn() bool {
	return r.Kind == KindEffect || r.Kind == KindFree && utf8.RuneCountInString(r.Text) <= mostDrawn
}

// Says reports whether the region is drawn with a text already: a name or a number that is the same in both languages,
// but for spaces.
func (r Region) Says(text string) bool {
	letters := func(s string) string { return strings.ToLower(strings.Join(strings.Fields(emphasis.Plain(s)), "")) }
	return r.Drawn() && r.Override == Override{} && letters(r.Text) == letters(text)
}

// Bounds is the smallest axis-aligned rectangle around the lines of the region, in pixels.
func (r Region) Bounds() (x0, y0, x1, y1 float64) {
	corners := make([]raster.Point, 0, 4*len(r.Lines))
	for _, q := range r.Lines {
		corners = append(corners, q[:]...)
	}
	return raster.Bounds(corners...)
}

// Tagged returns the text with tags around what stands on emphasized lines, for translators and scripts; see package emphasis.
func (r Region) Tagged() string {
	if len(r.Emphasized) == 0 || JoinTexts(r.Texts) != r.Text || emphasis.Has(r.Text) {
		return r.Text
	}
	var b strings.Builder
	at := 0
	for i := 0; i < len(r.Texts); {
		end, loud := i+1, slices.Contains(r.Emphasized, i)
		for end < len(r.Texts) && slices.Contains(r.Emphasized, end) == loud {
			end++
		}
		to := len(JoinTexts(r.Texts[:end]))
		part := r.Text[at:to]
		if loud {
			part = emphasis.Tagged(part)
		}
		b.WriteString(part)
		at, i = to, end
	}
	return b.String()
}
