package mask_test

import (
	"image"
	"testing"

	"github.com/stretchr/testify/require"

	"plait/internal/comic"
	"plait/internal/comic/mask"
	"plait/internal/raster/bitmap"
)

// dots draws a screentone of staggered squares with the given side and pitch.
func dots(pitch, side int) *image.NRGBA {
	img := image.NewNRGBA(image.Rect(0, 0, 320, 160))
	fill(img, img.Rect, white)
	for y, row := 0, 0; y < 160; y, row = y+pitch/2, row+1 {
		for x := row % 2 * (pitch / 2); x < 320; x += pitch {
			fill(img, image.Rect(x, y, x+side, y+side), black)
		}
	}
	return img
}

// hatching draws slanted strokes two pixels wide.
func hatching(pitch int) *image.NRGBA {
	img := image.NewNRGBA(image.Rect(0, 0, 320, 160))
	fill(img, img.Rect, white)
	for y := range 160 {
		for x := -(y % pitch); x < 320; x += pitch {
			fill(img, image.Rect(x, y, x+2, y+1), black)
		}
	}
	return img
}

// speedLines draws vertical strokes, thin and broad ones in turn, about as far apart as lettering is high.
func speedLines() *image.NRGBA {
	img := image.NewNRGBA(image.Rect(0, 0, 320, 160))
	fill(img, img.Rect, white)
	for x := 0; x < 320; x += 14 {
		fill(img, image.Rect(x, 0, x+3+x%28/7, 160), black)
	}
	return img
}

func TestLetteringOnATexture(t *testing.T) {
	t.Parallel()
	for name, img := range map[string]*image.NRGBA{
		"fine tone": dots(6, 2), "coarse tone": dots(12, 5), "hatching": hatching(9), "speed lines": speedLines(),
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			drawn := bitmap.New(img.Rect)
			word(img, image.Pt(60, 70), 9, white, 4)
			strokes := word(img, image.Pt(60, 70), 9, black, 0)
			for _, s := range strokes {
				for y := s.Min.Y - 4; y < s.Max.Y+4; y++ {
					for x := s.Min.X - 4; x < s.Max.X+4; x++ {
						drawn.Add(x, y)
					}
				}
			}
			r := glyphs(t, img, []comic.Region{region(0, line(50, 60, 230, 100))}).Regions[0]

			require.NotEqual(t, mask.Flat, r.Class, "the paper between the marks is not a ground")
			beside, more := drawn.Dilate(4), 0
			for i, p := range r.Hole.Pix {
				if at := r.Hole.Point(i); p != 0 && !beside.Has(at.X, at.Y) {
					more++
				}
			}
			require.Less(t, float64(more), 0.2*float64(drawn.Count()), "the marks continue behind the lettering")
			for _, s := range strokes {
				require.True(t, r.Hole.Has(s.Min.X, s.Min.Y) && r.Hole.Has(s.Max.X-1, s.Max.Y-1), "the glyph at %v is in the hole", s)
			}
		})
	}
}

// The strokes begin behind the letters, far apart, and those beside them run on to the edge of what is examined.
func TestSpeedLinesThatBeginBehindLetteringStay(t *testing.T) {
	t.Parallel()
	img := image.NewNRGBA(image.Rect(0, 0, 320, 180))
	fill(img, img.Rect, white)
	for x := 64; x < 220; x += 18 {
		fill(img, image.Rect(x+9, 70+x%24, x+11, 180), black)
	}
	word(img, image.Pt(60, 70), 9, white, 3)
	strokes := word(img, image.Pt(60, 70), 9, black, 0)

	r := glyphs(t, img, []comic.Region{region(0, line(50, 62, 230, 98))}).Regions[0]

	for _, s := range strokes {
		require.True(t, holds(r, s), "stroke %v", s)
	}
	for x := 64; x < 210; x += 18 {
		require.False(t, r.Hole.Has(x+10, 101), "the speed line at %d", x+9)
	}
}

// A white outline cuts the strokes to the left and to the right of each word, so that they are as long and as thick as strokes of letters.
func TestSpeedLinesBetweenWordsStay(t *testing.T) {
	t.Parallel()
	img := image.NewNRGBA(image.Rect(0, 0, 320, 180))
	fill(img, img.Rect, white)
	for y := 5; y < 180; y += 8 {
		fill(img, image.Rect(0, y, 320, y+3), black)
	}
	words := []image.Point{{40, 60}, {160, 60}, {40, 98}, {160, 98}}
	var strokes []image.Rectangle
	for _, at := range words {
		word(img, at, 3, white, 4)
		strokes = append(strokes, word(img, at, 3, black, 0)...)
	}

	r := glyphs(t, img, []comic.Region{region(0, line(30, 54, 224, 86), line(30, 92, 224, 124))}).Regions[0]

	for _, s := range strokes {
		require.True(t, holds(r, s), "stroke %v", s)
	}
	for y := 61; y < 120; y += 8 {
		require.False(t, r.Hole.Has(126, y+1), "the speed line at %d", y)
	}
}
