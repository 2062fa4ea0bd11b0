package main

import (
	"encoding/json"
	"image"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"plait/internal/comic"
	"plait/internal/comic/batch"
	"plait/internal/core"
)

// readLine is a line of `plait read --json`: a page or a failure.
type readLine struct {
	batch.Record
	Error *pageError `json:"error"`
}

// pageError is why a page failed.
type pageError struct {
	Code    core.Code `json:"code"`
	Message string    `json:"message"`
}

func readLines(t *testing.T, stdout string) []readLine {
	t.Helper()
	var lines []readLine
	for text := range strings.Lines(stdout) {
		var l readLine
		require.NoError(t, json.Unmarshal([]byte(text), &l), text)
		lines = append(lines, l)
	}
	return lines
}

// Reading agrees with what the pages of the examples were drawn with: of the small book, which is an archive, and of the chapter, a folder.
func TestReadFindsWhatWasDrawn(t *testing.T) {
	t.Parallel()
	in := newUnwatched(t)
	for book, truth := range map[string]string{smallBook(t): example("small", "truth.json"), example("chapter"): example("truth.json")} {
		requireRead(t, in, book, truth)
	}
}

func requireRead(t *testing.T, in *sandbox, book, truthFile string) {
	t.Helper()
	f := in.plait("read", book, "--json")
	require.Zero(t, f.status, f.stderr)
	require.Empty(t, f.stderr)
	var truth struct {
		Language string
		Pages    []struct {
			Page          string
			Width, Height int
			Blocks        []struct {
				Kind      comic.RegionKind
				Box       [4]float64
				Direction comic.Direction
				Text      string
			}
		}
	}
	b, err := os.ReadFile(truthFile)
	require.NoError(t, err)
	require.NoError(t, json.Unmarshal(b, &truth))

	got := readLines(t, f.stdout)
	require.Len(t, got, len(truth.Pages))
	for i, want := range truth.Pages {
		page := got[i]
		require.Equal(t, want.Page, page.Page, "natural order, whatever that of the archive")
		require.Equal(t, []int{want.Width, want.Height}, []int{page.Width, page.Height})
		require.Contains(t, page.Elapsed, "total")
		require.Len(t, page.Regions, len(want.Blocks))
		require.NotNil(t, page.Regions, "no text is an empty list")
		for k, block := range want.Blocks {
			r := page.Regions[k]
			require.Equal(t, truth.Language, page.FromLang)
			require.Equal(t, []any{k, block.Direction, truth.Language}, []any{r.Index, r.Direction, r.SourceLang})
			require.Equal(t, strings.ReplaceAll(block.Text, "。", ""), strings.ReplaceAll(r.Text, "。", ""))
			require.Len(t, r.Texts, len(r.Lines))
			if block.Kind == comic.KindDialogue { // the outlines of titles and sounds reach beyond their boxes
				require.Equal(t, block.Kind, r.Kind)
				x0, y0, x1, y1 := r.Bounds()
				box := []float64{x0, y0, x1, y1}
				require.InDeltaSlice(t, block.Box[:], box, 25)
			}
		}
	}
}

func TestReadForPeople(t *testing.T) {
	t.Parallel()
	in := newUnwatched(t)
	f := in.plait("read", example("small", "03.png"), example("small", "02.png"), "--from", "ja")
	require.Zero(t, f.status, f.stderr)
	require.Regexp(t, `^03\.png: 480 × 680, no text, [\d.]+ s
02\.png: 480 × 680, ja, 1 region, [\d.]+ s
   0  dialogue  v  あかりをつけましょう。?
$`, f.stdout)
}

func TestReadFast(t *testing.T) {
	t.Parallel()
	in := newUnwatched(t)
	f := in.plait("read", example("small"), "--fast", "--json")
	require.Zero(t, f.status, f.stderr)
	var says []string
	for _, l := range readLines(t, f.stdout) {
		for _, r := range l.Regions {
			says = append(says, strings.Trim(r.Text, "。"))
		}
	}
	require.Equal(t, []string{"今夜は星がきれいだね", "あかりをつけましょう"}, says)
}

var elapsed = regexp.MustCompile(`"elapsed_ms":\{[^}]*\}`)

// The same pages give the same JSON but for the time: again, and on any number of threads and pages at once.
func TestReadIsTheSameOnAnyNumberOfThreads(t *testing.T) {
	t.Parallel()
	in := newUnwatched(t)
	var first string
	for _, how := range [][]string{
		{"--jobs", "1", "--device-threads", "1"}, {"--jobs", "1", "--device-threads", "2"}, {"--jobs", "3"},
	} {
		f := in.plait(append([]string{"read", example("small"), "--json"}, how...)...)
		require.Zero(t, f.status, f.stderr)
		got := elapsed.ReplaceAllString(f.stdout, "")
		if first == "" {
			first = got
		}
		require.Equal(t, first, got, "%v", how)
	}
	require.NotContains(t, first, "elapsed_ms")
}

