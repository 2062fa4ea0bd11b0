package letter_test

import (
	"image"
	"image/color"
	"math"
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
	}{{0, letter.Dialogue}, {0.2, letter.Italic}, {0.42, letter.Italic}} {
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

// TestSoundsLeanLikeTheirSource letters a sound whose source has upright bars, and again with bars that lean far to the right.
func TestSoundsLeanLikeTheirSource(t *testing.T) {
	t.Parallel()
	r := source(0, image.Rect(60, 60, 360, 240), 0.8, 1)
	r.Kind, r.SourceLang, r.Text = comic.KindEffect, "en", "KRRK"
	r.Lines[0][2][1], r.Lines[0][3][1] = r.Lines[0][0][1]+70, r.Lines[0][0][1]+70
	var leans []float64
	for _, lean := range []float64{0, 0.6} {
		page := art(420, 300)
		original := clone(page)
		top, bottom := r.Lines[0][0][1]+6, r.Lines[0][2][1]-6
		for y := top; y < bottom; y++ {
			for x := r.Lines[0][0][0] + 10; x < r.Lines[0][1][0]-60; x += 34 {
				for i := range 7 {
					original.SetNRGBA(int(x+lean*(bottom-y))+i, int(y), color.NRGBA{255, 255, 255, 255})
				}
			}
		}
		before := clone(page)
		_, err := letterer(t).Draw(t.Context(), letter.Page{
			Erased: page, Original: original, Regions: []comic.Region{r}, Translations: translations([]string{"HHH"}), Lang: "en",
		}, letter.DefaultParams())
		require.NoError(t, err)
		leans = append(leans, -slope(changed(before, page), true))
	}
	require.InDelta(t, 0.6, leans[1]-leans[0], 0.2)
}

// Text in a bubble keeps its slant, unless it would be much smaller than level text.
func TestSlantedTextInABubbleKeepsItsSlant(t *testing.T) {
	t.Parallel()
	for _, c := range []struct {
		box                  image.Rectangle
		part, degrees, wants float64
	}{
		{image.Rect(40, 40, 440, 260), 0.5, 15, 15},
		{image.Rect(140, 100, 340, 200), 0.3, 40, 0},
	} {
		page := art(480, 1200)
		oval(page, c.box)
		before := clone(page)
		r := source(0, c.box, c.part, 1)
		r.Angle = c.degrees
		sin, cos := math.Sincos(r.Angle * math.Pi / 180)
		cx, cy := float64(c.box.Min.X+c.box.Max.X)/2, float64(c.box.Min.Y+c.box.Max.Y)/2
		for i, q := range r.Lines[0] {
			x, y := q[0]-cx, q[1]-cy
			r.Lines[0][i] = raster.Point{cx + x*cos - y*sin, cy + x*sin + y*cos}
		}
		report := draw(t, page, "en", []comic.Region{r}, "Congratulations!")
		require.True(t, report.Regions[0].Bubble)
		require.InDelta(t, math.Tan(c.wants*math.Pi/180), slope(changed(before, page), false), 0.05)
	}
}

// slope returns the slope of the regression line through points: of y by x, or of x by y if steep is set.
func slope(points []image.Point, steep bool) float64 {
	var n, sx, sy, sxx, sxy float64
	for _, p := range points {
		x, y := float64(p.X), float64(p.Y)
		if steep {
			x, y = y, x
		}
		n, sx, sy, sxx, sxy = n+1, sx+x, sy+y, sxx+x*x, sxy+x*y
	}
	return (n*sxy - sx*sy) / (n*sxx - sx*sx)
}
