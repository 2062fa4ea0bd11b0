package pdf_test

import (
	"bytes"
	"compress/zlib"
	"context"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"plait/internal/core"
	"plait/internal/document"
	"plait/internal/document/pdf"
	"plait/internal/document/pdftest"
)

// engine is one for all tests: compiling PDFium takes seconds.
var engine *pdf.Engine

// cacheDir is a folder with the compiled PDFium.
func cacheDir() string {
	return filepath.Join(os.TempDir(), fmt.Sprintf("plait-pdfium-%d", os.Getuid()))
}

func TestMain(m *testing.M) {
	engine = pdf.New(pdf.Config{CacheDir: cacheDir(), Instances: 4})
	code := m.Run()
	if err := engine.Close(); err != nil {
		fmt.Fprintln(os.Stderr, err)
		code = 1
	}
	os.Exit(code)
}

func open(t *testing.T, file []byte) *pdf.File {
	t.Helper()
	f, err := engine.Open(t.Context(), bytes.NewReader(file), int64(len(file)), pdf.Options{})
	require.NoError(t, err)
	t.Cleanup(func() { require.NoError(t, f.Close()) })
	return f
}

func text(p document.Page) string {
	var b strings.Builder
	for _, g := range p.Glyphs {
		b.WriteString(g.Text)
	}
	return b.String()
}

// Browsers write a ligature as a glyph that stands for its first letter, with its whole text beside it.
func TestMarkedContentSaysWhatItsGlyphsStandFor(t *testing.T) {
	b := pdftest.New()
	b.Page(pdftest.Page{
		Fonts: map[string]pdftest.Ref{"H": b.Helvetica()},
		Content: "BT /H 12 Tf 72 700 Td (Of) Tj /Span << /ActualText (fi) >> BDC (f) Tj EMC (ce ) Tj /Span << /ActualText (ab) >> BDC (xy) Tj EMC" +
			" /Span << /ActualText (long) >> BDC ( no) Tj EMC ET",
	})
	p, err := open(t, b.Bytes()).Content(t.Context(), 0)
	require.NoError(t, err)
	require.Equal(t, "Office ablong", text(p))
}

// Characters that only forbid or allow a line break are no text: they stand between the dots of contents and the number of a page.
func TestBreaksAreNoText(t *testing.T) {
	b := pdftest.New()
	b.Page(pdftest.Page{
		Fonts:   map[string]pdftest.Ref{"H": b.Helvetica()},
		Content: "BT /H 12 Tf 72 700 Td (x) Tj /Span << /ActualText <FEFF00202060> >> BDC ( ) Tj EMC (y) Tj ET",
	})
	p, err := open(t, b.Bytes()).Content(t.Context(), 0)
	require.NoError(t, err)
	require.Equal(t, "x y", text(p))
}

// TeX draws an accent and its letter as two glyphs, one above the other. Those that stand beside each other are characters of their own.
func TestAnAccentBelongsToTheLetterBelowIt(t *testing.T) {
	for content, want := range map[string]string{
		`[(f) -111 (\250) 444 (ur)] TJ`:           "f\u00fcr",
		`[(caf) (e) 444 (\264) -111 (s)] TJ`:      "caf\u00e9s",
		`2.4 Ts [-194 (\250) 527] TJ 0 Ts (U) Tj`: "\u00dc",
		`(a^b ~c) Tj`: "a^b ~c",
		`/T 12 Tf [-111 (\250) 444] TJ /H 12 Tf (u) Tj`: "\u00a8u", // a sign of a formula
	} {
		t.Run(want, func(t *testing.T) {
			b := pdftest.New()
			times := b.Add("<< /Type /Font /Subtype /Type1 /BaseFont /Times-Roman /Encoding /WinAnsiEncoding >>")
			b.Page(pdftest.Page{
				Fonts: map[string]pdftest.Ref{"H": b.Helvetica(), "T": times}, Content: "BT /H 12 Tf 72 700 Td " + content + " ET",
			})
			p, err := open(t, b.Bytes()).Content(t.Context(), 0)
			require.NoError(t, err)
			require.Equal(t, want, text(p))
		})
	}
}

