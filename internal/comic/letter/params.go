package letter

import "image"

// Params are the house style. The figures come from measurements of hand-lettered pages (1240 by 1751 pixels, 88
// dialogue blocks): cap height 1.11 % of the page height (10th to 90th percentile 1.03 to 1.49), line pitch 1.55 cap
// heights, margin to the bubble 0.66 cap heights (0.38 at the 10th percentile).
type Params struct {
	// Capitals sets Latin dialogue in capitals where the source is Chinese, Japanese, or all capitals itself.
	Capitals bool
	// Margin is the distance of lettering from the edge of its bubble, in cap heights; LeastMargin is what is kept
	// when the text does not fit otherwise.
	Margin, LeastMargin float64
	// LatinPitch is the distance of baselines of Latin lettering in cap heights; CJKPitch that of Chinese and
	// Japanese lines and columns in em.
	LatinPitch, CJKPitch float64
	// LatinCap and CJKEm are the height of capitals, and the em, of normal dialogue in units of the height of the source's
	// lines.
	LatinCap, CJKEm float64
	// Usual is the cap height of normal dialogue, as a share of the page height, up to which it keeps to the source's size;
	// where the source is larger it follows more slowly.
	Usual float64
	// Floor and LeastCap are the least cap height of normal dialogue, as a share of the page height and in pixels.
	Floor, LeastCap float64
	// Rim is the width of the outline over art in em.
	Rim float64
	// LeastContrast is the distance in CIE Lab under which lettering cannot be told from its ground.
	LeastContrast float64
}

// DefaultParams is the house style.
func DefaultParams() Params {
	return Params{
		Capitals: true,
		Margin:   0.6, LeastMargin: 0.36,
		LatinPitch: 1.65, CJKPitch: 1.38,
		LatinCap: 0.66, CJKEm: 0.9,
		Usual: 0.0135, Floor: 0.009, LeastCap: 7,
		Rim: 0.07, LeastContrast: 30,
	}
}

// Fit says how a text sits in its text area.
type Fit string

// The fits.
const (
	// Fits: within its text area, at a legible size.
	Fits Fit = "fits"
	// Overflow: the size had to go below the legible floor, or a word to be broken that is not very long; a shorter translation
	// would look better.
	Overflow Fit = "overflow"
	// Cut: the text is longer than a page of prose, and its end was left out.
	Cut Fit = "cut"
)

// Lettered says how one region was set.
type Lettered struct {
	Index int
	// Size is the font size in pixels; Cap the height of its capitals (of an ideograph, for Chinese and Japanese).
	Size, Cap float64
	// Lines are the lines, or columns, as they were drawn.
	Lines []string
	Fit   Fit
	// Room is, of a text that does not fit, how many of its characters would: the longest beginning of it that fits at a
	// legible size, of whole words where one does.
	Room  int
	Style Style
	// Bubble reports whether a bounded interior was found.
	Bubble bool
	// Box is the bounds of what was drawn.
	Box image.Rectangle
	// Missing are the characters that no font has, in order of appearance; they are left out.
	Missing string
}

// Report is one entry for each region that was drawn, in the order of the regions.
type Report struct {
	Regions []Lettered
	// DialogueSize is the font size of the page's normal dialogue in pixels; zero when there is none.
	DialogueSize float64
}
