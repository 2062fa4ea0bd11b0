package pdfedit_test

import (
	"fmt"
	"math"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"plait/internal/document"
	"plait/internal/document/pdf"
	"plait/internal/document/pdfedit"
	"plait/internal/document/pdftest"
)

// sheet makes a file of one page with two fonts, a simple and a composite one.
func sheet(content string) []byte {
	b := pdftest.New()
	text := "abcdefghijklmnopqrstuvwxyz ABCDEFGHIJKLMNOPQRSTUVWXYZ"
	fonts := map[string]pdftest.Ref{"F": b.Helvetica(), "G": b.Type0(&text)}
	b.Page(pdftest.Page{Content: content, Fonts: fonts, Resources: "/ColorSpace << /Sep [/Separation /Spot /DeviceGray << /FunctionType 2 /Domain [0 1] /C0 [1] /C1 [0] /N 1 >>] >>"})
	return b.Bytes()
}

var sheets = map[string]string{
	"strings":      "BT /F 10 Tf 100 700 Td (ab c) Tj (de) Tj 0 -20 Td (fg) Tj ET",
	"adjustments":  "BT /F 10 Tf 100 700 Td [(a) -500 (bc) 200 (d)] TJ (e) Tj ET",
	"spacing":      "BT /F 10 Tf 2 Tc 5 Tw 80 Tz 3 Ts 100 700 Td (a b c) Tj (d) Tj ET",
	"lines":        "BT /F 10 Tf 12 TL 100 700 Td (abc) ' 3 1 (d e f) \" T* (g) Tj (h) ' ET",
	"composite":    "BT /G 12 Tf 100 700 Td " + pdftest.Hex("abc d") + " Tj [" + pdftest.Hex("ef") + " -300 " + pdftest.Hex("g") + "] TJ ET",
	"matrices":     "q 2 0 0 2 10 20 cm BT /F 10 Tf 0 1 -1 0 50 50 Tm (abc) Tj 1 0 .3 1 100 100 Tm (def) Tj 20 0 Td (gh) Tj ET Q",
	"two objects":  "BT /F 10 Tf 100 700 Td (ab) Tj ET 1 0 0 rg BT 100 600 Td (cd) Tj ET",
	"states":       "q BT /F 10 Tf /Sep cs .5 scn 1 Tc 100 700 Td (abc) Tj ET Q BT /F 8 Tf 50 50 Td (def) Tj ET",
	"unbalanced":   "Q q q BT /F 10 Tf 100 700 Td (abc) Tj (def) Tj",
	"empty string": "BT /F 10 Tf 100 700 Td () Tj (ab) Tj [] TJ (c) Tj ET",
}

// same requires glyphs where others were.
func same(t *testing.T, want, got []document.Glyph) {
	t.Helper()
	require.Len(t, got, len(want))
	for i, w := range want {
		g := got[i]
		require.Equal(t, w.Text, g.Text)
		require.Less(t, math.Hypot(w.Origin.X-g.Origin.X, w.Origin.Y-g.Origin.Y), .001, "glyph %d (%q) moved from %v to %v", i, w.Text, w.Origin, g.Origin)
		require.InDelta(t, w.Size, g.Size, 1e-4)
		require.Equal(t, w.Color, g.Color)
	}
}

func TestWhatIsLeftKeepsItsPlace(t *testing.T) {
	for name, content := range sheets {
		file := sheet(content)
		for _, every := range []int{1, 2, 3} {
			t.Run(fmt.Sprintf("%s, each %d", name, every), func(t *testing.T) {
				before := page(t, file, 0)
				edit := &document.Edit{}
				var kept []document.Glyph
				for i, g := range before.Glyphs {
					if i%every == 0 {
						edit.Remove = append(edit.Remove, i)
					} else {
						kept = append(kept, g)
					}
				}
				edited := write(t, file, pdfedit.Options{}, func(document.Page) *document.Edit { return edit })
				same(t, kept, page(t, edited, 0).Glyphs)
			})
		}
	}
}

