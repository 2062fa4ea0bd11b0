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

// Join returns the state of the stack that another process runs on dataDir. If that stack is still starting, Join waits until it has
// published its state or ctx ends. The caller must call the returned function when it no longer needs the stack; repeated calls do
// nothing.
//
// Errors: [ErrNotRunning] when no process owns the folder, or its owner has stopped. The caller can then try Start.
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
			return State{}, nil, fmt.Errorf("process %d owns %s but has not published its stack: %w",
				ownerPID(dataDir), dataDir, context.Cause(ctx))
		}
	}
}

// tryJoin takes the shared lock on a stack that has published its state and is not stopping. Without such a stack, release is nil.
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
	// The owner may have begun to stop before this process got the lock. An owner first removes its published state: check it again.
	if state, ok = published(dataDir); !ok {
		return State{}, nil, lock.Unlock()
	}
	var once sync.Once
	return state, func() { once.Do(func() { _ = lock.Unlock() }) }, nil
}

// published returns the state of a stack, and whether its owner is alive and has called Publish.
func published(dataDir string) (State, bool) {
	state, ok := readState(dataDir)
	return state, ok && state.App != nil && process.Alive(state.PID, state.Identity)
}
