package stack_test

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"plait/internal/stack"
	"plait/internal/stack/postgres"
	"plait/internal/stack/process"
)

// inClosedFolder returns options with a data folder that the account of Postgres cannot reach.
func inClosedFolder(t *testing.T) stack.Options {
	t.Helper()
	options := testOptions(t)
	closed := filepath.Join(options.DataDir, "closed")
	require.NoError(t, os.Mkdir(closed, 0o700))
	options.DataDir = filepath.Join(closed, "data")
	return options
}

// Under root, the cluster must be in a folder that the account of Postgres can reach. Other users have it in the data folder.
func TestClosedFolder(t *testing.T) {
	t.Parallel()
	options := inClosedFolder(t)

	first := start(t, options)
	write(t, first.DatabaseURL())
	place := placeOf(t, options.DataDir)
	if os.Geteuid() == 0 {
		require.NotContains(t, place.Dir, filepath.Dir(options.DataDir))
		require.True(t, place.User.CanReach(place.Dir))
		require.NotZero(t, place.User.UID)
	} else {
		require.Equal(t, filepath.Join(options.DataDir, "postgres"), place.Dir)
		require.Nil(t, place.User)
	}
	require.NoError(t, stop(first))
	requireWritten(t, start(t, options).DatabaseURL())
}

// placeOf returns the place of the cluster of a data folder on which a stack has started, and removes it when the test ends.
func placeOf(t *testing.T, dataDir string) postgres.Place {
	t.Helper()
	password, err := os.ReadFile(filepath.Join(dataDir, "postgres.password"))
	require.NoError(t, err)
	place, err := postgres.ChoosePlace(dataDir, "", strings.TrimSpace(string(password)))
	require.NoError(t, err)
	if os.Geteuid() == 0 {
		t.Cleanup(func() { require.NoError(t, os.RemoveAll(filepath.Dir(place.Dir))) })
	}
	return place
}

// Whoever deletes the data folder starts anew, also where the cluster is outside it and has outlived it.
func TestADeletedDataFolderBeginsAnew(t *testing.T) {
	t.Parallel()
	options := inClosedFolder(t)

	first := start(t, options)
	write(t, first.DatabaseURL())
	before := placeOf(t, options.DataDir)
	require.NoError(t, stop(first))
	require.NoError(t, os.RemoveAll(options.DataDir))

	second := start(t, options)
	write(t, second.DatabaseURL()) // fails on the table of the first
	after := placeOf(t, options.DataDir)
	abandoned, err := postgres.Abandoned(options.DataDir, after)
	require.NoError(t, err)
	if os.Geteuid() == 0 {
		require.NotEqual(t, before.Dir, after.Dir)
		require.Equal(t, []string{filepath.Dir(before.Dir)}, abandoned)
	}
}

func TestAWrongPasswordOfTheClusterEndsTheStart(t *testing.T) {
	t.Parallel()
	options := testOptions(t)
	require.NoError(t, stop(start(t, options)))
	require.NoError(t, os.WriteFile(filepath.Join(options.DataDir, "postgres.password"), []byte("another\n"), 0o600))

	_, err := stack.Start(t.Context(), options)
	require.ErrorContains(t, err, "has another password than the data folder")
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
