package picture_test

import (
	"testing"

	"github.com/stretchr/testify/require"

	"plait/internal/core"
	"plait/internal/picture"
)

var fuzzLimits = picture.Limits{MaxPixels: 1 << 16, MaxSide: 1 << 10, MaxBytes: 1 << 18}

var refusals = []core.Code{core.CodeInvalidImage, core.CodeImageTooLarge, core.CodeTooLarge}

func FuzzProbe(f *testing.F) {
	for _, file := range samples(f) {
		f.Add(file)
	}
	f.Fuzz(func(t *testing.T, b []byte) {
		info, err := picture.Probe(b, fuzzLimits)
		if err != nil {
			require.Contains(t, refusals, core.CodeOf(err))
			return
		}
		require.Positive(t, info.Width)
		require.Positive(t, info.Height)
		require.LessOrEqual(t, info.Width*info.Height, 1<<16)
		require.True(t, info.Quality >= 0 && info.Quality <= 100)
	})
}

func FuzzDecode(f *testing.F) {
	for _, file := range samples(f) {
		f.Add(file)
	}
	f.Fuzz(func(t *testing.T, b []byte) {
		p, err := picture.Decode(t.Context(), b, fuzzLimits)
		if err != nil {
			require.Contains(t, refusals, core.CodeOf(err), "%v", err)
			return
		}
		require.Len(t, p.Image.Pix, 4*p.Width*p.Height)
		out, err := p.Encode(t.Context(), p.Image, p.Format)
		require.NoError(t, err)
		again, err := picture.Decode(t.Context(), out, picture.Limits{})
		require.NoError(t, err)
		require.Equal(t, p.Image.Rect, again.Image.Rect)
	})
}
