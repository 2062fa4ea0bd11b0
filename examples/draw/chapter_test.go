package main

import (
	"bytes"
	"encoding/json"
	"encoding/xml"
	"image"
	"image/draw"
	_ "image/jpeg"
	_ "image/png"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"plait/internal/assets/assetstest"
)

func faces(t *testing.T) *Type {
	t.Helper()
	f, err := LoadType(os.DirFS(filepath.Join(assetstest.Dir(t), "fonts")))
	require.NoError(t, err)
	return f
}

func decode(t *testing.T, b []byte) *image.RGBA {
	t.Helper()
	m, _, err := image.Decode(bytes.NewReader(b))
	require.NoError(t, err)
	out := image.NewRGBA(m.Bounds())
	draw.Draw(out, out.Rect, m, m.Bounds().Min, draw.Src)
	return out
}

// worst is the largest difference of a channel between two pictures, 0 to 255.
func worst(t *testing.T, a, b *image.RGBA) int {
	t.Helper()
	require.Equal(t, a.Rect, b.Rect)
	far := 0
	for i, v := range a.Pix {
		d := int(v) - int(b.Pix[i])
		far = max(far, d, -d)
	}
	return far
}

// step is how far a drawn pixel may lie from the kept one: one step of coverage.
// Pixels are compared, not files, because neither the bytes that a PNG encoder
// makes nor the last bit of a float32 is promised between releases of Go and
// processors.
const step = 17

func TestSmallChapterInTheRepositoryIsWhatTheProgramWrites(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	require.NoError(t, postcard.write(dir, dir, faces(t)))
	written, err := os.ReadDir(dir)
	require.NoError(t, err)
	require.Len(t, written, 6)
	for _, e := range written {
		got, err := os.ReadFile(filepath.Join(dir, e.Name()))
		require.NoError(t, err)
		kept, err := os.ReadFile(filepath.Join("../small", e.Name()))
		require.NoError(t, err)
		if filepath.Ext(e.Name()) == ".png" {
			require.LessOrEqual(t, worst(t, decode(t, kept), decode(t, got)), step, e.Name())
		} else {
			require.Equal(t, string(kept), string(got), e.Name())
		}
	}
}

func TestTitlePageInTheRepositoryIsWhatTheProgramDraws(t *testing.T) {
	t.Parallel()
	p, err := lighthouse.draw(lighthouse.Sheets[0], faces(t))
	require.NoError(t, err)
	kept, err := os.ReadFile("../chapter/01.png")
	require.NoError(t, err)
	require.LessOrEqual(t, worst(t, decode(t, kept), p.Image()), step)
}

func TestDrawingTwiceGivesTheSameFile(t *testing.T) {
	t.Parallel()
	var files [2][]byte
	for i := range files {
		p, err := postcard.draw(postcard.Sheets[2], faces(t))
		require.NoError(t, err)
		files[i], err = p.encode()
		require.NoError(t, err)
	}
	require.True(t, bytes.Equal(files[0], files[1]))
}

func load[T any](t *testing.T, path string) T {
	t.Helper()
	b, err := os.ReadFile(path)
	require.NoError(t, err)
	d := json.NewDecoder(bytes.NewReader(b))
	d.DisallowUnknownFields()
	var v T
	require.NoError(t, d.Decode(&v))
	return v
}

func TestNotesTellWhatStandsOnThePages(t *testing.T) {
	t.Parallel()
	for _, c := range []struct{ pages, notes string }{{"../chapter", ".."}, {"../small", "../small"}} {
		truth := load[Truth](t, filepath.Join(c.notes, "truth.json"))
		script := load[Script](t, filepath.Join(c.notes, "script.en.json"))
		require.Len(t, script.Pages, len(truth.Pages))
		silent, down := 0, 0
		for i, p := range truth.Pages {
			b, err := os.ReadFile(filepath.Join(c.pages, p.Page))
			require.NoError(t, err)
			size, _, err := image.DecodeConfig(bytes.NewReader(b))
			require.NoError(t, err)
			require.Equal(t, image.Pt(p.Width, p.Height), image.Pt(size.Width, size.Height))
			require.Equal(t, p.Page, script.Pages[i].Page)
			require.Len(t, script.Pages[i].Regions, len(p.Blocks))
			if len(p.Blocks) == 0 {
				silent++
			}
			for j, block := range p.Blocks {
				r := script.Pages[i].Regions[j]
				require.Equal(t, block.Text, r.Source)
				require.Equal(t, block.Text, strings.Join(block.Lines, ""))
				require.NotEmpty(t, r.Translation)
				checkBox(t, block, image.Rect(0, 0, size.Width, size.Height))
				if block.Direction == Down {
					down++
				}
			}
		}
		require.Equal(t, 1, silent, "pages without text in %s", c.pages)
		require.Positive(t, down, "blocks lettered downwards in %s", c.pages)
	}
}

// checkBox wants a text box on the page, inside its balloon, and higher than wide
// or wider than high as its one line would be.
func checkBox(t *testing.T, b Block, page image.Rectangle) {
	t.Helper()
	box := image.Rect(b.Box[0], b.Box[1], b.Box[2], b.Box[3])
	require.True(t, !box.Empty() && box.In(page), b.Text)
	if b.Balloon != nil {
		require.True(t, box.In(image.Rect(b.Balloon[0], b.Balloon[1], b.Balloon[2], b.Balloon[3])), b.Text)
	}
	if len(b.Lines) == 1 {
		require.Equal(t, b.Direction == Down, box.Dy() > box.Dx(), b.Text)
	}
}

func TestComicInfoCountsThePagesAndReadsFromTheRight(t *testing.T) {
	t.Parallel()
	b, err := os.ReadFile("../chapter/ComicInfo.xml")
	require.NoError(t, err)
	var info ComicInfo
	require.NoError(t, xml.Unmarshal(b, &info))
	require.Equal(t, len(lighthouse.Sheets), info.PageCount)
	require.Equal(t, "ja", info.LanguageISO)
	require.Equal(t, "YesAndRightToLeft", info.Manga)
}
