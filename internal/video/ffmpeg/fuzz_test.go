package ffmpeg

import (
	"bytes"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
)

// What ffmpeg prints about a file depends on the file, so it is outside input too.
func FuzzPackets(f *testing.F) {
	f.Add("#tb 0: 1/12288\n#media_type 0: video\n#codec_id 0: h264\n#dimensions 0: 322x240\n0, -1024, 0, 512, 4269, 0x6293cfb3\n" +
		"0, -512, 512, 512, 497, 0xee91eef0, F=0x0\n0, 0, 1024, 512, 361, 0x6e44ba89, F=0x5\n")
	f.Add("#codec_id 1: aac\n#sample_rate 1: 44100\n1, 0, 0, 1024, 256, 0xea44782a\n")
	f.Fuzz(func(t *testing.T, text string) {
		info, err := parsePackets(strings.NewReader(text), 1000)
		if err != nil {
			return
		}
		require.Positive(t, info.Width)
		require.Positive(t, info.Height)
		require.Positive(t, info.TimeBase.Den)
		require.NotEmpty(t, info.Times)
		require.IsNonDecreasing(t, info.Times)
		require.LessOrEqual(t, len(info.Audio), len(text))
		info.Constant()
		info.Duration()
	})
}

func FuzzFrame(f *testing.F) {
	f.Add("[Parsed_showinfo_0 @ 0x7febe0001bc0] n:   0 pts:      0 fmt:yuv420p cl:left sar:1/1 s:322x240 i:P iskey:1 \n" +
		"[Parsed_showinfo_0 @ 0x7febe0001bc0]   side data - 3x3 displaymatrix: rotation of 90.00 degrees\n")
	f.Fuzz(func(t *testing.T, text string) {
		var info Info
		if parseFrame(text, &info) == nil {
			require.NotEmpty(t, info.PixelFormat)
			require.Contains(t, []int{0, 90, 180, 270}, info.Rotation)
		}
	})
}

func FuzzAccessUnits(f *testing.F) {
	f.Add([]byte("\x00\x00\x00\x01\x09\xf0abc\x00\x00\x00\x01\x09\xf0\x00\x00\x00\x01\x09"))
	f.Fuzz(func(t *testing.T, stream []byte) {
		units := accessUnits(stream)
		require.Equal(t, string(stream), string(bytes.Join(units, nil)))
		for i, unit := range units {
			require.True(t, i == 0 || bytes.HasPrefix(unit, delimiter))
			require.Zero(t, bytes.Count(unit[1:], delimiter))
		}
	})
}
