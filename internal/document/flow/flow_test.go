package flow_test

import (
	"fmt"
	"math/rand/v2"
	"strings"
	"testing"
	"unicode"

	"github.com/stretchr/testify/require"

	"plait/internal/document"
	"plait/internal/document/flow"
)

// sheet builds a page of glyphs that are all half an em wide, as a typewriter writes them.
type sheet struct {
	page document.Page
	op   document.Op
}

func newSheet() *sheet {
	return &sheet{page: document.Page{
		Crop:  document.Box{X1: 600, Y1: 800},
		Fonts: []document.Font{{Name: "Times", Mapped: true}, {Name: "Times-Bold", Bold: true, Mapped: true}, {Name: "CMMI10", Italic: true, Mapped: true}},
	}}
}

// The fonts of a sheet.
const (
	regular = iota
	bold
	math
)

// write writes a text at a baseline; \x01 switches to math and back, \x02 raises and makes small, and back.
func (s *sheet) write(x, y, size float64, font int, text string) *sheet {
	s.op++
	inMath, raised := false, false
	for i, r := range []rune(text) {
		switch r {
		case 1:
			inMath = !inMath
			continue
		case 2:
			raised = !raised
			continue
		}
		g := document.Glyph{Text: string(r), Font: font, Size: size, Op: s.op, Index: i, Origin: document.Point{X: x, Y: y}}
		if inMath {
			g.Font = math
		}
		if raised {
			g.Size, g.Origin.Y = size*0.7, y+size*0.35
		}
		g.Advance = g.Size / 2
		g.Box = document.Box{X0: x, Y0: g.Origin.Y - 0.2*g.Size, X1: x + g.Advance, Y1: g.Origin.Y + 0.75*g.Size}
		if r != ' ' {
			g.Ink = g.Box
		}
		s.page.Glyphs = append(s.page.Glyphs, g)
		x += g.Advance
	}
	return s
}

// lines writes lines of 10 points at a distance of 12.
func (s *sheet) lines(x, y float64, texts ...string) *sheet {
	for i, text := range texts {
		s.write(x, y-12*float64(i), 10, regular, text)
	}
	return s
}

// read lists the blocks of the sheet, a line each.
func (s *sheet) read(regions ...document.Region) string {
	var b strings.Builder
	for _, block := range flow.Build(s.page, regions).Blocks {
		fmt.Fprintf(&b, "%s", block.Class)
		if c := block.Cell; c != nil {
			fmt.Fprintf(&b, " %d,%d", c.Row, c.Column)
			if c.ColumnSpan > 1 {
				fmt.Fprintf(&b, "+%d", c.ColumnSpan-1)
			}
		} else {
			fmt.Fprintf(&b, " %s", block.Align)
		}
		if block.Untranslated != "" {
			fmt.Fprintf(&b, " (%s)", block.Untranslated)
		}
		if block.Continues {
			b.WriteString(" continues")
		}
		fmt.Fprintf(&b, ": %s\n", block.Text)
	}
	return b.String()
}

func TestLinesBecomeParagraphs(t *testing.T) {
	s := newSheet().write(50, 740, 16, bold, "The light-house")
	s.lines(50, 700,
		"The keeper wrote down what the wind and the sea had done in the ni-",
		"ght, and what the well-known ships had told him when they passed by",
		"at noon.",
		"  The next morning was quiet, and no ship passed the tower before it",
		"was dark again.")
	s.lines(50, 620, "- a first item of the list", "- a second item of the list")
	require.Equal(t, `title start: The light-house
text justify: The keeper wrote down what the wind and the sea had done in the night, and what the well-known ships had told him when they passed by at noon.
text start: The next morning was quiet, and no ship passed the tower before it was dark again.
text start: - a first item of the list
text start: - a second item of the list
`, s.read())
}

