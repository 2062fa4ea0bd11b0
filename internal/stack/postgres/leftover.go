package postgres

import (
	"context"
	"errors"
	"io/fs"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"syscall"

	"plait/internal/stack/process"
)

// StopLeftover stops a server that still runs on this cluster without its parent. The port or the socket is free after it.
func (c Config) StopLeftover(ctx context.Context) error {
	if err := c.stopServer(ctx); err != nil {
		return err
	}
	// The lock of a killed server's socket names a process as well. The folder is this cluster's alone, whose own lock counts.
	err := os.Remove(filepath.Join(c.Place.Dir, SocketName+".lock"))
	if errors.Is(err, fs.ErrNotExist) {
		return nil
	}
	return err
}

func (c Config) stopServer(ctx context.Context) error {
	stopped, err := process.StopLeftover(ctx, c.PIDFile, syscall.SIGINT)
	if err != nil {
		return err
	}
	lockFile := filepath.Join(c.Place.cluster(), "postmaster.pid")
	text, err := os.ReadFile(lockFile)
	if errors.Is(err, fs.ErrNotExist) {
		return nil
	}
	if err != nil {
		return err
	}
	pid, rest := cutPID(string(text))
	// The record may be missing, when the parent was killed right after the fork; so the cluster is looked for in the command line.
	identity, alive := process.Identity(pid)
	if alive && strings.Contains(process.CommandLine(pid), c.Place.cluster()) {
		stopped = true
		if err := process.StopOther(ctx, pid, identity, syscall.SIGINT); err != nil {
			return err
		}
	}
	if stopped {
		c.Logger.WarnContext(ctx, "stopped a Postgres that an earlier run left", "cluster", c.Place.cluster())
	}
	return disown(lockFile, rest)
}

// disown puts this process's id into a lock file that no server has any more. Postgres refuses to start as long as the id in it
// is any process's: another program's, as is common after a restart of a container, or that of a server nobody has waited for. Its
// parent's id it takes for stale. The file stays, because the rest of it names the shared memory that orphans of a killed server
// may still use, and Postgres looks there.
func disown(lockFile, rest string) error {
	f, err := os.OpenFile(lockFile, os.O_WRONLY|os.O_TRUNC, 0)
	if errors.Is(err, fs.ErrNotExist) {
		return nil // the server that was stopped removed it
	}
	if err != nil {
		return err
	}
	_, err = f.WriteString(strconv.Itoa(os.Getpid()) + rest)
	return errors.Join(err, f.Close())
}

// cutPID splits a server's lock file after the process id on its first line; 0 when there is none.
func cutPID(text string) (pid int, rest string) {
	end := strings.IndexByte(text, '\n')
	if end < 0 {
		end = len(text)
	}
	pid, err := strconv.Atoi(strings.TrimSpace(text[:end]))
	if err != nil || pid < 0 {
		return 0, text[end:]
	}
	return pid, text[end:]
}
