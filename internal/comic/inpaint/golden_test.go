package inpaint_test

import (
	"bytes"
	"context"
	"flag"
	"image"
	"image/color"
	"image/draw"
	"image/png"
	"math"
	"os"
	"path/filepath"
	"testing"

	"github.com/stretchr/testify/require"

	"plait/internal/comic/inpaint"
	"plait/internal/comic/mask"
	"plait/internal/raster/bitmap"
)

var update = flag.Bool("update", false, "write the golden pictures")

func gray(v float64) color.NRGBA {
	b := uint8(min(max(v+0.5, 0), 255))
	return color.NRGBA{b, b, b, 255}
}

// cover returns how much of a pixel is inside a shape, from the signed distance of its middle to the border in pixels.
func cover(inside float64) float64 { return min(max(inside+0.5, 0), 1) }

// drawings are backgrounds as functions of the position.
var drawings = map[string]func(x, y float64) color.NRGBA{
	"gradient": func(x, y float64) color.NRGBA {
		return color.NRGBA{uint8(60 + x/2), uint8(200 - y/2), uint8(120 + (x+y)/6), 255}
	},
	// Dots on a grid that is rotated by 45 degrees, as in printed screentone.
	"tone": func(x, y float64) color.NRGBA {
		const pitch = 8
		u, v := (x+y)/math.Sqrt2, (x-y)/math.Sqrt2
		u, v = u-pitch*math.Round(u/pitch), v-pitch*math.Round(v/pitch)
		return gray(255 - 200*cover(2.4-math.Hypot(u, v)))
	},
	"hatching": func(x, y float64) color.NRGBA {
		u := (x*3 + y) / math.Sqrt(10)
		return gray(245 - 220*cover(0.9-math.Abs(u-7*math.Round(u/7))))
	},
	"lines": func(x, y float64) color.NRGBA {
		straight := math.Abs(y-0.4*x-20) / math.Hypot(1, 0.4)
		curved := math.Abs(y - 100 - 12*math.Sin(x/9))
		return gray(230 - 210*max(cover(1.6-straight), cover(1.6-curved)))
	},
	// A panel with a black frame, and the gutter below it.
	"frame": func(x, y float64) color.NRGBA {
		switch art := 150 + 40*math.Sin(x/17)*math.Sin(y/23); {
		case y > 83:
			return gray(255)
		case y > 80:
			return gray(10)
		default:
			return color.NRGBA{uint8(art), uint8(art - 30), uint8(art - 60), 255}
		}
	},
}

// word returns a mask of thick strokes, like those of a sound effect.
func word(bounds image.Rectangle) *bitmap.Bitmap {
	b := bitmap.New(bounds)
	strokes := [][4]float64{{40, 110, 60, 50}, {60, 50, 80, 110}, {48, 88, 72, 88}, {100, 50, 100, 110}, {100, 80, 128, 80}, {128, 50, 128, 110}}
	for i := range b.Pix {
		p := b.Point(i)
		for _, s := range strokes {
			if distance(float64(p.X), float64(p.Y), s) <= 6 {
				b.Pix[i] = 1
			}
		}
	}
	return b
}

func distance(x, y float64, s [4]float64) float64 {
	dx, dy := s[2]-s[0], s[3]-s[1]
	t := min(max(((x-s[0])*dx+(y-s[1])*dy)/(dx*dx+dy*dy), 0), 1)
	return math.Hypot(x-s[0]-t*dx, y-s[1]-t*dy)
}

// TestGoldenPictures fills a word erased from each drawing. The golden files show the page, the result, and the original background.
func TestGoldenPictures(t *testing.T) {
	t.Parallel()
	// The least similarity of the filled pixels to the original, in dB.
	least := map[string]float64{"gradient": 50, "tone": 30, "hatching": 25, "lines": 18, "frame": 18}
	for name, drawing := range drawings {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			truth := page(168, 160, func(x, y int) color.NRGBA { return drawing(float64(x), float64(y)) })
			hole := word(truth.Rect)
			lettered := page(168, 160, func(x, y int) color.NRGBA {
				if hole.Has(x, y) {
					return color.NRGBA{220, 30, 30, 255}
				}
				return truth.NRGBAAt(x, y)
			})
			class := mask.Art
			if name == "gradient" {
				class = mask.Smooth
			}
			m := &mask.Mask{Bounds: truth.Rect, Regions: []mask.Region{{Class: class, Ink: hole, Hole: hole}}}
			got, err := inpaint.Filler{}.Fill(context.Background(), lettered, m)
			require.NoError(t, err)
			require.Greater(t, likeness(got, truth, hole), least[name])
			compare(t, filepath.Join("testdata", name+".png"), lettered, got, truth)
		})
	}
}

func likeness(a, b *image.NRGBA, within *bitmap.Bitmap) float64 {
	var sum, n float64
	for i, p := range within.Pix {
		if p != 0 {
			for k := range 3 {
				d := float64(a.Pix[4*i+k]) - float64(b.Pix[4*i+k])
				sum, n = sum+d*d, n+1
			}
		}
	}
	return 10 * math.Log10(255*255*n/max(sum, 1))
}

// compare compares the pictures, side by side, with the golden file.
func compare(t *testing.T, file string, pictures ...*image.NRGBA) {
	t.Helper()
	width := pictures[0].Rect.Dx()
	sheet := image.NewNRGBA(image.Rect(0, 0, width*len(pictures), pictures[0].Rect.Dy()))
	for i, p := range pictures {
		draw.Draw(sheet, p.Rect.Add(image.Pt(i*width, 0)), p, image.Point{}, draw.Src)
	}
	if *update {
		var b bytes.Buffer
		require.NoError(t, png.Encode(&b, sheet))
		require.NoError(t, os.WriteFile(file, b.Bytes(), 0o600))
	}
	f, err := os.Open(file)
	require.NoError(t, err)
	defer f.Close()
	golden, err := png.Decode(f)
	require.NoError(t, err)
	want := image.NewNRGBA(golden.Bounds())
	draw.Draw(want, want.Rect, golden, image.Point{}, draw.Src)
	require.True(t, bytes.Equal(want.Pix, sheet.Pix), "%s shows another picture; look at it, and write it again with -update", file)
}
