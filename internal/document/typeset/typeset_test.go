package typeset_test

import (
	"fmt"
	"math"
	"slices"
	"strings"
	"sync"
	"testing"

	"github.com/stretchr/testify/require"

	"plait/internal/assets/assetstest"
	"plait/internal/document"
	"plait/internal/document/typeset"
)

// lorem is a paragraph of 200 letters and more.
const lorem = "Lorem ipsum dolor sit amet, consectetur adipiscing elit, sed do eiusmod tempor incididunt ut labore et dolore magna aliqua. " +
	"Ut enim ad minim veniam, quis nostrud exercitation ullamco laboris nisi ut aliquip."

// block is a paragraph of 10 points with so many lines of 200 points, whose baselines are 12 points apart; the first is at y 700.
func block(lines int, align document.Align) document.Block {
	b := document.Block{
		Class: document.ClassText, Box: document.Box{X0: 100, Y0: 698 - 12*float64(lines-1), X1: 300, Y1: 710}, Text: lorem, Size: 10,
		Lines: lines, LineHeight: 1.2, Align: align, Baseline: document.Point{X: 100, Y: 700},
		Spans: []document.Span{{End: len(lorem), Style: document.Style{Size: 10, Serif: true}}},
	}
	b.Room = b.Box
	return b
}

// faces are those of all tests: to read fonts and patterns takes a second.
var faces struct {
	sync.Once
	*typeset.Faces
	error
}

func set(t *testing.T, lang string, b document.Block, translation string, limit float64) (typeset.Result, error) {
	t.Helper()
	return setOn(t, document.Page{Crop: document.Box{X1: 600, Y1: 800}}, lang, b, translation, limit)
}

// setOn sets a text on a page that the block refers to.
func setOn(t *testing.T, page document.Page, lang string, b document.Block, translation string, limit float64) (typeset.Result, error) {
	t.Helper()
	faces.Do(func() { faces.Faces, faces.error = typeset.OpenFaces(assetstest.Open(t)) })
	require.NoError(t, faces.error)
	return typeset.New(faces.Faces, lang).Set(page, b, translation, limit)
}

// lines returns the texts of the lines of a result, from top to bottom, each in the order of its glyphs.
func lines(r typeset.Result) (texts []string) {
	y := math.Inf(1)
	for _, run := range r.Text.Runs {
		for _, g := range run.Glyphs {
			if g.Origin.Y < y-4 {
				y, texts = g.Origin.Y, append(texts, "")
			}
			texts[len(texts)-1] += g.Text
		}
	}
	return texts
}

// requireWithin demands that every glyph begins and ends within the box.
func requireWithin(t *testing.T, r typeset.Result, b document.Box) {
	t.Helper()
	for _, run := range r.Text.Runs {
		for _, g := range run.Glyphs {
			require.GreaterOrEqual(t, g.Origin.X, b.X0-1)
			require.LessOrEqual(t, g.Origin.X+g.Advance, b.X1+3, "a space at the end of a line may hang over")
			require.GreaterOrEqual(t, g.Origin.Y, b.Y0)
			require.LessOrEqual(t, g.Origin.Y+6, b.Y1+1)
		}
	}
}

func TestTextsFitTheirRoom(t *testing.T) {
	t.Parallel()
	for name, c := range map[string]struct {
		lang, text string
		lines      int
		whole      bool // the size of the source
	}{
		"fits":               {"de", lorem, 6, true},
		"is longer":          {"de", lorem + " " + lorem, 6, false},
		"in Chinese":         {"zh", strings.Repeat("春眠不觉晓，处处闻啼鸟。", 6), 4, true},
		"in Arabic":          {"ar", strings.Repeat("في البدء كان الكلمة ", 10), 6, true},
		"mixed":              {"ja", strings.Repeat("これはPDFの文章です。", 8), 5, true},
		"a word too long":    {"de", strings.Repeat("Donaudampfschifffahrtsgesellschaft", 4), 6, true},
		"is small from then": {"de", lorem + lorem + lorem, 8, false},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			b := block(c.lines, document.AlignStart)
			r, err := set(t, c.lang, b, c.text, 1)
			require.NoError(t, err)
			requireWithin(t, r, b.Room)
			require.Equal(t, c.whole, r.Scale == 1, "%v", r.Scale)
			steps := r.Scale * b.Size / 0.5
			require.InDelta(t, math.Round(steps), steps, 1e-9, "sizes shrink by half points")
		})
	}
}