func TestWhatFollowsNewTextKeepsItsPlaceAndState(t *testing.T) {
	for name, content := range sheets {
		file := sheet(content)
		t.Run(name, func(t *testing.T) {
			before := page(t, file, 0)
			edited := write(t, file, pdfedit.Options{}, func(p document.Page) *document.Edit {
				return &document.Edit{Remove: []int{0}, Texts: []document.Text{line(t, "new", p.Glyphs[0].Op, 300, 300, 9)}}
			})
			after := page(t, edited, 0)
			require.Equal(t, "new", texts(after)[:3], program(t, edited, 0))
			same(t, before.Glyphs[1:], after.Glyphs[3:])
			same(t, []document.Glyph{{Text: "n", Origin: document.Point{X: 300, Y: 300}, Size: 9, Color: document.Color{R: 200}}}, after.Glyphs[:1])
		})
	}
}

func TestMovedGlyphsStayInTheirOperator(t *testing.T) {
	for name, content := range sheets {
		file := sheet(content)
		t.Run(name, func(t *testing.T) {
			want := page(t, file, 0).Glyphs
			edit := &document.Edit{}
			for i := range want {
				if i%3 != 0 {
					edit.Moves = append(edit.Moves, document.Move{Glyphs: []int{i}, DX: float64(i % 2), DY: -7})
					want[i].Origin.X += float64(i % 2)
					want[i].Origin.Y -= 7
				}
			}
			edited := write(t, file, pdfedit.Options{}, func(document.Page) *document.Edit { return edit })
			same(t, want, page(t, edited, 0).Glyphs)
		})
	}
}

// A glyph that moves out of its clipping area is drawn where nothing clips it, with the state that it has in its place.
func TestMovedGlyphsAreNotClipped(t *testing.T) {
	const cell = "90 690 60 30 re W n 1 0 0 rg BT /F 10 Tf 1 Tc 80 Tz 100 700 Td (ab) Tj (cd) Tj ET"
	form := pdftest.New()
	fonts := map[string]pdftest.Ref{"F": form.Helvetica()}
	drawn := form.Form("90 690 150 720", "1 0 0 rg BT /F 10 Tf 100 700 Td (abcd) Tj ET", fonts, nil, "")
	form.Page(pdftest.Page{Content: "/X Do", XObjects: map[string]pdftest.Ref{"X": drawn}})
	for name, file := range map[string][]byte{
		"a state":    sheet("q 2 0 0 2 -100 -700 cm q " + cell + " Q BT /F 8 Tf 50 600 Td (ef) Tj ET Q"),
		"the page":   sheet(cell),
		"a polygon":  sheet("q 90 690 m 150 690 l 120 720 l W n 1 0 0 rg BT /F 10 Tf 100 700 Td (abcd) Tj ET Q"),
		"unbalanced": sheet("Q q q " + cell),
		"a form":     form.Bytes(),
	} {
		t.Run(name, func(t *testing.T) {
			before := page(t, file, 0).Glyphs
			edited := write(t, file, pdfedit.Options{}, func(document.Page) *document.Edit {
				return &document.Edit{Moves: []document.Move{{Glyphs: []int{1, 2}, DX: 200, DY: -7}}}
			})
			moved := map[string]document.Glyph{}
			for _, g := range page(t, edited, 0).Glyphs {
				require.False(t, g.Hidden)
				moved[g.Text] = g
			}
			for i, g := range before {
				if i == 1 || i == 2 {
					g.Origin.X, g.Origin.Y = g.Origin.X+200, g.Origin.Y-7
				}
				same(t, []document.Glyph{g}, []document.Glyph{moved[g.Text]})
				require.InDelta(t, g.Advance, moved[g.Text].Advance, .001)
			}
		})
	}
}

