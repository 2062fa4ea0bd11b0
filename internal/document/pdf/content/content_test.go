package content_test

import (
	"bytes"
	"fmt"
	"math"
	"strings"
	"testing"

	"github.com/pdfcpu/pdfcpu/pkg/api"
	"github.com/pdfcpu/pdfcpu/pkg/pdfcpu/model"
	"github.com/stretchr/testify/require"

	"plait/internal/core"
	"plait/internal/document"
	"plait/internal/document/pdf/content"
	"plait/internal/document/pdftest"
)

func TestScanDividesAStreamIntoOperators(t *testing.T) {
	for stream, want := range map[string]string{
		"1 0 0 1 72.5 -.5 cm":                          "cm 1 0 0 1 72.5 -0.5",
		"/F1 12 Tf (a\\(b\\)\\101\\\nc) Tj":            `Tf /F1 12|Tj "a(b)Ac"`,
		"[(A) -120 <4142 4>] TJ":                       `TJ ["A" -120 "AB@"]`,
		"/P <</MCID 0 /X [1 2]>> BDC\nEMC":             "BDC /P other|EMC",
		"/a#20b gs % comment\nq Q":                     "gs /a b|q|Q",
		"1.-5 --3 0.0.1 m":                             "m 1 -3 0",
		"BI /W 1 /H 1 ID \x80EI\xff EI Q":              "BI|Q",
		"BI /W 1 /H 1 ID abc\nEI\nS":                   "BI|S",
		"(never closed":                                "",
		"<48":                                          "",
		"] ) > f":                                      "f",
		"true null f":                                  "f other other",
		"(nested (paren) here) Tj":                     `Tj "nested (paren) here"`,
		"[[[1]]] d":                                    "d [[[1]]]",
		strings.Repeat("[", 200) + " f":                "",
		"9999999999999999999999 1e3 m":                 "m 9.999999999999e+12 1000",
		"0 0 m 1 1 l S 2 2 m":                          "m 0 0|l 1 1|S|m 2 2",
		"(\\053\\53\\5) ' 1 2 (x) \"":                  `' "++` + "\x05" + `"|" 1 2 "x"`,
		"<</A<</B 1>>/C(>>)>> BDC":                     "BDC other",
		"q\r\n\x00\f\tQ":                               "q|Q",
		"/Name/Other Do":                               "Do /Name /Other",
		"%only a comment":                              "",
		"BI /D <</K -1>> /F [/A85] ID ~>\nEI\n1 0 0 g": "BI|g 1 0 0",
	} {
		var got []string
		content.Scan([]byte(stream), func(op content.Operator) bool {
			got = append(got, show(op))
			require.LessOrEqual(t, op.Start, op.End)
			return true
		})
		require.Equal(t, want, strings.Join(got, "|"), stream)
	}
}

func show(op content.Operator) string {
	parts := []string{op.Name}
	for _, o := range op.Operands {
		parts = append(parts, showOperand(o))
	}
	return strings.Join(parts, " ")
}

func showOperand(o content.Operand) string {
	switch o.Kind {
	case content.Number:
		return fmt.Sprintf("%g", o.Number)
	case content.Name:
		return "/" + string(o.Text)
	case content.String:
		return `"` + string(o.Text) + `"`
	case content.Array:
		parts := make([]string, len(o.List))
		for i, e := range o.List {
			parts[i] = showOperand(e)
		}
		return "[" + strings.Join(parts, " ") + "]"
	case content.Other:
	}
	return "other"
}

// open reads the first page of a file.
func open(tb testing.TB, file []byte) content.OpenedPage {
	tb.Helper()
	api.DisableConfigDir()
	settings := model.NewDefaultConfiguration()
	settings.ValidationMode = model.ValidationRelaxed
	f, err := api.ReadContext(bytes.NewReader(file), settings)
	require.NoError(tb, err)
	require.NoError(tb, f.EnsurePageCount())
	p, err := content.OpenPage(f.XRefTable, 0)
	require.NoError(tb, err)
	return p
}

