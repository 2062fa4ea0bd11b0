package stack_test

import (
	"os"
	"path/filepath"
	"strings"
	"syscall"
	"testing"

	"github.com/stretchr/testify/require"

	"plait/internal/stack"
	"plait/internal/stack/process"
)

func TestChildrenDieWithAKilledOwner(t *testing.T) {
	t.Parallel()
	options := testOptions(t)
	owner, processes := ownInAnotherProcess(t, options)
	require.Len(t, processes, 3)
	state, release, err := stack.Join(t.Context(), options.DataDir)
	require.NoError(t, err)
	write(t, state.DatabaseURL)
	release()

	require.NoError(t, owner.Process.Kill())
	requireEnded(t, processes)

	s := start(t, options)
	requireWritten(t, s.DatabaseURL())
	require.Equal(t, state.DatabaseURL, s.DatabaseURL())
}

func TestEverythingKilledAtOnceRecovers(t *testing.T) {
	t.Parallel()
	options := testOptions(t)
	owner, processes := ownInAnotherProcess(t, options)
	state, release, err := stack.Join(t.Context(), options.DataDir)
	require.NoError(t, err)
	write(t, state.DatabaseURL)
	release()

	require.NoError(t, owner.Process.Kill())
	for _, p := range processes {
		_ = syscall.Kill(p.PID, syscall.SIGKILL)
	}
	requireWritten(t, start(t, options).DatabaseURL())
}

// If the kernel does not end the children of a killed owner, the next Start stops them.
func TestLeftoversAreStopped(t *testing.T) {
	t.Parallel()
	options := testOptions(t)
	run := filepath.Join(options.DataDir, "run")
	require.NoError(t, os.MkdirAll(run, 0o700))

	leftover, bystander := sleeper(), sleeper()
	require.NoError(t, leftover.Start())
	require.NoError(t, bystander.Start())
	t.Cleanup(func() { _ = bystander.Process.Kill(); _ = bystander.Wait() })
	go func() { _ = leftover.Wait() }()
	require.NoError(t, process.Record(filepath.Join(run, "worker.pid"), leftover.Process.Pid))

	// The record names the id of a live process with another start time: the id has been reused.
	reused := filepath.Join(run, "reused.pid")
	require.NoError(t, process.Record(reused, bystander.Process.Pid))
	text, err := os.ReadFile(reused)
	require.NoError(t, err)
	older := strings.Replace(string(text), `"identity":"`, `"identity":"earlier boot `, 1)
	require.NoError(t, os.WriteFile(reused, []byte(older), 0o600))

	start(t, options)
	requireEnded(t, []stack.Process{{Name: "leftover", PID: leftover.Process.Pid}})
	_, alive := process.Identity(bystander.Process.Pid)
	require.True(t, alive, "another process was stopped")
}

func TestLockFileOfPostgresThatNamesAnotherProcess(t *testing.T) {
	t.Parallel()
	options := testOptions(t)
	s := start(t, options)
	write(t, s.DatabaseURL())
	require.NoError(t, syscall.Kill(pidOf(t, s.Processes(), stack.PartPostgres), syscall.SIGKILL))
	<-s.Done()
	require.NoError(t, stop(s))

	// After a container restarts, the id in the lock file may belong to any process: here, to one of the account that Postgres runs as.
	place := filepath.Join(options.DataDir, "postgres", "cluster")
	owner, ok := process.Owner(place)
	require.True(t, ok)
	other, err := process.Start(sleeper(), process.Options{
		Name: "other", User: sameOr(owner), StopSignal: syscall.SIGTERM, LogFile: filepath.Join(options.DataDir, "other.log"),
	})
	require.NoError(t, err)
	t.Cleanup(func() { _ = other.Stop(t.Context()) })
	rewritePID(t, filepath.Join(place, "postmaster.pid"), other.PID())

	requireWritten(t, start(t, options).DatabaseURL())
	_, alive := process.Identity(other.PID())
	require.True(t, alive, "another process was stopped")
}