func TestReadGoesOnAfterAPageThatFails(t *testing.T) {
	t.Parallel()
	in := newUnwatched(t)
	bad := filepath.Join(in.dir, "bad.png")
	require.NoError(t, os.WriteFile(bad, []byte("no image"), 0o600))
	absent, empty, broken := filepath.Join(in.dir, "absent.jpg"), filepath.Join(in.dir, "empty"), filepath.Join(in.dir, "broken.cbz")
	require.NoError(t, os.Mkdir(empty, 0o700))
	require.NoError(t, os.WriteFile(broken, []byte("no archive"), 0o600))

	some := in.plait("read", bad, example("small", "03.png"), absent, empty, broken, "--json")
	require.Equal(t, exitPartial, some.status, some.stderr)
	got := readLines(t, some.stdout)
	require.Len(t, got, 5)
	for i, want := range []struct {
		page string
		code core.Code
	}{
		{"bad.png", core.CodeInvalidImage}, {"03.png", ""}, {"absent.jpg", core.CodeInvalidInput},
		{"empty", core.CodeInvalidInput}, {"broken.cbz", core.CodeInvalidArchive},
	} {
		require.Equal(t, want.page, got[i].Page)
		if want.code == "" {
			require.Nil(t, got[i].Error)
			continue
		}
		require.Equal(t, want.code, got[i].Error.Code)
		require.Contains(t, some.stderr, "plait: "+want.page+": "+got[i].Error.Message+"\n")
	}
	require.Contains(t, some.stderr, "4 of 5 pages could not be read")

	all := in.plait("read", bad)
	require.Equal(t, exitFailed, all.status)
	require.Empty(t, all.stdout)
	require.Contains(t, all.stderr, "plait: bad.png: ")
}

// What no model reads is refused once, before models are loaded and pages are opened.
func TestReadRefusesALanguageThatNoModelReads(t *testing.T) {
	t.Parallel()
	in := newUnwatched(t)
	for _, args := range [][]string{{"read"}, {"erase", "-o", filepath.Join(in.dir, "out")}} {
		f := in.plait(append(args, "absent.png", "gone.png", "--from", "ko")...)
		require.Equal(t, exitFailed, f.status)
		require.Empty(t, f.stdout)
		require.Equal(t, `plait: source language "ko" is written in Hangul, which no loaded model reads; `+
			"add a recognizer of that script to the manifest of models (models.manifest)\n", f.stderr)
	}
}

// Of two bubbles side by side the right one is first in Japanese, as the sample's script has it, unless --order says otherwise.
func TestReadInTheOrderThatIsChosen(t *testing.T) {
	t.Parallel()
	in := newUnwatched(t)
	f := in.plait("read", example("chapter", "02.png"), "--json", "--order", "ltr")
	require.Zero(t, f.status, f.stderr)
	require.Contains(t, readLines(t, f.stdout)[0].Regions[0].Text, "たたいてみた")
}

func TestReadDrawsOverlays(t *testing.T) {
	t.Parallel()
	in := newUnwatched(t)
	out := filepath.Join(in.dir, "marked")
	// Two pages of one name: both are drawn.
	f := in.plait("read", smallBook(t), example("small", "01.png"), "--overlay", out)
	require.Zero(t, f.status, f.stderr)
	for _, name := range []string{"01", "02", "03", "01-2"} {
		file, err := os.Open(filepath.Join(out, name+".png"))
		require.NoError(t, err)
		config, format, err := image.DecodeConfig(file)
		require.NoError(t, err)
		require.NoError(t, file.Close())
		require.Equal(t, []any{"png", 480, 680}, []any{format, config.Width, config.Height})
	}

	// A folder is never written over with its own overlays.
	pages := filepath.Join(in.dir, "pages")
	require.NoError(t, os.CopyFS(pages, os.DirFS(example("small"))))
	f = in.plait("read", pages, "--overlay", pages)
	require.Equal(t, exitUsage, f.status)
	require.Contains(t, f.stderr, "choose another folder for --overlay")
}

func TestReadSaysHowItIsUsed(t *testing.T) {
	t.Parallel()
	in := newUnwatched(t)
	for says, args := range map[string][]string{
		"name images, folders or CBZ files to read":    {"read"},
		`source language "klingon" is not known`:       {"read", "x.png", "--from", "klingon"},
		"--jobs: 65 is not from 1 to 64":               {"read", "x.png", "--jobs", "65"},
		`reading order "up" is none of auto, ltr, rtl`: {"read", "x.png", "--order", "up"},
	} {
		f := in.plait(args...)
		require.Equal(t, exitUsage, f.status, f.stderr)
		require.Contains(t, f.stderr, says)
	}
}