// drawn lists what a page draws, one line a drawing.
func drawn(tb testing.TB, p content.OpenedPage) string {
	tb.Helper()
	var b strings.Builder
	require.NoError(tb, content.Walk(p.Page, func(d content.Drawing) error {
		fmt.Fprintf(&b, "%d ", d.Op)
		switch {
		case d.Show != nil:
			for i, g := range d.Show.Glyphs {
				m := d.Show.Origins[i]
				fmt.Fprintf(&b, "%d@%.4g,%.4g/%.4g ", g.Code, m.E, m.F, math.Hypot(m.C, m.D))
			}
			fmt.Fprintf(&b, "%s %v", d.State.Text.Font.Name, d.State.Fill)
		case d.Path != nil:
			fmt.Fprintf(&b, "path %v fill=%v stroke=%v %.3g", box(d.Path.Box()), d.Path.Fill, d.Path.Stroke, d.Path.Width)
		case d.Image != nil:
			fmt.Fprintf(&b, "image %v", box(*d.Image))
		}
		fmt.Fprintf(&b, " clip %v %v\n", box(d.State.Clip), d.State.ClipExact)
		return nil
	}))
	return b.String()
}

func box(b document.Box) string { return fmt.Sprintf("[%.4g %.4g %.4g %.4g]", b.X0, b.Y0, b.X1, b.Y1) }

func TestWalkFollowsTheTextPosition(t *testing.T) {
	b := pdftest.New()
	helvetica := b.Helvetica()
	page := pdftest.Page{Fonts: map[string]pdftest.Ref{"F1": helvetica}}
	page.Content = `BT /F1 10 Tf 100 700 Td (a b) Tj 0 -20 TD [(A) -1000 (B)] TJ T* 2 Tc 5 Tw (a b) Tj
0 Tc 0 Tw 50 Tz (aa) ' 100 Tz 0 0 1 rg 5 Ts (x) Tj 1 2 (y) " ET
q 2 0 0 2 10 20 cm BT /F1 10 Tf 0 1 -1 0 50 50 Tm (a) Tj ET Q`
	b.Page(page)
	// Widths of Helvetica in 1/1000: a and b 556, space 278, A and B 667, x and y 500. The rise of 5 stays to the end.
	require.Equal(t, `0 97@100,700/10 32@105.6,700/10 98@108.3,700/10 Helvetica {0 0 0} clip [0 0 595 842] true
1 65@100,680/10 66@116.7,680/10 Helvetica {0 0 0} clip [0 0 595 842] true
2 97@100,660/10 32@107.6,660/10 98@117.3,660/10 Helvetica {0 0 0} clip [0 0 595 842] true
3 97@100,640/10 97@102.8,640/10 Helvetica {0 0 0} clip [0 0 595 842] true
4 120@105.6,645/10 Helvetica {0 0 255} clip [0 0 595 842] true
5 121@100,625/10 Helvetica {0 0 255} clip [0 0 595 842] true
6 97@100,120/20 Helvetica {0 0 255} clip [0 0 595 842] true
`, drawn(t, open(t, b.Bytes())))
}

func TestWalkGoesIntoForms(t *testing.T) {
	b := pdftest.New()
	font := b.Simple()
	fonts := map[string]pdftest.Ref{"F": font}
	inner := b.Form("0 0 50 50", "BT /F 5 Tf (i) Tj ET", fonts, nil, "")
	outer := b.Form("0 0 100 100", "BT /F 5 Tf (o) Tj ET /In Do 0 0 10 10 re f", fonts, map[string]pdftest.Ref{"In": inner}, "/Matrix [2 0 0 2 0 0]")
	b.Page(pdftest.Page{
		Parts: []string{"q 1 0 0 1 100 100 cm /X1 Do", "Q", "BT /F 7 Tf (p) Tj ET /Pic Do"}, Fonts: fonts,
		XObjects: map[string]pdftest.Ref{"X1": outer, "Pic": b.Image(9)},
	})
	require.Equal(t, `0 111@100,100/10 GoRegular {0 0 0} clip [100 100 300 300] true
1 105@100,100/10 GoRegular {0 0 0} clip [100 100 200 200] true
2 path [100 100 120 120] fill=true stroke=false 2 clip [100 100 300 300] true
3 112@0,0/7 GoRegular {0 0 0} clip [0 0 595 842] true
-1 image [0 0 1 1] clip [0 0 595 842] true
`, drawn(t, open(t, b.Bytes())))
}

