package realesr_test

import (
	"image"
	"image/color"
	"math"
	"math/rand/v2"
	"testing"

	"github.com/stretchr/testify/require"
	"golang.org/x/image/draw"

	"plait/internal/benchtest"
	"plait/internal/video/realesr"
	"plait/internal/video/window"
)

// clip is a drawn clip: what it shows, and its frames at half the size with noise.
type clip struct {
	size         window.Size // of the frames
	cut          int         // the first frame of the second scene
	sharp, noisy [][]float32
}

// drawClip draws a disc that moves over still stripes and outlines, and a second scene from the frame cut on. Noise is the standard
// deviation in levels of 255.
func drawClip(n int, size window.Size, noise float64) clip {
	random := rand.New(rand.NewPCG(5, 5))
	c := clip{size: size, cut: 2 * n / 3}
	large := size.Times(2)
	for t := range n {
		sharp := make([]float32, 3*large.Width*large.Height)
		for y := range large.Height {
			for x := range large.Width {
				for k, v := range scene(t, t >= c.cut, x, y, large) {
					sharp[(k*large.Height+y)*large.Width+x] = v
				}
			}
		}
		noisy := make([]float32, 3*size.Width*size.Height)
		for i := range noisy {
			x, y, k := i%size.Width, i/size.Width%size.Height, i/size.Width/size.Height
			at := (k*large.Height+2*y)*large.Width + 2*x
			mean := (sharp[at] + sharp[at+1] + sharp[at+large.Width] + sharp[at+large.Width+1]) / 4
			noisy[i] = min(max(mean+float32(random.NormFloat64()*noise/255), 0), 1)
		}
		c.sharp, c.noisy = append(c.sharp, sharp), append(c.noisy, noisy)
	}
	return c
}

// scene returns the color of a pixel, from 4 x 4 points in it.
func scene(t int, second bool, x, y int, size window.Size) (sum [3]float32) {
	for i := range 16 {
		px, py := float64(x)+float64(i%4)/4, float64(y)+float64(i/4)/4
		c := [3]float64{0.85, 0.8, 0.6}
		if second {
			c = [3]float64{0.2, 0.3, 0.55}
		}
		if math.Mod(px+py/2, 22) < 3 {
			c = [3]float64{0.1, 0.1, 0.15}
		}
		if d := math.Hypot(px-float64(size.Width)*0.7, py-float64(size.Height)*0.6); d < 24 && d > 21 {
			c = [3]float64{0.75, 0.15, 0.2}
		}
		if math.Hypot(px-20-3*float64(t), py-float64(size.Height)*0.4) < 16 {
			c = [3]float64{0.95, 0.55, 0.1}
		}
		for k := range sum {
			sum[k] += float32(c[k] / 16)
		}
	}
	return sum
}

// figures are what a way to enlarge a clip gives.
type figures struct {
	Way string `json:"way"`
	// PSNR in dB and SSIM are means over all frames against what the clip shows.
	PSNR float64 `json:"psnr"`
	SSIM float64 `json:"ssim"`
	// AfterCut is the PSNR of the first frame of the second scene.
	AfterCut float64 `json:"psnr_after_cut"`
	// Flicker is the mean difference, in levels of 255, of a pixel from that before, where the clip stands still.
	Flicker float64 `json:"flicker"`
}

func measure(way string, c clip, frames [][]float32) figures {
	f := figures{Way: way, AfterCut: psnr(c.sharp[c.cut], frames[c.cut])}
	still := 0
	for t, frame := range frames {
		f.PSNR += psnr(c.sharp[t], frame) / float64(len(frames))
		f.SSIM += ssim(c.sharp[t], frame, c.size.Times(2)) / float64(len(frames))
		if t == 0 || t == c.cut {
			continue
		}
		for i, v := range frame {
			if c.sharp[t][i] == c.sharp[t-1][i] {
				f.Flicker += 255 * math.Abs(float64(v-frames[t-1][i]))
				still++
			}
		}
	}
	f.Flicker /= float64(still)
	return f
}

func psnr(want, got []float32) float64 {
	sum := 0.0
	for i, v := range got {
		d := float64(min(max(v, 0), 1) - want[i])
		sum += d * d
	}
	return -10 * math.Log10(sum/float64(len(got)))
}

