package main

import (
	"bytes"
	"crypto/sha256"
	"encoding/json"
	"fmt"
	"image"
	"image/draw"
	"image/png"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"syscall"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"plait/internal/comic"
	"plait/internal/core"
	"plait/internal/llmtest"
)

// TestEveryWayGivesTheSameBytes takes pages every way that there is: in two steps by one worker, as a whole by several that
// compute on another number of threads, and as a whole after detect contexts that were lost. The pages are the small chapter and a
// short strip, or those below -pages and a strip as chapters of webtoons are:
//
//	go test ./cmd/plait -race -count=1 -timeout 6h -v -run EveryWayGivesTheSameBytes -pages PATH
func TestEveryWayGivesTheSameBytes(t *testing.T) {
	t.Parallel()
	books := booksOfEveryWay(t)
	model := llmtest.New(t)
	in := newInstallation(t, append(usingModel(model), "PLAIT_HOST_API_ADDRESS=127.0.0.1:0", "PLAIT_HOST_API_TOKEN="+hostToken)...)
	in.up()
	want := in.translated(books, comic.ModeSplit, comic.ModeSplit)
	calls := model.CallCount()
	in.oneMoreWorker("gpu", "PLAIT_HOST_API_ADDRESS=", "PLAIT_WORKER_DEVICE_SLOTS=1", "PLAIT_DEVICE_THREADS=2")
	if *benchPagesFlag != "" {
		in.oneMoreWorker("gpu", "PLAIT_HOST_API_ADDRESS=", "PLAIT_WORKER_DEVICE_SLOTS=3", "PLAIT_DEVICE_THREADS=1")
		require.Equal(t, want, in.translated(books, comic.ModeSplit, comic.ModeSplit), "by three workers")
	}
	require.Equal(t, want, in.translated(books, comic.ModeUnified, comic.ModeUnified), "by several workers")
	require.Equal(t, calls, model.CallCount(), "every later run takes the recorded answers")
	for _, page := range books["small"] {
		key := filepath.Join("small", filepath.Base(page))
		require.Equal(t, want[key], digest(in.overHTTP(page)), "%s as a caller without Temporal asked for it", key)
	}

	// A budget of 1 MiB keeps no detect context of these pages.
	forgetful := newUnwatched(t, append(usingModel(model), "PLAIT_WORKER_PAGE_MEMORY=1MiB", "PLAIT_WORKER_DEVICE_SLOTS=1")...)
	forgetful.up()
	before := model.CallCount()
	require.Equal(t, want, forgetful.translated(books, comic.ModeSplit, comic.ModeFallback))
	require.Equal(t, before+calls, model.CallCount(), "each page is asked for once here too")
}

// booksOfEveryWay are files of pages by the folder that they are in.
func booksOfEveryWay(t *testing.T) map[string][]string {
	t.Helper()
	strip := filepath.Join(t.TempDir(), "strip.png")
	if *benchPagesFlag != "" {
		drawStrip(t, strip, image.Pt(720, 14046))
		books := benchPages(t, *benchPagesFlag)
		books["strip"] = []string{strip}
		return books
	}
	drawStrip(t, strip, image.Pt(480, 1480)) // more than three times as high as wide
	return map[string][]string{"small": {example("small", "01.png"), example("small", "02.png"), example("small", "03.png"), strip}}
}

// drawStrip draws the pages of the small chapter one below the other, to the left and to the right in turns.
func drawStrip(t *testing.T, path string, size image.Point) {
	t.Helper()
	strip := image.NewNRGBA(image.Rectangle{Max: size})
	draw.Draw(strip, strip.Rect, image.White, image.Point{}, draw.Src)
	for y, i := 0, 0; y < size.Y; i++ {
		b, err := os.ReadFile(example("small", fmt.Sprintf("0%d.png", i%3+1)))
		require.NoError(t, err)
		page, _, err := image.Decode(bytes.NewReader(b))
		require.NoError(t, err)
		at := image.Pt(i%2*(size.X-page.Bounds().Dx()), y)
		draw.Draw(strip, page.Bounds().Add(at), page, image.Point{}, draw.Src)
		y += page.Bounds().Dy()
	}
	f, err := os.Create(path)
	require.NoError(t, err)
	require.NoError(t, png.Encode(f, strip))
	require.NoError(t, f.Close())
}

// oneMoreWorker joins the installation as a process with roles of its own, and returns its number.
func (in *sandbox) oneMoreWorker(roles string, env ...string) (pid int) {
	in.t.Helper()
	cmd := in.command("worker", "--role", roles)
	cmd.Env = append(slices.Clone(in.env), env...)
	said, err := os.CreateTemp(in.dir, "worker")
	require.NoError(in.t, err)
	cmd.Stdout, cmd.Stderr = said, said
	require.NoError(in.t, cmd.Start())
	in.t.Cleanup(func() {
		_ = cmd.Process.Signal(syscall.SIGTERM)
		_ = cmd.Wait()
		_ = said.Close()
	})
	eventually(in.t, func() bool {
		b, err := os.ReadFile(said.Name())
		require.NoError(in.t, err)
		return strings.Contains(string(b), "worker ready")
	}, "one more worker is ready")
	return cmd.Process.Pid
}

// translated has the books translated in a mode, each anew, and digests their pages by folder and name. Every page that changed
// must have gone the given way.
func (in *sandbox) translated(books map[string][]string, mode, way core.Mode) map[string]string {
	in.t.Helper()
	sums := map[string]string{}
	began := time.Now()
	for _, folder := range slices.Sorted(maps.Keys(books)) {
		out := filepath.Join(in.t.TempDir(), folder)
		f := in.plait(append([]string{"translate", "--to", "de", "--mode", string(mode), "--again", "--json", "-o", out}, books[folder]...)...)
		require.Zero(in.t, f.status, "%s%s", f.stdout, f.stderr)
		ways := waysOf(in.t, f.stdout)
		changed := 0
		for _, path := range books[folder] {
			name := filepath.Base(path)
			before, err := os.ReadFile(path)
			require.NoError(in.t, err)
			after, err := os.ReadFile(filepath.Join(out, name))
			require.NoError(in.t, err)
			if sums[filepath.Join(folder, name)] = digest(after); !bytes.Equal(before, after) {
				require.Equal(in.t, string(way), ways[name], name)
				changed++
			}
		}
		require.NotZero(in.t, changed, "some page of %s has text", folder)
	}
	in.t.Logf("%s: %d pages in %v", way, len(sums), time.Since(began).Round(time.Second))
	return sums
}

// waysOf are the modes in which pages succeeded, by name.
func waysOf(tb testing.TB, events string) map[string]string {
	tb.Helper()
	ways := map[string]string{}
	for line := range strings.Lines(events) {
		var e event
		require.NoError(tb, json.Unmarshal([]byte(line), &e), line)
		if e.Event == "item" && e.Item.Status == string(core.StatusSuccess) {
			ways[e.Item.Name] = e.Item.Mode
		}
	}
	return ways
}

func digest(b []byte) string { return fmt.Sprintf("%x", sha256.Sum256(b)) }