func TestWalkReadsCompositeFonts(t *testing.T) {
	b := pdftest.New()
	text := "Hé"
	font := b.Type0(&text)
	b.Page(pdftest.Page{Content: "BT /F 10 Tf 10 10 Td " + pdftest.Hex("Hé") + " Tj ET", Fonts: map[string]pdftest.Ref{"F": font}})
	p := open(t, b.Bytes())
	var texts []string
	var widths []float64
	require.NoError(t, content.Walk(p.Page, func(d content.Drawing) error {
		for _, g := range d.Show.Glyphs {
			require.Equal(t, 2, g.Bytes)
			texts = append(texts, d.State.Text.Font.ToUnicode.Text(g.Code))
			widths = append(widths, math.Round(1000*g.Width))
		}
		return nil
	}))
	require.Equal(t, []string{"H", "é"}, texts)
	require.Equal(t, []float64{722, 556}, widths)
}

// Fonts for Chinese and Japanese often have one width for all characters, and a descriptor beside it.
func TestCharactersWithoutAWidthOfTheirOwnHaveTheDefault(t *testing.T) {
	b := pdftest.New()
	font := b.Add("<< /Type /Font /Subtype /Type0 /BaseFont /W /Encoding /Identity-H /DescendantFonts [<< /Type /Font /Subtype /CIDFontType2" +
		" /BaseFont /W /DW 900 /W [2 [500]] /FontDescriptor << /Type /FontDescriptor /FontName /W /Flags 4 /Ascent 800 /Descent -200 >> >>] >>")
	b.Page(pdftest.Page{Fonts: map[string]pdftest.Ref{"F": font}, Content: "BT /F 10 Tf <00010002> Tj ET"})
	require.NoError(t, content.Walk(open(t, b.Bytes()).Page, func(d content.Drawing) error {
		require.InDelta(t, .9, d.Show.Glyphs[0].Width, 1e-9)
		require.InDelta(t, .5, d.Show.Glyphs[1].Width, 1e-9)
		return nil
	}))
}

func TestMarkedContentHasATextOfItsOwn(t *testing.T) {
	b := pdftest.New()
	program := func(properties ...string) string {
		var s strings.Builder
		for _, p := range properties {
			s.WriteString("/Span " + p + " BDC 0 0 9 9 re f EMC ")
		}
		return s.String()
	}
	b.Page(pdftest.Page{
		Resources: `/Properties << /A << /ActualText (f\(i\)) >> /B << /ActualText <FEFF00660069> >> /C << /Alt (a picture) >> >>`,
		Content: program("<< /ActualText (fi) >>", "<< /MCID 1 /ActualText <FEFFFB01> >>", "<< /ActualText <EFBBBFC3A9> >>", "<< /ActualText (\x93) >>",
			"/A", "/B", "/C", "<< /MCID 0 >>"),
	})
	var got []content.Mark
	require.NoError(t, content.Walk(open(t, b.Bytes()).Page, func(d content.Drawing) error {
		got = append(got, content.Mark{Text: d.State.Marks[0].Text, Replaces: d.State.Marks[0].Replaces})
		return nil
	}))
	require.Equal(t, []content.Mark{
		{Text: "fi", Replaces: true}, {Text: "ﬁ", Replaces: true}, {Text: "é", Replaces: true}, {Replaces: true},
		{Text: "f(i)", Replaces: true}, {Text: "fi", Replaces: true}, {Replaces: true}, {},
	}, got)
}

func TestWalkKnowsClipsColorsAndMarks(t *testing.T) {
	b := pdftest.New()
	font := b.Helvetica()
	b.Page(pdftest.Page{
		Fonts: map[string]pdftest.Ref{"F": font}, Resources: "/ColorSpace << /S [/Separation /Black /DeviceGray 9 0 R] >>",
		Content: `q 10 10 100 100 re W n 0 1 1 0 k BT /F 9 Tf (a) Tj ET
0 0 m 50 0 l 50 50 l h W n /S cs 1 scn BT (b) Tj ET Q
/Span <</ActualText (x)>> BDC BT (c) Tj ET EMC 2 w 0 0 m 90 0 l S`,
	})
	p := open(t, b.Bytes())
	require.Equal(t, `0 97@0,0/9 Helvetica {255 0 0} clip [10 10 110 110] true
1 98@0,0/9 Helvetica {0 0 0} clip [10 10 50 50] false
2 99@0,0/0  {0 0 0} clip [0 0 595 842] true
3 path [0 0 90 0] fill=false stroke=true 2 clip [0 0 595 842] true
`, drawn(t, p))
	var fills []string
	var replaced []bool
	require.NoError(t, content.Walk(p.Page, func(d content.Drawing) error {
		fills = append(fills, string(d.State.FillOps))
		replaced = append(replaced, len(d.State.Marks) == 1 && d.State.Marks[0].Replaces)
		return nil
	}))
	require.Equal(t, []string{"0 1 1 0 k", "/S cs\n1 scn", "", ""}, fills)
	require.Equal(t, []bool{false, false, true, false}, replaced)
}

