package picture_test

import (
	"bytes"
	"image/png"
	"os"
	"path/filepath"
	"testing"

	"github.com/stretchr/testify/require"

	"plait/internal/picture"
)

// The files were written and read back by libjpeg-turbo: the PNG is what it makes of the JPEG. Two decoders may differ by
// the rounding of their transforms alone.
func TestJPEGLooksAsOtherDecodersShowIt(t *testing.T) {
	t.Parallel()
	const rounding = 2
	for _, sampling := range []string{"420", "422", "444"} {
		t.Run(sampling, func(t *testing.T) {
			t.Parallel()
			b, err := os.ReadFile(filepath.Join("testdata", "chroma-"+sampling+".jpg"))
			require.NoError(t, err)
			page, err := picture.Decode(t.Context(), b, picture.DefaultLimits())
			require.NoError(t, err)
			b, err = os.ReadFile(filepath.Join("testdata", "chroma-"+sampling+".png"))
			require.NoError(t, err)
			want, err := png.Decode(bytes.NewReader(b))
			require.NoError(t, err)
			most := 0
			for y := range page.Height {
				for x := range page.Width {
					r, g, b, _ := want.At(x, y).RGBA()
					got := page.Image.NRGBAAt(x, y)
					for _, d := range []int{int(got.R) - int(r>>8), int(got.G) - int(g>>8), int(got.B) - int(b>>8)} {
						most = max(most, d, -d)
					}
				}
			}
			require.LessOrEqual(t, most, rounding)
		})
	}
}
