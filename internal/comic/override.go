package comic

import (
	"math"
	"regexp"
	"slices"
	"strconv"

	"plait/internal/core"
	"plait/internal/raster"
)

// Override is what a person chose for a region in place of what was found. Its zero value changes nothing.
type Override struct {
	// Kind is empty for the kind that was found.
	Kind RegionKind `json:"kind,omitempty"`
	// Area is the rectangle in which the translation is set; zero for the place that lettering finds.
	Area Area `json:"area,omitzero"`
	// Style is how the translation is lettered.
	Style Style `json:"style,omitzero"`
	// Erased says that the original lettering is erased and nothing takes its place.
	Erased bool `json:"erased,omitempty"`
	// Deleted says that the region is no text: it stays as drawn.
	Deleted bool `json:"deleted,omitempty"`
	// Place is the place in reading order, where that of index i is i+1; 0 for that.
	Place float64 `json:"place,omitempty"`
	// JoinedInto is the index of the region that has the text of this one, which then is not on the page; nil for none.
	JoinedInto *int `json:"joined_into,omitempty"`
	// Cut is how many characters of its text the region keeps; another one has the rest. 0 is all.
	Cut int `json:"cut,omitempty"`
}

// Area is an upright rectangle: x0, y0, x1, y1 in pixels.
type Area [4]float64

// Style is how a person wants a translation lettered. A zero field leaves the choice to lettering.
type Style struct {
	// Font is the font of a style of lettering.
	Font FontStyle `json:"font,omitempty"`
	// Size is the font size in pixels.
	Size float64 `json:"size,omitempty"`
	// Color is that of the letters, as #rrggbb.
	Color     string    `json:"color,omitempty"`
	Alignment Alignment `json:"alignment,omitempty"`
	// Bold and Italic are nil for the weight and the slant of the source.
	Bold   *bool `json:"bold,omitempty"`
	Italic *bool `json:"italic,omitempty"`
}

// FontStyle is a style of lettering that has fonts of its own.
type FontStyle string

// The styles of lettering that a person can choose.
const (
	FontDialogue  FontStyle = "dialogue"
	FontNarration FontStyle = "narration"
	FontShout     FontStyle = "shout"
	FontEffect    FontStyle = "effect"
)

const (
	// LeastArea is the least width and height of an [Area], in pixels: of what a letter needs.
	LeastArea = 8
	// LeastSize is the least [Style.Size], in pixels.
	LeastSize = 4
	// MostSize is the greatest.
	MostSize = 1000
	// MostCoordinate bounds the coordinates of an [Area], in pixels. No page is that large.
	MostCoordinate = 1 << 20
)

var hexColor = regexp.MustCompile(`^#[0-9a-fA-F]{6}$`)

// Ink is the chosen color; ok is false without one.
func (s Style) Ink() (c raster.RGB, ok bool) {
	if !hexColor.MatchString(s.Color) {
		return c, false
	}
	for i := range c {
		v, _ := strconv.ParseUint(s.Color[1+2*i:3+2*i], 16, 8) // cannot fail: the pattern matches hexadecimal digits
		c[i] = uint8(v)
	}
	return c, true
}

// OverrideEdit changes an override. A nil field leaves it as it is, and a zero value restores what was found.
type OverrideEdit struct {
	Kind    *RegionKind `json:"kind,omitempty"`
	Area    *Area       `json:"area,omitempty"`
	Style   *Style      `json:"style,omitempty"`
	Erased  *bool       `json:"erased,omitempty"`
	Deleted *bool       `json:"deleted,omitempty"`
	Place   *float64    `json:"place,omitempty"`
	// JoinedInto is negative for none.
	JoinedInto *int `json:"joined_into,omitempty"`
	Cut        *int `json:"cut,omitempty"`
}

// Empty reports whether the edit changes nothing.
func (e OverrideEdit) Empty() bool { return e == (OverrideEdit{}) }

// Check fails with [core.CodeInvalidInput], naming the field.
func (e OverrideEdit) Check() error {
	kinds := []RegionKind{"", KindDialogue, KindFree, KindEffect, KindFurniture}
	if e.Kind != nil && !slices.Contains(kinds, *e.Kind) {
		return core.NewError(core.CodeInvalidInput, "kind is dialogue, free, sfx or furniture, or empty for the one that was found")
	}
	if e.Area != nil {
		if err := e.Area.check(); err != nil {
			return err
		}
	}
	if e.Place != nil && !(*e.Place >= 0 && *e.Place <= MostCoordinate) {
		return core.NewError(core.CodeInvalidInput, "place is a number from 0 on, where 0 is the place that was found")
	}
	if e.Cut != nil && *e.Cut < 0 {
		return core.NewError(core.CodeInvalidInput, "cut is a number of characters, or 0 for all")
	}
	if e.Style != nil {
		return e.Style.check()
	}
	return nil
}

// Rearranges reports whether the edit changes which lines and texts the regions of a page have.
func (e OverrideEdit) Rearranges() bool { return e.JoinedInto != nil || e.Cut != nil }

// Within reports whether the area lies on a page of that size in pixels, or is zero.
func (a Area) Within(width, height int) bool {
	return min(a[0], a[1]) >= 0 && a[2] <= float64(width) && a[3] <= float64(height)
}

// Quad is the outline of the area.
func (a Area) Quad() raster.Quad {
	return raster.QuadOf(a[0], a[1], a[2], a[3])
}

func (a Area) check() error {
	for _, v := range a {
		if math.Abs(v) > MostCoordinate {
			return core.NewError(core.CodeInvalidInput, "area is four coordinates on the page")
		}
	}
	if a != (Area{}) && (a[2]-a[0] < LeastArea || a[3]-a[1] < LeastArea) {
		return core.Errorf(core.CodeInvalidInput, "area is x0, y0, x1, y1, at least %d pixels wide and high, or four zeros for the place that is found", LeastArea)
	}
	return nil
}

func (s Style) check() error {
	switch {
	case !slices.Contains([]FontStyle{"", FontDialogue, FontNarration, FontShout, FontEffect}, s.Font):
		return core.NewError(core.CodeInvalidInput, "style.font is dialogue, narration, shout or effect")
	case s.Size != 0 && !(s.Size >= LeastSize && s.Size <= MostSize):
		return core.Errorf(core.CodeInvalidInput, "style.size is from %d to %d pixels", LeastSize, MostSize)
	case s.Color != "" && !hexColor.MatchString(s.Color):
		return core.NewError(core.CodeInvalidInput, "style.color is #rrggbb")
	case !slices.Contains([]Alignment{"", AlignLeft, AlignCenter, AlignRight}, s.Alignment):
		return core.NewError(core.CodeInvalidInput, "style.alignment is left, center or right")
	}
	return nil
}

// Edited returns the override after an edit.
func (o Override) Edited(e OverrideEdit) Override {
	set(&o.Kind, e.Kind)
	set(&o.Area, e.Area)
	set(&o.Style, e.Style)
	set(&o.Erased, e.Erased)
	set(&o.Deleted, e.Deleted)
	set(&o.Place, e.Place)
	set(&o.Cut, e.Cut)
	if e.JoinedInto != nil {
		o.JoinedInto = nil
		if *e.JoinedInto >= 0 {
			o.JoinedInto = new(*e.JoinedInto)
		}
	}
	return o
}

func set[T any](to, from *T) {
	if from != nil {
		*to = *from
	}
}
