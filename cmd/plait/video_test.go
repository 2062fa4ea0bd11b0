package main

import (
	"encoding/json"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	videoschema "plait/api/video/schema"
	"plait/internal/llmtest"
	"plait/internal/video"
	"plait/internal/video/ffmpeg/ffmpegtest"
	"plait/internal/video/openai/videotest"
)

// A page becomes a video at a terminal, the same one for the same seed.
func TestAPageBecomesAVideo(t *testing.T) {
	t.Parallel()
	in := newUnwatched(t)
	in.up()
	page, err := os.ReadFile(filepath.Join(example("small"), "01.png"))
	require.NoError(t, err)
	require.NoError(t, os.WriteFile(filepath.Join(in.dir, "page.png"), page, 0o600))

	f := in.plait("video", "generate", "page.png", "--prompt", "slow zoom in", "--seed", "7", "--duration", "3", "--watermark")
	require.Zero(t, f.status, "%s\n%s", f.stdout, f.stderr)
	path := filepath.Join(in.dir, "page.mp4")
	info, err := ffmpegtest.Program(t).Probe(t.Context(), path)
	require.NoError(t, err)
	require.Empty(t, info.Damage)
	require.Equal(t, []any{"h264", "yuv420p", 530, 752, 72}, []any{info.Codec, info.PixelFormat, info.Width, info.Height, info.Frames()})
	first, err := os.ReadFile(path)
	require.NoError(t, err)

	f = in.plait("video", "generate", "page.png", "--prompt", "slow zoom in", "--seed", "7", "--duration", "3", "--watermark", "-o", "again.mp4")
	require.Zero(t, f.status, "%s\n%s", f.stdout, f.stderr)
	again, err := os.ReadFile(filepath.Join(in.dir, "again.mp4"))
	require.NoError(t, err)
	require.Equal(t, first, again)

	lines := strings.Fields(f.stdout)
	id := lines[len(lines)-1]
	f = in.plait("video", "status", id, "--json")
	require.Zero(t, f.status, f.stderr)
	var d videoschema.Data
	require.NoError(t, json.Unmarshal([]byte(f.stdout), &d))
	require.Equal(t, []any{video.StatusSucceeded, int64(7)}, []any{d.Status, d.Input.Seed})
	require.Equal(t, 1, in.plait("video", "cancel", id).status, "it has ended")

	for _, wrong := range [][]string{
		{"video", "generate", "page.png"},
		{"video", "generate", "--prompt", "a whale", "--model", "wan"},
		{"video", "generate", "none.png", "--prompt", "zoom in"},
	} {
		require.NotZero(t, in.plait(wrong...).status, wrong)
	}
}

// A page becomes a film of its panels, without a server.
func TestAComicIsFilmed(t *testing.T) {
	t.Parallel()
	in := newUnwatched(t)
	page := filepath.Join(example("small"), "03.png")
	f := in.plait("video", "comic", page, "--resolution", "480P", "--portrait", "-o", "film.mp4", "--json")
	require.Zero(t, f.status, f.stderr)
	lines := strings.Split(strings.TrimSpace(f.stdout), "\n")
	require.Len(t, lines, 2, f.stdout)
	var filmed struct {
		Page    string
		Panels  int
		Seconds float64
	}
	require.NoError(t, json.Unmarshal([]byte(lines[0]), &filmed))
	require.Equal(t, "03.png", filmed.Page)
	require.Positive(t, filmed.Panels)
	info, err := ffmpegtest.Program(t).Probe(t.Context(), filepath.Join(in.dir, "film.mp4"))
	require.NoError(t, err)
	require.Empty(t, info.Damage)
	require.Equal(t, []any{"h264", 480, 832}, []any{info.Codec, info.Width, info.Height})
	require.InDelta(t, filmed.Seconds, info.Duration().Seconds(), 0.05)
	require.NoFileExists(t, filepath.Join(in.dir, "film.mp4.part"))

	require.Equal(t, exitUsage, in.plait("video", "comic", page, "--resolution", "4K").status)
	none := in.plait("video", "comic", filepath.Join(in.dir, "none.png"), "-o", "none.mp4")
	require.Equal(t, exitFailed, none.status)
	require.NoFileExists(t, filepath.Join(in.dir, "none.mp4.part"))
}

// A model of a server makes a video from a prompt that a language model has rewritten, and the server keeps nothing.
func TestAServerMakesAVideoOnce(t *testing.T) {
	t.Parallel()
	server := videotest.New(t)
	catalog := filepath.Join(t.TempDir(), "catalog.yaml")
	require.NoError(t, os.WriteFile(catalog, []byte(`
engines: [{name: gpus, protocol: openai, servers: ["`+server.URL+`"]}]
models: [{name: wan, engine: gpus, types: [text_to_video], resolutions: [480P], durations: [2], multiple: 16, price: {second: 0.05, video: 0.4}}]
`), 0o600))
	const written = "A whale glides over the sea at dusk."
	model := llmtest.New(t, llmtest.WithEvery(llmtest.Answer(written)))
	in := newUnwatched(t, append(usingModel(model), "PLAIT_VIDEO_CATALOG="+catalog)...)
	in.up()
	f := in.plait("video", "estimate", "--model", "wan")
	require.Equal(t, "wan, 480P, 2 seconds\ncost 0.5000\n", f.stdout, f.stderr)
	require.Equal(t, exitFailed, in.plait("video", "estimate", "--model", "wan", "--duration", "3").status)
	f = in.plait("video", "estimate", "--model", "wan", "--resolution", "1080P")
	require.Equal(t, "wan, 1080P, 2 seconds\ncost 0.5000\n", f.stdout, "what is enlarged costs the same")
	f = in.plait("video", "generate", "--model", "wan", "--prompt", "a whale", "--watermark", "-o", "whale.mp4")
	require.Zero(t, f.status, "%s\n%s", f.stdout, f.stderr)
	info, err := ffmpegtest.Program(t).Probe(t.Context(), filepath.Join(in.dir, "whale.mp4"))
	require.NoError(t, err)
	require.Equal(t, []int{832, 480, 32}, []int{info.Width, info.Height, info.Frames()})
	created, _, left := server.Counts()
	require.Equal(t, []int{1, 0}, []int{created, left})
	require.Equal(t, []string{written}, server.Prompts())

	lines := strings.Fields(f.stdout)
	f = in.plait("video", "status", lines[len(lines)-1], "--json")
	var d videoschema.Data
	require.NoError(t, json.Unmarshal([]byte(f.stdout), &d))
	require.Equal(t, []string{"a whale", written}, []string{d.Input.Prompt, *d.Input.ActualPrompt})
	require.InDelta(t, 0.5, d.Price, 1e-9)
}