func TestWalkEndsOnHostilePages(t *testing.T) {
	b := pdftest.New()
	self := b.Reserve()
	b.Set(self, "<< /Type /XObject /Subtype /Form /BBox [0 0 9 9] /Resources << /XObject << /X "+self.String()+" >> >> /Length 11 >>\nstream\n/X Do /X Do\nendstream")
	b.Page(pdftest.Page{Content: "/X Do", XObjects: map[string]pdftest.Ref{"X": self}})
	err := content.Walk(open(t, b.Bytes()).Page, func(content.Drawing) error { return nil })
	require.Equal(t, core.CodeInvalidDocument, core.CodeOf(err), "a form that draws itself twice, each time")
}

func TestPagesInheritTheirResources(t *testing.T) {
	b := pdftest.New()
	b.Inherited("/Resources << /Font << /F " + b.Helvetica().String() + " >> >> /Rotate 450")
	b.Page(pdftest.Page{Content: "BT /F 9 Tf (a) Tj ET", NoResources: true, Crop: "-10 10 500 9000"})
	p := open(t, b.Bytes())
	require.Equal(t, 90, p.Rotate)
	require.Equal(t, document.Box{Y0: 10, X1: 500, Y1: 842}, p.Crop)
	require.Contains(t, drawn(t, p), "Helvetica")
}

func TestAMapOfCodesIsRead(t *testing.T) {
	m := content.ParseCMap([]byte(`1 begincodespacerange <00> <7f> endcodespacerange
2 beginbfchar <01> <0041> <02> <D835DC00> endbfchar
2 beginbfrange <10> <12> <0061> <20> <21> [<0066> <00660069>] endbfrange`))
	require.Equal(t, []string{"A", "𝐀", "a", "b", "c", "f", "fi", ""}, []string{
		m.Text(1), m.Text(2), m.Text(0x10), m.Text(0x11), m.Text(0x12), m.Text(0x20), m.Text(0x21), m.Text(0x99),
	})
}

// A map or a font that says the same codes over and over takes as long as one that says them once.
func TestRepeatedCodesAreReadOnce(t *testing.T) {
	m := content.ParseCMap([]byte(strings.Repeat("1 beginbfrange <0000> <FFFE> <0041> endbfrange ", 10_000)))
	require.Equal(t, "A", m.Text(0))
	b := pdftest.New()
	wide := b.Add("<< /Type /Font /Subtype /Type0 /BaseFont /W /Encoding /Identity-H /DescendantFonts [<< /Subtype /CIDFontType2 /W [" +
		strings.Repeat("0 65536 250 ", 20_000) + "] >>] >>")
	b.Page(pdftest.Page{Fonts: map[string]pdftest.Ref{"F": wide}, Content: "BT /F 10 Tf <0041> Tj ET"})
	var width float64
	require.NoError(t, content.Walk(open(t, b.Bytes()).Page, func(d content.Drawing) error {
		width = d.Show.Glyphs[0].Width
		return nil
	}))
	require.InDelta(t, .25, width, 1e-9)
}

func TestPagesThatCannotBeShownAreRefused(t *testing.T) {
	page := func(program string) content.Page {
		return content.Page{Objects: &model.XRefTable{}, Content: []byte(program)}
	}
	err := content.Walk(page("BT ("+strings.Repeat("x", 2<<20)+") Tj ET"), func(content.Drawing) error { return nil })
	require.Equal(t, core.CodeInvalidDocument, core.CodeOf(err))
	marks := 0
	require.NoError(t, content.Walk(page(strings.Repeat("/P BMC ", 100_000)+strings.Repeat("0 0 1 1 re f ", 10_000)), func(d content.Drawing) error {
		marks = max(marks, len(d.State.Marks))
		return nil
	}))
	require.Less(t, marks, 1000)
}

