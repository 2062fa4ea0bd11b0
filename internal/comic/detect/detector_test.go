package detect_test

import (
	"context"
	"fmt"
	"image"
	"image/draw"
	"os"
	"testing"

	"github.com/stretchr/testify/require"
	"golang.org/x/image/font"
	"golang.org/x/image/font/opentype"
	"golang.org/x/image/math/fixed"

	"plait/internal/assets"
	"plait/internal/assets/assetstest"
	"plait/internal/comic"
	"plait/internal/comic/detect"
	"plait/internal/onnx"
)

// newDetector loads the model of the assets.
func newDetector(t *testing.T, threads int, p detect.Params) *detect.Detector {
	t.Helper()
	set := assetstest.Open(t)
	library, err := set.Path(assets.OnnxRuntime)
	require.NoError(t, err)
	path, err := set.Path(assets.DetectModel)
	require.NoError(t, err)
	file, err := set.File(assets.DetectModel)
	require.NoError(t, err)
	rt, err := onnx.Open(onnx.Config{LibraryPath: library, Device: onnx.CPU, Threads: threads})
	require.NoError(t, err)
	t.Cleanup(func() { require.NoError(t, rt.Close()) })
	pool, err := rt.Load(detect.Model(file.Name, path, file.SHA256), 2)
	require.NoError(t, err)
	t.Cleanup(func() { require.NoError(t, pool.Close()) })
	return detect.New(pool, p)
}

// write puts a text on img, with its baseline beginning at x, y.
func write(t *testing.T, img draw.Image, text string, size float64, x, y int) {
	t.Helper()
	path, err := assetstest.Open(t).Path("font-comic-neue-bold")
	require.NoError(t, err)
	b, err := os.ReadFile(path)
	require.NoError(t, err)
	parsed, err := opentype.Parse(b)
	require.NoError(t, err)
	face, err := opentype.NewFace(parsed, &opentype.FaceOptions{Size: size, DPI: 72})
	require.NoError(t, err)
	d := font.Drawer{Dst: img, Src: image.Black, Face: face, Dot: fixed.P(x, y)}
	d.DrawString(text)
}

func whitePage(width, height int) *image.NRGBA {
	img := image.NewNRGBA(image.Rect(0, 0, width, height))
	draw.Draw(img, img.Rect, image.White, image.Point{}, draw.Src)
	return img
}

func TestLinesOfStripAreFoundOnce(t *testing.T) {
	t.Parallel()
	p := detect.DefaultParams()
	p.StripWidth, p.TileSide, p.TileOverlap = 320, 384, 128
	d := newDetector(t, 1, p)
	img := whitePage(320, 1600)
	// Lines all the way down, so that some lie on every seam.
	var baselines []int
	for y := 40; y < 1580; y += 57 {
		write(t, img, fmt.Sprintf("Line at %d", y), 26, 40, y)
		baselines = append(baselines, y)
	}
	lines, err := d.Lines(t.Context(), img)
	require.NoError(t, err)
	require.Len(t, lines, len(baselines))
	for i, l := range lines {
		x0, y0, x1, y1 := l.Quad.Bounds()
		y := float64(baselines[i])
		require.Less(t, y0, y-10)
		require.InDelta(t, y+6, y1, 12)
		require.InDelta(t, 38, x0, 14)
		require.Greater(t, x1, 150.0)
	}
}

// A clear line is found on the reduced page alone, as tight as at full scale.
func TestLinesOfTheReducedPageAreTight(t *testing.T) {
	t.Parallel()
	img := whitePage(1400, 1980)
	texts := []string{"Nothing is said", "about the weather", "in this letter."}
	for i, text := range texts {
		write(t, img, text, 40, 300+20*i, 500+60*i)
	}
	d := newDetector(t, 1, detect.DefaultParams())
	lines, err := d.Lines(t.Context(), img)
	require.NoError(t, err)
	require.Len(t, lines, len(texts))
	for _, l := range lines {
		_, y0, _, y1 := l.Quad.Bounds()
		require.InDelta(t, 43, y1-y0, 3)
	}
	full, err := d.Lines(comic.Without(t.Context(), comic.PassCandidates), img)
	require.NoError(t, err)
	require.NotEqual(t, full, lines)
}

// The margin of a large line is wider than its lettering needs, and the slack says by how much. At the edge of the page, which cuts the
// margin off, nothing may be taken from the line.
func TestTheSlackOfALargeLineIsBesideItsLettering(t *testing.T) {
	t.Parallel()
	const size = 150
	d := newDetector(t, 1, detect.DefaultParams())
	for name, c := range map[string]struct {
		baseline int
		slack    bool
	}{"in the middle": {900, true}, "at the upper edge": {115, false}} {
		img := whitePage(1400, 1980)
		write(t, img, "Boom", size, 400, c.baseline)
		lines, err := d.Lines(t.Context(), img)
		require.NoError(t, err)
		require.Len(t, lines, 1, name)
		_, y0, _, y1 := lines[0].Quad.Inset(lines[0].Slack).Bounds()
		require.LessOrEqual(t, y0, float64(c.baseline)-0.65*size, name)
		require.GreaterOrEqual(t, y1, float64(c.baseline), name)
		if !c.slack {
			require.Zero(t, lines[0].Slack, name)
			continue
		}
		require.Greater(t, lines[0].Slack, 15.0, name)
		require.Less(t, y1-y0, 0.9*size, name)
		whole := lines[0].Quad
		require.Greater(t, whole[3][1]-whole[0][1], float64(size), name)
	}
}

func TestLinesAreTheSameOnAnyThreads(t *testing.T) {
	t.Parallel()
	img := whitePage(400, 300)
	write(t, img, "Once more,", 30, 60, 100)
	write(t, img, "with feeling!", 30, 70, 200)
	p := detect.DefaultParams()
	p.MaxEnlarge = 1
	one := newDetector(t, 1, p)
	require.NoError(t, one.Warm(t.Context()))
	first, err := one.Lines(t.Context(), img)
	require.NoError(t, err)
	require.Len(t, first, 2)
	again, err := one.Lines(t.Context(), img)
	require.NoError(t, err)
	require.Equal(t, first, again)
	threaded, err := newDetector(t, 2, p).Lines(t.Context(), img)
	require.NoError(t, err)
	require.Equal(t, first, threaded)
}

func TestLinesOfNothing(t *testing.T) {
	t.Parallel()
	d := newDetector(t, 1, detect.DefaultParams())
	lines, err := d.Lines(t.Context(), whitePage(64, 48))
	require.NoError(t, err)
	require.Empty(t, lines)
	lines, err = d.Lines(t.Context(), whitePage(0, 0))
	require.NoError(t, err)
	require.Empty(t, lines)

	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	_, err = d.Lines(ctx, whitePage(64, 48))
	require.ErrorIs(t, err, context.Canceled)
}
