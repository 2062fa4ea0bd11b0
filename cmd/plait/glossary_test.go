package main

import (
	"os"
	"path/filepath"
	"testing"

	"github.com/stretchr/testify/require"

	"plait/internal/llmtest"
)

func TestGlossariesAreSetAndShown(t *testing.T) {
	t.Parallel()
	in := newUnwatched(t)
	in.up()
	path := filepath.Join(in.dir, "names.tsv")
	require.NoError(t, os.WriteFile(path, []byte("source\ttarget\tnote\n太郎\tTaro\tthe older brother\n"), 0o600))
	f := in.plait("glossary", "set", path, "--to", "en")
	require.Zero(t, f.status, f.stderr)
	require.Equal(t, "1 term set\n", f.stdout)
	f = in.plait("glossary", "show", "--to", "en")
	require.Zero(t, f.status, f.stderr)
	require.Equal(t, "source,target,case,part_of_speech,note,keep\n太郎,Taro,false,,the older brother,false\n", f.stdout)
	f = in.plait("glossary", "show", "--to", "de", "--json")
	require.Equal(t, "[]\n", f.stdout, f.stderr)

	for name, args := range map[string][]string{
		"no such task": {"glossary", "suggest", "nothing"}, "no glossary": {"glossary", "set", example("small", "truth.json")},
		"no language": {"glossary", "show", "--to", "!"}, "no such file": {"glossary", "set", "absent.csv"}, "no file": {"glossary", "set"},
	} {
		f = in.plait(args...)
		require.NotZero(t, f.status, name)
		require.NotEmpty(t, f.stderr, name)
	}
}

// What comes with a chapter is told with each of its pages, before what holds for all chapters, and not with another chapter.
func TestAChapterBringsItsGlossaryAndSynopsis(t *testing.T) {
	t.Parallel()
	server := llmtest.New(t)
	in := newUnwatched(t, usingModel(server)...)
	file := func(name, text string) string {
		path := filepath.Join(in.dir, name)
		require.NoError(t, os.WriteFile(path, []byte(text), 0o600))
		return path
	}
	in.up()
	f := in.plait("glossary", "set", file("all.csv", "source,target\n星,Star\n"), "--to", "en")
	require.Zero(t, f.status, f.stderr)
	translate := func(more ...string) finished {
		return in.plait(append([]string{"translate", example("small"), "--from", "ja", "--to", "en", "-o", filepath.Join(in.dir, "out")}, more...)...)
	}
	f = translate("--glossary", file("own.csv", "source,target\n星,Hoshi\n"), "--synopsis", "@"+file("about.txt", "Two friends\nwatch the sky.\n"))
	require.Zero(t, f.status, "%s%s", f.stdout, f.stderr)
	own := server.Calls()
	require.NotEmpty(t, own)
	terms := ""
	for _, call := range own {
		require.Contains(t, call.User, "What the story is about, for context only:\nTwo friends watch the sky.\n")
		require.NotContains(t, call.User, "星 = Star")
		terms += call.User
	}
	require.Contains(t, terms, "星 = Hoshi")

	f = translate()
	require.Zero(t, f.status, "%s%s", f.stdout, f.stderr)
	for _, call := range server.Calls()[len(own):] {
		require.NotContains(t, call.User, "What the story is about")
		require.NotContains(t, call.User, "Hoshi")
	}
	f = translate("--glossary", file("bad.csv", "source,target\n星,\n"))
	require.NotZero(t, f.status)
	require.Contains(t, f.stderr, "glossary, line 2")

	in.checkTranslatorOfTheStack(server)
}