func FuzzScan(f *testing.F) {
	for _, seed := range []string{"BT /F1 12 Tf (a) Tj ET", "[(a) -1 <00>] TJ", "BI /W 1 ID \x00 EI", "1 begincodespacerange <00> <ff> endcodespacerange", "<<[(", "0 0 m 1 1 l S"} {
		f.Add([]byte(seed))
	}
	f.Fuzz(func(t *testing.T, stream []byte) {
		last := 0
		content.Scan(stream, func(op content.Operator) bool {
			require.LessOrEqual(t, last, op.Start)
			require.LessOrEqual(t, op.Start, op.End)
			require.LessOrEqual(t, op.End, len(stream))
			last = op.End
			return true
		})
		content.ParseCMap(stream)
		_ = content.Walk(content.Page{Objects: &model.XRefTable{}, Content: stream}, func(content.Drawing) error { return nil })
	})
}

// The dictionaries of a page, a font and a form have objects of any type where others are expected.
func FuzzPage(f *testing.F) {
	for _, seed := range [][3]string{
		{"/Rotate 90 /CropBox [0 0 9 9]", "/Type /Font /Subtype /Type1 /BaseFont /Helvetica /FirstChar 32 /Widths [1 2 3] /Encoding << /Differences [65 /B] >>", "/Subtype /Form /BBox [0 0 9 9] /Matrix [1 0 0 1 0 0]"},
		{"/Resources << /Font 3 0 R >>", "/Type /Font /Subtype /Type0 /Encoding /Identity-H /DescendantFonts [<< /Subtype /CIDFontType2 /DW 500 /W [1 [2 3] 4 5 6] >>]", "/Subtype /Image /Width 1 /Height 1"},
		{"/Contents [3 0 R 4 0 R] /MediaBox [9 9]", "/Subtype /Type3 /FontMatrix [1 0 0] /CharProcs << /a 3 0 R >> /ToUnicode 4 0 R", "/Subtype /Form /Resources << /XObject << /X 4 0 R >> >> /Group [null]"},
	} {
		f.Add(seed[0], seed[1], seed[2], "BT /F 12 Tf (ab) Tj ET /X Do /P << /MCID 0 >> BDC EMC /G gs")
	}
	f.Fuzz(func(_ *testing.T, page, font, form, program string) {
		b := pdftest.New()
		fonts := map[string]pdftest.Ref{"F": b.Add("<< " + font + " >>")}
		forms := map[string]pdftest.Ref{"X": b.Stream(form, program)}
		b.Page(pdftest.Page{Fonts: fonts, XObjects: forms, Content: program, Entries: page})
		if opened, ok := openAny(b.Bytes()); ok {
			_ = content.Walk(opened.Page, func(content.Drawing) error { return nil })
		}
	})
}

// openAny is false for a page that the library cannot read. A panic of the library is an error of the file, as it is in package pdf.
func openAny(file []byte) (p content.OpenedPage, ok bool) {
	defer func() { ok = recover() == nil && ok }()
	api.DisableConfigDir()
	f, err := api.ReadContext(bytes.NewReader(file), model.NewDefaultConfiguration())
	if err != nil || f.EnsurePageCount() != nil {
		return p, false
	}
	p, err = content.OpenPage(f.XRefTable, 0)
	return p, err == nil
}

func TestWalkTellsWhichStatesAreSaved(t *testing.T) {
	b := pdftest.New()
	b.Page(pdftest.Page{Content: "q 2 0 0 2 0 0 cm q 0 0 1 1 re f Q 0 0 2 2 re f Q 0 0 3 3 re f"})
	var saved []string
	require.NoError(t, content.Walk(open(t, b.Bytes()).Page, func(d content.Drawing) error {
		line := ""
		for _, s := range d.Saved {
			line += fmt.Sprintf("%d*%g ", s.Start, s.CTM.A)
		}
		saved = append(saved, line)
		return nil
	}))
	require.Equal(t, []string{"0*1 17*2 ", "0*1 ", ""}, saved)
}
