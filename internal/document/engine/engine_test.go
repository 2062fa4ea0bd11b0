package engine_test

import (
	"bytes"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"plait/internal/assets"
	"plait/internal/assets/assetstest"
	"plait/internal/core"
	"plait/internal/document"
	"plait/internal/document/engine"
	"plait/internal/document/pdf"
	"plait/internal/document/pdftest"
	"plait/internal/document/typeset"
	"plait/internal/llmtest"
	"plait/internal/onnx"
	"plait/internal/onnx/onnxtest"
)

func config(tb testing.TB) engine.Config {
	tb.Helper()
	cache := filepath.Join(os.TempDir(), fmt.Sprintf("plait-pdfium-%d", os.Getuid()))
	return engine.Config{Assets: assetstest.Open(tb), CacheDir: cache, Workers: 2, Threads: 1, Device: onnx.CPU, Confidence: 0.4}
}

func open(t *testing.T) *engine.Engine {
	t.Helper()
	e, err := engine.Open(config(t))
	require.NoError(t, err)
	t.Cleanup(func() { require.NoError(t, e.Close()) })
	return e
}

// use opens a file, and closes it after its use.
func use(t *testing.T, e *engine.Engine, file []byte, work func(*pdf.File)) {
	t.Helper()
	f, err := e.File(t.Context(), bytes.NewReader(file), int64(len(file)))
	require.NoError(t, err)
	defer func() { require.NoError(t, f.Close()) }()
	work(f)
}

// article is a page with a heading, a paragraph and a name.
func article() []byte {
	b := pdftest.New()
	b.Page(pdftest.Page{Fonts: map[string]pdftest.Ref{"F": b.Helvetica()}, Content: `BT /F 18 Tf 72 720 Td (A small article) Tj ET
BT /F 11 Tf 72 680 Td (The first paragraph has a line that is long enough for this pur-) Tj 0 -14 Td (pose, and a second one.) Tj ET
BT /F 11 Tf 72 600 Td (Ada Lovelace) Tj ET`})
	return b.Bytes()
}

// translated translates each text, as a task does.
func translated(blocks []document.Block, translate func(string) string) (list []engine.Translated) {
	texts := map[int]string{}
	for _, p := range document.Passages(blocks) {
		for n, part := range p.Split(translate(p.Text)) {
			texts[p.Blocks[n].Index] = part
		}
	}
	for _, b := range blocks {
		list = append(list, engine.Translated{Block: b, Translation: texts[b.Index]})
	}
	return list
}

// result takes the first page of a file through the engine, and returns the written file.
func result(t *testing.T, e *engine.Engine, file []byte, translate func(string) string) (written []byte, edit document.Edit) {
	t.Helper()
	return resultIn(t, e, "de", file, translate)
}

// resultIn is result in a language.
func resultIn(
	t *testing.T, e *engine.Engine, lang string, file []byte, translate func(string) string,
) (written []byte, edit document.Edit) {
	t.Helper()
	use(t, e, file, func(f *pdf.File) {
		l, err := e.Layout(t.Context(), f, 0, 0)
		require.NoError(t, err)
		blocks := translated(l.Blocks, translate)
		edit, _ = e.Set(l.Page, blocks, lang, typeset.Scales{})
		if l.Scanned {
			edit, err = e.ClearScan(t.Context(), f, l.Page, edit, blocks)
			require.NoError(t, err)
		}
		var out bytes.Buffer
		change := func(int) (*document.Edit, error) { return &edit, nil }
		require.NoError(t, e.Write(t.Context(), bytes.NewReader(file), f, engine.WriteOptions{Language: lang}, change, &out))
		written = out.Bytes()
	})
	return written, edit
}

func text(t *testing.T, e *engine.Engine, file []byte) (text string) {
	t.Helper()
	use(t, e, file, func(f *pdf.File) {
		var err error
		text, err = f.Text(t.Context(), 0)
		require.NoError(t, err)
	})
	return strings.Join(strings.Fields(text), " ")
}

