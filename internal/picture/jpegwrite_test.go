package picture_test

import (
	"bytes"
	"fmt"
	"image"
	"image/color"
	"image/jpeg"
	"math"
	"math/rand/v2"
	"testing"

	"github.com/stretchr/testify/require"

	"plait/internal/picture"
	"plait/internal/picture/jpegenc"
)

// inked is a small page: a gradient, flat paper, and red and black strokes with hard edges.
func inked(width, height int) *image.NRGBA {
	img := image.NewNRGBA(image.Rect(0, 0, width, height))
	for y := range height {
		for x := range width {
			c := color.NRGBA{byte(120 + 100*x/width), byte(140 + 80*y/height), 180, 255}
			switch {
			case x < width/2 && y < height/2:
				c = color.NRGBA{255, 255, 255, 255}
				if x%7 < 2 {
					c = color.NRGBA{200, 0, 20, 255}
				} else if y%11 < 2 {
					c = color.NRGBA{0, 0, 0, 255}
				}
			case x > 3*width/4:
				c = color.NRGBA{byte(90 + 40*(x/3%2)), 90, 60, 255}
			}
			img.SetNRGBA(x, y, c)
		}
	}
	return img
}

// psnr is the peak signal-to-noise ratio of b to a in dB, over red, green and blue.
func psnr(t *testing.T, a, b *image.NRGBA) float64 {
	t.Helper()
	require.Equal(t, a.Rect, b.Rect)
	sum, n := 0.0, 0
	for i := range a.Pix {
		if i%4 != 3 {
			d := float64(a.Pix[i]) - float64(b.Pix[i])
			sum += d * d
			n++
		}
	}
	return 10 * math.Log10(255*255*float64(n)/max(sum, 1e-9))
}

var jpegRatios = map[picture.Subsampling]image.YCbCrSubsampleRatio{
	"4:4:4": image.YCbCrSubsampleRatio444, "4:2:2": image.YCbCrSubsampleRatio422, "4:2:0": image.YCbCrSubsampleRatio420,
	"4:4:0": image.YCbCrSubsampleRatio440, "4:1:1": image.YCbCrSubsampleRatio411, "4:1:0": image.YCbCrSubsampleRatio410,
}

func TestEncodeKeepsHowAJPEGWasMade(t *testing.T) {
	t.Parallel()
	for sampling, ratio := range jpegRatios {
		for _, quality := range []int{30, 75, 92, 100} {
			t.Run(fmt.Sprintf("%s at %d", sampling, quality), func(t *testing.T) {
				t.Parallel()
				file, err := picture.Encode(t.Context(), inked(203, 117), picture.Info{Format: picture.JPEG, Quality: quality, Subsampling: sampling})
				require.NoError(t, err)
				decoded, err := jpeg.Decode(bytes.NewReader(file)) // another reader than the probe
				require.NoError(t, err)
				ycbcr, ok := decoded.(*image.YCbCr)
				require.True(t, ok)
				require.Equal(t, ratio, ycbcr.SubsampleRatio)

				before, after, out := roundTrip(t, file, nothing)
				require.Equal(t, sampling, after.Subsampling)
				require.Equal(t, quality, after.Quality)
				require.Equal(t, before.Quantization, after.Quantization)
				require.InDelta(t, len(file), len(out), 0.03*float64(len(file)))
				require.Greater(t, psnr(t, before.Image, after.Image), 39.5, "what nobody drew on stays")
			})
		}
	}
}

// Encoders have tables of their own. The tables are kept, not only a quality like theirs.
func TestEncodeKeepsTablesOfAnyEncoder(t *testing.T) {
	t.Parallel()
	like := picture.Info{Format: picture.JPEG, Subsampling: "4:2:2", Quantization: make([]jpegenc.Table, 3)}
	for i := range like.Quantization {
		for k := range like.Quantization[i] {
			like.Quantization[i][k] = uint8(3 + i + k/2)
		}
	}
	file, err := picture.Encode(t.Context(), inked(64, 64), like)
	require.NoError(t, err)
	_, after, _ := roundTrip(t, file, nothing)
	require.Equal(t, like.Quantization, after.Quantization)
}

// At 4:4:4 red lettering has no fringes; written at 4:2:0 its color would run by a pixel.
func TestEncodeLettersInColorWithoutFringes(t *testing.T) {
	t.Parallel()
	paper := image.NewNRGBA(image.Rect(0, 0, 64, 64))
	for i := range paper.Pix {
		paper.Pix[i] = 255
	}
	near := map[picture.Subsampling]float64{}
	for _, sampling := range []picture.Subsampling{"4:4:4", "4:2:0"} {
		file, err := picture.Encode(t.Context(), paper, picture.Info{Format: picture.JPEG, Quality: 92, Subsampling: sampling})
		require.NoError(t, err)
		lettered, after, _ := roundTrip(t, file, func(img *image.NRGBA) {
			for y := range 64 {
				for x := 1; x < 64; x += 9 {
					img.SetNRGBA(x, y, color.NRGBA{220, 0, 0, 255})
				}
			}
		})
		near[sampling] = psnr(t, lettered.Image, after.Image)
	}
	require.Greater(t, near["4:4:4"], 35.0)
	require.Less(t, near["4:2:0"], 25.0)
}

// The standard library's encoder is the measure where it can do the same.
func TestEncodeIsAsGoodAsTheStandardEncoder(t *testing.T) {
	t.Parallel()
	page := inked(320, 240)
	for _, quality := range []int{50, 80, 95} {
		theirs := jpegOf(t, &image.RGBA{Pix: page.Pix, Stride: page.Stride, Rect: page.Rect}, quality)
		ours, err := picture.Encode(t.Context(), page, picture.Info{Format: picture.JPEG, Quality: quality, Subsampling: "4:2:0"})
		require.NoError(t, err)
		require.Less(t, len(ours), len(theirs), "the codes are the picture's own")
		require.Greater(t, psnr(t, page, decode(t, ours).Image), psnr(t, page, decode(t, theirs).Image)-0.1)
	}
}

// Every size has its own edges, and noise has every symbol.
func TestEncodeJPEGOfAnySize(t *testing.T) {
	t.Parallel()
	random := rand.New(rand.NewPCG(1, 2))
	for _, size := range [][2]int{{1, 1}, {1, 40}, {40, 1}, {7, 9}, {8, 8}, {16, 17}, {33, 31}, {200, 100}} {
		img := image.NewNRGBA(image.Rect(0, 0, size[0], size[1]))
		for i := range img.Pix {
			img.Pix[i] = byte(random.UintN(256)) &^ byte(random.UintN(2)*255)
			if i%4 == 3 {
				img.Pix[i] = 255
			}
		}
		for sampling := range jpegRatios {
			file, err := picture.Encode(t.Context(), img, picture.Info{Format: picture.JPEG, Quality: 100, Subsampling: sampling})
			require.NoError(t, err)
			got := decode(t, file)
			require.Equal(t, img.Rect, got.Image.Rect)
			if sampling == "4:4:4" {
				require.Greater(t, psnr(t, img, got.Image), 38.0)
			}
		}
	}
	_, err := picture.Encode(t.Context(), image.NewNRGBA(image.Rect(0, 0, 70_000, 1)), picture.Info{Format: picture.JPEG})
	require.ErrorContains(t, err, "jpeg")
}