// Codes of a standard font are those of its encoding, and their widths say where the rest of a line stands.
func TestTheWidthsOfStandardFontsFollowTheirEncoding(t *testing.T) {
	for encoding, want := range map[string]string{
		"": "a\u2019b c d",
		"/Encoding << /Differences [2 /fi 39 /quoteright 125 /emdash] >>":                           "a\u2019bfic\u2014d",
		"/Encoding << /BaseEncoding /WinAnsiEncoding /Differences [2 /bullet 125 /quotedblleft] >>": "a'b\u2022c\u201cd",
	} {
		t.Run(encoding, func(t *testing.T) {
			b := pdftest.New()
			text := `a'b\002c}d`
			if encoding == "" {
				text = `a'b c d`
			}
			b.Page(pdftest.Page{
				Fonts:   map[string]pdftest.Ref{"T": b.Add("<< /Type /Font /Subtype /Type1 /BaseFont /Times-Roman " + encoding + " >>")},
				Content: "BT /T 40 Tf 72 700 Td (" + text + ") Tj ET",
			})
			p, err := open(t, b.Bytes()).Content(t.Context(), 0)
			require.NoError(t, err)
			var got string
			for _, g := range p.Glyphs {
				got += g.Text
				require.True(t, g.Text == " " || g.Ink.X1 > g.Ink.X0, "the ink of %q", g.Text)
			}
			require.Equal(t, want, got)
		})
	}
}

func TestContentHasWhatAPageDraws(t *testing.T) {
	b := pdftest.New()
	letters := "Office"
	fonts := map[string]pdftest.Ref{"H": b.Helvetica(), "G": b.Type0(&letters)}
	b.Page(pdftest.Page{
		Rotate: 90, Crop: "0 0 500 800", Fonts: fonts, XObjects: map[string]pdftest.Ref{"I": b.Image(7)},
		Annotations: []pdftest.Ref{b.Link("100 690 200 710", "https://example.com")},
		Content: `BT /H 10 Tf 1 0 0 rg 100 700 Td (Hi you) Tj 0 1 -1 0 300 300 Tm (up) Tj 1 1 -1 1 50 50 Tm (x) Tj 3 Tr 0 -20 Td (no) Tj ET
BT 0 Tr 0 g /G 20 Tf 100 600 Td ` + pdftest.Hex("Office") + ` Tj ET BT /H 10 Tf 900 100 Td (off) Tj ET
0.5 w 100 590 m 200 590 l S 100 500 50 1 re f 0 0 1 rg 100 400 50 20 re f q 30 0 0 40 10 20 cm /I Do Q`,
	})
	f := open(t, b.Bytes())
	require.Equal(t, 1, f.Pages())
	p, err := f.Content(t.Context(), 0)
	require.NoError(t, err)
	require.Equal(t, "Hi youupxnoOfficeoff", text(p))
	require.Equal(t, 90, p.Rotate)
	require.Equal(t, document.Box{X1: 500, Y1: 800}, p.Crop)
	require.Equal(t, []document.Box{{X0: 100, Y0: 690, X1: 200, Y1: 710}}, p.Links)
	require.Equal(t, []document.Box{{X0: 10, Y0: 20, X1: 40, Y1: 60}}, p.Images)
	require.Equal(t, []document.Fill{{Box: document.Box{X0: 100, Y0: 400, X1: 150, Y1: 420}, Color: document.Color{B: 255}, Op: 8}}, p.Fills)
	require.Len(t, p.Rules, 2)
	require.Equal(t, document.Box{X0: 100, Y0: 589.75, X1: 200, Y1: 590.25}, p.Rules[0].Box)
	require.Equal(t, document.Box{X0: 100, Y0: 500, X1: 150, Y1: 501}, p.Rules[1].Box)

	first := p.Glyphs[0]
	require.Equal(t, document.Point{X: 100, Y: 700}, first.Origin)
	require.InDelta(t, 7.22, first.Advance, 1e-6)
	require.InDelta(t, 10, first.Size, 1e-9)
	require.Equal(t, document.Color{R: 255}, first.Color)
	require.InDelta(t, 707, first.Ink.Y1, 1)
	directions := map[string]document.Direction{}
	hidden := map[string]bool{}
	for _, g := range p.Glyphs {
		directions[g.Text] = g.Direction
		hidden[g.Text] = g.Hidden
	}
	require.Equal(t, []document.Direction{0, 90, document.Slanted}, []document.Direction{directions["H"], directions["p"], directions["x"]})
	require.Equal(t, []bool{false, true, true}, []bool{hidden["H"], hidden["n"], hidden["o"]}, "invisible, and outside of the crop box")
	require.True(t, p.Fonts[first.Font].Mapped)
	require.Equal(t, "Helvetica", p.Fonts[first.Font].Name)
}

