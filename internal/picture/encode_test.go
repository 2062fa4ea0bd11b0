package picture_test

import (
	"bytes"
	"image"
	"image/color"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"plait/internal/core"
	"plait/internal/picture"
)

// roundTrip decodes a file, changes its image, encodes it like the file, and decodes the result.
func roundTrip(t *testing.T, file []byte, change func(*image.NRGBA)) (before, after *picture.Picture, out []byte) {
	t.Helper()
	before = decode(t, file)
	changed := &image.NRGBA{Pix: bytes.Clone(before.Image.Pix), Stride: before.Image.Stride, Rect: before.Image.Rect}
	change(changed)
	out, err := before.Encode(t.Context(), changed, before.Format)
	require.NoError(t, err)
	again, err := before.Encode(t.Context(), changed, before.Format)
	require.NoError(t, err)
	require.True(t, bytes.Equal(out, again), "the same pixels give the same bytes")
	before.Image = changed
	return before, decode(t, out), out
}

func nothing(*image.NRGBA) {}

func TestEncodeKeepsTheFormat(t *testing.T) {
	t.Parallel()
	for name, file := range samples(t) {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			before, after, _ := roundTrip(t, file, nothing)
			require.Equal(t, before.Format, after.Format)
			require.Equal(t, before.Lossless, after.Lossless)
			require.Equal(t, before.Quality, after.Quality)
			if before.Color != picture.ColorCMYK {
				require.Equal(t, before.Color, after.Color)
			}
			tolerance := 0
			if before.Format == picture.JPEG || strings.HasPrefix(name, "webp lossy") {
				tolerance = 8
			}
			for _, p := range []image.Point{{2, 2}, {13, 13}} {
				requireClose(t, before.Image.NRGBAAt(p.X, p.Y), after.Image.NRGBAAt(p.X, p.Y), tolerance)
			}
		})
	}
}

func TestEncodeKeepsProfileAndDensity(t *testing.T) {
	t.Parallel()
	rgb := profile("RGB ", 150_000) // more than one segment of a JPEG
	part := func(n, of byte, b []byte) []byte { return append(append([]byte("ICC_PROFILE\x00"), n, of), b...) }
	jpeg := jpegOf(t, quadrants(16, 16), 90)
	for i := 2; i >= 0; i-- {
		jpeg = afterSOI(jpeg, 0xe2, part(byte(i+1), 3, rgb[50_000*i:50_000*(i+1)]))
	}
	jpeg = afterSOI(jpeg, 0xe0, []byte("JFIF\x00\x01\x01\x02\x00\x76\x00\x76\x00\x00"))

	_, after, _ := roundTrip(t, jpeg, nothing)
	require.Equal(t, rgb, after.ICC)
	require.Equal(t, picture.Density{X: 118, Y: 118, Unit: picture.DensityCentimeter}, after.Density)

	like := decode(t, jpeg).Info
	like.Density = picture.Density{X: 2835, Y: 2835, Unit: picture.DensityMeter}
	for _, like.Format = range []picture.Format{picture.PNG, picture.WebP} {
		for _, like.Lossless = range []bool{false, true} {
			for _, alpha := range []byte{255, 90} {
				img := quadrants(16, 16)
				img.Pix[3] = alpha
				out, err := picture.Encode(t.Context(), img, like)
				require.NoError(t, err)
				got := decode(t, out)
				require.Equal(t, rgb, got.ICC, "%s", like.Format)
				require.Equal(t, alpha != 255, got.Alpha)
				if like.Format == picture.PNG {
					require.Equal(t, like.Density, got.Density)
				}
			}
		}
	}
	like.Format = picture.BMP
	out, err := picture.Encode(t.Context(), quadrants(4, 4), like)
	require.NoError(t, err)
	require.Equal(t, like.Density, decode(t, out).Density)
}

// A profile for gray must not be on a page that got color, nor one for CMYK on any.
func TestEncodeDropsProfilesOfOtherPixels(t *testing.T) {
	t.Parallel()
	gray := image.NewGray(image.Rect(0, 0, 16, 16))
	segment := append([]byte("ICC_PROFILE\x00\x01\x01"), profile("GRAY", 200)...)
	_, after, _ := roundTrip(t, afterSOI(jpegOf(t, gray, 90), 0xe2, segment), nothing)
	require.Equal(t, profile("GRAY", 200), after.ICC)
	require.Equal(t, picture.ColorGray, after.Color)
	_, after, _ = roundTrip(t, afterSOI(jpegOf(t, gray, 90), 0xe2, segment), func(img *image.NRGBA) {
		copy(img.Pix, quadrants(16, 16).Pix)
	})
	require.Empty(t, after.ICC)
	require.Equal(t, picture.ColorRGB, after.Color)

	cmyk := flatJPEG{adobe: []byte{0}, samples: []byte{255, 0, 0, 255}}.bytes()
	cmyk = afterSOI(cmyk, 0xe2, append([]byte("ICC_PROFILE\x00\x01\x01"), profile("CMYK", 200)...))
	_, after, _ = roundTrip(t, cmyk, nothing)
	require.Empty(t, after.ICC)
	require.Equal(t, picture.ColorRGB, after.Color)
}

