package engine_test

import (
	"bytes"
	"compress/zlib"
	"fmt"
	"io"
	"os"
	"os/exec"
	"slices"
	"strings"
	"syscall"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"plait/internal/core"
	"plait/internal/document"
	"plait/internal/document/engine"
	"plait/internal/document/pdftest"
	"plait/internal/document/typeset"
	"plait/internal/llmtest"
)

// sentence is the text of the first page of the files below, where it can be read.
const sentence = "BT /F 11 Tf 72 700 Td (A sentence that can be read.) Tj ET"

// packed is a stream of spaces that unpacks to many MB.
func packed(mb int) string {
	var b bytes.Buffer
	w, _ := zlib.NewWriterLevel(&b, zlib.BestSpeed) // the level is valid
	spaces := bytes.Repeat([]byte(" "), 1<<20)
	for range mb {
		_, _ = w.Write(spaces) // into memory
	}
	_ = w.Close()
	return b.String()
}

// hostile are files that a program could choke on. Want are the codes with which the file, or its first page, may be refused; a file without any
// is read.
func hostile() map[string]struct {
	file []byte
	want []core.Code
} {
	type entry = struct {
		file []byte
		want []core.Code
	}
	refused := []core.Code{core.CodeInvalidDocument, core.CodeTooLarge}
	build := func(page pdftest.Page, change func(*pdftest.Builder, *pdftest.Page)) []byte {
		b := pdftest.New()
		page.Fonts = map[string]pdftest.Ref{"F": b.Helvetica()}
		if page.Content == "" {
			page.Content = sentence
		}
		if change != nil {
			change(b, &page)
		}
		b.Page(page)
		return b.Bytes()
	}
	files := map[string]entry{
		"an object that is itself": {file: build(pdftest.Page{}, func(b *pdftest.Builder, p *pdftest.Page) {
			self := b.Reserve()
			b.Set(self, self.String())
			p.Entries = "/Group " + self.String()
		})},
		"a form that draws itself": {want: refused, file: build(pdftest.Page{Content: sentence + " /X Do"}, func(b *pdftest.Builder, p *pdftest.Page) {
			self := b.Reserve()
			b.Set(self, "<< /Type /XObject /Subtype /Form /BBox [0 0 9 9] /Resources << /XObject << /X "+self.String()+" >> >> /Length 11 >>\nstream\n/X Do /X Do\nendstream")
			p.XObjects = map[string]pdftest.Ref{"X": self}
		})},
		"a page tree that contains itself": {file: bytes.Replace(build(pdftest.Page{}, nil), []byte("/Kids ["), []byte("/Kids [2 0 R "), 1), want: refused},
		"bookmarks in a circle": {file: build(pdftest.Page{}, func(b *pdftest.Builder, _ *pdftest.Page) {
			one := b.Reserve()
			b.Set(one, fmt.Sprintf("<< /Title (One) /Parent %[1]s /Next %[1]s /First %[1]s /Last %[1]s /Count 1 >>", one))
			b.Catalog("/Outlines " + b.Add(fmt.Sprintf("<< /Type /Outlines /First %[1]s /Last %[1]s /Count 1 >>", one)).String())
		})},
		"deep arrays":             {file: build(pdftest.Page{Entries: "/Group " + strings.Repeat("[", 100_000) + strings.Repeat("]", 100_000)}, nil), want: refused},
		"deep arrays of operands": {file: build(pdftest.Page{Content: sentence + " " + strings.Repeat("[", 1_000_000)}, nil)},
		"200 inches":              {file: build(pdftest.Page{Width: 14400, Height: 14400}, nil)},
		"more than 200 inches":    {file: build(pdftest.Page{Width: 14401, Height: 14400}, nil), want: refused},
		"a bomb in the content": {want: refused, file: build(pdftest.Page{}, func(b *pdftest.Builder, p *pdftest.Page) {
			p.Entries = "/Contents " + b.Stream("/Filter /FlateDecode", packed(600)).String()
		})},
		"a bomb in a picture": {want: refused, file: build(pdftest.Page{Content: sentence + " q 500 0 0 500 0 0 cm /I Do Q"}, func(b *pdftest.Builder, p *pdftest.Page) {
			p.XObjects = map[string]pdftest.Ref{"I": b.Stream(
				"/Type /XObject /Subtype /Image /Width 20000 /Height 20000 /ColorSpace /DeviceRGB /BitsPerComponent 8 /Filter /FlateDecode", packed(1200))}
		})},
		"a bomb in a map to Unicode": {want: refused, file: build(pdftest.Page{}, func(b *pdftest.Builder, p *pdftest.Page) {
			p.Fonts["F"] = b.Add("<< /Type /Font /Subtype /Type1 /BaseFont /Helvetica /ToUnicode " + b.Stream("/Filter /FlateDecode", packed(300)).String() + " >>")
		})},
		"a bomb of objects": {file: build(pdftest.Page{}, func(b *pdftest.Builder, p *pdftest.Page) {
			p.Entries = "/Group " + b.Stream("/Type /ObjStm /N 1 /First 9 /Filter /FlateDecode", packed(700)).String()
		})},
		"XFA": {file: build(pdftest.Page{}, func(b *pdftest.Builder, _ *pdftest.Page) {
			b.Catalog("/NeedsRendering true /AcroForm << /Fields [] /XFA " + b.Stream("", "<xdp:xdp/>").String() + " >>")
		})},
		"10,000 text objects": {file: build(pdftest.Page{Content: sentence + scattered(10_000)}, nil), want: refused},
		"5,000 links": {file: build(pdftest.Page{}, func(b *pdftest.Builder, p *pdftest.Page) {
			for n := range 5000 {
				p.Annotations = append(p.Annotations, b.Link(fmt.Sprintf("%d %d %d %d", n%500, n%800, n%500+9, n%800+9), "https://example.org"))
			}
		})},
		"a glyph that shows itself": {want: refused, file: build(pdftest.Page{Content: sentence + " BT /T 9 Tf 72 600 Td (aaa) Tj ET"}, func(b *pdftest.Builder, p *pdftest.Page) {
			self, glyph := b.Reserve(), b.Reserve()
			program := "9 0 d0 BT /T 9 Tf (aaa) Tj ET"
			b.Set(glyph, fmt.Sprintf("<< /Length %d >>\nstream\n%s\nendstream", len(program), program))
			b.Set(self, fmt.Sprintf("<< /Type /Font /Subtype /Type3 /FontBBox [0 0 9 9] /FontMatrix [1 0 0 1 0 0] /FirstChar 97 /LastChar 97 /Widths [9]"+
				" /Encoding << /Differences [97 /a] >> /CharProcs << /a %s >> /Resources << /Font << /T %s >> >> >>", glyph, self))
			p.Fonts["T"] = self
		})},
		"numbers beyond all bounds": {want: refused, file: build(pdftest.Page{
			Content: sentence + " q 1e308 0 0 1e308 1e308 1e308 cm " + strings.Repeat("9", 400) + " w BT /F " + strings.Repeat("9", 60) + " Tf -99999999999 0 0 9e99 0 0 Tm (far) Tj ET Q",
		}, nil)},
		"a font with widths for everything": {want: refused, file: build(pdftest.Page{Content: sentence + " BT /W 9 Tf 72 600 Td <00410042> Tj ET"}, func(b *pdftest.Builder, p *pdftest.Page) {
			p.Fonts["W"] = b.Add("<< /Type /Font /Subtype /Type0 /BaseFont /W /Encoding /Identity-H /DescendantFonts [<< /Type /Font /Subtype /CIDFontType2" +
				" /BaseFont /W /CIDSystemInfo << /Registry (Adobe) /Ordering (Identity) /Supplement 0 >> /W [" + strings.Repeat("0 65536 500 ", 50_000) + "] >>] >>")
		})},
		"a tree that lies":         {want: refused, file: bytes.Replace(build(pdftest.Page{}, nil), []byte("/Count 1"), []byte("/Count 9999999"), 1)},
		"no pages":                 {want: refused, file: pdftest.New().Bytes()},
		"a box that is inside out": {file: build(pdftest.Page{Entries: "/MediaBox [595 842 0 0] /CropBox [9 9 9 9] /Rotate 45 /UserUnit 75000"}, nil), want: refused},
		"an enormous predictor": {want: refused, file: build(pdftest.Page{}, func(b *pdftest.Builder, p *pdftest.Page) {
			p.Entries = "/Contents " + b.Stream("/Filter /FlateDecode /DecodeParms << /Predictor 12 /Columns 2147483647 /Colors 32 /BitsPerComponent 16 >>", packed(1)).String()
		})},
		"a map of all codes, often": {want: refused, file: build(pdftest.Page{}, func(b *pdftest.Builder, p *pdftest.Page) {
			p.Fonts["F"] = b.Add("<< /Type /Font /Subtype /Type1 /BaseFont /Helvetica /ToUnicode " +
				b.Stream("", strings.Repeat("1 beginbfrange <0000> <FFFE> <0041> endbfrange ", 5000)).String() + " >>")
		})},
		"an enormous inline picture": {want: refused, file: build(pdftest.Page{Content: sentence + " q 500 0 0 500 0 0 cm BI /W 60000 /H 60000 /BPC 8 /CS /RGB ID x EI Q"}, nil)},
		"an enormous picture": {want: refused, file: build(pdftest.Page{Content: sentence + " q 500 0 0 500 0 0 cm /I Do Q"}, func(b *pdftest.Builder, p *pdftest.Page) {
			p.XObjects = map[string]pdftest.Ref{"I": b.Stream("/Type /XObject /Subtype /Image /Width 2147483647 /Height 2147483647 /ColorSpace /DeviceRGB /BitsPerComponent 16", "x")}
		})},
		"a script and a launch": {file: build(pdftest.Page{}, func(b *pdftest.Builder, _ *pdftest.Page) {
			b.Catalog("/OpenAction << /S /JavaScript /JS (while (true) {}) /Next << /S /Launch /F (calc) >> >>")
		})},
	}
	whole := build(pdftest.Page{}, nil)
	for n := range 8 {
		files[fmt.Sprintf("cut after %d eighths", n)] = entry{file: whole[:len(whole)*n/8], want: refused}
	}
	return files
}