// Without a map to Unicode the glyphs of a composite font mean nothing.
func TestAFontWithoutAMapIsUnmapped(t *testing.T) {
	b := pdftest.New()
	b.Page(pdftest.Page{Content: "BT /G 20 Tf 100 600 Td " + pdftest.Hex("Hi") + " Tj ET", Fonts: map[string]pdftest.Ref{"G": b.Type0(nil)}})
	p, err := open(t, b.Bytes()).Content(t.Context(), 0)
	require.NoError(t, err)
	require.Len(t, p.Glyphs, 2)
	require.NotEqual(t, "Hi", text(p))
}

// Where a font has no map to Unicode, PDFium takes a code for its character. The name of a glyph may say that it is another thing.
func TestAGlyphWithANameOfItsOwnIsNoCharacter(t *testing.T) {
	for names, want := range map[string]string{
		"/noteheads.s2 /clefs.G": "ok",
		"/a104 /a105":            "hiok",
		"/question.x /.notdef":   "iok",
	} {
		t.Run(names, func(t *testing.T) {
			b := pdftest.New()
			box := b.Stream("", "500 0 0 0 400 700 d1 0 0 400 700 re f")
			var procedures strings.Builder
			for _, name := range strings.Fields(names) {
				fmt.Fprintf(&procedures, " %s %s", name, box)
			}
			music := b.Add(fmt.Sprintf("<< /Type /Font /Subtype /Type3 /FontMatrix [0.001 0 0 0.001 0 0] /FontBBox [0 0 500 700] /FirstChar 104"+
				" /LastChar 105 /Widths [500 500] /Encoding << /Type /Encoding /Differences [104 %s] >> /CharProcs <<%s >> >>", names, procedures.String()))
			b.Page(pdftest.Page{Fonts: map[string]pdftest.Ref{"H": b.Helvetica(), "M": music}, Content: "BT /M 12 Tf 72 700 Td (hi) Tj /H 12 Tf (ok) Tj ET"})
			p, err := open(t, b.Bytes()).Content(t.Context(), 0)
			require.NoError(t, err)
			require.Equal(t, want, text(p))
		})
	}
}

// Browsers embed some fonts as Type 3, whose name only the descriptor has.
func TestADescriptorNamesATypeThreeFont(t *testing.T) {
	for descriptor, want := range map[string]document.Font{
		"/FontName /AAAAAA+NimbusRoman-Bold /Flags 4":                 {Name: "NimbusRoman-Bold", Bold: true, Serif: true, Symbolic: true},
		"/FontName /Plain /FontWeight 700 /Flags 4":                   {Name: "Plain", Bold: true, Symbolic: true},
		"/FontName /Plain /FontWeight 400 /ItalicAngle -12 /Flags 34": {Name: "Plain", Italic: true, Serif: true},
	} {
		b := pdftest.New()
		face := b.Add(fmt.Sprintf("<< /Type /Font /Subtype /Type3 /FontMatrix [0.001 0 0 0.001 0 0] /FontBBox [0 0 500 700] /FirstChar 104 /LastChar 104"+
			" /Widths [500] /Encoding << /Type /Encoding /Differences [104 /h] >> /CharProcs << /h %s >> /FontDescriptor << /Type /FontDescriptor %s >> >>",
			b.Stream("", "500 0 0 0 400 700 d1 0 0 400 700 re f"), descriptor))
		b.Page(pdftest.Page{Fonts: map[string]pdftest.Ref{"F": face}, Content: "BT /F 12 Tf 72 700 Td (h) Tj ET"})
		p, err := open(t, b.Bytes()).Content(t.Context(), 0)
		require.NoError(t, err)
		p.Fonts[0].Mapped = false
		require.Equal(t, want, p.Fonts[0], descriptor)
	}
}

