package letter_test

import (
	"image"
	"image/color"
	"testing"

	"github.com/stretchr/testify/require"

	"plait/internal/comic"
	"plait/internal/comic/letter"
	"plait/internal/raster"
)

// TestItalicsAreTakenFromTheSource letters a page, shears its lettering, and uses the result as a source.
func TestItalicsAreTakenFromTheSource(t *testing.T) {
	t.Parallel()
	box := image.Rect(40, 40, 460, 240)
	for _, c := range []struct {
		lean float64
		want letter.Style
	}{{0, letter.Dialogue}, {0.2, letter.Italic}} {
		bare := art(500, 1100)
		oval(bare, box)
		upright := clone(bare)
		r := source(0, box, 0.7, 3)
		r.SourceLang, r.Text = "en", "NOBODY HID"
		set := func(onto, original *image.NRGBA) letter.Lettered {
			report, err := letterer(t).Draw(t.Context(), letter.Page{
				Erased: onto, Original: original, Regions: []comic.Region{r}, Lang: "en",
				Translations: translations([]string{"Nobody hid behind the barn until Friday"}),
			}, letter.DefaultParams())
			require.NoError(t, err)
			return report.Regions[0]
		}
		first := set(upright, clone(bare))
		original := clone(bare)
		r.Lines = nil
		height := float64(first.Box.Dy()) / float64(len(first.Lines))
		for i := range first.Lines {
			x0, y0 := float64(first.Box.Min.X-12), float64(first.Box.Min.Y)+height*float64(i)
			x1, y1 := float64(first.Box.Max.X+12), y0+height
			r.Lines = append(r.Lines, raster.Quad{{x0, y0}, {x1, y0}, {x1, y1}, {x0, y1}})
		}
		for y := box.Min.Y; y < box.Max.Y; y++ {
			for x := box.Min.X; x < box.Max.X; x++ {
				from := upright.NRGBAAt(x+int(c.lean*float64(y-140)), y)
				if from.R == from.G && from.R < 200 && bare.NRGBAAt(x, y) == (color.NRGBA{255, 255, 255, 255}) && image.Pt(x, y).In(first.Box.Inset(-40)) {
					original.SetNRGBA(x, y, from)
				}
			}
		}
		require.Equal(t, c.want, set(clone(bare), original).Style, "lean %v", c.lean)
	}
}
