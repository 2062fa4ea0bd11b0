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
	"time"

	"plait/internal/stack/process"
)

const (
	stopInitdb        = syscall.SIGTERM
	initdbStopTimeout = 5 * time.Second
)

// stopLeftovers stops a server that still runs on this cluster without its parent.
func (c Config) stopLeftovers(ctx context.Context) error {
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
	identity, alive := process.Identity(pid)
	switch {
	case !alive: // Postgres sees that itself, and waits for its orphans through the rest of the file
	case strings.Contains(process.CommandLine(pid), c.Place.cluster()):
		// No record tells of it: the parent was killed right after the fork.
		stopped = true
		if err := process.StopOther(ctx, pid, identity, syscall.SIGINT); err != nil {
			return err
		}
	default:
		// The id belongs to another program now, as is common after a restart of a container, and Postgres would refuse to
		// start. It takes its parent's id for stale, and still looks at the shared memory that the rest of the file names.
		return os.WriteFile(lockFile, []byte(strconv.Itoa(os.Getpid())+rest), 0o600)
	}
	if stopped {
		c.Logger.WarnContext(ctx, "stopped a Postgres that an earlier run left", "cluster", c.Place.cluster())
	}
	return nil
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