func TestTextsThatFitAtNoSizeAreNotSet(t *testing.T) {
	t.Parallel()
	_, err := set(t, "de", block(2, document.AlignStart), strings.Repeat(lorem, 5), 1)
	require.ErrorIs(t, err, typeset.ErrNoRoom)
}

func TestCharactersThatNoFontHasAreErrors(t *testing.T) {
	t.Parallel()
	_, err := set(t, "de", block(2, document.AlignStart), "\U00012000", 1) // cuneiform
	require.Error(t, err)
	require.NotErrorIs(t, err, typeset.ErrNoRoom)
}

func TestLimitsBoundTheSize(t *testing.T) {
	t.Parallel()
	r, err := set(t, "de", block(6, document.AlignStart), lorem, 0.8)
	require.NoError(t, err)
	require.InDelta(t, 0.8, r.Scale, 1e-9)
	for _, run := range r.Text.Runs {
		require.InDelta(t, 8, run.Size, 1e-9)
	}
}

// Spaces keep their width, however often a text was wrapped on the way to its size.
func TestSpacesStayWhenATextIsWrappedAgain(t *testing.T) {
	t.Parallel()
	b := block(5, document.AlignStart)
	r, err := set(t, "de", b, strings.ReplaceAll(lorem+lorem[:60], " ", " ("), 1)
	require.NoError(t, err)
	require.Less(t, r.Scale, 1.0)
	for _, run := range r.Text.Runs {
		for i, g := range run.Glyphs {
			if g.Text == " " && i+1 < len(run.Glyphs) && run.Glyphs[i+1].Origin.Y == g.Origin.Y {
				require.Greater(t, g.Advance, 0.2*run.Size, "the space before %q", run.Glyphs[i+1].Text)
			}
		}
	}
}

// The entry of an index goes over the dots after it before it shrinks. It leaves those before the number.
func TestALongEntryGoesOverTheDotsOfItsLeader(t *testing.T) {
	page := document.Page{Crop: document.Box{X1: 600, Y1: 800}}
	b := block(1, document.AlignStart)
	b.Box.X1, b.Room.X1 = 160, 162
	for x := 160.0; x < 300; x += 5 {
		b.Leader = append(b.Leader, len(page.Glyphs))
		page.Glyphs = append(page.Glyphs, document.Glyph{Text: ".", Origin: document.Point{X: x, Y: 700}, Box: document.Box{X0: x, Y0: 698, X1: x + 3, Y1: 707}})
	}
	for _, c := range []struct {
		lang, translation string
		whole             bool
	}{{"de", "Entry", true}, {"de", "Entry that is much longer", true}, {"ar", "\u0645\u062f\u062e\u0644", true}, {"de", lorem, false}} {
		r, err := setOn(t, page, c.lang, b, c.translation, 1)
		if !c.whole {
			require.Error(t, err)
			continue
		}
		require.NoError(t, err)
		require.InDelta(t, 1.0, r.Scale, 1e-9)
		require.Len(t, lines(r), 1)
		for i, dot := range page.Glyphs {
			require.Equal(t, dot.Box.X0 < r.Text.Box.X1+3, slices.Contains(r.Covered, i), "the dot at %v of %q", dot.Box.X0, c.translation)
		}
	}
}

func TestAlignment(t *testing.T) {
	t.Parallel()
	for align, c := range map[document.Align]struct{ left, right bool }{
		document.AlignStart: {left: true}, document.AlignEnd: {right: true}, document.AlignCenter: {}, document.AlignJustify: {true, true},
	} {
		t.Run(string(align), func(t *testing.T) {
			t.Parallel()
			r, err := set(t, "de", block(7, align), lorem, 1)
			require.NoError(t, err)
			first := r.Text.Runs[0]
			left := first.Glyphs[0].Origin.X
			right := left
			for _, g := range first.Glyphs {
				if g.Text != " " {
					right = g.Origin.X + g.Advance
				}
			}
			require.Equal(t, c.left, math.Abs(left-100) < 0.5, "left edge at %v", left)
			require.Equal(t, c.right, math.Abs(right-300) < 1, "right edge at %v", right)
			if align == document.AlignCenter {
				require.InDelta(t, left-100, 300-right, 1)
			}
		})
	}
}

