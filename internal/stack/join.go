package stack

import (
	"context"
	"fmt"
	"path/filepath"
	"sync"
	"time"

	"github.com/gofrs/flock"

	"plait/internal/stack/process"
)

const joinPoll = 50 * time.Millisecond

// Join uses the stack that another process runs on dataDir. While that one is still starting, Join waits, bounded by ctx, until
// it has published. release says that this process needs the stack no longer; call it always, once or more.
//
// Errors: [ErrNotRunning] when no process has the folder, or the one that had it stopped; then Start may be tried.
func Join(ctx context.Context, dataDir string) (State, func(), error) {
	dataDir, err := filepath.Abs(dataDir)
	if err != nil {
		return State{}, nil, err
	}
	ticker := time.NewTicker(joinPoll)
	defer ticker.Stop()
	for {
		running, err := owned(dataDir)
		if err != nil {
			return State{}, nil, err
		}
		if !running {
			return State{}, nil, fmt.Errorf("%w: %s", ErrNotRunning, dataDir)
		}
		state, release, err := tryJoin(dataDir)
		if err != nil || release != nil {
			return state, release, err
		}
		select {
		case <-ticker.C:
		case <-ctx.Done():
			return State{}, nil, fmt.Errorf("process %d has %s but does not answer: %w", ownerPID(dataDir), dataDir, context.Cause(ctx))
		}
	}
}

// tryJoin takes a joiner's lock on a stack that has published and is not stopping; release is nil when there is none.
func tryJoin(dataDir string) (state State, release func(), err error) {
	if _, ok := published(dataDir); !ok {
		return State{}, nil, nil
	}
	lock := flock.New(joinersFile(dataDir), flock.SetPermissions(0o600))
	ok, err := lock.TryRLock()
	if err != nil {
		return State{}, nil, fmt.Errorf("join the stack of %s: %w", dataDir, err)
	}
	if !ok {
		return State{}, nil, nil
	}
	// The owner may have begun to stop before the lock was ours. It removes what it published first, so look again.
	if state, ok = published(dataDir); !ok {
		return State{}, nil, lock.Unlock()
	}
	var once sync.Once
	return state, func() { once.Do(func() { _ = lock.Unlock() }) }, nil
}

// published returns the state of a stack whose owner lives and has called Publish.
func published(dataDir string) (State, bool) {
	state, ok := readState(dataDir)
	return state, ok && state.App != nil && process.Alive(state.PID, state.Identity)
}
