package process_test

import (
	"bytes"
	"context"
	"log/slog"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"syscall"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"plait/internal/stack/process"
)

func run(t *testing.T, script string, options process.Options) *process.Process {
	t.Helper()
	options.Name, options.StopSignal = "script", syscall.SIGTERM
	options.LogFile = filepath.Join(t.TempDir(), "script.log")
	p, err := process.Start(exec.Command("sh", "-c", script), options)
	require.NoError(t, err)
	t.Cleanup(func() { _ = p.Signal(syscall.SIGKILL); <-p.Done() })
	return p
}

func TestOutputIsKeptAndTailed(t *testing.T) {
	t.Parallel()
	var lines []string
	p := run(t, "i=0; while [ $i -lt 50 ]; do echo line $i; i=$((i+1)); done; printf unended", process.Options{
		OnLine: func(line string) { lines = append(lines, line) },
	})
	require.NoError(t, p.Err())
	require.Len(t, lines, 50)
	require.Equal(t, "line 0", lines[0])
	require.True(t, strings.HasPrefix(p.Tail(), "line 30\n"), p.Tail())
	require.True(t, strings.HasSuffix(p.Tail(), "line 49\nunended"), p.Tail())
}

// /dev/full stands for a log on a full disk: every write fails with ENOSPC. The child writes more than a pipe can hold.
func TestAFullDiskUnderTheLogDoesNotReachTheChild(t *testing.T) {
	t.Parallel()
	var said bytes.Buffer
	log := filepath.Join(t.TempDir(), "child.log")
	require.NoError(t, os.Symlink("/dev/full", log))
	p, err := process.Start(exec.Command("sh", "-c", "head -c 1000000 /dev/zero | tr '\\0' '\\n' && echo alive"), process.Options{
		Name: "child", LogFile: log, StopSignal: syscall.SIGTERM, Logger: slog.New(slog.NewTextHandler(&said, nil)),
	})
	require.NoError(t, err)
	require.NoError(t, p.Err())
	require.True(t, strings.HasSuffix(p.Tail(), "alive"), p.Tail())
	require.Equal(t, 1, strings.Count(said.String(), "level=WARN"), "a failing log is reported once: %s", said.String())
	require.Contains(t, said.String(), "no space left on device")
}

func TestAnEndlessLineIsCut(t *testing.T) {
	t.Parallel()
	p := run(t, "head -c 1000000 /dev/zero | tr '\\0' x; echo; echo after", process.Options{})
	require.NoError(t, p.Err())
	require.Less(t, len(p.Tail()), 5000)
	require.True(t, strings.HasSuffix(p.Tail(), "\nafter"))
}

func TestStopDrains(t *testing.T) {
	t.Parallel()
	ready := make(chan struct{})
	p := run(t, "trap 'echo drained; exit 0' TERM; echo ready; while :; do sleep 0.01; done", process.Options{
		OnLine: func(line string) {
			if line == "ready" {
				close(ready)
			}
		},
	})
	<-ready
	require.NoError(t, p.Stop(t.Context()))
	require.NoError(t, p.Err())
	require.Contains(t, p.Tail(), "drained")
	require.NoError(t, p.Stop(t.Context()), "stopping what has ended is harmless")
}

func TestStopKillsWhatDoesNotDrain(t *testing.T) {
	t.Parallel()
	ready := make(chan struct{})
	p := run(t, "trap '' TERM; echo ready; while :; do sleep 0.01; done", process.Options{
		OnLine: func(string) { close(ready) },
	})
	<-ready
	ctx, cancel := context.WithTimeout(t.Context(), 100*time.Millisecond)
	defer cancel()
	require.ErrorIs(t, p.Stop(ctx), context.DeadlineExceeded)
	require.Error(t, p.Err())
}

func TestChildrenHaveAGroupOfTheirOwn(t *testing.T) {
	t.Parallel()
	p := run(t, "sleep 1000", process.Options{})
	group, err := syscall.Getpgid(p.PID())
	require.NoError(t, err)
	require.Equal(t, p.PID(), group, "Ctrl-C in a terminal reaches the parent alone")
}

func TestTheRecordLivesAsLongAsTheProcess(t *testing.T) {
	t.Parallel()
	record := filepath.Join(t.TempDir(), "child.pid")
	p := run(t, "sleep 1000", process.Options{PIDFile: record})
	require.FileExists(t, record)
	require.NoError(t, p.Stop(t.Context()))
	require.NoFileExists(t, record)
}

func TestStopLeftover(t *testing.T) {
	t.Parallel()
	record := filepath.Join(t.TempDir(), "child.pid")
	stopped, err := process.StopLeftover(t.Context(), record, syscall.SIGTERM)
	require.NoError(t, err)
	require.False(t, stopped, "there is no record")

	p := run(t, "sleep 1000", process.Options{})
	require.NoError(t, process.Record(record, p.PID()))
	stopped, err = process.StopLeftover(t.Context(), record, syscall.SIGTERM)
	require.NoError(t, err)
	require.True(t, stopped)
	require.Error(t, p.Err())
	require.NoFileExists(t, record)
	require.ErrorIs(t, process.Record(record, p.PID()), process.ErrEnded)

	require.NoError(t, os.WriteFile(record, []byte("torn"), 0o600))
	stopped, err = process.StopLeftover(t.Context(), record, syscall.SIGTERM)
	require.NoError(t, err)
	require.False(t, stopped)
}

func TestCanReach(t *testing.T) {
	t.Parallel()
	nobody := process.Nobody()
	require.True(t, nobody.CanReach("/"))
	dir := t.TempDir()
	require.NoError(t, os.Chmod(dir, 0o700))
	require.False(t, nobody.CanReach(dir))
	require.False(t, nobody.CanReach(filepath.Join(dir, "missing")))
}
