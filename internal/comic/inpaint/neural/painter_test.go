package neural_test

import (
	"context"
	"image"
	"math"
	"testing"

	"github.com/stretchr/testify/require"

	"plait/internal/assets"
	"plait/internal/assets/assetstest"
	"plait/internal/comic/inpaint/crop"
	"plait/internal/comic/inpaint/neural"
	"plait/internal/core"
	"plait/internal/onnx"
	"plait/internal/onnx/onnxtest"
	"plait/internal/raster"
)

func newPainter(t *testing.T, contract string, model []byte) *neural.Painter {
	t.Helper()
	library, err := assetstest.Open(t).Path(assets.OnnxRuntime)
	require.NoError(t, err)
	rt, err := onnx.Open(onnx.Config{LibraryPath: library, Device: onnx.CPU})
	require.NoError(t, err)
	t.Cleanup(func() { require.NoError(t, rt.Close()) })
	path, digest := onnxtest.Write(t, "inpainter.onnx", model)
	pool, err := rt.Load(neural.Model(contract)("inpainter", path, digest), 2)
	require.NoError(t, err)
	t.Cleanup(func() { require.NoError(t, pool.Close()) })
	return neural.New(pool, contract)
}

// lettered returns a crop of one color with a hole in the middle, and barred pixels beside the hole.
func lettered(width, height int, color raster.RGB) *crop.Crop {
	c := crop.New(image.Rect(50, 60, 50+width, 60+height))
	for i := range c.Hole.Pix {
		copy(c.Pix[4*i:], color[:])
		switch x, y := i%width, i/width; {
		case x > width/3 && x < width/2 && y > height/3 && y < height/2:
			c.Hole.Pix[i] = 1
		case x == width/2 && y > height/3 && y < height/2:
			c.Barred.Pix[i] = 1
		}
	}
	return c
}

func TestOnlyTheHoleTakesTheOutputOfTheModel(t *testing.T) {
	t.Parallel()
	for name, model := range map[string]struct {
		contract   string
		side       int64
		gray, gain float32
	}{
		"lama":                  {onnx.ContractLaMa, 0, 0.4, 1},
		"lama of 512":           {onnx.ContractLaMa, 512, 0.4, 1},
		"lama returning 0..255": {onnx.ContractLaMa, 512, 0.4, 255},
		"aot":                   {onnx.ContractAOT, 0, -0.2, 1},
		"migan":                 {onnx.ContractMIGAN, 0, 102, 1},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			p := newPainter(t, model.contract, painting(model.contract, model.side, model.gray, model.gain))
			require.NoError(t, p.Warm(t.Context()))
			for _, size := range []image.Point{{67, 41}, {1200, 130}} {
				c := lettered(size.X, size.Y, raster.RGB{102, 102, 102})
				for i := range c.Hole.Pix {
					if !c.Known(i) {
						copy(c.Pix[4*i:], []uint8{255, 0, 0})
					}
				}
				require.NoError(t, p.Paint(t.Context(), c))
				for i, barred := range c.Barred.Pix {
					want := raster.RGB{102, 102, 102}
					if barred != 0 {
						want = raster.RGB{255, 0, 0}
					}
					if c.Color(i) != want {
						require.Equal(t, want, c.Color(i), "%v: pixel %d", size, i)
					}
				}
			}
		})
	}
}

func TestNaNInTheOutputIsADeviceError(t *testing.T) {
	t.Parallel()
	p := newPainter(t, onnx.ContractAOT, painting(onnx.ContractAOT, 0, float32(math.NaN()), 1))
	require.Equal(t, core.CodeDevice, core.CodeOf(p.Paint(t.Context(), lettered(40, 40, raster.RGB{}))))
}

func TestPaintStopsWithItsContext(t *testing.T) {
	t.Parallel()
	p := newPainter(t, onnx.ContractLaMa, painting(onnx.ContractLaMa, 0, 1, 1))
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	require.ErrorIs(t, p.Paint(ctx, lettered(40, 40, raster.RGB{})), context.Canceled)
}