func TestAPageIsTranslated(t *testing.T) {
	t.Parallel()
	e := open(t)
	standIn := llmtest.StandIn("", 1)
	keepNames := func(s string) string {
		if strings.Contains(s, "Lovelace") {
			return s
		}
		return standIn(s)
	}
	written, edit := result(t, e, article(), keepNames)
	want := standIn("A small article") + " " + standIn("The first paragraph has a line that is long enough for this purpose, and a second one.") + " Ada Lovelace"
	require.Equal(t, want, text(t, e, written))
	require.Len(t, edit.Texts, 2, "a text that stays the same keeps its glyphs")
	again, _ := result(t, e, article(), keepNames)
	require.Equal(t, written, again, "the same translations make the same bytes")
}

func TestIdentityLeavesThePage(t *testing.T) {
	t.Parallel()
	e := open(t)
	written, edit := result(t, e, article(), func(s string) string { return s })
	require.Empty(t, edit.Texts)
	require.Equal(t, text(t, e, article()), text(t, e, written))
}

func TestAPageWithoutTextIsScanned(t *testing.T) {
	t.Parallel()
	e := open(t)
	b := pdftest.New()
	b.Page(pdftest.Page{XObjects: map[string]pdftest.Ref{"I": b.Image(9)}, Content: "q 500 0 0 700 50 50 cm /I Do Q"})
	use(t, e, b.Bytes(), func(f *pdf.File) {
		l, err := e.Layout(t.Context(), f, 0, 0)
		require.NoError(t, err)
		require.True(t, l.Scanned)
		require.Empty(t, l.Blocks)
	})
}

func TestAManifestReplacesTheLayoutModel(t *testing.T) {
	t.Parallel()
	c := config(t)
	path, err := c.Assets.Path(assets.LayoutModel)
	require.NoError(t, err)
	file, err := c.Assets.File(assets.LayoutModel)
	require.NoError(t, err)
	model := onnx.Entry{
		Name: "own", Kind: onnx.KindLayout, Contract: onnx.ContractPicoDet,
		Files: map[string]onnx.File{onnx.RoleModel: {Path: path, SHA256: file.SHA256}},
	}
	c.Models = []onnx.Entry{{Name: "reader", Kind: onnx.KindRecognizer}, model}
	e, err := engine.Open(c)
	require.NoError(t, err)
	require.NoError(t, e.Close())
	c.Models[1].Contract = onnx.ContractYOLO
	_, err = engine.Open(c)
	require.Equal(t, core.CodeModelMissing, core.CodeOf(err), "%v", err)
	require.ErrorContains(t, err, "own")
}

// A model of the contract of DocLayout-YOLO replaces that of the installation, and the confidence of a document decides which of its regions count.
func TestAYOLOModelFindsTheRegions(t *testing.T) {
	t.Parallel()
	path, digest := onnxtest.YOLO(t, []float32{0, 0, 608, 832, 0.3, 0}) // a title on the whole page
	c := config(t)
	c.Models = []onnx.Entry{{
		Name: "yolo", Kind: onnx.KindLayout, Contract: onnx.ContractYOLO, Files: map[string]onnx.File{onnx.RoleModel: {Path: path, SHA256: digest}},
	}}
	e, err := engine.Open(c)
	require.NoError(t, err)
	defer func() { require.NoError(t, e.Close()) }()
	use(t, e, article(), func(f *pdf.File) {
		for confidence, class := range map[float64]document.Class{0: document.ClassText, 0.25: document.ClassTitle} {
			l, err := e.Layout(t.Context(), f, 0, confidence)
			require.NoError(t, err)
			require.Contains(t, l.Blocks[1].Text, "The first paragraph")
			require.Equal(t, class, l.Blocks[1].Class, "%g", confidence)
		}
	})
}

