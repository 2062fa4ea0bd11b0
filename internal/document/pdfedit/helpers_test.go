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

func open(t testing.TB, file []byte, password string) *pdf.File {
	t.Helper()
	f, err := engine.Open(t.Context(), bytes.NewReader(file), int64(len(file)), pdf.Options{Password: password})
	require.NoError(t, err)
	t.Cleanup(func() { require.NoError(t, f.Close()) })
	return f
}

// page reads a page of a file.
func page(t testing.TB, file []byte, index int) document.Page {
	t.Helper()
	p, err := open(t, file, "").Content(t.Context(), index)
	require.NoError(t, err)
	return p
}

// picture draws a page at 72 dots an inch.
func picture(t testing.TB, file []byte, index int) *image.RGBA {
	t.Helper()
	drawn, _, err := open(t, file, "").Render(t.Context(), index, 72)
	require.NoError(t, err)
	return drawn
}

// objects opens a file as a set of objects.
func objects(t testing.TB, file []byte) *source.File {
	t.Helper()
	f, err := source.Open(t.Context(), bytes.NewReader(file), "")
	require.NoError(t, err)
	return f
}

// program returns the content of a page in one line.
func program(t testing.TB, file []byte, index int) string {
	t.Helper()
	f := objects(t, file)
	data, err := f.Content(f.Pages[index])
	require.NoError(t, err)
	return strings.Join(strings.Fields(string(data)), " ")
}

// formProgram returns the content of a form in the resources of a page.
func formProgram(t testing.TB, f *source.File, resources types.Object, name string) (program string, form types.StreamDict) {
	t.Helper()
	form, ok := f.Resolve(f.Dict(f.Dict(resources)["XObject"])[name]).(types.StreamDict)
	require.True(t, ok, name)
	require.NoError(t, form.Decode())
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
func find(t testing.TB, p document.Page, text string) (positions []int) {
	t.Helper()
	start := strings.Index(texts(p), text)
	require.GreaterOrEqual(t, start, 0, text)
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
func line(t testing.TB, text string, op document.Op, x, y, size float64) document.Text {
	t.Helper()
	face, err := sfnt.Parse(goregular.TTF)
	require.NoError(t, err)
	run := document.Run{Face: "Go", Size: size, Color: document.Color{R: 200}}
	start := x
	for _, r := range text {
		id, err := face.GlyphIndex(nil, r)
		require.NoError(t, err)
		advance, err := face.GlyphAdvance(nil, id, fixed.I(1000), 0)
		require.NoError(t, err)
		glyph := document.PlacedGlyph{ID: uint32(id), Text: string(r), Origin: document.Point{X: x, Y: y}, Advance: float64(advance) / 64000 * size}
		run.Glyphs = append(run.Glyphs, glyph)
		x += glyph.Advance
	}
	return document.Text{Op: op, Runs: []document.Run{run}, Box: document.Box{X0: start, Y0: y - size/4, X1: x, Y1: y + size}}
}

// write writes the translation of a file. Edits by index of the page; pages without one stay.
func write(t testing.TB, file []byte, options pdfedit.Options, edit func(p document.Page) *document.Edit) []byte {
	t.Helper()
	f := open(t, file, options.Password)
	options.Faces = faces
	if options.Output == "" {
		options.Output = pdfedit.Mono
	}
	var written bytes.Buffer
	require.NoError(t, pdfedit.Write(t.Context(), bytes.NewReader(file), func(ctx context.Context, index int) (document.Page, *document.Edit, error) {
		p, err := f.Content(ctx, index)
		return p, edit(p), err
	}, options, &written))
	return written.Bytes()
}

// leave edits nothing.
func leave(document.Page) *document.Edit { return nil }
