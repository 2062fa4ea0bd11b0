package ffmpeg_test

import (
	"bytes"
	"context"
	"io"
	"math"
	"os"
	"path/filepath"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"plait/internal/core"
	"plait/internal/video/ffmpeg"
	"plait/internal/video/ffmpeg/ffmpegtest"
)

const width, height, frames = 96, 64, 12

var encoding = ffmpeg.Encoding{Width: width, Height: height, Rate: ffmpeg.Rational{Num: 24, Den: 1}}

// picture is frame i of the clip of these tests: a bright square that moves over a gradient.
func picture(i int) []byte {
	frame := make([]byte, 0, 3*width*height)
	for y := range height {
		for x := range width {
			if x >= 4*i && x < 4*i+16 && y >= 20 && y < 36 {
				frame = append(frame, 240, 200, 40)
				continue
			}
			frame = append(frame, byte(2*x), byte(3*y), 90)
		}
	}
	return frame
}

func encode(t *testing.T) string {
	t.Helper()
	path := filepath.Join(t.TempDir(), "clip.mp4")
	e, err := ffmpegtest.Program(t).Encode(t.Context(), path, encoding)
	require.NoError(t, err)
	for i := range frames {
		require.NoError(t, e.Write(picture(i)))
	}
	require.NoError(t, e.Close())
	return path
}

func decode(t *testing.T, path string, d ffmpeg.Decoding) (all [][]byte) {
	t.Helper()
	f, err := ffmpegtest.Program(t).Decode(t.Context(), path, d)
	require.NoError(t, err)
	defer f.Close()
	for {
		frame := make([]byte, f.Size())
		err := f.Next(frame)
		if err == io.EOF { //nolint:errorlint // the contract of Next
			require.Empty(t, f.Damage())
			return all
		}
		require.NoError(t, err)
		all = append(all, frame)
	}
}

func TestFramesSurviveAFile(t *testing.T) {
	t.Parallel()
	path := encode(t)
	info, err := ffmpegtest.Program(t).Probe(t.Context(), path)
	require.NoError(t, err)
	require.Equal(t, "h264", info.Codec)
	require.Equal(t, "yuv420p", info.PixelFormat)
	require.Equal(t, ffmpeg.Color{Range: "tv", Space: "bt709", Primaries: "bt709", Transfer: "bt709"}, info.Color)
	require.Equal(t, []int{width, height, frames}, []int{info.Width, info.Height, info.Frames()})
	require.Equal(t, 500*time.Millisecond, info.Duration())
	require.InDelta(t, 24, info.Rate(), 1e-9)
	require.True(t, info.Constant())
	require.Empty(t, info.Audio)
	require.Empty(t, info.Damage)

	read := decode(t, path, ffmpeg.Decoding{Width: width, Height: height})
	require.Len(t, read, frames)
	for i, frame := range read {
		require.Greater(t, psnr(frame, picture(i)), 33.0, "frame %d", i)
	}
	require.Equal(t, read[5:8], decode(t, path, ffmpeg.Decoding{Width: width, Height: height, Skip: 5, Count: 3}))
	require.Len(t, decode(t, path, ffmpeg.Decoding{Width: 48, Height: 32, Rate: ffmpeg.Rational{Num: 12, Den: 1}}), frames/2)
}

func TestEqualFramesGiveEqualFiles(t *testing.T) {
	t.Parallel()
	one, err := os.ReadFile(encode(t))
	require.NoError(t, err)
	two, err := os.ReadFile(encode(t))
	require.NoError(t, err)
	require.Equal(t, one, two)
	require.Less(t, bytes.Index(one, []byte("moov")), bytes.Index(one, []byte("mdat")), "the index comes first")
}

