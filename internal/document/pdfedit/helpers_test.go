package pdfedit_test

import (
	"bytes"
	"context"
	"fmt"
	"image"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/pdfcpu/pdfcpu/pkg/pdfcpu/types"
	"github.com/stretchr/testify/require"
	"golang.org/x/image/font/gofont/goregular"
	"golang.org/x/image/font/sfnt"
	"golang.org/x/image/math/fixed"

	"plait/internal/document"
	"plait/internal/document/pdf"
	"plait/internal/document/pdfedit"
	"plait/internal/document/pdfedit/source"
)

// engine is one for all tests: compiling PDFium takes seconds.
var engine *pdf.Engine

func TestMain(m *testing.M) {
	cache := filepath.Join(os.TempDir(), fmt.Sprintf("plait-pdfium-%d", os.Getuid()))
	engine = pdf.New(pdf.Config{CacheDir: cache, Instances: 4})
	code := m.Run()
	if err := engine.Close(); err != nil {
		fmt.Fprintln(os.Stderr, err)
		code = 1
	}
	os.Exit(code)
}

// opened calls use with an open file. An instance of PDFium is taken until use returns.
func opened(tb testing.TB, file []byte, password string, use func(f *pdf.File)) {
	tb.Helper()
	f, err := engine.Open(tb.Context(), bytes.NewReader(file), int64(len(file)), pdf.Options{Password: password})
	require.NoError(tb, err)
	defer func() { require.NoError(tb, f.Close()) }()
	use(f)
}

// page reads a page of a file.
func page(tb testing.TB, file []byte, index int) (p document.Page) {
	tb.Helper()
	opened(tb, file, "", func(f *pdf.File) {
		var err error
		p, err = f.Content(tb.Context(), index)
		require.NoError(tb, err)
	})
	return p
}

// picture draws a page at 72 dots an inch.
func picture(tb testing.TB, file []byte, index int) (drawn *image.RGBA) {
	tb.Helper()
	opened(tb, file, "", func(f *pdf.File) {
		var err error
		drawn, _, err = f.Render(tb.Context(), index, 72)
		require.NoError(tb, err)
	})
	return drawn
}

// objects opens a file as a set of objects.
func objects(tb testing.TB, file []byte) *source.File {
	tb.Helper()
	f, err := source.Open(tb.Context(), bytes.NewReader(file), "")
	require.NoError(tb, err)
	return f
}

// program returns the content of a page in one line.
func program(tb testing.TB, file []byte, index int) string {
	tb.Helper()
	f := objects(tb, file)
	data, err := f.Content(f.Pages[index])
	require.NoError(tb, err)
	return strings.Join(strings.Fields(string(data)), " ")
}

// formProgram returns the content of a form in the resources of a page.
func formProgram(tb testing.TB, f *source.File, resources types.Object, name string) (program string, form types.StreamDict) {
	tb.Helper()
	form, ok := f.Resolve(f.Dict(f.Dict(resources)["XObject"])[name]).(types.StreamDict)
	require.True(tb, ok, name)
	require.NoError(tb, form.Decode())
	return strings.Join(strings.Fields(string(form.Content)), " "), form
}

// texts returns what the glyphs of a page stand for, in their order.
func texts(p document.Page) string {
	var b strings.Builder
	for _, g := range p.Glyphs {
		b.WriteString(g.Text)
	}
	return b.String()
}

// find returns the positions of the glyphs of a text on a page.
func find(tb testing.TB, p document.Page, text string) (positions []int) {
	tb.Helper()
	start := strings.Index(texts(p), text)
	require.GreaterOrEqual(tb, start, 0, text)
	offset := 0
	for i, g := range p.Glyphs {
		if offset >= start && offset < start+len(text) {
			positions = append(positions, i)
		}
		offset += len(g.Text)
	}
	return positions
}

// faces is the provider of faces: all are Go Regular.
func faces(string) ([]byte, error) { return goregular.TTF, nil }

// line sets a text in one run in the place of an operator.
func line(tb testing.TB, text string, op document.Op, x, y, size float64) document.Text {
	tb.Helper()
	face, err := sfnt.Parse(goregular.TTF)
	require.NoError(tb, err)
	run := document.Run{Face: "Go", Size: size, Color: document.Color{R: 200}}
	start := x
	for _, r := range text {
		id, err := face.GlyphIndex(nil, r)
		require.NoError(tb, err)
		advance, err := face.GlyphAdvance(nil, id, fixed.I(1000), 0)
		require.NoError(tb, err)
		glyph := document.PlacedGlyph{ID: uint32(id), Text: string(r), Origin: document.Point{X: x, Y: y}, Advance: float64(advance) / 64000 * size}
		run.Glyphs = append(run.Glyphs, glyph)
		x += glyph.Advance
	}
	return document.Text{Op: op, Runs: []document.Run{run}, Box: document.Box{X0: start, Y0: y - size/4, X1: x, Y1: y + size}}
}

// write writes the translation of a file. Edits by index of the page; pages without one stay.
func write(tb testing.TB, file []byte, options pdfedit.Options, edit func(p document.Page) *document.Edit) []byte {
	tb.Helper()
	options.Faces = faces
	if options.Output == "" {
		options.Output = pdfedit.Mono
	}
	var written bytes.Buffer
	opened(tb, file, options.Password, func(f *pdf.File) {
		read := func(ctx context.Context, index int) (document.Page, *document.Edit, error) {
			p, err := f.Content(ctx, index)
			return p, edit(p), err
		}
		require.NoError(tb, pdfedit.Write(tb.Context(), bytes.NewReader(file), read, options, &written))
	})
	return written.Bytes()
}

// leave edits nothing.
func leave(document.Page) *document.Edit { return nil }
