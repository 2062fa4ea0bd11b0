package inpaint_test

import (
	"context"
	"errors"
	"image"
	"image/color"
	"sync"
	"testing"

	"github.com/stretchr/testify/require"

	"plait/internal/comic/inpaint"
	"plait/internal/comic/inpaint/crop"
	"plait/internal/comic/mask"
	"plait/internal/raster"
)

// reds is a Painter that paints every hole red and records the crops it is given.
type reds struct {
	mu    sync.Mutex
	views []image.Rectangle
	err   error
}

func (*reds) Margin() int { return 20 }

func (r *reds) Paint(_ context.Context, c *crop.Crop) error {
	r.mu.Lock()
	defer r.mu.Unlock()
	r.views = append(r.views, c.Rect)
	for i, hole := range c.Hole.Pix {
		if hole != 0 {
			copy(c.Pix[4*i:], []uint8{255, 0, 0})
		} else {
			copy(c.Pix[4*i:], []uint8{0, 255, 0}) // only holes may change on the page
		}
	}
	return r.err
}

// scene returns a page that is white on the left and checkered on the right, with holes in both parts.
func scene() (*image.NRGBA, *mask.Mask) {
	img := page(300, 200, func(x, y int) color.NRGBA {
		if x >= 150 && (x/5+y/5)%2 == 0 {
			return color.NRGBA{20, 40, 60, 255}
		}
		return color.NRGBA{255, 255, 255, 255}
	})
	m := &mask.Mask{Bounds: img.Rect, Regions: []mask.Region{hole(image.Rect(40, 40, 80, 60), mask.Flat, raster.RGB{255, 255, 255})}}
	for _, r := range []image.Rectangle{image.Rect(200, 50, 220, 60), image.Rect(225, 50, 240, 60), image.Rect(250, 170, 270, 180)} {
		m.Regions = append(m.Regions, hole(r, mask.Art, raster.RGB{}))
	}
	return img, m
}

func TestOnlyHolesInArtArePainted(t *testing.T) {
	t.Parallel()
	img, m := scene()
	painter := &reds{}

	got, err := inpaint.Filler{Workers: 2, Art: painter}.Fill(context.Background(), img, m)

	require.NoError(t, err)
	require.ElementsMatch(t, []image.Rectangle{image.Rect(180, 30, 240, 80), image.Rect(205, 30, 260, 80), image.Rect(230, 150, 290, 200)}, painter.views)
	holes := m.Merged()
	for i, p := range holes.Pix {
		at := holes.Point(i)
		want := img.NRGBAAt(at.X, at.Y)
		if p != 0 && at.X >= 150 {
			want = color.NRGBA{255, 0, 0, 255}
		}
		require.Equal(t, want, got.NRGBAAt(at.X, at.Y), "at %v", at)
	}
}

func TestAPainterThatFailsFailsThePage(t *testing.T) {
	t.Parallel()
	img, m := scene()
	failure := errors.New("no paint")
	_, err := inpaint.Filler{Art: &reds{err: failure}}.Fill(context.Background(), img, m)
	require.ErrorIs(t, err, failure)
}