func TestProbeTellsWhatPlayersNeed(t *testing.T) {
	t.Parallel()
	source := []string{"-f", "lavfi", "-i", "testsrc=size=96x64:rate=10:duration=1"}
	for _, c := range []struct {
		name  string
		args  []string
		check func(*testing.T, ffmpeg.Info)
	}{
		{"sound", append(source, "-f", "lavfi", "-i", "sine=duration=1", "-c:a", "aac", "a.mp4"), func(t *testing.T, i ffmpeg.Info) {
			t.Helper()
			require.Equal(t, []ffmpeg.Audio{{Codec: "aac", SampleRate: 44100}}, i.Audio)
		}},
		{"ten bits", append(source, "-c:v", "libx265", "-x265-params", "log-level=none", "-pix_fmt", "yuv420p10le", "a.mkv"), func(t *testing.T, i ffmpeg.Info) {
			t.Helper()
			require.Equal(t, []string{"hevc", "yuv420p10le"}, []string{i.Codec, i.PixelFormat})
		}},
		{"uneven", append(source, "-vf", "select='not(eq(n,3))'", "-fps_mode", "passthrough", "a.mkv"), func(t *testing.T, i ffmpeg.Info) {
			t.Helper()
			require.False(t, i.Constant())
			require.Equal(t, 9, i.Frames())
			require.Equal(t, time.Second, i.Duration().Round(time.Millisecond))
		}},
		{"interlaced", append(source, "-vf", "tinterlace=interleave_top,setfield=tff", "-flags", "+ildct+ilme", "a.mp4"), func(t *testing.T, i ffmpeg.Info) {
			t.Helper()
			require.True(t, i.Interlaced)
		}},
	} {
		t.Run(c.name, func(t *testing.T) {
			t.Parallel()
			info, err := ffmpegtest.Program(t).Probe(t.Context(), ffmpegtest.Make(t, c.args...))
			require.NoError(t, err)
			require.Empty(t, info.Damage)
			c.check(t, info)
		})
	}
}

func TestATurnedVideoIsDecodedUpright(t *testing.T) {
	t.Parallel()
	path := ffmpegtest.Make(t, "-display_rotation", "-90", "-i", encode(t), "-c", "copy", "turned.mp4")
	info, err := ffmpegtest.Program(t).Probe(t.Context(), path)
	require.NoError(t, err)
	require.Equal(t, []int{width, height, 90}, []int{info.Width, info.Height, info.Rotation})
	w, h := info.Upright()
	require.Equal(t, []int{height, width}, []int{w, h})

	first := decode(t, path, ffmpeg.Decoding{Width: w, Height: h, Count: 1})[0]
	want, x, y := picture(0), 8, 30 // of the square, which a turn clockwise takes to the top
	turned := first[3*(x*w+height-1-y):]
	require.InDelta(t, want[3*(y*width+x)], turned[0], 24)
	require.InDelta(t, want[3*(y*width+x)+2], turned[2], 24)
}

func TestWhatIsNoVideoIsRefused(t *testing.T) {
	t.Parallel()
	whole, err := os.ReadFile(encode(t))
	require.NoError(t, err)
	secret := filepath.Join(t.TempDir(), "secret.txt")
	require.NoError(t, os.WriteFile(secret, []byte("nobody reads this"), 0o600))
	sound := ffmpegtest.Make(t, "-f", "lavfi", "-i", "sine=duration=1", "sound.mp4")
	noise, err := os.ReadFile(sound)
	require.NoError(t, err)
	for name, content := range map[string][]byte{
		"empty":              {},
		"words":              []byte("this is not a video"),
		"without its frames": whole[:200],
		"sound alone":        noise,
		"a playlist":         []byte("#EXTM3U\n#EXTINF:1,\nfile://" + secret + "\n#EXT-X-ENDLIST\n"),
		"a list of files":    []byte("ffconcat version 1.0\nfile '" + secret + "'\n"),
		"a picture":          []byte("<svg xmlns='http://www.w3.org/2000/svg' width='9' height='9'/>"),
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			path := filepath.Join(t.TempDir(), "input")
			require.NoError(t, os.WriteFile(path, content, 0o600))
			_, err := ffmpegtest.Program(t).Probe(t.Context(), path)
			require.Equal(t, core.CodeInvalidVideo, core.CodeOf(err), "%v", err)
			require.NotContains(t, core.PublicMessage(err), path)
		})
	}
}