func TestRenderDrawsAPageAsAViewerShowsIt(t *testing.T) {
	b := pdftest.New()
	b.Page(pdftest.Page{Width: 200, Height: 100, Rotate: 90, Content: "1 0 0 rg 0 0 20 20 re f"})
	b.Page(pdftest.Page{Width: 14000, Height: 14000, Content: "f"})
	f := open(t, b.Bytes())
	picture, scale, err := f.Render(t.Context(), 0, 144)
	require.NoError(t, err)
	require.InDelta(t, 2, scale, 1e-9)
	require.Equal(t, [2]int{200, 400}, [2]int{picture.Bounds().Dx(), picture.Bounds().Dy()})
	r, g, _, _ := picture.At(5, 5).RGBA()
	require.Equal(t, [2]uint32{0xffff, 0}, [2]uint32{r, g}, "the lower left corner is shown at the upper left")
	picture, scale, err = f.Render(t.Context(), 1, 144)
	require.NoError(t, err)
	require.LessOrEqual(t, picture.Bounds().Dx()*picture.Bounds().Dy(), 20_100_000)
	require.Less(t, scale, 1.0)
	again, _, err := f.Render(t.Context(), 0, 144)
	require.NoError(t, err, "after a page that took much memory")
	r, g, _, _ = again.At(5, 5).RGBA()
	require.Equal(t, [2]uint32{0xffff, 0}, [2]uint32{r, g})
}

func TestFilesThatCannotBeOpened(t *testing.T) {
	b := pdftest.New()
	b.Page(pdftest.Page{Content: "f"})
	good := b.Bytes()
	locked, err := pdftest.Encrypt(good, "secret", "owner")
	require.NoError(t, err)
	open, err := pdftest.Encrypt(good, "", "owner")
	require.NoError(t, err)
	for name, c := range map[string]struct {
		file     []byte
		password string
		code     core.Code
	}{
		"empty":              {nil, "", core.CodeInvalidDocument},
		"no PDF":             {[]byte("GIF89a and so on"), "", core.CodeInvalidDocument},
		"a header alone":     {good[:9], "", core.CodeInvalidDocument},
		"encrypted":          {locked, "", core.CodePassword},
		"a wrong password":   {locked, "wrong", core.CodePassword},
		"the password":       {locked, "secret", ""},
		"the owner's":        {locked, "owner", ""},
		"without a password": {open, "", ""},
		"good":               {good, "", ""},
	} {
		f, err := engine.Open(t.Context(), bytes.NewReader(c.file), int64(len(c.file)), pdf.Options{Password: c.password})
		if c.code != "" {
			require.Equal(t, c.code, core.CodeOf(err), "%s: %v", name, err)
			continue
		}
		require.NoError(t, err, name)
		_, err = f.Content(t.Context(), 0)
		require.NoError(t, err, name)
		require.NoError(t, f.Close())
	}
}

func TestAPageIsRefusedAlone(t *testing.T) {
	b := pdftest.New()
	b.Page(pdftest.Page{Width: 20000, Height: 100, Content: "f"})
	b.Page(pdftest.Page{Content: "BT /H 10 Tf 10 10 Td (ok) Tj ET", Fonts: map[string]pdftest.Ref{"H": b.Helvetica()}})
	f := open(t, b.Bytes())
	_, err := f.Content(t.Context(), 0)
	require.Equal(t, core.CodeTooLarge, core.CodeOf(err))
	_, err = f.Content(t.Context(), 7)
	require.Equal(t, core.CodeInvalidInput, core.CodeOf(err))
	p, err := f.Content(t.Context(), 1)
	require.NoError(t, err)
	require.Equal(t, "ok", text(p))
}