// Chinese and Japanese punctuation begins no line.
func TestNoLineBeginsWithAClosingMark(t *testing.T) {
	t.Parallel()
	for n := range 12 {
		r, err := set(t, "ja", block(8, document.AlignStart), strings.Repeat("あ", n)+strings.Repeat("いろはにほへと、ちりぬるを。", 6), 1)
		require.NoError(t, err)
		for _, line := range lines(r) {
			require.NotContains(t, "、。", string([]rune(line)[:1]), line)
		}
	}
}

func TestFormulasMoveWithTheirMarkers(t *testing.T) {
	t.Parallel()
	b := block(4, document.AlignStart)
	b.Formulas = []document.Formula{
		{Box: document.Box{X0: 120, Y0: 698, X1: 150, Y1: 708}, Origin: document.Point{X: 120, Y: 700}, Advance: 30, Glyphs: []int{3, 4}},
		{Box: document.Box{X0: 200, Y0: 670, X1: 220, Y1: 720}, Origin: document.Point{X: 200, Y: 700}, Advance: 20, Glyphs: []int{9}, Rules: []int{1}},
	}
	_, err := set(t, "de", b, "{v1} kommt vor {v0}", 1)
	require.Error(t, err, "the tall formula does not fit the four lines")
	b.Box.Y1, b.Room.Y1, b.Room.Y0 = 730, 730, 640
	r, err := set(t, "de", b, "{v1} kommt vor {v0}", 1)
	require.NoError(t, err)
	require.Len(t, r.Moves, 2)
	require.Equal(t, []int{9}, r.Moves[0].Glyphs)
	require.InDelta(t, -100, r.Moves[0].DX, 1)
	require.Equal(t, []int{1}, r.Moves[0].Rules)
	require.Equal(t, []int{3, 4}, r.Moves[1].Glyphs)
	require.Greater(t, r.Moves[1].DX, 0.0)
	require.Equal(t, "kommt vor", strings.TrimSpace(strings.Join(lines(r), "")))
}

func TestTagsGiveTheStyleOfTheirSpan(t *testing.T) {
	t.Parallel()
	b := block(2, document.AlignStart)
	red := document.Color{R: 200}
	b.Spans = []document.Span{{End: 60, Style: document.Style{Size: 10, Serif: true}}, {Start: 60, End: 70, Style: document.Style{Size: 10, Bold: true, Color: red}}}
	r, err := set(t, "de", b, "schlicht <s1>wichtig</s1> schlicht <s9>unbekannt</s9>", 1)
	require.NoError(t, err)
	styled := map[string]string{}
	for _, run := range r.Text.Runs {
		for _, g := range run.Glyphs {
			styled[fmt.Sprintf("%s %d", run.Face, run.Color.R)] += g.Text
		}
	}
	require.Equal(t, "wichtig", strings.TrimSpace(styled["NotoSans_700Bold 200"]), "%v", styled)
	require.Contains(t, styled["NotoSerif_400Regular 0"], "schlicht")
}

// The last glyph of a line has its width too, on either side of the line.
func TestEveryLetterHasItsWidth(t *testing.T) {
	t.Parallel()
	for lang, text := range map[string]string{"he": "שלום 2017", "de": "Haus 2017"} {
		r, err := set(t, lang, block(2, document.AlignStart), text, 1)
		require.NoError(t, err)
		for _, run := range r.Text.Runs {
			for _, g := range run.Glyphs {
				if g.Text != " " {
					require.Greater(t, g.Advance, 1.0, "%s: %q", lang, g.Text)
				}
			}
		}
	}
}