func TestRewrittenProgramsAreReadable(t *testing.T) {
	for _, c := range []struct{ before, remove, after string }{
		{"BT /F 10 Tf 100 700 Td (abc) Tj (de) Tj ET", "abc", "BT /F 10 Tf 100 700 Td [-1612] TJ (de) Tj ET"},
		{"BT /F 10 Tf 100 700 Td (abc) Tj ET", "b", "BT /F 10 Tf 100 700 Td [<61>-556<63>] TJ ET"},
		{"BT /F 10 Tf 100 700 Td [(ab) -70 (cd)] TJ ET", "bc", "BT /F 10 Tf 100 700 Td [<61>-1126<64>] TJ ET"},
	} {
		file := sheet(c.before)
		edited := write(t, file, pdfedit.Options{}, func(p document.Page) *document.Edit {
			return &document.Edit{Remove: find(t, p, c.remove)}
		})
		require.Equal(t, c.after, program(t, edited, 0))
	}
}

func TestRulesAreRepaintedAndMovedWithTheirState(t *testing.T) {
	file := sheet("1 0 0 RG 100 500 m 200 500 l S 2 0 0 2 0 0 cm 50 200 100 .5 re f 10 10 m 90 10 l 10 20 m 90 20 l S 0 0 1 RG 10 30 m 90 30 l S")
	before := page(t, file, 0)
	require.Len(t, before.Rules, 5)
	edited := write(t, file, pdfedit.Options{}, func(document.Page) *document.Edit {
		// The third rule shares its operator with the fourth, which stays, so that it stays too.
		return &document.Edit{
			Repaints: []document.Repaint{{Op: 0, Boxes: []document.Box{{X0: 100, Y0: 480, X1: 150, Y1: 481}}}, {Op: 3}},
			Moves:    []document.Move{{Rules: []int{1, 2}, DX: 10, DY: -20}},
		}
	})
	require.Equal(t, "1 0 0 RG q 1 0 0 1 0 0 cm 1 0 0 rg 100 480 50 1 re f Q 100 500 m 200 500 l n 2 0 0 2 0 0 cm"+
		" q 1 0 0 1 5 -10 cm 50 200 100 .5 re f Q 10 10 m 90 10 l 10 20 m 90 20 l S 0 0 1 RG 10 30 m 90 30 l n", program(t, edited, 0))
	after := page(t, edited, 0)
	require.Len(t, after.Rules, 4)
	require.Equal(t, document.Rule{Box: document.Box{X0: 100, Y0: 480, X1: 150, Y1: 481}, Color: document.Color{R: 255}}, after.Rules[0])
	require.InDelta(t, before.Rules[1].Box.X0+10, after.Rules[1].Box.X0, 1e-6)
	require.InDelta(t, before.Rules[1].Box.Y0-20, after.Rules[1].Box.Y0, 1e-6)
	require.Equal(t, before.Rules[2:4], after.Rules[2:])
}

// Producers clip each underline to its own area, or to that of the line.
func TestWhatIsRepaintedIsNotClipped(t *testing.T) {
	file := sheet("q q 100 500 50 2 re W n .5 0 0 .5 0 0 cm 0 1 0 rg 200 1000 100 2 re f Q q 1 0 1 rg 0 500 600 20 re W n 100 500 50 1 re f Q Q")
	boxes := []document.Box{{X0: 300, Y0: 500, X1: 400, Y1: 501}, {X0: 100, Y0: 505, X1: 150, Y1: 506}}
	edited := write(t, file, pdfedit.Options{}, func(document.Page) *document.Edit {
		return &document.Edit{Repaints: []document.Repaint{{Op: 0, Boxes: boxes}, {Op: 1, Boxes: boxes[:1]}}}
	})
	var got []document.Box
	var colors []document.Color
	for _, r := range page(t, edited, 0).Rules {
		got, colors = append(got, r.Box), append(colors, r.Color)
	}
	require.Equal(t, []document.Box{boxes[0], boxes[1], boxes[0]}, got)
	require.Equal(t, []document.Color{{G: 255}, {G: 255}, {R: 255, B: 255}}, colors)
}