// A canceled call ends its instance alone: the file goes on with another one.
func TestACanceledCallEndsSoon(t *testing.T) {
	b := pdftest.New()
	b.Page(pdftest.Page{Content: strings.Repeat("0 0 500 500 re f 1 1 400 400 re S\n", 400_000)})
	f := open(t, b.Bytes())
	ctx, cancel := context.WithCancel(t.Context())
	stop := context.AfterFunc(t.Context(), cancel)
	defer stop()
	done := make(chan error, 1)
	go func() {
		_, _, err := f.Render(ctx, 0, 300)
		done <- err
	}()
	cancel()
	require.ErrorIs(t, <-done, context.Canceled)
	width, _, err := f.Size(t.Context(), 0)
	require.NoError(t, err)
	require.InDelta(t, 595, width, 1e-9)
}

// A call that is canceled between two calls of PDFium, or in one of them, ends its instance when it has stopped.
func TestAReadMayBeCanceledAtAnyTime(t *testing.T) {
	b := pdftest.New()
	b.Page(pdftest.Page{
		Fonts:   map[string]pdftest.Ref{"F": b.Helvetica()},
		Content: "BT /F 10 Tf 100 700 Td " + strings.Repeat("("+strings.Repeat("words ", 10)+") Tj 0 -1 Td ", 50) + "ET",
	})
	f := open(t, b.Bytes())
	for wait := range 25 {
		ctx, cancel := context.WithTimeout(t.Context(), time.Duration(wait)*2*time.Millisecond)
		if _, err := f.Content(ctx, 0); err != nil {
			require.ErrorIs(t, err, context.DeadlineExceeded)
		}
		cancel()
	}
	p, err := f.Content(t.Context(), 0)
	require.NoError(t, err)
	require.Len(t, p.Glyphs, 3000)
}

// armedReader is a file that calls a function when it is read, once.
type armedReader struct {
	*bytes.Reader
	read func()
}

func (r *armedReader) ReadAt(b []byte, at int64) (int, error) {
	if read := r.read; read != nil {
		r.read = nil
		read()
	}
	return r.Reader.ReadAt(b, at)
}

// An instance whose call ends within the code of its host keeps its memory until that has returned: it would crash the process otherwise.
func TestAnInstanceThatIsEndedWhileItReadsKeepsItsMemory(t *testing.T) {
	b := pdftest.New()
	b.Page(pdftest.Page{Content: strings.Repeat("0 0 500 500 re f 1 1 400 400 re S\n", 20_000)})
	file := b.Bytes()
	single := pdf.New(pdf.Config{CacheDir: cacheDir(), Instances: 1})
	defer func() { require.NoError(t, single.Close()) }()
	reader := &armedReader{Reader: bytes.NewReader(file)}
	f, err := single.Open(t.Context(), reader, int64(len(file)), pdf.Options{})
	require.NoError(t, err)
	ctx, cancel := context.WithCancel(t.Context())
	reader.read = cancel
	_, _, err = f.Render(ctx, 0, 72)
	require.ErrorIs(t, err, context.Canceled)
	require.Nil(t, reader.read, "the file was read")
	_, _, err = f.Size(t.Context(), 0)
	require.NoError(t, err, "with another instance")
	require.NoError(t, f.Close())
}

// cancelingReader is a file that cancels its reading as soon as it is read.
type cancelingReader struct {
	*bytes.Reader
	cancel context.CancelFunc
}

func (r cancelingReader) ReadAt(b []byte, at int64) (int, error) {
	r.cancel()
	return r.Reader.ReadAt(b, at)
}

// The first file of a process without a compiled PDFium waits for the compiler, which takes seconds. It ends with its context, and the compiler
// goes on for the next file.
func TestTheFirstUseIsCanceledWhilePDFiumIsCompiled(t *testing.T) {
	b := pdftest.New()
	b.Page(pdftest.Page{Content: "f"})
	file := b.Bytes()
	cache := t.TempDir()
	cold := pdf.New(pdf.Config{CacheDir: cache})
	defer func() { require.NoError(t, cold.Close()) }()
	compiled := func() []string {
		found, err := filepath.Glob(filepath.Join(cache, "*", "*"))
		require.NoError(t, err)
		return found
	}
	ctx, cancel := context.WithCancel(t.Context())
	_, err := cold.Open(ctx, cancelingReader{bytes.NewReader(file), cancel}, int64(len(file)), pdf.Options{})
	require.ErrorIs(t, err, context.Canceled)
	require.Empty(t, compiled(), "the call did not wait for the compiler")
	f, err := cold.Open(t.Context(), bytes.NewReader(file), int64(len(file)), pdf.Options{})
	require.NoError(t, err)
	require.NotEmpty(t, compiled())
	require.NoError(t, f.Close())
}

