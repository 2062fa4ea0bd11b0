package embed_test

import (
	"bytes"
	"fmt"
	"os"
	"path/filepath"
	"testing"

	"github.com/pdfcpu/pdfcpu/pkg/api"
	"github.com/pdfcpu/pdfcpu/pkg/pdfcpu"
	"github.com/pdfcpu/pdfcpu/pkg/pdfcpu/model"
	"github.com/pdfcpu/pdfcpu/pkg/pdfcpu/types"
	"github.com/stretchr/testify/require"
	"github.com/tdewolff/font"
	"golang.org/x/image/font/gofont/goregular"
	"golang.org/x/image/font/sfnt"

	"plait/internal/assets/assetstest"
	"plait/internal/core"
	"plait/internal/document/pdfedit/embed"
	"plait/internal/document/pdfedit/output"
)

// used returns a face and the codes of the characters of a text in it.
func used(t *testing.T, text string) (face *embed.Face, codes []uint16) {
	t.Helper()
	face, err := embed.NewFace("GoRegular", goregular.TTF)
	require.NoError(t, err)
	full, err := sfnt.Parse(goregular.TTF)
	require.NoError(t, err)
	for _, r := range text {
		id, err := full.GlyphIndex(nil, r)
		require.NoError(t, err)
		code, err := face.Code(uint32(id), string(r))
		require.NoError(t, err)
		codes = append(codes, code)
	}
	return face, codes
}

// written writes a face as object 1 and returns its objects.
func written(t *testing.T, face *embed.Face) (file []byte, xref *model.XRefTable) {
	t.Helper()
	api.DisableConfigDir()
	var buffer bytes.Buffer
	f := output.New(&buffer, "1.7", 3)
	require.NoError(t, face.Write(f, 1, goregular.TTF))
	require.NoError(t, f.Object(2, types.Dict{"Type": types.Name("Catalog"), "Font": *types.NewIndirectRef(1, 0)}))
	require.NoError(t, f.Close(2, 0))
	ctx, err := pdfcpu.Read(bytes.NewReader(buffer.Bytes()), model.NewDefaultConfiguration())
	require.NoError(t, err)
	return buffer.Bytes(), ctx.XRefTable
}

// stream returns the decoded stream at the end of a path of keys from object 1.
func stream(t *testing.T, xref *model.XRefTable, path ...string) []byte {
	t.Helper()
	dict, err := xref.DereferenceDict(*types.NewIndirectRef(1, 0))
	require.NoError(t, err)
	for _, key := range path[:len(path)-1] {
		object := dict[key]
		if array, ok := object.(types.Array); ok {
			object = array[0]
		}
		dict, err = xref.DereferenceDict(object)
		require.NoError(t, err)
	}
	data, _, err := xref.DereferenceStreamDict(dict[path[len(path)-1]])
	require.NoError(t, err)
	require.NoError(t, data.Decode())
	return data.Content
}

// outline records the path of a glyph.
type outline []float64

func (o *outline) MoveTo(x, y float64)             { *o = append(*o, 0, x, y) }
func (o *outline) LineTo(x, y float64)             { *o = append(*o, 1, x, y) }
func (o *outline) QuadTo(a, b, x, y float64)       { *o = append(*o, 2, a, b, x, y) }
func (o *outline) CubeTo(a, b, c, d, x, y float64) { *o = append(*o, 3, a, b, c, d, x, y) }
func (o *outline) Close()                          { *o = append(*o, 4) }

func path(t *testing.T, face *font.SFNT, id uint16) (o outline) {
	t.Helper()
	require.NoError(t, face.GlyphPath(&o, id, 0, 0, 0, 1, font.NoHinting))
	return o
}

func TestSubsetsKeepOutlinesAndWidths(t *testing.T) {
	text := "Überfüße ½Ǻ" // components of one and of two levels
	face, codes := used(t, text)
	_, xref := written(t, face)
	program := stream(t, xref, "DescendantFonts", "FontDescriptor", "FontFile2")
	require.Less(t, len(program), len(goregular.TTF)/4)
	small, err := font.ParseEmbeddedSFNT(program, 0)
	require.NoError(t, err)
	full, err := font.ParseSFNT(goregular.TTF, 0)
	require.NoError(t, err)
	for i, r := range []rune(text) {
		id := full.GlyphIndex(r)
		require.NotZero(t, id, string(r))
		require.Equal(t, path(t, full, id), path(t, small, codes[i]), string(r))
		require.Equal(t, full.GlyphAdvance(id), small.GlyphAdvance(codes[i]))
		require.InDelta(t, float64(full.GlyphAdvance(id))*1000/2048, face.Width(codes[i]), .001)
	}
}

func TestCodesStandForAGlyphAndItsText(t *testing.T) {
	face, _ := used(t, "ab")
	space, err := face.Code(3, " ")
	require.NoError(t, err)
	again, err := face.Code(3, " ")
	require.NoError(t, err)
	require.Equal(t, space, again)
	fixed, err := face.Code(3, "\u00a0")
	require.NoError(t, err)
	require.NotEqual(t, space, fixed)
	mark, err := face.Code(5, "")
	require.NoError(t, err)
	_, xref := written(t, face)
	unicode := string(stream(t, xref, "ToUnicode"))
	for code, text := range map[uint16]string{1: "0061", 2: "0062", space: "0020", fixed: "00a0"} {
		require.Contains(t, unicode, fmt.Sprintf("<%04x> <%s>\n", code, text))
	}
	require.NotContains(t, unicode, fmt.Sprintf("<%04x> <", mark))
}

func TestTheSameGlyphsGiveTheSameBytes(t *testing.T) {
	face, _ := used(t, "reproducible")
	first, _ := written(t, face)
	face, _ = used(t, "reproducible")
	second, _ := written(t, face)
	require.Equal(t, first, second)
}

func TestWrongFacesAndGlyphsAreErrors(t *testing.T) {
	_, err := embed.NewFace("none", []byte("no font"))
	require.Equal(t, core.CodeModelMissing, core.CodeOf(err))
	face, _ := used(t, "")
	_, err = face.Code(1<<20, "x")
	require.Equal(t, core.CodeInternal, core.CodeOf(err))
}

// A page of Chinese adds less than 300 kB to a file.
func TestAPageOfChineseIsSmall(t *testing.T) {
	data, err := os.ReadFile(filepath.Join(assetstest.Dir(t), "fonts", "NotoSansSC_400Regular.ttf"))
	require.NoError(t, err)
	face, err := embed.NewFace("NotoSansSC", data)
	require.NoError(t, err)
	full, err := sfnt.Parse(data)
	require.NoError(t, err)
	for r := rune(0x4e00); r < 0x4e00+600; r++ {
		id, err := full.GlyphIndex(nil, r)
		require.NoError(t, err)
		_, err = face.Code(uint32(id), string(r))
		require.NoError(t, err)
	}
	var buffer bytes.Buffer
	f := output.New(&buffer, "1.7", 3)
	require.NoError(t, face.Write(f, 1, data))
	require.NoError(t, f.Close(1, 0))
	require.Less(t, buffer.Len(), 300<<10)
}