func TestClausesAreParagraphs(t *testing.T) {
	s := newSheet().lines(50, 700,
		"2. The keeper shall do what follows:",
		" 2.1. light the lamps at dusk, and watch them until the sun has risen;",
		" 2.2. write down each ship that passes by;",
		" 2.3. appoint a deputy who",
		"  2.3.1. is able to swim; and",
		"  2.3.2. has a boat.")
	require.Equal(t, `text start: 2. The keeper shall do what follows:
text start: 2.1. light the lamps at dusk, and watch them until the sun has risen;
text start: 2.2. write down each ship that passes by;
text start: 2.3. appoint a deputy who
text start: 2.3.1. is able to swim; and
text start: 2.3.2. has a boat.
`, s.read())
}

func TestColumnsAreReadOneAfterTheOther(t *testing.T) {
	s := newSheet().write(200, 760, 14, bold, "Two columns")
	s.lines(50, 700,
		"the first column is read from",
		"its top to its bottom, before",
		"anybody looks at what stands",
		"beside it; a sentence that is")
	s.lines(330, 700,
		"not complete goes on here in",
		"the second column, and then it",
		"ends. Another one follows it",
		"to fill the column to its end.")
	require.Equal(t, `title start: Two columns
text start: the first column is read from its top to its bottom, before anybody looks at what stands beside it; a sentence that is
text start continues: not complete goes on here in the second column, and then it ends. Another one follows it to fill the column to its end.
`, s.read())
}

func TestLineNumbersAreNoPartOfTheText(t *testing.T) {
	s := newSheet()
	for i, text := range []string{"The witness said that she had", "seen the ship on that evening,", "before it was dark.", "", "Nobody asked why.", "The court rose."} {
		y := 700 - 24*float64(i)
		s.write(80, y, 10, regular, fmt.Sprint(i+8))
		if text != "" {
			s.write(120, y, 10, regular, text)
		}
	}
	require.Equal(t, `text start: The witness said that she had seen the ship on that evening, before it was dark.
text start: Nobody asked why.
text start: The court rose.
text  (no_text): 8
text  (no_text): 9
text  (no_text): 10
text  (no_text): 11
text  (no_text): 12
text  (no_text): 13
`, s.read())
}

func TestWideGapsDivideALine(t *testing.T) {
	s := newSheet().write(80, 700, 10, regular, "Plaintiff").write(300, 700, 10, regular, "No. 07 of the list")
	s.write(80, 688, 10, regular, "A line of text that runs over the whole width of both, and on")
	require.Equal(t, "text start: Plaintiff\ntext start: No. 07 of the list\ntext start: A line of text that runs over the whole width of both, and on\n", s.read())
}

// The hat of a variable comes from a font for text, and stands over it.
func TestAccentsBelongToTheirVariable(t *testing.T) {
	s := newSheet().write(50, 700, 10, regular, "exactly one point ^\x01P\x01 of the line, and a caret ^ alone")
	hat := strings.IndexRune("exactly one point ^", '^')
	for i := hat + 1; i < len(s.page.Glyphs); i++ { // the letter stands below the hat
		g := &s.page.Glyphs[i]
		g.Origin.X -= 5
		g.Box, g.Ink = g.Box.Moved(-5, 0), g.Ink.Moved(-5, 0)
	}
	require.Equal(t, "text start: exactly one point {v0} of the line, and a caret ^ alone\n", s.read())
}

func TestMarksOfNotesMayBeHardlySmaller(t *testing.T) {
	s := newSheet().write(46, 704, 9, regular, "1").write(54, 700, 10, regular, "Institute of Examples").write(162, 704, 9, regular, "2").write(170, 700, 10, regular, "Sample University")
	require.Equal(t, "text start: 1 Institute of Examples 2 Sample University\n", strings.ReplaceAll(s.read(), "center", "start"))
}

func TestFormulasBecomeMarkers(t *testing.T) {
	s := newSheet().lines(50, 700, "Let \x01f\x01 be a map of \x01X\x02n\x02\x01 with \x01f(x\x01) = 0 for all", "points of the note\x021\x02, and 3 of \x01X\x01.")
	s.write(150, 640, 10, regular, "\x01a = b + c\x01")
	require.Equal(t, `text justify: Let {v0} be a map of {v1} with {v2} = 0 for all points of the note1, and 3 of {v3}.
text start (formula): {v0}
`, strings.ReplaceAll(s.read(), "center", "start"))
	blocks := flow.Build(s.page, nil).Blocks
	require.Len(t, blocks[0].Formulas, 4)
	require.Equal(t, "Xn", blocks[0].Formulas[1].Text)
	raised := 0
	for _, span := range blocks[0].Spans {
		if span.Rise > 0 {
			raised++
		}
	}
	require.Equal(t, 1, raised, "the mark of the footnote stays text")
}

