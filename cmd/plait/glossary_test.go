package main

import (
	"os"
	"path/filepath"
	"testing"

	"github.com/stretchr/testify/require"
)

func TestGlossariesAreSetAndShown(t *testing.T) {
	t.Parallel()
	in := newInstallation(t)
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
