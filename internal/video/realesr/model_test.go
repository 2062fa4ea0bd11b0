package realesr_test

import (
	"context"
	"io"
	"math"
	"math/rand/v2"
	"os"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"plait/internal/assets"
	"plait/internal/assets/assetstest"
	"plait/internal/core"
	"plait/internal/onnx"
	"plait/internal/video/ncnn"
	"plait/internal/video/realesr"
	"plait/internal/video/window"
)

// file returns the content of an asset.
func file(tb testing.TB, name string) []byte {
	tb.Helper()
	set, err := assets.Upscale.Open(assetstest.Location())
	require.NoError(tb, err)
	path, err := set.Path(name)
	require.NoError(tb, err)
	content, err := os.ReadFile(path)
	require.NoError(tb, err)
	return content
}

func config(tb testing.TB, size window.Size, schedule window.Schedule, cut window.Cut, devices string) window.Config {
	tb.Helper()
	library, err := assetstest.Open(tb).Path(assets.OnnxRuntime)
	require.NoError(tb, err)
	parsed, err := window.ParseDevices(devices)
	require.NoError(tb, err)
	return window.Config{Library: library, Devices: parsed, Schedule: schedule, Cut: cut, Size: size}
}

func open(tb testing.TB, o realesr.Options) window.Manifest {
	tb.Helper()
	m, err := realesr.Open(assetstest.Location(), o)
	require.NoError(tb, err)
	return m
}

// enlarge enlarges frames, each of which is one of the size of c.
func enlarge(tb testing.TB, m window.Manifest, c window.Config, frames [][]float32) [][]float32 {
	tb.Helper()
	model, err := window.Open(tb.Context(), m, c)
	require.NoError(tb, err)
	defer func() { require.NoError(tb, model.Close()) }()
	var result [][]float32
	_, err = model.Run(tb.Context(), window.Job{
		Read: func(context.Context, int) (onnx.Tensor, error) {
			if len(frames) == 0 {
				return onnx.Tensor{}, io.EOF
			}
			t := onnx.Tensor{Shape: []int64{1, 3, int64(c.Size.Height), int64(c.Size.Width)}, Data: frames[0]}
			frames = frames[1:]
			return t, nil
		},
		Write: func(_ context.Context, t onnx.Tensor) error {
			result = append(result, append([]float32(nil), t.Data...))
			return nil
		},
	})
	require.NoError(tb, err)
	return result
}

func noise(n int, size window.Size) [][]float32 {
	random := rand.New(rand.NewPCG(3, 3))
	frames := make([][]float32, n)
	for i := range frames {
		frames[i] = make([]float32, 3*size.Width*size.Height)
		for k := range frames[i] {
			frames[i][k] = random.Float32()
		}
	}
	return frames
}

// The converted model computes what the layers of the ncnn files say, computed here one by one.
func TestModelComputesWhatItsFilesSay(t *testing.T) {
	t.Parallel()
	size := window.Size{Width: 7, Height: 5}
	for scale, name := range map[int]string{2: assets.UpscaleX2, 4: assets.UpscaleX4} {
		network, err := ncnn.Read(file(t, name), file(t, assets.UpscaleWeights))
		require.NoError(t, err)
		frame := noise(1, size)[0]
		want := compute(t, network, picture{channels: 3, width: 7, height: 5, at: widen(frame)})
		require.Len(t, want.at, 3*7*5*scale*scale)
		got := enlarge(t, open(t, realesr.Options{Scale: scale, FrameByFrame: true}), config(t, size, window.Sequential, 0, "cpu"), [][]float32{frame})
		require.Len(t, got[0], len(want.at))
		for i, v := range got[0] {
			require.InDelta(t, want.at[i], v, 1e-4, "value %d of scale %d", i, scale)
		}
	}
}

// picture has channels of rows.
type picture struct {
	channels, width, height int
	at                      []float64
}

func widen(values []float32) []float64 {
	wide := make([]float64, len(values))
	for i, v := range values {
		wide[i] = float64(v)
	}
	return wide
}

func blank(channels, width, height int) picture {
	return picture{channels: channels, width: width, height: height, at: make([]float64, channels*width*height)}
}

func (p picture) value(c, x, y int) float64 { return p.at[(c*p.height+y)*p.width+x] }

