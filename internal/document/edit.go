package document

// Edit is what changes on a page. The content of the page keeps everything else, operator by operator.
type Edit struct {
	// Index is the position of the page in its document.
	Index int `json:"index"`
	// Remove are the positions of removed glyphs in Page.Glyphs.
	Remove []int `json:"remove"`
	// Repaints change what operators paint: the underlines and highlights of texts.
	Repaints []Repaint `json:"repaints,omitempty"`
	// Moves move glyphs, rules, fills and links that stay.
	Moves []Move `json:"moves,omitempty"`
	// Patches are drawn over the content of the page and below the new texts. Only scanned pages have them.
	Patches []Patch `json:"patches,omitempty"`
	// Texts are the new texts.
	Texts []Text `json:"texts"`
}

// Patch is a picture that covers a part of a page. Where it is transparent, the page stays as it is.
type Patch struct {
	Box Box `json:"box"`
	// PNG is the picture as a PNG file with 8 bits and an alpha of 0 or 255, upright in the user space of the page.
	PNG []byte `json:"png"`
}

// Move moves glyphs, rules, fills and links of a page, unless a link has a new text.
type Move struct {
	Glyphs []int   `json:"glyphs"`
	Rules  []int   `json:"rules,omitempty"`
	Fills  []int   `json:"fills,omitempty"`
	Links  []int   `json:"links,omitempty"`
	DX     float64 `json:"dx"`
	DY     float64 `json:"dy"`
}

// Repaint makes an operator that paints a path paint rectangles in its place, in its color; none removes what it paints.
type Repaint struct {
	Op    Op    `json:"op"`
	Boxes []Box `json:"boxes"`
}

// Text is a new text: the translation of a block, in lines.
type Text struct {
	// Block is the index of the block. Op is the operator in whose place the text is drawn, so that it keeps its place in the order of the
	// content, in its marked content, and in the reading order.
	Block int `json:"block"`
	Op    Op  `json:"op"`
	// Runs are in reading order.
	Runs []Run `json:"runs"`
	// Box is the area that the text uses.
	Box Box `json:"box"`
}

// Run is a sequence of glyphs of one font on one line.
type Run struct {
	// Face is the name of an embedded face, as `NotoSerif_400Regular`. Size is in points.
	Face      string    `json:"face"`
	Size      float64   `json:"size"`
	Color     Color     `json:"color"`
	Direction Direction `json:"direction"`
	// Skew is the tangent of an artificial slant; 0 for an upright face or one that is italic itself.
	Skew   float64       `json:"skew,omitempty"`
	Glyphs []PlacedGlyph `json:"glyphs"`
	// Link is as in Style.
	Link int `json:"link,omitempty"`
}

// PlacedGlyph is a glyph of a face at its place.
type PlacedGlyph struct {
	// ID is the number of the glyph in its face.
	ID uint32 `json:"id"`
	// Text is what the glyph stands for when text is extracted; of a cluster of several glyphs with advances, the first
	// has it, and the others have none.
	Text string `json:"text"`
	// Origin is on the baseline; Advance is in points along the direction of the run.
	Origin  Point   `json:"origin"`
	Advance float64 `json:"advance"`
	// Marks are glyphs that belong to this one, such as the dots and vowels of Arabic letters.
	Marks []Mark `json:"marks,omitempty"`
}

// Mark is a glyph at a place relative to another one: the offset of its origin in em, along the direction of the run and across it.
type Mark struct {
	ID uint32  `json:"id"`
	X  float64 `json:"x"`
	Y  float64 `json:"y"`
}