func TestTablesBecomeCells(t *testing.T) {
	s := newSheet()
	for i, row := range [][3]string{{"Name", "Built", "Height in m"}, {"Eddystone", "1882", "49"}, {"Bell Rock", "1810", ""}, {"Fastnet", "1904", "54"}} {
		for j, cell := range row {
			s.write(50+150*float64(j), 700-14*float64(i), 10, regular, cell)
		}
	}
	require.Equal(t, `table 0,0: Name
table 0,1: Built
table 0,2: Height in m
table 1,0: Eddystone
table 1,1 (no_text): 1882
table 1,2 (no_text): 49
table 2,0: Bell Rock
table 2,1 (no_text): 1810
table 2,2 (empty): `+`
table 3,0: Fastnet
table 3,1 (no_text): 1904
table 3,2 (no_text): 54
`, s.read())
}

// A text of a table grows to where the next text stands: over empty cells, to a number, and away from the edge at which its column is aligned.
func TestCellsGrowToTheNextText(t *testing.T) {
	s := newSheet()
	write := func(row int, right bool, x float64, text string) {
		if right {
			x -= 5 * float64(len(text))
		}
		s.write(x, 700-14*float64(row), 10, regular, text)
	}
	write(0, false, 50, "A head over two columns") // as wide as two
	for i, name := range []string{"Eddystone", "Bell Rock", "Fastnet", "Inchcape"} {
		write(i+1, false, 50, name)
		write(i+1, false, 200, "18.82")
		write(i+1, true, 460, []string{"white", "red and green", "a long flash", "none"}[i])
		write(i+1, false, 500, "m")
	}
	write(5, false, 50, "Sum")
	write(5, true, 460, "none")
	write(5, false, 500, "ft")
	var name, right, sum document.Block
	for _, b := range flow.Build(s.page, nil).Blocks {
		switch b.Text {
		case "Bell Rock":
			name = b
		case "red and green":
			right = b
		case "Sum":
			sum = b
		}
	}
	require.Equal(t, document.AlignStart, name.Align)
	require.InDelta(t, 194, name.Room.X1, 0.1, "up to the number")
	require.Equal(t, document.AlignEnd, right.Align)
	require.InDelta(t, 231, right.Room.X0, 0.1, "up to the number")
	require.InDelta(t, 460, right.Box.X1, 0.1)
	require.Greater(t, sum.Room.X1, 300.0, "over the empty cell")
}

func TestTextsOfOneColumnAreTexts(t *testing.T) {
	s := newSheet().write(100, 700, 10, regular, "A title that stands over all three of the columns")
	for i, row := range [][3]string{{"Name", "Built", "Height"}, {"Eddystone", "tower", "low"}, {"Bell Rock", "rock", "high"}} {
		for j, cell := range row {
			s.write(50+80*float64(j), 686-14*float64(i), 10, regular, cell)
		}
	}
	got := s.read()
	for _, text := range []string{"Eddystone", "tower", "low"} {
		require.Contains(t, got, ": "+text+"\n")
	}
}

