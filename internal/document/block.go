package document

// Class is what a region of a page holds.
type Class string

// The classes of regions. A layout model may know fewer.
const (
	ClassText          Class = "text"
	ClassTitle         Class = "title"
	ClassFigure        Class = "figure"
	ClassFigureCaption Class = "figure_caption"
	ClassTable         Class = "table"
	ClassTableCaption  Class = "table_caption"
	ClassTableFootnote Class = "table_footnote"
	ClassHeader        Class = "header"
	ClassFooter        Class = "footer"
	ClassReference     Class = "reference"
	ClassFormula       Class = "formula"
	ClassFormulaNumber Class = "formula_caption"
	ClassAbandoned     Class = "abandoned"
	// ClassBookmark is that of titles of bookmarks that lead to the page and read as none of its headings. They have no place on it.
	ClassBookmark Class = "bookmark"
)

// Region is a region of a page that a layout model has found.
type Region struct {
	Class      Class   `json:"class"`
	Box        Box     `json:"box"`
	Confidence float64 `json:"confidence"`
}

// Layout is what the flow of a page consists of: the blocks in reading order.
type Layout struct {
	Regions []Region `json:"regions"`
	Blocks  []Block  `json:"blocks"`
}

// Block is a unit of text that is translated and set by itself: a paragraph, a heading, an item of a list, a caption, or the cell of a
// table. A paragraph that continues on the next page or in the next column is one block for each part, joined by Continues.
type Block struct {
	// Index is the position of the block on its page, in reading order, from 0.
	Index int   `json:"index"`
	Class Class `json:"class"`
	// Box is the area of the source text. Room is the largest area that a translation may use: Box, grown to where nothing else stands.
	Box       Box       `json:"box"`
	Room      Box       `json:"room"`
	Direction Direction `json:"direction"`
	// Vertical is set for columns of upright characters, which are read from top to bottom, with the direction 270.
	Vertical bool `json:"vertical,omitempty"`
	// Slope is how far the lines of a text in the picture of a page fall there to the right, as a tangent; 0 for any other text.
	Slope float64 `json:"slope,omitempty"`
	// Text is the source text in one line: hyphenation is undone, and formulas are markers, {v0} to {vN-1}.
	Text     string    `json:"text"`
	Formulas []Formula `json:"formulas,omitempty"`
	// Spans are the runs of style of Text, in order, without gaps.
	Spans []Span `json:"spans"`
	// Continues is set if the paragraph begins on an earlier page or in an earlier column: its text belongs to the end of the block before it
	// in reading order.
	Continues bool `json:"continues,omitempty"`
	// Align is the alignment of the lines. Indent is that of the first line against the others, in points; LineHeight is the distance of the
	// baselines in multiples of Size, and 0 for a single line.
	Align Align `json:"align"`
	// RightToLeft is set for a text that is written from right to left: its lines start on the right.
	RightToLeft bool    `json:"right_to_left,omitempty"`
	Indent      float64 `json:"indent"`
	LineHeight  float64 `json:"line_height"`
	// Baseline is the origin of the first glyph, and Lines the number of source lines.
	Baseline Point `json:"baseline"`
	Lines    int   `json:"lines"`
	// Size is the size of most of the text, in points.
	Size float64 `json:"size"`
	// Glyphs are the glyphs of the page that a translation replaces: all of the block but those of formulas. Rules and Fills are positions in
	// Page.Rules and Page.Fills: the underlines, the lines through the text and the highlights, which follow the translation.
	Glyphs []int `json:"glyphs"`
	Rules  []int `json:"rules,omitempty"`
	Fills  []int `json:"fills,omitempty"`
	// Leader are the dots after the text, up to the number of a page, in reading order: those that a longer translation reaches are removed.
	Leader []int `json:"leader,omitempty"`
	// Cell is the place in a table; nil outside of tables.
	Cell *Cell `json:"cell,omitempty"`
	// Untranslated says why the block is not sent to a translator; empty when it is.
	Untranslated Reason `json:"untranslated,omitempty"`
}

// UprightAscent is how far the square of a character of Chinese, Japanese or Korean reaches above its baseline, in em. In a vertical column
// these characters stand upright, one below the other.
const UprightAscent = 0.88

// Reason is why a block is not translated.
type Reason string

// The reasons.
const (
	// ReasonEmpty is that of a cell without glyphs, ReasonNoText of a block without a letter of any script or of source code, and ReasonFormula of
	// a block that consists of formulas alone.
	ReasonEmpty   Reason = "empty"
	ReasonNoText  Reason = "no_text"
	ReasonFormula Reason = "formula"
	// ReasonUnmapped is that of a block whose text is unknown, because its font has no map to Unicode.
	ReasonUnmapped Reason = "unmapped"
	// ReasonSlanted is that of text that is not parallel to an axis.
	ReasonSlanted Reason = "slanted"
	// ReasonNoFont is that of a translation with characters that no font has.
	ReasonNoFont Reason = "no_font"
	// ReasonNoRoom is that of a translation that does not fit at any size.
	ReasonNoRoom Reason = "no_room"
)

// Align is the alignment of lines.
type Align string

// The alignments. Start and end follow the direction of the script.
const (
	AlignStart   Align = "start"
	AlignCenter  Align = "center"
	AlignEnd     Align = "end"
	AlignJustify Align = "justify"
)

// Span is a run of one style in the text of a block.
type Span struct {
	// Start and End are offsets in bytes of Text.
	Start int `json:"start"`
	End   int `json:"end"`
	Style
}

// Style is how text looks.
type Style struct {
	Size   float64 `json:"size"`
	Color  Color   `json:"color"`
	Serif  bool    `json:"serif,omitempty"`
	Fixed  bool    `json:"fixed,omitempty"`
	Bold   bool    `json:"bold,omitempty"`
	Italic bool    `json:"italic,omitempty"`
	// Rise is the height above the baseline in points, negative below: footnote marks, and exponents outside of formulas.
	Rise float64 `json:"rise,omitempty"`
	// Link is the position of a link annotation of the page over the run, from 1; 0 means none.
	Link int `json:"link,omitempty"`
	// Rule and Fill are the underline or the line through the run, and its highlight: positions in Page.Rules and Page.Fills, from 1; 0 means
	// none. If a look goes over several lines of the source, they are those of the first one.
	Rule int `json:"rule,omitempty"`
	Fill int `json:"fill,omitempty"`
}

// Formula is a part of a block that keeps its glyphs. A translation moves it with its marker.
type Formula struct {
	// Box is the area of its glyphs and rules. Origin is the position on the baseline of the line, and Advance the width that the line gives it.
	Box     Box     `json:"box"`
	Origin  Point   `json:"origin"`
	Advance float64 `json:"advance"`
	// Glyphs and Rules are positions in Page.Glyphs and Page.Rules.
	Glyphs []int `json:"glyphs"`
	Rules  []int `json:"rules,omitempty"`
	// Text is what the formula reads, for prompts and word counts.
	Text string `json:"text"`
}

// Cell is a place in a table of a page.
type Cell struct {
	// Table is the position of the table on its page, from 0. Row and Column are positions in the table, from 0; spans are at least 1.
	Table      int `json:"table"`
	Row        int `json:"row"`
	Column     int `json:"column"`
	RowSpan    int `json:"row_span"`
	ColumnSpan int `json:"column_span"`
	// Area is that of the columns of the cell, as high as its row. The room of the cell may be larger: it ends at the next text.
	Area Box `json:"area"`
}
