package main

import (
	"encoding/json"
	"fmt"
	"image"
	"image/jpeg"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"plait/api/client/progress"
	"plait/internal/assets/assetstest"
	"plait/internal/comic"
	"plait/internal/comic/engine"
	"plait/internal/core"
	"plait/internal/onnx"
	"plait/internal/translate/script"
)

// jpegOf writes the image of a file as JPEG.
func jpegOf(t *testing.T, from, to string) {
	t.Helper()
	img, _ := decodeFile(t, from)
	require.NoError(t, os.MkdirAll(filepath.Dir(to), 0o700))
	f, err := os.Create(to)
	require.NoError(t, err)
	require.NoError(t, jpeg.Encode(f, img, &jpeg.Options{Quality: 92}))
	require.NoError(t, f.Close())
}

// A lettered page is what the engine makes of the page and the translation, which is what a worker makes of them.
func TestLetterMakesThePagesOfTheEngine(t *testing.T) {
	t.Parallel()
	in := newUnwatched(t)
	out, stages := filepath.Join(in.dir, "out"), filepath.Join(in.dir, "stages")
	f := in.plait("letter", smallBook(t), "--script", example("small", "script.en.json"), "--from", "ja", "--to", "en", "-o", out, "--stages", stages)
	require.Zero(t, f.status, f.stderr)
	require.Empty(t, f.stderr)
	require.Contains(t, f.stdout, "02.png: 1 region lettered → "+filepath.Join(out, "02.png")+"\n")

	e, err := engine.Open(t.Context(), engine.Config{
		Assets: assetstest.Open(t), Runtime: onnx.Config{Device: onnx.CPU, Threads: 1}, Places: 1,
	})
	require.NoError(t, err)
	defer func() { require.NoError(t, e.Close()) }()
	for name, translations := range map[string][]core.Translation{
		"01.png": {{Text: "The stars are lovely tonight."}}, "02.png": {{Text: "Let's light the lamp."}}, "03.png": nil,
	} {
		page, err := os.ReadFile(example("small", name))
		require.NoError(t, err)
		c, _, err := e.Detect(t.Context(), page, comic.Options{From: "ja", To: "en"})
		require.NoError(t, err)
		want, _, err := e.Render(t.Context(), c, translations)
		require.NoError(t, err)
		got, err := os.ReadFile(filepath.Join(out, name))
		require.NoError(t, err)
		require.Equal(t, want, got, name)
		kept, err := os.ReadFile(filepath.Join(stages, strings.TrimSuffix(name, ".png")+".result.png"))
		require.NoError(t, err)
		require.Equal(t, want, kept, name)
	}
	requireErasedInMask(t, example("small", "01.png"), filepath.Join(stages, "01.erased.png"), filepath.Join(stages, "01.mask.png"), true)
	marked, _ := decodeFile(t, filepath.Join(stages, "03.regions.png"))
	require.Equal(t, image.Rect(0, 0, 480, 680), marked.Bounds())
	require.NoFileExists(t, filepath.Join(stages, "03.mask.png"), "nothing was erased")
}

// The chapter of `make run`: each text of its script is one region of its page, and each region of its pages has a text.
func TestLetterTheSampleChapterByItsScript(t *testing.T) {
	t.Parallel()
	in := newUnwatched(t)
	b, err := os.ReadFile(example("script.en.json"))
	require.NoError(t, err)
	file, err := script.Parse(b)
	require.NoError(t, err)
	out := filepath.Join(in.dir, "out")
	var want strings.Builder
	for _, p := range file.Pages {
		fmt.Fprintf(&want, "%s: %s lettered → %s\n", p.Page, progress.Count(len(p.Regions), "region"), filepath.Join(out, p.Page))
	}
	f := in.plait("letter", example("chapter"), "--script", example("script.en.json"), "--from", "ja", "--to", "en", "-o", out)
	require.Zero(t, f.status, f.stderr)
	require.Empty(t, f.stderr)
	require.Equal(t, want.String(), f.stdout)
}