func TestLeadersStayWithTheirNumbers(t *testing.T) {
	for _, c := range []struct {
		lines []string
		want  string
	}{
		{[]string{"Preface ........................ 3"}, "text start: Preface\ntext  (no_text): ........................ 3\n"},
		{[]string{"Preface......................... iv"}, "text start: Preface\ntext  (no_text): ......................... iv\n"},
		{[]string{"stress  . . . . . . . . . . . 3, 12"}, "text start: stress\ntext  (no_text): ........... 3, 12\n"},
		{[]string{"end... 3"}, "text start: end... 3\n"},
		{
			[]string{"Alpha ......................... 3", "a long entry of this index.. 121", "beta .. 122, 126"},
			"text start: Alpha\ntext start: a long entry of this index\ntext start: beta\n" +
				"text  (no_text): ......................... 3\ntext  (no_text): .. 121\ntext  (no_text): .. 122, 126\n",
		},
		{[]string{"tables et al. .................. 3"}, "text start: tables et al.\ntext  (no_text): .................. 3\n"},
		{
			[]string{"Alpha ......................... 3", "beta ......................... 21", "gamma and", " delta ....................... 22"},
			"text start: Alpha\ntext start: beta\ntext start: gamma and delta\n" +
				"text  (no_text): ......................... 3\ntext  (no_text): ......................... 21\ntext  (no_text): ....................... 22\n",
		},
		{
			[]string{"Alpha ................ 3  zeta ................ 30", "beta ................ 21  eta ................. 31", "gamma ............... 22  theta ............... 32"},
			"text start: Alpha\ntext start: beta\ntext start: gamma\ntext start: zeta\ntext start: eta\ntext start: theta\n" +
				"text  (no_text): ................ 3\ntext  (no_text): ................ 30\ntext  (no_text): ................ 21\n" +
				"text  (no_text): ................. 31\ntext  (no_text): ............... 22\ntext  (no_text): ............... 32\n",
		},
	} {
		require.Equal(t, c.want, newSheet().lines(50, 700, c.lines...).read())
	}
}

func TestATextHasTheDotsOfItsLeader(t *testing.T) {
	blocks := flow.Build(newSheet().lines(50, 700, "Preface ........ 3", "no leader").page, nil).Blocks
	require.Equal(t, []int{8, 9, 10, 11, 12}, blocks[0].Leader, "the last ones stay")
	require.Empty(t, blocks[1].Leader)
}

// A glyph without a text, such as a note or a logo, stays in its text as a formula does.
func TestAGlyphWithoutATextStaysInItsText(t *testing.T) {
	s := newSheet().lines(50, 700, "press # to begin the whole piece again")
	s.page.Glyphs[6].Text = ""
	require.Equal(t, "text start: press {v0} to begin the whole piece again\n", s.read())
}

func TestTextOfOtherDirectionsAndFonts(t *testing.T) {
	s := newSheet().lines(50, 700, "upright text", "of two lines")
	from := len(s.page.Glyphs)
	s.lines(0, 0, "along the edge")
	for i := from; i < len(s.page.Glyphs); i++ {
		g := &s.page.Glyphs[i]
		x := g.Origin.X
		g.Direction, g.Origin = 90, document.Point{X: 30, Y: 100 + x}
		g.Box = document.Box{X0: 22.5, Y0: 100 + x, X1: 32, Y1: 105 + x}
		if g.Text != " " {
			g.Ink = g.Box
		}
	}
	from = len(s.page.Glyphs)
	s.lines(300, 300, "slanted")
	for i := from; i < len(s.page.Glyphs); i++ {
		s.page.Glyphs[i].Direction = document.Slanted
	}
	from = len(s.page.Glyphs)
	s.lines(300, 200, "unknown")
	for i := from; i < len(s.page.Glyphs); i++ {
		s.page.Glyphs[i].Text = ""
	}
	got := s.read()
	require.Contains(t, got, "upright text of two lines\n")
	require.Contains(t, got, "text start: along the edge\n")
	require.Contains(t, got, "(slanted): slanted\n")
	require.Contains(t, got, "(unmapped): \n")
}

// Rooms hold their boxes, and no room reaches into the box of another block.
func TestRoomsAreFree(t *testing.T) {
	s := newSheet()
	s.lines(50, 700, "a paragraph of text that stands over a", "picture and has a neighbor")
	s.lines(330, 700, "the neighbor on the", "right of it")
	s.page.Images = []document.Box{{X0: 50, Y0: 500, X1: 250, Y1: 670}}
	blocks := flow.Build(s.page, nil).Blocks
	require.Len(t, blocks, 2)
	checkRooms(t, s.page, blocks)
}