func TestHashesTellPagesApart(t *testing.T) {
	t.Parallel()
	e := open(t)
	hash := func(content string) (hash string) {
		b := pdftest.New()
		b.Page(pdftest.Page{Fonts: map[string]pdftest.Ref{"F": b.Helvetica()}, Content: content})
		use(t, e, b.Bytes(), func(f *pdf.File) {
			p, err := f.Content(t.Context(), 0)
			require.NoError(t, err)
			hash = engine.Hash(p)
		})
		return hash
	}
	const page = "BT /F 18 Tf 72 720 Td (Words) Tj ET"
	first := hash(page)
	require.Equal(t, first, hash(page))
	require.NotEqual(t, first, hash("BT /F 18 Tf 72 721 Td (Words) Tj ET"))
}

// Readers join the parts of a hyphenated word at its soft hyphen, and so does Plait when it reads the page again.
func TestHyphenatedWordsStayWhole(t *testing.T) {
	t.Parallel()
	e := open(t)
	b := pdftest.New()
	var content strings.Builder
	for i := range 8 {
		fmt.Fprintf(&content, "BT /F 11 Tf 72 %d Td (A narrow column with some words) Tj ET\n", 700-13*i)
	}
	b.Page(pdftest.Page{Fonts: map[string]pdftest.Ref{"F": b.Helvetica()}, Content: content.String()})
	const translation = "Die Donaudampfschifffahrtsgesellschaft veröffentlichte außerordentliche Geschäftsberichte, deren " +
		"Veröffentlichung ausgesprochen zuversichtliche Zukunftsaussichten bekanntgab."
	written, edit := result(t, e, b.Bytes(), func(string) string { return translation })
	hyphens := 0
	for _, run := range edit.Texts[0].Runs {
		for _, g := range run.Glyphs {
			hyphens += strings.Count(g.Text, "\u00ad")
		}
	}
	require.Positive(t, hyphens)
	require.Equal(t, translation, strings.ReplaceAll(text(t, e, written), "\u00ad", ""))
	use(t, e, written, func(f *pdf.File) {
		l, err := e.Layout(t.Context(), f, 0, 0)
		require.NoError(t, err)
		require.Equal(t, translation, l.Blocks[0].Text)
	})
}

// Texts are drawn in reading order, and those with the most characters keep their places.
func TestTextsAreDrawnInReadingOrder(t *testing.T) {
	t.Parallel()
	e := open(t)
	for name, c := range map[string]struct{ drawn, want []document.Op }{
		"as drawn":             {[]document.Op{0, 1, 2, 3}, []document.Op{0, 1, 2, 3}},
		"a footnote first":     {[]document.Op{1, 2, 3, 0}, []document.Op{1, 2, 3, -1}},
		"the last text first":  {[]document.Op{3, 0, 1, 2}, []document.Op{0, 0, 1, 2}},
		"columns line by line": {[]document.Op{0, 2, 4, 1, 3, 5}, []document.Op{0, 2, 4, 5, 5, 5}},
		"one operator":         {[]document.Op{7, 7, 2, 7}, []document.Op{7, 7, 7, 7}},
	} {
		page := document.Page{Crop: document.Box{X1: 600, Y1: 800}}
		var blocks []engine.Translated
		for i, op := range c.drawn {
			y := 700 - 20*float64(i)
			page.Glyphs = append(page.Glyphs, document.Glyph{Text: "x", Op: op})
			b := document.Block{
				Index: i, Class: document.ClassText, Box: document.Box{X0: 50, X1: 500, Y0: y - 3, Y1: y + 9}, Text: "some words", Size: 10,
				Baseline: document.Point{X: 50, Y: y}, Lines: 1, Glyphs: []int{i}, Spans: []document.Span{{End: 10}},
			}
			b.Room = b.Box
			blocks = append(blocks, engine.Translated{Block: b, Translation: "Worte"})
		}
		edit, _ := e.Set(page, blocks, "de", typeset.Scales{})
		var ops []document.Op
		for _, text := range edit.Texts {
			ops = append(ops, text.Op)
		}
		require.Equal(t, c.want, ops, name)
	}
}

