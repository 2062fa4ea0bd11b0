package pipeline

import "slices"

// Point is a place on a page in pixels, from the upper left corner, x to the right and y down.
type Point [2]float64

// Quad is the outline of a line of text: four corners, clockwise from the corner where reading begins.
type Quad [4]Point

// Bounds is the smallest upright rectangle around q: x0, y0, x1, y1 in pixels.
func (q Quad) Bounds() (x0, y0, x1, y1 float64) {
	x0, y0, x1, y1 = q[0][0], q[0][1], q[0][0], q[0][1]
	for _, p := range q[1:] {
		x0, x1 = min(x0, p[0]), max(x1, p[0])
		y0, y1 = min(y0, p[1]), max(y1, p[1])
	}
	return x0, y0, x1, y1
}

// RGB is a color, 0..255 a channel, sRGB.
type RGB [3]uint8

// Direction is how the lines of a region run.
type Direction string

// The directions.
const (
	Horizontal Direction = "h"
	Vertical   Direction = "v"
)

// Alignment is how lines stand to each other.
type Alignment string

// The alignments.
const (
	AlignLeft   Alignment = "left"
	AlignCenter Alignment = "center"
	AlignRight  Alignment = "right"
)

// RegionKind is what a region is on the page.
type RegionKind string

// The kinds of regions: text inside a bubble or caption, text over art or paper, drawn sounds, and what is of the page rather
// than of the story (page numbers, credits, watermarks).
const (
	KindDialogue  RegionKind = "dialogue"
	KindFree      RegionKind = "free"
	KindEffect    RegionKind = "sfx"
	KindFurniture RegionKind = "furniture"
)

// RegionKinds are some of the kinds.
type RegionKinds []RegionKind

// Have reports whether a region is of one of the kinds.
func (k RegionKinds) Have(r Region) bool { return slices.Contains(k, r.Kind) }

// Region is one block of text on a page: the region record of the split contract.
type Region struct {
	// Index is the place in reading order, 0..n-1, without holes.
	Index int `json:"region_index"`
	// Lines are the outlines of the lines in reading order; Texts are their texts, in parallel.
	Lines []Quad   `json:"lines"`
	Texts []string `json:"texts"`
	// Ruby are the outlines of the furigana of the lines: small kana that give a reading, and are no part of the text.
	Ruby []Quad `json:"ruby,omitempty"`
	// Text is the whole text: lines joined by a space, or by nothing where either side is Chinese or Japanese.
	Text string     `json:"text"`
	Kind RegionKind `json:"kind,omitempty"`
	// Unread says that the lines were not read with confidence: Text is empty, and Texts hold no more than guesses.
	Unread bool `json:"unread,omitempty"`
	// Angle is the rotation of the lines in degrees, clockwise positive, 0 is upright: -45..45, and beyond, about 90 either way, for
	// rows set sideways.
	Angle float64 `json:"angle"`
	// FontSize is the height of the text in pixels: the smallest line height (width, for vertical text).
	FontSize float64 `json:"font_size"`
	// FG and BG are the colors of the glyphs and of what lies around them.
	FG RGB `json:"fg_colors"`
	BG RGB `json:"bg_colors"`

	Direction  Direction `json:"direction"`
	Alignment  Alignment `json:"alignment"`
	SourceLang string    `json:"source_lang"`
	TargetLang string    `json:"target_lang"`

	// LineSpacing is the distance of baselines in units of the measured line pitch; 1 is as in the source.
	LineSpacing float64 `json:"line_spacing"`
	// StrokeWidth is the width of the outline of the lettering in units of the font size.
	StrokeWidth     float64 `json:"stroke_width"`
	StrokeColorType string  `json:"stroke_color_type"`
	AdjustBGColor   bool    `json:"adjust_bg_color"`
	// Prob is the mean confidence of the reading, 0..1.
	Prob float64 `json:"prob"`
}

// Bounds is the smallest upright rectangle around the lines of the region, in pixels.
func (r Region) Bounds() (x0, y0, x1, y1 float64) {
	for i, q := range r.Lines {
		a, b, c, d := q.Bounds()
		if i == 0 {
			x0, y0, x1, y1 = a, b, c, d
			continue
		}
		x0, y0, x1, y1 = min(x0, a), min(y0, b), max(x1, c), max(y1, d)
	}
	return x0, y0, x1, y1
}

// Translation is the text of one region in the target language. An empty Text leaves the region as it is drawn.
type Translation struct {
	Index int    `json:"region_index"`
	Text  string `json:"translation"`
	// Untranslated is the reason when no fit translation was had; Text is empty then.
	Untranslated Untranslated `json:"untranslated,omitempty"`
	// Terms are names and terms that lettering keeps whole where they stand in Text. They are looked up where a page is lettered,
	// and no part of what travels.
	Terms []string `json:"-"`
}

// TextsByRegion are the texts of translations by the index of their region.
func TextsByRegion(translations []Translation) map[int]string {
	texts := make(map[int]string, len(translations))
	for _, t := range translations {
		texts[t.Index] = t.Text
	}
	return texts
}

// CheckTranslations demands exactly one translation for each index 0..regions-1, in any order. It fails with
// CodeRenderInputInvalid naming the first index that is out of range, double or missing.
func CheckTranslations(regions int, translations []Translation) error {
	seen := make([]bool, regions)
	for _, t := range translations {
		switch {
		case t.Index < 0 || t.Index >= regions:
			return Errorf(CodeRenderInputInvalid, "region_index %d is out of range: the page has %d regions", t.Index, regions)
		case seen[t.Index]:
			return Errorf(CodeRenderInputInvalid, "region_index %d is given twice", t.Index)
		}
		seen[t.Index] = true
	}
	for i, ok := range seen {
		if !ok {
			return Errorf(CodeRenderInputInvalid, "region_index %d has no translation", i)
		}
	}
	return nil
}