// A stream that is far larger than it looks costs its page, and nothing else.
func TestABombCostsItsPageAlone(t *testing.T) {
	var packed bytes.Buffer
	w, err := zlib.NewWriterLevel(&packed, zlib.BestSpeed)
	require.NoError(t, err)
	spaces := bytes.Repeat([]byte(" "), 1<<20)
	for range 600 {
		_, err := w.Write(spaces)
		require.NoError(t, err)
	}
	require.NoError(t, w.Close())
	b := pdftest.New()
	font := b.Helvetica()
	bomb := b.Stream("/Type /XObject /Subtype /Form /BBox [0 0 9 9] /Filter /FlateDecode", packed.String())
	b.Page(pdftest.Page{
		Fonts: map[string]pdftest.Ref{"F": font}, XObjects: map[string]pdftest.Ref{"X": bomb}, Content: "BT /F 10 Tf 100 700 Td (words) Tj ET /X Do",
	})
	f := open(t, b.Bytes())
	_, _, err = f.Render(t.Context(), 0, 72)
	require.Equal(t, core.CodeInvalidDocument, core.CodeOf(err), "%v", err)

	again := pdftest.New()
	again.Page(pdftest.Page{Fonts: map[string]pdftest.Ref{"F": again.Helvetica()}, Content: "BT /F 10 Tf 100 700 Td (words) Tj ET"})
	_, _, err = open(t, again.Bytes()).Render(t.Context(), 0, 72)
	require.NoError(t, err)
}

func TestBookmarksLeadToPages(t *testing.T) {
	b := pdftest.New()
	first := b.Page(pdftest.Page{Content: " "})
	second, third := b.Page(pdftest.Page{Content: " "}), b.Page(pdftest.Page{Content: " "})
	items := make([]pdftest.Ref, 8)
	for i := range items {
		items[i] = b.Reserve()
	}
	for i, entries := range []string{
		fmt.Sprintf("/Title (explicit) /Dest [%s /Fit] /First %s", second, items[1]),
		fmt.Sprintf("/Title (child) /A << /S /GoTo /D (a name) >> /Next %s", items[0]), // a circle
		"/Title (by an old name) /Dest /Old",
		"/Title (elsewhere) /A << /S /URI /URI (https://example.org) >>",
		"/Title (no such name) /Dest (missing)",
		"/Title <FEFF00E94E2D> /Dest (in a dictionary)",
		fmt.Sprintf("/Dest [%s /Fit]", first), // no title
		fmt.Sprintf("/Title (last) /Dest [] /Next %s", items[0]),
	} {
		if i != 1 && i < 7 {
			next := i + 1
			if i == 0 {
				next = 2
			}
			entries += " /Next " + items[next].String()
		}
		b.Set(items[i], "<< "+entries+" >>")
	}
	names := b.Add(fmt.Sprintf("<< /Names [(a name) [%s /Fit] (in a dictionary) << /D [%s /Fit] >>] >>", third, second))
	b.Catalog(fmt.Sprintf("/Outlines << /First %s >> /Dests << /Old [%s /Fit] >> /Names << /Dests << /Kids [%s] >> >>", items[0], first, names))
	f := open(t, b.Bytes())
	for range 2 {
		list, err := f.Bookmarks(t.Context())
		require.NoError(t, err)
		require.Equal(t, []document.Bookmark{
			{Title: "explicit", Page: 1}, {Title: "child", Page: 2}, {Title: "by an old name", Page: 0}, {Title: "elsewhere", Page: 0},
			{Title: "no such name", Page: 0}, {Title: "é中", Page: 1}, {Title: "last", Page: 0},
		}, list)
	}
}