// scattered is a page with many text objects, each of one letter.
func scattered(objects int) string {
	var s strings.Builder
	for n := range objects {
		fmt.Fprintf(&s, "BT /F 3 Tf %d %d Td (%c) Tj ET\n", 9+n*7%570, 9+n*13%820, 'a'+n%26)
	}
	return s.String()
}

const hostileProcess = "PLAIT_TEST_HOSTILE_FILES"

// Hostile files take a clear error, or are read, and their pages are written as they were. All of them together take a process less than 1 GB.
func TestHostileFilesAreRefusedOrRead(t *testing.T) {
	if os.Getenv(hostileProcess) == "" {
		cmd := exec.CommandContext(t.Context(), os.Args[0], "-test.run=^TestHostileFilesAreRefusedOrRead$", "-test.v")
		cmd.Env = append(os.Environ(), hostileProcess+"=yes")
		output, err := cmd.CombinedOutput()
		require.NoError(t, err, string(output))
		peak := cmd.ProcessState.SysUsage().(*syscall.Rusage).Maxrss >> 10
		t.Logf("%d MiB", peak)
		require.Less(t, peak, int64(1000), string(output))
		return
	}
	e := open(t)
	files := hostile()
	names := make([]string, 0, len(files))
	for name := range files {
		names = append(names, name)
	}
	slices.Sort(names)
	for _, name := range names {
		c := files[name]
		began := time.Now()
		text, err := throughEngine(t, e, c.file, io.Discard)
		var usage syscall.Rusage
		require.NoError(t, syscall.Getrusage(syscall.RUSAGE_SELF, &usage))
		t.Logf("%s: %d MiB, %s: %v", name, usage.Maxrss>>10, time.Since(began).Round(time.Millisecond), err)
		if err != nil {
			require.Contains(t, c.want, core.CodeOf(err), "%s: %v", name, err)
		} else if len(c.want) == 0 {
			require.Contains(t, text, "A sentence that can be read.", name)
		}
	}
}

