package main

import (
	"image"
	"math"
	"os"
	"path/filepath"
	"testing"

	"github.com/stretchr/testify/require"

	"plait/internal/assets/assetstest"
	"plait/internal/comic"
	"plait/internal/comic/engine"
	"plait/internal/onnx"
	"plait/internal/picture"
	"plait/internal/raster"
	"plait/internal/raster/bitmap"
)

// visible is the least difference in levels by which a pixel stands out from its surroundings. The pages of the chapter have areas of one
// color and even gradients, where less is not seen.
const visible = 12

// without returns a sheet as the program draws it without lettering, as it is after its file was written and decoded.
func (ch Chapter) without(t *testing.T, s Sheet) *image.NRGBA {
	t.Helper()
	p := NewPage(s.Name, ch.Width, ch.Height, faces(t))
	p.Bare = true
	require.NoError(t, s.Draw(p))
	file, err := p.encode()
	require.NoError(t, err)
	decoded, err := picture.Decode(t.Context(), file, picture.DefaultLimits())
	require.NoError(t, err)
	return decoded.Image
}

// compare returns the peak signal-to-noise ratio in dB of what is within 6 pixels of the lettering of a page, and how many of these pixels
// differ visibly from the page without text.
func compare(erased, page, bare *image.NRGBA) (db float64, ghosts int) {
	lettering := bitmap.New(page.Rect)
	for i := range lettering.Pix {
		if at := lettering.Point(i); raster.Difference(raster.At(page, at.X, at.Y), raster.At(bare, at.X, at.Y)) > visible {
			lettering.Pix[i] = 1
		}
	}
	squares, pixels := 0.0, 0
	for i, in := range lettering.Dilate(6).Pix {
		if in == 0 {
			continue
		}
		at := lettering.Point(i)
		a, b := raster.At(erased, at.X, at.Y), raster.At(bare, at.X, at.Y)
		d := raster.Distance(a, b)
		pixels, squares = pixels+1, squares+d*d/3
		if raster.Difference(a, b) > visible {
			ghosts++
		}
	}
	return 10 * math.Log10(255*255*float64(pixels)/max(squares, 1)), ghosts
}

func TestErasingTheChapterGivesItsPagesWithoutText(t *testing.T) {
	t.Parallel()
	e, err := engine.Open(t.Context(), engine.Config{
		Assets: assetstest.Open(t), Runtime: onnx.Config{Device: onnx.CPU, Threads: 1}, Places: 1,
	})
	require.NoError(t, err)
	t.Cleanup(func() { require.NoError(t, e.Close()) })
	for i, limit := range map[int]struct {
		db     float64
		ghosts int
	}{
		0: {50, 0},
		1: {28, 3000}, // the sound stands on thin arcs, which are not continued
		3: {44, 500},  // compression blurs what is next to lettering
		5: {50, 0},
	} {
		s := lighthouse.Sheets[i]
		file, err := os.ReadFile(filepath.Join("../chapter", s.Name))
		require.NoError(t, err)
		c, _, err := e.Detect(t.Context(), file, comic.Options{From: "ja", To: "en"})
		require.NoError(t, err)
		erased, err := e.Erase(t.Context(), c, c.Regions())
		require.NoError(t, err)
		require.Empty(t, erased.Kept, s.Name)
		db, ghosts := compare(erased.Image, c.Picture().Image, lighthouse.without(t, s))
		require.GreaterOrEqual(t, db, limit.db, s.Name)
		require.LessOrEqual(t, ghosts, limit.ghosts, s.Name)
	}
}