// The script of the small example as a person has it in a spreadsheet, which gives the same pages.
func TestLetterFromCSV(t *testing.T) {
	t.Parallel()
	in := newUnwatched(t)
	b, err := os.ReadFile(example("small", "script.en.json"))
	require.NoError(t, err)
	file, err := script.Parse(b)
	require.NoError(t, err)
	table, err := os.Create(filepath.Join(in.dir, "texts.csv"))
	require.NoError(t, err)
	require.NoError(t, script.WriteCSV(table, file))
	require.NoError(t, table.Close())
	var pages [][]byte
	for i, name := range []string{example("small", "script.en.json"), table.Name()} {
		out := filepath.Join(in.dir, "out", string(rune('a'+i)))
		f := in.plait("letter", example("small", "01.png"), "--script", name, "--to", "en", "-o", out)
		require.Zero(t, f.status, f.stderr)
		page, err := os.ReadFile(filepath.Join(out, "01.png"))
		require.NoError(t, err)
		pages = append(pages, page)
	}
	require.Equal(t, pages[0], pages[1])
}

func TestLetterNamesAPageThatTheScriptDoesNotKnow(t *testing.T) {
	t.Parallel()
	in := newUnwatched(t)
	strange := filepath.Join(in.dir, "strange.jpg")
	jpegOf(t, example("small", "02.png"), strange)
	out := filepath.Join(in.dir, "out")
	args := []string{"--script", example("small", "script.en.json"), "--to", "en", "-o", out}

	some := in.plait(append([]string{"letter", strange, example("small", "01.png")}, args...)...)
	require.Equal(t, exitPartial, some.status, some.stderr)
	require.Contains(t, some.stderr, `plait: strange.jpg: the script has no page "strange.jpg", which has 1 region`)
	require.Contains(t, some.stderr, "1 of 2 pages could not be lettered")
	require.Contains(t, some.stdout, "01.png: 1 region lettered")
	require.NoFileExists(t, filepath.Join(out, "strange.jpg"))
}

func TestLetterLeavesATextThatTheScriptLacksAsDrawn(t *testing.T) {
	t.Parallel()
	in := newUnwatched(t)
	file := filepath.Join(in.dir, "script.json")
	require.NoError(t, os.WriteFile(file, []byte(`{"pages":[{"page":"01.png","regions":[{"source":"誰も知らない","translation":"Nobody knows"}]}]}`), 0o600))
	args := []string{"letter", example("small", "01.png"), "--from", "ja", "--to", "en", "--script", file, "-o", filepath.Join(in.dir, "out")}
	lenient := in.plait(args...)
	require.Zero(t, lenient.status, lenient.stderr)
	require.Equal(t, "plait: 01.png: 1 text left as drawn: the script has no translation\n", lenient.stderr)
	strict := in.plait(append(args, "--strict")...)
	require.Equal(t, exitFailed, strict.status, strict.stderr)
	require.Contains(t, strict.stderr, `the script has no translation for 1 of 1 regions of page "01.png" (region 0)`)
}

func TestLetterNamesCharactersThatNoFontHas(t *testing.T) {
	t.Parallel()
	in := newUnwatched(t)
	texts := filepath.Join(in.dir, "texts.csv")
	require.NoError(t, os.WriteFile(texts, []byte("page,region,translation\n01.png,0,The stars ᚠᚠ \U0001D11E\n"), 0o600))
	f := in.plait("letter", example("small", "01.png"), "--script", texts, "--to", "en", "-o", filepath.Join(in.dir, "out"))
	require.Zero(t, f.status, f.stderr)
	require.Equal(t, "plait: 01.png: no font has U+16A0 ᚠ, U+1D11E \U0001D11E: left out\n", f.stderr)
	require.Contains(t, f.stdout, "01.png: 1 region lettered")
}

func TestLetterRefusesAScriptThatIsNone(t *testing.T) {
	t.Parallel()
	in := newUnwatched(t)
	none := filepath.Join(in.dir, "none.json")
	b, err := json.Marshal(map[string]any{"pages": []any{map[string]any{"page": ""}}})
	require.NoError(t, err)
	require.NoError(t, os.WriteFile(none, b, 0o600))
	for _, name := range []string{none, filepath.Join(in.dir, "absent.json")} {
		f := in.plait("letter", example("small", "01.png"), "--script", name, "--to", "en", "-o", filepath.Join(in.dir, "out"))
		require.Equal(t, exitFailed, f.status)
		require.Len(t, strings.Split(strings.TrimSpace(f.stderr), "\n"), 1, f.stderr)
		require.NoDirExists(t, filepath.Join(in.dir, "out"))
	}
}
