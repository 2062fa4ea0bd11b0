package document

// Point is a position in the user space of a page.
type Point struct {
	X float64 `json:"x"`
	Y float64 `json:"y"`
}

// Box is an upright rectangle in the user space of a page, with X0 <= X1 and Y0 <= Y1.
type Box struct {
	X0 float64 `json:"x0"`
	Y0 float64 `json:"y0"`
	X1 float64 `json:"x1"`
	Y1 float64 `json:"y1"`
}

// Direction is the direction of a baseline in the user space of a page, in degrees counterclockwise: 0, 90, 180 or 270. Text at any other
// angle has the direction Slanted, and is never translated.
type Direction int

// Slanted is the direction of text that is not parallel to an axis.
const Slanted Direction = -1

// Color is an sRGB color.
type Color struct {
	R uint8 `json:"r"`
	G uint8 `json:"g"`
	B uint8 `json:"b"`
}

// Op is the position of an operator that shows text or paints a path: the n-th of the page, from 0, in the order of execution.
// Operators that show an empty string count too.
type Op int

// Page is the content of a page as the file has it.
type Page struct {
	// Index is the position of the page in its document, from 0. Label is its page label, such as "iv"; empty when there is none.
	Index int    `json:"index"`
	Label string `json:"label,omitempty"`
	// Crop is the visible part of the page. Rotate is /Rotate: 0, 90, 180 or 270 degrees clockwise.
	Crop   Box `json:"crop"`
	Rotate int `json:"rotate"`
	// Fonts are the fonts of Glyphs.
	Fonts []Font `json:"fonts"`
	// Glyphs are in the order in which the page draws them. Glyphs that a renderer does not show (render mode 3, outside of the crop box)
	// have Hidden set.
	Glyphs []Glyph `json:"glyphs"`
	// Rules are straight lines and thin filled rectangles: rules of tables, fraction bars, underlines.
	Rules []Rule `json:"rules"`
	// Images are the boxes of pictures, and Fills those of filled areas behind text, such as the ground of a table row.
	Images []Box  `json:"images"`
	Fills  []Fill `json:"fills"`
	// Fixed are the boxes of other paths, which cannot be moved: curves and slanted lines, each of those by itself. Clips are the areas beyond
	// which content cannot be drawn in its place in the order of the content.
	Fixed []Box `json:"fixed,omitempty"`
	Clips []Box `json:"clips,omitempty"`
	// Links are the boxes of link annotations, in the order of the file, and Notes those of the other annotations, such as fields of forms.
	Links []Box `json:"links"`
	Notes []Box `json:"notes,omitempty"`
	// Tagged means that tags say what the parts of the content are, and in which order they are read.
	Tagged bool `json:"tagged,omitempty"`
}

// Scanned reports whether the page shows pictures and no text: its text, if it has any, is in the pictures.
func (p Page) Scanned() bool {
	for _, g := range p.Glyphs {
		if !g.Hidden && g.Text != "" && g.Text != " " {
			return false
		}
	}
	return len(p.Images) > 0
}

const (
	// mostly is the share of a page that the pictures of a scan cover, and little the share that its text layer covers: a stamp or the line of
	// a library has less than 0.01, and a page of text 0.2 and more.
	mostly = 0.5
	little = 0.02
)

// MostlyPicture reports whether pictures cover most of the page, and its text layer little: its text may be in the pictures.
func (p Page) MostlyPicture() bool {
	pictures, text := 0.0, 0.0
	for _, b := range p.Images {
		pictures += b.Overlap(p.Crop)
	}
	for _, g := range p.Glyphs {
		if !g.Hidden {
			text += g.Box.Overlap(p.Crop)
		}
	}
	area := p.Crop.Overlap(p.Crop)
	return pictures >= mostly*area && text <= little*area
}

// Font is a font of a page.
type Font struct {
	// Name is the PostScript name without the prefix of a subset, such as "CMMI10".
	Name string `json:"name"`
	// Serif, Fixed, Bold, Italic and Symbolic come from the font descriptor and the name.
	Serif    bool `json:"serif"`
	Fixed    bool `json:"fixed"`
	Bold     bool `json:"bold"`
	Italic   bool `json:"italic"`
	Symbolic bool `json:"symbolic"`
	// Mapped means that the file maps the codes of the font to Unicode. The text of a glyph of any other font may be wrong.
	Mapped bool `json:"mapped"`
}

// Glyph is one drawn glyph.
type Glyph struct {
	// Text is what the glyph stands for: usually one character, several for a ligature, empty when it is unknown.
	Text string `json:"text"`
	// Origin is the position on the baseline, and Advance the distance to the next glyph without additional space, in points.
	Origin  Point   `json:"origin"`
	Advance float64 `json:"advance"`
	// Box covers the advance horizontally, and the ascent and descent of the font vertically (both in the direction of the text). Ink is the
	// drawn outline, empty for a space.
	Box Box `json:"box"`
	Ink Box `json:"ink"`
	// Size is the size of the font in points as it appears on the page.
	Size      float64   `json:"size"`
	Direction Direction `json:"direction"`
	Font      int       `json:"font"`
	Color     Color     `json:"color"`
	Hidden    bool      `json:"hidden,omitempty"`
	// Op is the operator that shows the glyph, and Index the position among the glyphs (codes) of the operator.
	Op    Op  `json:"op"`
	Index int `json:"index"`
}

// Rule is a straight line: its box, of which one side is at most 3 points, and the operator that paints it.
type Rule struct {
	Box   Box   `json:"box"`
	Color Color `json:"color"`
	Op    Op    `json:"op"`
	// Shared means that the operator paints more than this rule, so that it cannot be moved alone.
	Shared bool `json:"shared,omitempty"`
}

// Fill is a filled area, and the operator that fills it. Shared is as in Rule.
type Fill struct {
	Box    Box   `json:"box"`
	Color  Color `json:"color"`
	Op     Op    `json:"op"`
	Shared bool  `json:"shared,omitempty"`
}