// ssim returns the structural similarity of the brightness, as the mean over squares of 8 x 8 pixels every 4.
func ssim(want, got []float32, size window.Size) float64 {
	const c1, c2, n = 0.01 * 0.01, 0.03 * 0.03, 64.0
	plane := size.Width * size.Height
	luma := func(p []float32, i int) float64 {
		return 0.299*float64(p[i]) + 0.587*float64(p[plane+i]) + 0.114*float64(p[2*plane+i])
	}
	total, squares := 0.0, 0.0
	for y := 0; y+8 <= size.Height; y += 4 {
		for x := 0; x+8 <= size.Width; x += 4 {
			var a, b, aa, bb, ab float64
			for i := range 64 {
				at := (y+i/8)*size.Width + x + i%8
				u, v := luma(want, at), luma(got, at)
				a, b, aa, bb, ab = a+u, b+v, aa+u*u, bb+v*v, ab+u*v
			}
			a, b = a/n, b/n
			aa, bb, ab = aa/n-a*a, bb/n-b*b, ab/n-a*b
			total += (2*a*b + c1) * (2*ab + c2) / ((a*a + b*b + c1) * (aa + bb + c2))
			squares++
		}
	}
	return total / squares
}

// bicubic enlarges frames with the cubic kernel of Catmull and Rom.
func bicubic(c clip) [][]float32 {
	small, large := c.size, c.size.Times(2)
	var result [][]float32
	for _, frame := range c.noisy {
		from, to := image.NewRGBA64(image.Rect(0, 0, small.Width, small.Height)), image.NewRGBA64(image.Rect(0, 0, large.Width, large.Height))
		plane := small.Width * small.Height
		level := func(v float32) uint16 { return uint16(min(max(v, 0), 1) * 65535) }
		for i := range plane {
			from.SetRGBA64(i%small.Width, i/small.Width, color.RGBA64{R: level(frame[i]), G: level(frame[plane+i]), B: level(frame[2*plane+i]), A: 65535})
		}
		draw.CatmullRom.Scale(to, to.Bounds(), from, from.Bounds(), draw.Src, nil)
		enlarged := make([]float32, 3*large.Width*large.Height)
		plane = large.Width * large.Height
		for i := range plane {
			at := to.RGBA64At(i%large.Width, i/large.Width)
			enlarged[i], enlarged[plane+i], enlarged[2*plane+i] = float32(at.R)/65535, float32(at.G)/65535, float32(at.B)/65535
		}
		result = append(result, enlarged)
	}
	return result
}

func ways(tb testing.TB, c clip) (all []figures) {
	tb.Helper()
	cfg := config(tb, c.size, window.Basic, window.CutHalf, "cpu:0,cpu:1")
	return []figures{
		measure("bicubic", c, bicubic(c)),
		measure("frame by frame", c, enlarge(tb, open(tb, realesr.Options{Scale: 2, FrameByFrame: true}), cfg, c.noisy)),
		measure("with the frames before", c, enlarge(tb, open(tb, realesr.Options{Scale: 2}), cfg, c.noisy)),
	}
}

// What connects frames halves flicker at least, and costs no sharpness, neither where something moves nor in a new scene.
func TestFramesBeforeCalmStillAreas(t *testing.T) {
	t.Parallel()
	all := ways(t, drawClip(9, window.Size{Width: 96, Height: 48}, 4))
	single, connected := all[1], all[2]
	require.Less(t, connected.Flicker, single.Flicker/2)
	require.Greater(t, connected.PSNR, single.PSNR)
	require.Greater(t, connected.SSIM, single.SSIM)
	require.Greater(t, connected.AfterCut, single.AfterCut-0.1)
}

// Without noise there is nothing to calm, and nothing is lost.
func TestFramesBeforeKeepCleanClips(t *testing.T) {
	t.Parallel()
	all := ways(t, drawClip(6, window.Size{Width: 48, Height: 40}, 0))
	require.Greater(t, all[2].PSNR, all[1].PSNR-0.1)
	require.Greater(t, all[2].AfterCut, all[1].AfterCut-0.1)
}

func BenchmarkQuality(b *testing.B) {
	for b.Loop() {
		for _, noise := range []float64{0, 2, 4, 6} {
			for _, f := range ways(b, drawClip(36, window.Size{Width: 160, Height: 90}, noise)) {
				benchtest.Write(b, []string{"a drawn clip"}, struct {
					Noise float64 `json:"noise"`
					figures
				}{noise, f})
			}
		}
	}
}