func checkRooms(t *testing.T, page document.Page, blocks []document.Block) {
	t.Helper()
	for i, b := range blocks {
		require.LessOrEqual(t, b.Room.X0, b.Box.X0+1e-6)
		require.GreaterOrEqual(t, b.Room.X1, b.Box.X1-1e-6)
		for j, o := range blocks {
			if i != j && len(b.Glyphs) > 0 && len(o.Glyphs) > 0 {
				require.LessOrEqual(t, common(b.Room, o.Box), common(b.Box, o.Box)+1e-6, "%d %d", i, j)
			}
		}
	}
}

func common(a, b document.Box) float64 {
	return max(0, min(a.X1, b.X1)-max(a.X0, b.X0)) * max(0, min(a.Y1, b.Y1)-max(a.Y0, b.Y0))
}

// Whatever a page has, every visible glyph with a letter is in exactly one block or formula.
func TestNoLetterIsLost(t *testing.T) {
	random := rand.New(rand.NewPCG(1, 2))
	for n := range 300 {
		s := newSheet()
		for range random.IntN(40) {
			text := strings.Repeat([]string{"ab \x01c\x01d1. ", "של (12) ab ", "春眠。", "W"}[random.IntN(4)], 1+random.IntN(4))
			s.write(random.Float64()*500, random.Float64()*780, 4+random.Float64()*20, random.IntN(2), text)
		}
		for i := range s.page.Glyphs {
			if random.IntN(50) == 0 {
				s.page.Glyphs[i].Direction = []document.Direction{90, 180, 270, document.Slanted}[random.IntN(4)]
			}
			s.page.Glyphs[i].Hidden = random.IntN(40) == 0
		}
		for range random.IntN(12) {
			x, y := random.Float64()*500, random.Float64()*700
			s.page.Rules = append(s.page.Rules, document.Rule{Box: document.Box{X0: x, Y0: y, X1: x + 1, Y1: y + random.Float64()*300}})
			s.page.Fills = append(s.page.Fills, document.Fill{Box: document.Box{X0: x, Y0: y, X1: x + random.Float64()*300, Y1: y + random.Float64()*200}})
		}
		region := document.Region{Class: document.ClassTable, Box: document.Box{X0: 100, Y0: 100, X1: 400, Y1: 400}}
		blocks := flow.Build(s.page, []document.Region{region}).Blocks
		seen := map[int]int{}
		for _, b := range blocks {
			for _, i := range b.Glyphs {
				seen[i]++
			}
			for _, f := range b.Formulas {
				for _, i := range f.Glyphs {
					seen[i]++
				}
			}
			end := 0
			for _, span := range b.Spans {
				require.Equal(t, end, span.Start)
				end = span.End
			}
			require.Len(t, b.Text, end)
		}
		for i, g := range s.page.Glyphs {
			letter := strings.IndexFunc(g.Text, unicode.IsLetter) >= 0
			switch {
			case g.Hidden:
				require.Zero(t, seen[i])
			case letter:
				require.Equal(t, 1, seen[i], "page %d, glyph %d %q", n, i, g.Text)
			default:
				require.LessOrEqual(t, seen[i], 1)
			}
		}
	}
}

// Scripts without spaces divide a number from a heading, or a name from a telephone, by the space of a whole character.
func TestWideSpacesDivideTextsWithoutSpaces(t *testing.T) {
	for gap, want := range map[float64]string{10: "text start: 第一 目的\n", 3: "text start: 第一目的\n"} {
		s := newSheet().write(50, 700, 10, regular, "第一").write(60+gap, 700, 10, regular, "目的")
		require.Equal(t, want, s.read())
	}
}

func TestTaggedPagesAreReadInTheOrderOfTheirContent(t *testing.T) {
	s := newSheet()
	s.lines(320, 700, "the column on the right is written first", "and it has a second line of its own here")
	s.lines(60, 700, "the column on the left is written after", "and it has a second line of its own too")
	require.Regexp(t, `(?s)on the left.*on the right`, s.read())
	s.page.Tagged = true
	require.Regexp(t, `(?s)on the right.*on the left`, s.read())
}

