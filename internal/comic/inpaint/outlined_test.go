package inpaint_test

import (
	"image"
	"image/color"
	"image/draw"
	"testing"

	"github.com/stretchr/testify/require"

	"plait/internal/comic/inpaint"
	"plait/internal/comic/mask"
	"plait/internal/pipeline"
)

// TestAnOutlinedTitleOverASkyLeavesNothing erases lettering whose dark outline hardly differs from the upper sky, as a title has
// it: what was there comes back, gradient and all.
func TestAnOutlinedTitleOverASkyLeavesNothing(t *testing.T) {
	t.Parallel()
	sky := page(560, 300, func(_, y int) color.NRGBA {
		return color.NRGBA{uint8(38 + y/7), uint8(38 + y/9), uint8(93 + y/6), 255}
	})
	img := page(560, 300, sky.NRGBAAt)
	var strokes []image.Rectangle
	for i := range 4 { // letters of three bars on a stem, as an E has them, and higher and lower ones in turns
		at := image.Pt(70+108*i, 70+9*(i%2))
		for _, r := range []image.Rectangle{
			image.Rect(0, 0, 14, 110), image.Rect(0, 0, 66, 14), image.Rect(0, 48, 54, 62), image.Rect(0, 96, 66, 110),
		} {
			strokes = append(strokes, r.Add(at))
		}
	}
	for _, pass := range []struct {
		wider int
		paint color.NRGBA
	}{{16, color.NRGBA{31, 27, 61, 255}}, {0, color.NRGBA{255, 248, 216, 255}}} {
		for _, s := range strokes {
			draw.Draw(img, s.Inset(-pass.wider), image.NewUniform(pass.paint), image.Point{}, draw.Src)
		}
	}
	title := pipeline.Region{
		Kind: pipeline.KindFree, FontSize: 120,
		Lines: []pipeline.Quad{{{62, 60}, {470, 60}, {470, 196}, {62, 196}}},
	}

	m, err := mask.Glyphs(t.Context(), img, []pipeline.Region{title}, nil)
	require.NoError(t, err)
	got, err := inpaint.Filler{}.Fill(t.Context(), img, m)
	require.NoError(t, err)

	for y := range 300 {
		for x := range 560 {
			want, is := sky.NRGBAAt(x, y), got.NRGBAAt(x, y)
			off := mask.Difference(pipeline.RGB{want.R, want.G, want.B}, pipeline.RGB{is.R, is.G, is.B})
			require.LessOrEqual(t, off, 6, "at %d,%d", x, y)
		}
	}
}