// compute runs the layers of a network as their descriptions say, in float64.
func compute(t *testing.T, network ncnn.Network, input picture) picture {
	t.Helper()
	values := map[string]picture{network[0].Out[0]: input}
	for _, l := range network[1:] {
		in := values[l.In[0]]
		var out picture
		switch l.Type {
		case "Split":
			values[l.Out[1]] = in
			out = in
		case ncnn.Convolution:
			out = convolve(l, in)
		case ncnn.PReLU:
			out = blank(in.channels, in.width, in.height)
			for i, v := range in.at {
				if out.at[i] = v; v < 0 {
					out.at[i] = v * float64(l.Weights[i/(in.width*in.height)])
				}
			}
		case "PixelShuffle":
			out = blank(in.channels/16, 4*in.width, 4*in.height)
			for i := range out.at {
				x, y, c := i%out.width, i/out.width%out.height, i/out.width/out.height
				out.at[i] = in.value(c*16+y%4*4+x%4, x/4, y/4)
			}
		case "BinaryOp":
			other := values[l.In[1]]
			out = blank(in.channels, in.width, in.height)
			for i, v := range in.at {
				out.at[i] = v + other.at[i]
			}
		case "Interp":
			scale, err := l.Float(1, 1)
			require.NoError(t, err)
			out = interpolate(in, scale)
		}
		values[l.Out[0]] = out
	}
	return values[network[len(network)-1].Out[0]]
}

func convolve(l ncnn.Layer, in picture) picture {
	out := blank(len(l.Bias), in.width, in.height)
	for i := range out.at {
		x, y, c := i%out.width, i/out.width%out.height, i/out.width/out.height
		sum := float64(l.Bias[c])
		for k := range in.channels {
			for dy := range 3 {
				for dx := range 3 {
					if sx, sy := x+dx-1, y+dy-1; sx >= 0 && sy >= 0 && sx < in.width && sy < in.height {
						sum += float64(l.Weights[((c*in.channels+k)*3+dy)*3+dx]) * in.value(k, sx, sy)
					}
				}
			}
		}
		out.at[i] = sum
	}
	return out
}

// interpolate repeats pixels if it enlarges, and takes the cubic kernel of a = -0.75 if it reduces, with pixels outside as at the edge.
func interpolate(in picture, scale float64) picture {
	out := blank(in.channels, int(float64(in.width)*scale), int(float64(in.height)*scale))
	kernel := func(d float64) float64 {
		const a = -0.75
		switch d = math.Abs(d); {
		case d < 1:
			return (a+2)*d*d*d - (a+3)*d*d + 1
		case d < 2:
			return a*d*d*d - 5*a*d*d + 8*a*d - 4*a
		}
		return 0
	}
	for i := range out.at {
		x, y, c := i%out.width, i/out.width%out.height, i/out.width/out.height
		if scale > 1 {
			out.at[i] = in.value(c, int(float64(x)/scale), int(float64(y)/scale))
			continue
		}
		cx, cy := (float64(x)+0.5)/scale-0.5, (float64(y)+0.5)/scale-0.5
		for dy := -1; dy <= 2; dy++ {
			for dx := -1; dx <= 2; dx++ {
				sx, sy := int(math.Floor(cx))+dx, int(math.Floor(cy))+dy
				weight := kernel(cx-float64(sx)) * kernel(cy-float64(sy))
				out.at[i] += weight * in.value(c, min(max(sx, 0), in.width-1), min(max(sy, 0), in.height-1))
			}
		}
	}
	return out
}

// Every schedule and cut returns the same bytes.
func TestModelCanBeCutAnywhere(t *testing.T) {
	t.Parallel()
	size := window.Size{Width: 21, Height: 13}
	m := open(t, realesr.Options{Scale: 2})
	frames := noise(4, size)
	want := enlarge(t, m, config(t, size, window.Sequential, 0, "cpu"), frames)
	for i, cut := range []window.Cut{0, 1, 7, 11, 15, 16} {
		schedule := window.Schedules[i%len(window.Schedules)]
		require.Equal(t, want, enlarge(t, m, config(t, size, schedule, cut, "cpu:0,cpu:1"), frames), "cut %d, %s", cut, schedule)
	}
}

func TestModelRefuses(t *testing.T) {
	t.Parallel()
	param, bin := string(file(t, assets.UpscaleX2)), file(t, assets.UpscaleWeights)
	for name, c := range map[string]struct {
		old, new string
		scale    int
		message  string
	}{
		"another scale":     {"", "", 4, "the scale 4 needs 3"},
		"no such scale":     {"", "", 3, "the scale is 2 or 4, not 3"},
		"a stride":          {"0=64 1=3 4=1", "0=64 1=3 3=2 4=1", 2, "parameter 3 of layer"},
		"connected oddly":   {"1 1 56 57", "1 1 54 57", 2, `does not read "56" alone`},
		"another reduction": {"0=3 1=5.0", "0=2 1=5.0", 2, "parameter 0 of layer"},
		"no layers":         {"7767517", "1", 2, "it does not begin with"},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			_, err := realesr.Model([]byte(strings.Replace(param, c.old, c.new, 1)), bin, realesr.Options{Scale: c.scale})
			require.ErrorContains(t, err, c.message)
			require.Equal(t, core.CodeModelMissing, core.CodeOf(err))
		})
	}
	_, err := realesr.Open(assetstest.Location(), realesr.Options{Scale: 3})
	require.Equal(t, core.CodeInvalidInput, core.CodeOf(err))
	_, err = realesr.Open(t.TempDir(), realesr.Options{Scale: 2})
	require.ErrorContains(t, err, "make assets-upscale")
}
