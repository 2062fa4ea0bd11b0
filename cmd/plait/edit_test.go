package main

import (
	"encoding/json"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
)

// scriptWith is the script of the small chapter with another text on its first page.
func scriptWith(t *testing.T, dir, text string) string {
	t.Helper()
	b, err := os.ReadFile(example("small", "script.en.json"))
	require.NoError(t, err)
	quoted, err := json.Marshal(text)
	require.NoError(t, err)
	path := filepath.Join(dir, "edited.json")
	changed := strings.Replace(string(b), `"The stars are lovely tonight."`, string(quoted), 1)
	require.NotEqual(t, string(b), changed)
	require.NoError(t, os.WriteFile(path, []byte(changed), 0o600))
	return path
}

func requireSameFile(t *testing.T, a, b string) {
	t.Helper()
	first, err := os.ReadFile(a)
	require.NoError(t, err)
	second, err := os.ReadFile(b)
	require.NoError(t, err)
	require.Equal(t, first, second, "%s and %s", a, b)
}

func TestEditLettersAgainWhatWasChanged(t *testing.T) {
	t.Parallel()
	in := newUnwatched(t)
	in.up()
	out := func(names ...string) string { return filepath.Join(append([]string{in.dir}, names...)...) }
	translate := func(script, folder string, more ...string) string {
		f := in.plait(append([]string{"translate", example("small"), "--from", "ja", "--to", "en", "--script", script, "-o", out(folder)}, more...)...)
		require.Zero(t, f.status, "%s%s", f.stdout, f.stderr)
		task := regexp.MustCompile(`task (\S+)`).FindStringSubmatch(f.stdout)
		require.NotNil(t, task, f.stdout)
		return task[1]
	}
	task := translate(example("small", "script.en.json"), "first", "--stages", out("stages"))
	for _, page := range []string{"01", "02"} {
		for _, step := range []string{".regions.png", ".mask.png", ".erased.png"} {
			b, err := os.ReadFile(out("stages", page+step))
			require.NoError(t, err)
			requireImage(t, b, "png")
		}
		requireSameFile(t, out("first", page+".png"), out("stages", page+".result.png"))
	}

	const text = "So many stars!"
	f := in.plait("edit", task, "01.png", "0="+text, "-o", out("edited"))
	require.Zero(t, f.status, "%s%s", f.stdout, f.stderr)
	require.Equal(t, "01.png: 1 text changed\n→ "+out("edited")+"\n", f.stdout)
	wanted := scriptWith(t, in.dir, text)
	translate(wanted, "wanted")
	requireSameFile(t, out("wanted", "01.png"), out("edited", "01.png"))
	requireSameFile(t, out("first", "02.png"), out("edited", "02.png"))

	// The same once more, as texts or as a script, is nothing to do.
	for _, again := range [][]string{{"01.png", "0=" + text}, {"--script", wanted}} {
		f = in.plait(append([]string{"edit", task}, again...)...)
		require.Zero(t, f.status, f.stderr)
		require.Contains(t, f.stdout, "Nothing to change")
	}
	f = in.plait("edit", task, "01.png", "0=So very many stars!", "--json")
	require.Zero(t, f.status, f.stderr)
	require.JSONEq(t, `{"page":"01.png","changed":1}`, f.stdout)
	renewed, err := os.ReadFile(out("edited", "01.png"))
	require.NoError(t, err)
	before, err := os.ReadFile(out("wanted", "01.png"))
	require.NoError(t, err)
	require.NotEqual(t, before, renewed, "an edit renews the result where it was written last")
	for ending, start := range map[string]string{"csv": "page,region,", "json": "{"} {
		f = in.plait("export", task, "-o", out("texts."+ending))
		require.Zero(t, f.status, f.stderr)
		written, err := os.ReadFile(out("texts." + ending))
		require.NoError(t, err)
		require.True(t, strings.HasPrefix(strings.TrimPrefix(string(written), "\ufeff"), start), "%s: %.40q", ending, written)
	}
	f = in.plait("edit", task, "--script", example("small", "script.en.json"), "-o", out("back.cbz"))
	require.Zero(t, f.status, "%s%s", f.stdout, f.stderr)
	_, pages := unzip(t, out("back.cbz"))
	first, err := os.ReadFile(out("first", "01.png"))
	require.NoError(t, err)
	require.Equal(t, first, pages["01.png"], "what was changed back is as it was")

	for want, args := range map[string][]string{
		`the task has no page "9.png"; it has 01.png, 02.png, 03.png`:              {task, "9.png", "0=x"},
		"1 of the texts are of no region: regions of the page, numbered from 0: 1": {task, "01.png", "7=x"},
		"there is no task": {"no-such-task", "01.png", "0=x"},
	} {
		f = in.plait(append([]string{"edit"}, args...)...)
		require.Equal(t, exitFailed, f.status, f.stderr)
		require.Contains(t, f.stderr, want)
	}
}
