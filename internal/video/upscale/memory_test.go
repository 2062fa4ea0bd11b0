package upscale_test

import (
	"flag"
	"fmt"
	"testing"

	"github.com/stretchr/testify/require"

	"plait/internal/benchtest"
	"plait/internal/video/ffmpeg/ffmpegtest"
	"plait/internal/video/upscale"
	"plait/internal/video/window/windowtest"
)

var minutes = flag.Int("minutes", 20, "length of the video of BenchmarkMemory")

// BenchmarkMemory enlarges a long video of small frames with the generated model, and writes the largest resident size of this process after
// a tenth of the frames, and after all: a run needs memory for some windows, whatever the length of the video.
func BenchmarkMemory(b *testing.B) {
	for b.Loop() {
		name := fmt.Sprintf("%d minutes of 32x24", *minutes)
		video := ffmpegtest.Make(b, "-f", "lavfi", "-i", fmt.Sprintf("testsrc=size=32x24:rate=25:duration=%d", 60**minutes), "long.mp4")
		j := job(b, video, windowtest.Write(b, 1), b.TempDir())
		var tenth int64
		j.Wrote = func(frames, total int) {
			if tenth == 0 && 10*frames >= total {
				tenth = benchtest.ResidentPeak(b)
			}
		}
		result, err := upscale.Run(b.Context(), j)
		require.NoError(b, err)
		benchtest.Write(b, []string{name}, struct {
			Frames  int     `json:"frames"`
			Seconds float64 `json:"seconds"`
			Tenth   int64   `json:"peak_mib_after_a_tenth"`
			All     int64   `json:"peak_mib"`
		}{result.Info.Frames(), result.Timeline.Makespan.Seconds(), tenth, benchtest.ResidentPeak(b)})
	}
}
