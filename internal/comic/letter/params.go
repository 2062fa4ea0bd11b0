package letter

import "image"

// Params are the parameters of the house style. The defaults come from measurements of hand-lettered pages (1240 by 1751 pixels, 88
// dialogue blocks): cap height 1.11 % of the page height (10th to 90th percentile 1.03 to 1.49), line pitch 1.55 cap heights, margin to
// the bubble 0.66 cap heights (0.38 at the 10th percentile).
type Params struct {
	// Capitals sets Latin dialogue in capitals if the source is Chinese, Japanese or all capitals.
	Capitals bool
	// Margin is the distance of lettering from the edge of its bubble, in cap heights, for which the size of a page is chosen: more than the
	// usual one, as that size is the same for the fullest bubbles. NarrowMargin is used rather than a clearly smaller size for a page, and
	// LeastMargin rather than a smaller size for one of its texts.
	Margin, NarrowMargin, LeastMargin float64
	// LatinPitch is the distance of baselines of Latin lettering, in cap heights. CJKPitch is that of Chinese and Japanese lines and
	// columns, in em.
	LatinPitch, CJKPitch float64
	// LatinCap is the cap height, and CJKEm the em, of normal dialogue in units of the height of the source's lines.
	LatinCap, CJKEm float64
	// Usual is the cap height of normal dialogue, as a share of the page height, up to which it follows the size of the source exactly.
	// For a larger source it grows more slowly.
	Usual float64
	// Floor and LeastCap are the least cap height of normal dialogue, as a share of the page height and in pixels. The greater one
	// applies.
	Floor, LeastCap float64
	// Rim is the width of the outline over art, in em.
	Rim float64
	// LeastContrast is the distance in CIE Lab below which lettering cannot be distinguished from its ground.
	LeastContrast float64
}

// DefaultParams returns the house style.
func DefaultParams() Params {
	return Params{
		Capitals: true,
		Margin:   0.9, NarrowMargin: 0.45, LeastMargin: 0.25,
		LatinPitch: 1.65, CJKPitch: 1.38,
		LatinCap: 0.66, CJKEm: 0.93,
		Usual: 0.0135, Floor: 0.0085, LeastCap: 7,
		Rim: 0.07, LeastContrast: 30,
	}
}

// Fit says how a text fits into its text area.
type Fit string

// The fits.
const (
	// Fits means inside the text area, at a legible size.
	Fits Fit = "fits"
	// Overflow means that the size is below the least legible one, or that a word is broken where its language does not divide it. A shorter
	// translation would look better.
	Overflow Fit = "overflow"
	// Cut means that the text is longer than a page of credits, and its end is left out.
	Cut Fit = "cut"
)

// Lettered says how one region was lettered.
type Lettered struct {
	Index int
	// Size is the font size in pixels. Cap is the height of its capitals in pixels (of an ideograph, for Chinese and Japanese).
	Size, Cap float64
	// Lines are the lines or columns as drawn.
	Lines []string
	Fit   Fit
	// Room says, for a text that does not fit, how many of its characters would: the length of the longest beginning that fits at a
	// legible size, of whole words if at least one fits.
	Room  int
	Style Style
	// Bubble says that a bounded interior was found.
	Bubble bool
	// Box is the bounding box of what was drawn, in pixels of the page.
	Box image.Rectangle
	// Missing are the characters that no font has, in order of appearance. They are left out.
	Missing string
}

// Report has one entry for each region that was lettered, in the order of the regions.
type Report struct {
	Regions []Lettered
}
