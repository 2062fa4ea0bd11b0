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
	// A process that only looks whether the lock is held holds it for a moment, so one failed try proves nothing.
	lockPatience = 300 * time.Millisecond
	lockPoll     = 20 * time.Millisecond
)

func lockFile(dataDir string) string    { return dataDir + "/lock" }
func joinersFile(dataDir string) string { return dataDir + "/joiners.lock" }

// acquire takes the data folder for this process. Errors: [*InUseError].
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

// owned reports whether a process has the data folder.
func owned(dataDir string) (bool, error) {
	if _, err := os.Stat(lockFile(dataDir)); err != nil {
		return false, nil //nolint:nilerr // no folder or no lock: nobody was ever here
	}
	lock := flock.New(lockFile(dataDir), flock.SetPermissions(0o600))
	free, err := lock.TryRLock()
	if err != nil {
		return false, fmt.Errorf("look at the lock of %s: %w", dataDir, err)
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
	// ErrInUse means that another process has a stack on the data folder. The error is an [*InUseError].
	ErrInUse = errors.New("data folder in use")
	// ErrNotRunning means that there is no stack on the data folder to join.
	ErrNotRunning = errors.New("no stack is running on the data folder")
)

// InUseError names the process that has the data folder.
type InUseError struct {
	DataDir string
	PID     int // 0 when it cannot be told
}

func (e *InUseError) Error() string {
	return fmt.Sprintf("data folder %s is in use by process %d", e.DataDir, e.PID)
}

// Is makes errors.Is(err, ErrInUse) true.
func (e *InUseError) Is(target error) bool { return target == ErrInUse }
