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

// StopLeftover stops a server of an earlier run that still runs on this cluster. Afterwards its port or socket is free.
func (c Config) StopLeftover(ctx context.Context) error {
	if err := c.stopServer(ctx); err != nil {
		return err
	}
	// A killed server also leaves the lock file of its socket. It can be removed, because only this cluster uses the folder, and the
	// cluster has a lock file of its own.
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
	// The PID file is missing if the parent was killed right after the fork, so the command line tells whether the process is the
	// server of this cluster.
	identity, alive := process.Identity(pid)
	if alive && strings.Contains(process.CommandLine(pid), c.Place.cluster()) {
		stopped = true
		if err := process.StopOther(ctx, pid, identity, syscall.SIGINT); err != nil {
			return err
		}
	}
	if stopped {
		c.Logger.WarnContext(ctx, "stopped the Postgres server of an earlier run", "cluster", c.Place.cluster())
	}
	return markStale(lockFile, rest)
}

// markStale writes the id of this process into the lock file of a server that has ended. Postgres refuses to start while the id in the
// file is that of a live process: of another program, which is common after a container restarts, or of an ended server that nobody
// has waited for. It treats the id of its own parent as stale. The file itself must stay, because the rest of it names the shared
// memory that processes of a killed server may still use, and Postgres checks that.
func markStale(lockFile, rest string) error {
	f, err := os.OpenFile(lockFile, os.O_WRONLY|os.O_TRUNC, 0)
	if errors.Is(err, fs.ErrNotExist) {
		return nil // a server that stops in order removes its lock file
	}
	if err != nil {
		return err
	}
	_, err = f.WriteString(strconv.Itoa(os.Getpid()) + rest)
	return errors.Join(err, f.Close())
}

// cutPID splits the content of a lock file after the process id on its first line. pid is 0 when the line has none.
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
