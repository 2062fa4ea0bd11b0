package detect_test

import (
	"fmt"
	"image"
	"image/color"
	"math"
	"testing"

	"github.com/stretchr/testify/require"

	"plait/internal/comic/detect"
)

// darkTone is a page of round dots a pitch apart, in rows at an angle in degrees.
func darkTone(pitch, radius, angle float64) *image.NRGBA {
	img := image.NewNRGBA(image.Rect(0, 0, 700, 990))
	sin, cos := math.Sincos(angle * math.Pi / 180)
	for y := range img.Rect.Dy() {
		for x := range img.Rect.Dx() {
			u, v := (float64(x)*cos+float64(y)*sin)/pitch, (float64(x)*sin-float64(y)*cos)/pitch
			ink := radius - math.Hypot(u-math.Round(u), v-math.Round(v))*pitch + 0.5
			img.Set(x, y, color.Gray{Y: uint8(255 * (1 - min(max(ink, 0), 1)))})
		}
	}
	return img
}

func TestDarkScreentoneIsNoLetteringWithAnOutline(t *testing.T) {
	t.Parallel()
	d := newDetector(t, 1, detect.DefaultParams())
	// In all of these, dots run into a net of which the meshes hang together in places.
	for _, tone := range []struct{ pitch, radius, angle float64 }{
		{5.3, 2.44, 45}, {8, 3.68, 45}, {6.3, 2.77, 30}, {4.9, 2.156, 52},
	} {
		t.Run(fmt.Sprint(tone), func(t *testing.T) {
			t.Parallel()
			outlined, lines, err := d.Outlined(t.Context(), darkTone(tone.pitch, tone.radius, tone.angle), nil)
			require.NoError(t, err)
			require.Nil(t, outlined)
			require.Empty(t, lines)
		})
	}
}