func TestEncodeKeepsPNGColorMeaning(t *testing.T) {
	t.Parallel()
	gamma := pngChunk("gAMA", []byte{0, 0, 0xb1, 0x8f})
	_, _, out := roundTrip(t, afterIHDR(pngOf(t, quadrants(4, 4)), gamma), nothing)
	require.Contains(t, string(out), string(gamma))
}

func TestEncodeReducesPNGWhereExact(t *testing.T) {
	t.Parallel()
	lettered := func(img *image.NRGBA) { // grays of antialiased lettering
		for i := range 16 {
			v := byte(16 * i)
			img.SetNRGBA(i, 0, color.NRGBA{v, v, v, 255})
		}
	}
	colorful := func(img *image.NRGBA) {
		for i := range 256 {
			img.SetNRGBA(i, 1, color.NRGBA{byte(i), byte(255 - i), 7, 255})
			img.SetNRGBA(i, 2, color.NRGBA{byte(i), 9, byte(255 - i), 255})
		}
	}
	page := image.NewGray(image.Rect(0, 0, 256, 4))
	for name, c := range map[string]struct {
		file   []byte
		change func(*image.NRGBA)
		want   picture.ColorKind
	}{
		"gray stays gray":       {pngOf(t, page), lettered, picture.ColorGray},
		"gray gets color":       {pngOf(t, page), colorful, picture.ColorRGB},
		"palette grows":         {pngOf(t, paletted(quadrants(256, 4), fourColors)), lettered, picture.ColorPalette},
		"palette grows too far": {pngOf(t, paletted(quadrants(256, 4), fourColors)), colorful, picture.ColorRGB},
		"rgb stays rgb":         {pngOf(t, quadrants(256, 4)), lettered, picture.ColorRGB},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			before, after, _ := roundTrip(t, c.file, c.change)
			require.Equal(t, c.want, after.Color)
			require.Equal(t, before.Image.Pix, after.Image.Pix, "PNG loses nothing")
		})
	}
}

// GIF has 256 colors: those of the art stay, and new ones come as near as they can.
func TestEncodeGIFKeepsTheArt(t *testing.T) {
	t.Parallel()
	page := quadrants(256, 8)
	_, after, _ := roundTrip(t, gifOf(t, paletted(page, fourColors)), func(img *image.NRGBA) {
		for i := range 256 {
			img.SetNRGBA(i, 0, color.NRGBA{byte(i), byte(255 - i), 7, 255})
			img.SetNRGBA(i, 1, color.NRGBA{byte(i), 9, byte(255 - i), 255})
		}
	})
	for y := 2; y < 8; y++ {
		for x := range 256 {
			require.Equal(t, page.NRGBAAt(x, y), after.Image.NRGBAAt(x, y))
		}
	}
	requireClose(t, color.NRGBA{100, 155, 7, 255}, after.Image.NRGBAAt(100, 0), 40)
}

func TestEncodePutsAlphaOnWhite(t *testing.T) {
	t.Parallel()
	img := image.NewNRGBA(image.Rect(0, 0, 16, 16))
	for _, format := range []picture.Format{picture.JPEG, picture.BMP} {
		out, err := picture.Encode(t.Context(), img, picture.Info{Format: format})
		require.NoError(t, err)
		requireClose(t, color.NRGBA{255, 255, 255, 255}, decode(t, out).Image.NRGBAAt(8, 8), 1)
	}
}

func TestEncodeRefusesNothingToEncode(t *testing.T) {
	t.Parallel()
	_, err := picture.Encode(t.Context(), image.NewNRGBA(image.Rectangle{}), picture.Info{Format: picture.PNG})
	requireCode(t, core.CodeInternal, err, "no pixels")
	_, err = picture.Encode(t.Context(), quadrants(2, 2), picture.Info{Format: "tiff"})
	requireCode(t, core.CodeInternal, err, "tiff")
	_, err = picture.Encode(t.Context(), image.NewNRGBA(image.Rect(0, 0, 20_000, 1)), picture.Info{Format: picture.WebP})
	requireCode(t, core.CodeInternal, err, "webp")
}
