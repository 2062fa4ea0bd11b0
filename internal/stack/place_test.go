package stack_test

import (
	"os"
	"path/filepath"
	"testing"

	"github.com/stretchr/testify/require"

	"plait/internal/stack/postgres"
	"plait/internal/stack/process"
)

// Under root, the cluster must be in a folder that the account of Postgres can reach. Other users have it in the data folder.
func TestClosedFolder(t *testing.T) {
	t.Parallel()
	options := testOptions(t)
	closed := filepath.Join(options.DataDir, "closed")
	require.NoError(t, os.Mkdir(closed, 0o700))
	options.DataDir = filepath.Join(closed, "data")

	first := start(t, options)
	write(t, first.DatabaseURL())
	place, err := postgres.ChoosePlace(options.DataDir, "")
	require.NoError(t, err)
	if os.Geteuid() == 0 {
		t.Cleanup(func() { require.NoError(t, os.RemoveAll(filepath.Dir(place.Dir))) })
		require.NotContains(t, place.Dir, closed)
		require.True(t, place.User.CanReach(place.Dir))
		require.NotZero(t, place.User.UID)
	} else {
		require.Equal(t, filepath.Join(options.DataDir, "postgres"), place.Dir)
		require.Nil(t, place.User)
	}
	require.NoError(t, stop(first))
	requireWritten(t, start(t, options).DatabaseURL())
}

func TestReachableTreeIsCopiedWhole(t *testing.T) {
	t.Parallel()
	options := testOptions(t)
	other := &process.User{UID: 4242, GID: 4242}
	tree := filepath.Join(options.DataDir, "closed", "tree")
	program := filepath.Join(tree, "bin", "postgres")
	require.NoError(t, os.MkdirAll(filepath.Dir(program), 0o700))
	require.NoError(t, os.WriteFile(program, []byte(t.TempDir()), 0o700)) // unique content: the copy is named by its hash
	require.NoError(t, os.Symlink("postgres", filepath.Join(tree, "bin", "postmaster")))

	same, err := postgres.ReachableTree(tree, postgres.Place{})
	require.NoError(t, err)
	require.Equal(t, tree, same, "the user of this process needs no copy")

	place := postgres.Place{Dir: filepath.Join(options.DataDir, "postgres"), User: other}
	copied, err := postgres.ReachableTree(tree, place)
	require.NoError(t, err)
	t.Cleanup(func() { require.NoError(t, os.RemoveAll(copied)) })
	require.NotEqual(t, tree, copied)
	require.True(t, other.CanReach(filepath.Join(copied, "bin")))
	info, err := os.Stat(filepath.Join(copied, "bin", "postmaster"))
	require.NoError(t, err)
	require.EqualValues(t, 0o755, info.Mode().Perm())

	again, err := postgres.ReachableTree(tree, place)
	require.NoError(t, err)
	require.Equal(t, copied, again)
}