// Browsers draw the numbers of items before all other text of the page. An item is read where most of it is.
func TestNumbersThatAreDrawnBeforeTheirItems(t *testing.T) {
	s := newSheet().write(50, 676, 10, regular, "(1)").write(50, 652, 10, regular, "(2)").lines(50, 700, "the carrier has these duties and rights")
	s.lines(72, 676, "the carrier shall tell the customer without", "any delay what became of it", "the customer may ask for it again")
	s.page.Tagged = true
	require.Equal(t, "text start: the carrier has these duties and rights\ntext start: (1) the carrier shall tell the customer without any delay what became of it\n"+
		"text start: (2) the customer may ask for it again\n", s.read())
}

// The numbers of items stand left of their texts, whose lines begin below each other. Items within them are texts of their own.
func TestNumbersOfItemsBelongToThem(t *testing.T) {
	s := newSheet().write(50, 700, 10, regular, "(1)").write(78, 700, 10, regular, "the carrier may refuse the goods of a customer who")
	s.write(78, 688, 10, regular, "has not paid for others").write(50, 676, 10, regular, "(2)").write(78, 676, 10, regular, "the customer shall tell")
	s.write(94, 664, 10, regular, "a. the number of the packages, and").write(94, 652, 10, regular, "b. their weight")
	s.write(50, 640, 10, regular, "(3)").write(78, 640, 10, regular, "the goods are those that were handed over for the")
	s.write(78, 628, 10, regular, "carriage")
	require.Equal(t, "text start: (1) the carrier may refuse the goods of a customer who has not paid for others\ntext start: (2) the customer shall tell\n"+
		"text start: a. the number of the packages, and\ntext start: b. their weight\n"+
		"text start: (3) the goods are those that were handed over for the carriage\n", s.read())
	s = newSheet().write(50, 700, 10, regular, "(3)").write(78, 700, 10, regular, "the goods are those that").write(78, 688, 10, regular, "were handed over")
	require.Equal(t, "text start: (3) the goods are those that were handed over\n", s.read())
}

// A formula in a text face is no text: its variables are single letters, whatever their indices.
func TestVariablesWithIndicesAreNoWords(t *testing.T) {
	for text, want := range map[string]string{
		"q = a h\x022\x02 (u - u\x02c\x02)": "text start (no_text): q = a h2 (u - uc)\n",
		"q is up":                           "text start: q is up\n",
	} {
		require.Equal(t, want, newSheet().write(50, 700, 10, regular, text).read())
	}
}

// Bullets may stand right before their texts.
func TestABulletIsNoPartOfAWord(t *testing.T) {
	s := newSheet().lines(50, 700, "•the first of the items that are listed", "•the second one")
	require.Equal(t, "text start: • the first of the items that are listed\ntext start: • the second one\n", s.read())
}

// A line that begins far left of the lines above it, such as a date beside which its entry stands, is no part of their paragraph.
func TestALineFarLeftOfTheOthersStartsAText(t *testing.T) {
	s := newSheet().lines(150, 700, "built a search engine for all that was", "sold there, and kept it alive").lines(60, 676, "in the year 2012 worked as a student")
	require.Equal(t, "text start: built a search engine for all that was sold there, and kept it alive\ntext start: in the year 2012 worked as a student\n", s.read())
}

// Boxes to tick and dingbats stay as formulas do: text faces lack them.
func TestSymbolsKeepTheirGlyphs(t *testing.T) {
	require.Equal(t, "text start: {v0} the speed of a body\n", newSheet().write(50, 700, 10, regular, "☐ the speed of a body").read())
	require.Equal(t, "text start: • the speed of a body\n", newSheet().write(50, 700, 10, regular, "• the speed of a body").read())
}

func TestTheLastCellOfATableMayHaveSeveralLines(t *testing.T) {
	s := newSheet()
	for i, name := range []string{"wheat", "barley", "oats", "maize"} {
		y := 700 - 24*float64(i)
		s.write(60, y, 10, regular, name).write(200, y, 10, regular, "12.50").write(300, y, 10, regular, "for a sack of it").write(480, y, 10, regular, "7")
		s.write(300, y-11, 10, regular, "at the harbor")
	}
	require.Equal(t, 4, strings.Count(s.read(), "for a sack of it at the harbor"))
}
