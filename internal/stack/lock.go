package stack

import (
	"context"
	"errors"
	"fmt"
	"os"
	"strconv"
	"strings"
	"time"

	"github.com/gofrs/flock"
)

const (
	// acquire retries for this long, because a process that only tests whether the lock is free (owned) holds it for a moment.
	lockPatience = 300 * time.Millisecond
	lockPoll     = 20 * time.Millisecond
)

func lockFile(dataDir string) string    { return dataDir + "/lock" }
func joinersFile(dataDir string) string { return dataDir + "/joiners.lock" }

// acquire takes the exclusive lock on the data folder. Errors: [*InUseError].
func acquire(ctx context.Context, dataDir string) (*flock.Flock, error) {
	lock := flock.New(lockFile(dataDir), flock.SetPermissions(0o600))
	ctx, cancel := context.WithTimeout(ctx, lockPatience)
	defer cancel()
	ok, err := lock.TryLockContext(ctx, lockPoll)
	if err != nil && !errors.Is(err, context.DeadlineExceeded) {
		return nil, fmt.Errorf("lock data folder %s: %w", dataDir, err)
	}
	if !ok {
		return nil, &InUseError{DataDir: dataDir, PID: ownerPID(dataDir)}
	}
	if err := os.WriteFile(lockFile(dataDir), []byte(strconv.Itoa(os.Getpid())), 0o600); err != nil {
		return nil, errors.Join(err, lock.Unlock())
	}
	return lock, nil
}

// owned reports whether a process holds the exclusive lock on the data folder.
func owned(dataDir string) (bool, error) {
	if _, err := os.Stat(lockFile(dataDir)); err != nil {
		return false, nil //nolint:nilerr // without a folder or a lock file, no stack has ever run here
	}
	lock := flock.New(lockFile(dataDir), flock.SetPermissions(0o600))
	free, err := lock.TryRLock()
	if err != nil {
		return false, fmt.Errorf("test the lock of %s: %w", dataDir, err)
	}
	if !free {
		return true, nil
	}
	return false, lock.Unlock()
}

func ownerPID(dataDir string) int {
	text, err := os.ReadFile(lockFile(dataDir))
	if err != nil {
		return 0
	}
	pid, err := strconv.Atoi(strings.TrimSpace(string(text)))
	if err != nil {
		return 0
	}
	return pid
}

var (
	// ErrInUse means that another process runs a stack on the data folder. The error is an [*InUseError].
	ErrInUse = errors.New("data folder in use")
	// ErrNotRunning means that no stack runs on the data folder.
	ErrNotRunning = errors.New("no stack is running on the data folder")
)

// InUseError names the process that owns the data folder.
type InUseError struct {
	DataDir string
	PID     int // 0 when unknown
}

func (e *InUseError) Error() string {
	return fmt.Sprintf("data folder %s is in use by process %d", e.DataDir, e.PID)
}

// Is makes errors.Is(err, ErrInUse) true.
func (e *InUseError) Is(target error) bool { return target == ErrInUse }