// throughEngine lays out the first page of a file, and writes the file with a translation of it to w. It returns the text of the page.
func throughEngine(t *testing.T, e *engine.Engine, file []byte, w io.Writer) (text string, err error) {
	t.Helper()
	f, err := e.File(t.Context(), bytes.NewReader(file), int64(len(file)))
	if err != nil {
		return "", err
	}
	defer func() { require.NoError(t, f.Close()) }()
	l, err := e.Layout(t.Context(), f, 0, 0)
	if err != nil {
		return "", err
	}
	for _, b := range l.Blocks {
		text += b.Text + " "
	}
	edit, _ := e.Set(l.Page, translated(l.Blocks, llmtest.StandIn("", 1)), "de", typeset.Scales{})
	change := func(page int) (*document.Edit, error) {
		if page > 0 {
			return nil, nil
		}
		return &edit, nil
	}
	return text, e.Write(t.Context(), bytes.NewReader(file), f, engine.WriteOptions{Language: "de"}, change, w)
}

// A document of 10,000 pages is opened, its last page is read, and it is written.
func TestTenThousandPages(t *testing.T) {
	t.Parallel()
	const pages = 10_000
	e := open(t)
	b := pdftest.New()
	font := b.Helvetica()
	for n := range pages {
		b.Page(pdftest.Page{Fonts: map[string]pdftest.Ref{"F": font}, Content: fmt.Sprintf("BT /F 11 Tf 72 700 Td (The text of page %d) Tj ET", n+1)})
	}
	file := b.Bytes()
	f, err := e.File(t.Context(), bytes.NewReader(file), int64(len(file)))
	require.NoError(t, err)
	defer func() { require.NoError(t, f.Close()) }()
	require.Equal(t, pages, f.Pages())
	l, err := e.Layout(t.Context(), f, pages-1, 0)
	require.NoError(t, err)
	require.Equal(t, "The text of page 10000", l.Blocks[0].Text)
	var out bytes.Buffer
	leave := func(int) (*document.Edit, error) { return nil, nil }
	require.NoError(t, e.Write(t.Context(), bytes.NewReader(file), f, engine.WriteOptions{Language: "de"}, leave, &out))
	written, err := e.File(t.Context(), bytes.NewReader(out.Bytes()), int64(out.Len()))
	require.NoError(t, err)
	require.Equal(t, pages, written.Pages())
	require.NoError(t, written.Close())
}