func TestACutFileIsTold(t *testing.T) {
	t.Parallel()
	whole, err := os.ReadFile(encode(t))
	require.NoError(t, err)
	path := filepath.Join(t.TempDir(), "cut.mp4")
	require.NoError(t, os.WriteFile(path, whole[:len(whole)-200], 0o600))
	info, err := ffmpegtest.Program(t).Probe(t.Context(), path)
	require.NoError(t, err)
	require.NotEmpty(t, info.Damage)
}

func TestLimits(t *testing.T) {
	t.Parallel()
	path := encode(t)
	for name, change := range map[string]func(*ffmpeg.Limits){
		"bytes":    func(l *ffmpeg.Limits) { l.Bytes = 100 },
		"frames":   func(l *ffmpeg.Limits) { l.Frames = frames - 1 },
		"duration": func(l *ffmpeg.Limits) { l.Duration = 400 * time.Millisecond },
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			limits := ffmpeg.DefaultLimits
			change(&limits)
			_, err := ffmpeg.New(ffmpegtest.Path(t), limits).Probe(t.Context(), path)
			require.Equal(t, core.CodeTooLarge, core.CodeOf(err), "%v", err)
		})
	}
	t.Run("pixels", func(t *testing.T) {
		t.Parallel()
		limits := ffmpeg.DefaultLimits
		limits.Pixels = width*height - 1
		_, err := ffmpeg.New(ffmpegtest.Path(t), limits).Probe(t.Context(), path)
		require.Error(t, err)
		_, err = ffmpeg.New(ffmpegtest.Path(t), limits).Decode(t.Context(), path, ffmpeg.Decoding{Width: width, Height: height})
		require.Equal(t, core.CodeTooLarge, core.CodeOf(err), "%v", err)
	})
}

func TestTheContextEndsTheProgram(t *testing.T) {
	t.Parallel()
	ctx, cancel := context.WithCancel(t.Context())
	e, err := ffmpegtest.Program(t).Encode(ctx, filepath.Join(t.TempDir(), "clip.mp4"), encoding)
	require.NoError(t, err)
	require.NoError(t, e.Write(picture(0)))
	cancel()
	require.ErrorIs(t, e.Close(), context.Canceled)

	ctx, cancel = context.WithCancel(t.Context())
	f, err := ffmpegtest.Program(t).Decode(ctx, encode(t), ffmpeg.Decoding{Width: width, Height: height})
	require.NoError(t, err)
	defer f.Close()
	frame := make([]byte, f.Size())
	cancel()
	for err == nil {
		err = f.Next(frame)
	}
	if err != io.EOF { //nolint:errorlint // the program may have ended before
		require.ErrorIs(t, err, context.Canceled)
	}
}

func TestNoVideoWithoutFrames(t *testing.T) {
	t.Parallel()
	e, err := ffmpegtest.Program(t).Encode(t.Context(), filepath.Join(t.TempDir(), "clip.mp4"), encoding)
	require.NoError(t, err)
	require.Error(t, e.Close())
	_, err = ffmpegtest.Program(t).Encode(t.Context(), filepath.Join(t.TempDir(), "odd.mp4"), ffmpeg.Encoding{Width: 3, Height: 2, Rate: encoding.Rate})
	require.Equal(t, core.CodeInvalidInput, core.CodeOf(err))
}

func TestFindNamesWhatIsMissing(t *testing.T) {
	t.Parallel()
	_, err := ffmpeg.Fetched(filepath.Join(t.TempDir(), "assets"))
	require.Equal(t, core.CodeModelMissing, core.CodeOf(err))
	require.Contains(t, core.PublicMessage(err), "make assets-video")
	path, err := ffmpeg.Find(ffmpegtest.Path(t), "")
	require.NoError(t, err)
	version, err := ffmpeg.New(path, ffmpeg.DefaultLimits).Version(t.Context())
	require.NoError(t, err)
	require.Contains(t, version, "ffmpeg version")
}

// psnr compares two frames, in decibels.
func psnr(a, b []byte) float64 {
	var sum float64
	for i := range a {
		d := float64(a[i]) - float64(b[i])
		sum += d * d
	}
	return 10 * math.Log10(255*255*float64(len(a))/sum)
}