// The dots of Arabic letters are marks of their glyphs, and each letter is extracted once.
func TestLettersHaveTheirMarks(t *testing.T) {
	t.Parallel()
	r, err := set(t, "ar", block(2, document.AlignStart), "بيت", 1)
	require.NoError(t, err)
	text, marks := "", 0
	for _, run := range r.Text.Runs {
		for _, g := range run.Glyphs {
			text = g.Text + text // glyphs run from left to right
			marks += len(g.Marks)
			require.NotZero(t, g.Advance)
		}
	}
	require.Equal(t, "بيت", text)
	require.GreaterOrEqual(t, marks, 2)
}

// A letter has the form of its place in the word, also where the font composes it of a letter and dots: ي at the end of a word is twice as
// wide as inside of one.
func TestArabicLettersJoin(t *testing.T) {
	t.Parallel()
	advance := func(word, letter string) float64 {
		r, err := set(t, "ar", block(2, document.AlignStart), word, 1)
		require.NoError(t, err)
		for _, run := range r.Text.Runs {
			for _, g := range run.Glyphs {
				if g.Text == letter {
					return g.Advance
				}
			}
		}
		require.Fail(t, "no glyph", "%s of %s", letter, word)
		return 0
	}
	for word, letter := range map[string]string{"بيت": "ي", "الصغير": "ي", "منارة": "ن", "نقل": "ق"} {
		require.Less(t, advance(word, letter), 0.75*advance(letter, letter), "%s of %s", letter, word)
	}
}

// Text in another direction is set in that direction.
func TestTurnedText(t *testing.T) {
	t.Parallel()
	b := block(1, document.AlignStart)
	b.Direction, b.Baseline, b.Box = 90, document.Point{X: 100, Y: 200}, document.Box{X0: 90, Y0: 200, X1: 102, Y1: 400}
	b.Room = b.Box
	r, err := set(t, "de", b, "aufwärts", 1)
	require.NoError(t, err)
	glyphs := r.Text.Runs[0].Glyphs
	require.InDelta(t, 100, glyphs[0].Origin.X, 1e-6)
	require.Greater(t, glyphs[5].Origin.Y, glyphs[0].Origin.Y)
	require.Equal(t, document.Direction(90), r.Text.Runs[0].Direction)
}

func TestScalesAreCommonButForTheSmallest(t *testing.T) {
	t.Parallel()
	var needed []typeset.Needed
	for _, scale := range []float64{1, 1, 1, 0.95, 0.9, 0.9, 0.9, 0.85, 0.85, 0.5} {
		needed = append(needed, typeset.Needed{Class: document.ClassText, Size: 10, Scale: scale})
	}
	s := typeset.NewScales(needed)
	require.InDelta(t, 0.85, s.Limit(document.Block{Class: document.ClassText, Size: 10.1}), 1e-9)
	require.InDelta(t, 1, s.Limit(document.Block{Class: document.ClassTitle, Size: 10}), 1e-9)
	require.InDelta(t, 1, s.Limit(document.Block{Class: document.ClassText, Size: 10, Cell: &document.Cell{}}), 1e-9)
}

// The cells of a column have one size, and so have those of a row in columns with few: but for a fifth, which need a smaller one.
func TestCellsOfAColumnHaveOneScale(t *testing.T) {
	t.Parallel()
	var cells []typeset.NeededCell
	add := func(row, column int, scale float64) {
		cells = append(cells, typeset.NeededCell{Block: len(cells), Cell: document.Cell{Row: row, Column: column}, Size: 9, Scale: scale})
	}
	for row, scale := range []float64{1, 0.9, 1, 0.8, 0.5} {
		add(row+1, 0, scale)
	}
	add(0, 1, 0.7)
	add(0, 2, 1)
	limits := typeset.CellLimits(cells)
	for block := range 5 {
		require.InDelta(t, 0.8, limits[block], 1e-9)
	}
	require.InDelta(t, 0.7, limits[5], 1e-9)
	require.InDelta(t, 0.7, limits[6], 1e-9)
}