// Viewers turn a row of Arabic around, and sort the texts of a level row before.
func TestSidewaysRowsAreCopiedFromRightToLeft(t *testing.T) {
	t.Parallel()
	e := open(t)
	standIn := llmtest.StandIn("ar", 1)
	names := []string{"Barley", "Wheat", "Maize"}
	for _, sideways := range []bool{false, true} {
		b := pdftest.New()
		page := pdftest.Page{Fonts: map[string]pdftest.Ref{"F": b.Helvetica()}}
		if sideways {
			page.Rotate = 90
		}
		for i := range 4 {
			for n, name := range names {
				page.Content += fmt.Sprintf("BT /F 11 Tf %d %d Td (%s %c) Tj ET ", 72+180*n, 700-30*i, name, 'a'+i)
			}
		}
		b.Page(page)
		written, _ := resultIn(t, e, "ar", b.Bytes(), standIn)
		copied := text(t, e, written)
		last := -1
		for i := range 4 {
			for _, name := range names {
				want := standIn(fmt.Sprintf("%s %c", name, 'a'+i))
				at := strings.Index(copied, want)
				require.Greater(t, at, last, "%q in %q", want, copied)
				last = at
			}
		}
	}
}

// An underline of the source goes where its text goes: it is as long as the translation, and on its lines.
func TestUnderlinesFollowTheirText(t *testing.T) {
	t.Parallel()
	e := open(t)
	b := pdftest.New()
	b.Page(pdftest.Page{Fonts: map[string]pdftest.Ref{"F": b.Helvetica()}, Content: `1 0 0 rg 72 677 79.5 .6 re f
BT 0 g /F 11 Tf 72 680 Td (Underlined words in a line that is long enough for this page.) Tj ET
BT /F 14 Tf 72 600 Td (Stays) Tj ET 72 597 36 1 re f`})
	standIn := llmtest.StandIn("", 1.4)
	written, edit := result(t, e, b.Bytes(), func(s string) string {
		if strings.Contains(s, "Stays") {
			return s
		}
		return standIn(s)
	})
	require.Len(t, edit.Repaints, 1)
	use(t, e, written, func(f *pdf.File) {
		p, err := f.Content(t.Context(), 0)
		require.NoError(t, err)
		require.Len(t, p.Rules, 2)
		rule, stays := p.Rules[0], p.Rules[1]
		require.Equal(t, document.Color{R: 255}, rule.Color)
		require.InDelta(t, 72, rule.Box.X0, 0.1)
		require.Greater(t, rule.Box.X1, 160.0)
		require.InDelta(t, 36, stays.Box.X1-stays.Box.X0, 0.01)
	})
}

// Titles of bookmarks that read as no heading are texts of their page, and nothing is drawn for them.
func TestTitlesOfBookmarksAreTextsOfTheirPage(t *testing.T) {
	t.Parallel()
	e := open(t)
	b := pdftest.New()
	fonts := map[string]pdftest.Ref{"F": b.Helvetica()}
	first := b.Page(pdftest.Page{Fonts: fonts, Content: "BT /F 18 Tf 72 720 Td (A small article) Tj ET"})
	b.Outline("1 A small article", first)
	b.Outline("Cover", first)
	file := b.Bytes()
	use(t, e, file, func(f *pdf.File) {
		l, err := e.Layout(t.Context(), f, 0, 0)
		require.NoError(t, err)
		require.Len(t, l.Blocks, 2)
		require.Equal(t, "Cover", l.Blocks[1].Text)
		require.Equal(t, document.ClassBookmark, l.Blocks[1].Class)
		require.Equal(t, 1, l.Blocks[1].Index)
		edit, set := e.Set(l.Page, translated(l.Blocks, llmtest.StandIn("", 1)), "de", typeset.Scales{})
		require.Len(t, edit.Texts, 1)
		require.Len(t, set, 1)
	})
}