// A path that moves out of its clipping area is painted where nothing clips it, and stays clipped where there is no such place.
func TestMovedPathsAreNotClipped(t *testing.T) {
	const cell = "90 690 60 30 re W n 3 w 1 0 0 rg 0 0 1 RG 95 695 40 20 re B"
	for content, left := range map[string]float64{"q 1 0 0 1 -20 5 cm q " + cell + " Q Q": 275, cell: 90} {
		edited := write(t, sheet(content), pdfedit.Options{}, func(document.Page) *document.Edit {
			return &document.Edit{Moves: []document.Move{{Fills: []int{0}, DX: 200}}}
		})
		for _, f := range page(t, edited, 0).Fills {
			require.InDelta(t, left, f.Box.X0, 5.001)
			require.Equal(t, document.Color{R: 255}, f.Color)
		}
	}
}

// The lines of a sideways text are read one after the other, although their beginnings are level.
func TestSidewaysLinesAreReadInOrder(t *testing.T) {
	b := pdftest.New()
	fonts := map[string]pdftest.Ref{"F": b.Helvetica()}
	b.Page(pdftest.Page{Rotate: 90, Fonts: fonts, Content: "BT /F 10 Tf 100 700 Td (ab) Tj ET"})
	edited := write(t, b.Bytes(), pdfedit.Options{}, func(p document.Page) *document.Edit {
		op := p.Glyphs[0].Op
		return &document.Edit{Remove: []int{0, 1}, Texts: []document.Text{
			line(t, "the first line of a text", op, 100, 700, 10), line(t, "the second line of it", op, 100, 688, 10), line(t, "and the third", op, 100, 676, 10),
		}}
	})
	opened(t, edited, "", func(f *pdf.File) {
		text, err := f.Text(t.Context(), 0)
		require.NoError(t, err)
		require.Equal(t, "the first line of a text the second line of it and the third", strings.Join(strings.Fields(text), " "))
	})
}

func TestTextThatWouldBeClippedIsDrawnLast(t *testing.T) {
	file := sheet("Q q 1 0 0 rg 90 690 60 30 re W n BT /F 10 Tf 100 700 Td (ab) Tj")
	edited := write(t, file, pdfedit.Options{}, func(p document.Page) *document.Edit {
		op := p.Glyphs[0].Op
		return &document.Edit{Remove: []int{0, 1}, Texts: []document.Text{line(t, "within", op, 91, 700, 9), line(t, "outside the clip", op, 50, 300, 9)}}
	})
	after := page(t, edited, 0)
	require.Equal(t, "withinoutside the clip", texts(after))
	for _, g := range after.Glyphs {
		require.False(t, g.Hidden)
	}
	require.Regexp(t, `^q q 1 0 0 rg .* Q Q q BT .* ET Q$`, program(t, edited, 0))
}

func TestTextThatOneStateClipsIsDrawnAfterIt(t *testing.T) {
	file := sheet("q 1 0 0 1 50 0 cm q 0 690 60 30 re W n BT /F 10 Tf 50 700 Td (ab) Tj ET Q BT /F 8 Tf 0 600 Td (cd) Tj ET Q")
	edited := write(t, file, pdfedit.Options{}, func(p document.Page) *document.Edit {
		return &document.Edit{Remove: []int{0, 1}, Texts: []document.Text{line(t, "much longer than before", p.Glyphs[0].Op, 100, 700, 10)}}
	})
	after := page(t, edited, 0)
	require.Equal(t, "much longer than beforecd", texts(after))
	require.InDelta(t, 100, after.Glyphs[0].Origin.X, .001)
	same(t, page(t, file, 0).Glyphs[2:], after.Glyphs[23:])
}