func TestTextsShrinkAndAreMarkedBelowSixPoints(t *testing.T) {
	t.Parallel()
	for size, legible := range map[float64]float64{10: 6, 7: 5.25, 5: 3.75, 24: 6} {
		b := block(1, document.AlignStart)
		b.Size, b.Spans[0].Size = size, size
		text, smallest := "Seezeichen", size
		for {
			r, err := set(t, "de", b, text, 1)
			if err != nil {
				require.ErrorIs(t, err, typeset.ErrNoRoom)
				break
			}
			smallest = r.Scale * size
			require.Equal(t, smallest < legible-1e-6, r.Overflow, "%v at %v", size, smallest)
			text += " und"
		}
		require.InDelta(t, 0.35*size, smallest, 0.51)
	}
}

// A word is divided where its language does not divide it only if it would be much smaller otherwise, and never in the cell of a table.
func TestWordsStayWhole(t *testing.T) {
	t.Parallel()
	b := block(6, document.AlignStart)
	b.Room.X1, b.Box.X1 = 160, 160
	r, err := set(t, "de", b, "Leuchtfeuer und Tonnen", 1)
	require.NoError(t, err)
	require.Contains(t, strings.Join(lines(r), "|"), "Leuchtfeuer")
	require.Greater(t, r.Scale, 0.9)
	b.Cell = &document.Cell{}
	b.Room.X1, b.Box.X1 = 140, 140
	r, err = set(t, "de", b, "Leuchtfeuer", 1)
	require.NoError(t, err)
	require.Len(t, lines(r), 1)
}

// Texts of right-to-left scripts begin at the right edge: cells at that of their column, as long as they fit there, and others at that of
// their room. What stands at the right in the source stays there.
func TestRightToLeftTextsBeginOnTheRight(t *testing.T) {
	t.Parallel()
	right := func(b document.Block, text string) float64 {
		r, err := set(t, "ar", b, text, 1)
		require.NoError(t, err)
		edge := 0.0
		for _, g := range r.Text.Runs[0].Glyphs {
			edge = max(edge, g.Origin.X+g.Advance)
		}
		return edge
	}
	cell := block(1, document.AlignStart)
	cell.Box.X1, cell.Room.X1 = 150, 260
	cell.Cell = &document.Cell{Area: document.Box{X0: 95, X1: 200, Y0: 690, Y1: 710}}
	require.InDelta(t, 195, right(cell, "بيت"), 1)
	require.InDelta(t, 255, right(cell, "في البدء كان الكلمة في البدء"), 5)
	cell.Cell = nil
	require.InDelta(t, 260, right(cell, "بيت"), 1)
	cell.Align = document.AlignEnd
	require.InDelta(t, 150, right(cell, "بيت"), 1)
}

// A formula keeps its width when the text around it shrinks, and the lines are broken by that.
func TestTextsWithWideFormulasShrink(t *testing.T) {
	t.Parallel()
	b := block(4, document.AlignStart)
	for range 2 {
		b.Formulas = append(b.Formulas, document.Formula{
			Box: document.Box{X0: 100, Y0: 698, X1: 190, Y1: 708}, Origin: document.Point{X: 100, Y: 700}, Advance: 90, Glyphs: []int{3},
		})
	}
	r, err := set(t, "de", b, "Es gilt für alle Werte {v0} und ebenso für {v1}, wenn die Zahlen der ersten Reihe nicht kleiner sind als die der zweiten und dritten, was man den folgenden Tafeln entnimmt.", 1)
	require.NoError(t, err)
	require.Less(t, r.Scale, 1.0)
	require.False(t, r.Overflow)
	requireWithin(t, r, b.Room)
	for _, m := range r.Moves {
		require.LessOrEqual(t, 190+m.DX, b.Room.X1+0.5)
	}
}

// A text that starts on the right in its source starts on the left in a language that is written from there, and stays on the right in others.
func TestTextsFromRightToLeftChangeSides(t *testing.T) {
	t.Parallel()
	b := block(1, document.AlignStart)
	b.RightToLeft, b.Room.X0 = true, 20
	r, err := set(t, "de", b, "Ein kurzer Satz.", 1)
	require.NoError(t, err)
	require.InDelta(t, 20, r.Text.Box.X0, 1)
	r, err = set(t, "ar", b, "جملة قصيرة", 1)
	require.NoError(t, err)
	require.InDelta(t, 300, r.Text.Box.X1, 1)
}
