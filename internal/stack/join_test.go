package stack_test

import (
	"context"
	"os"
	"strconv"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"plait/internal/stack"
	"plait/internal/stack/process"
)

func externalOptions(t *testing.T) stack.Options {
	t.Helper()
	return stack.Options{DataDir: t.TempDir(), DatabaseURL: "postgres://db.example/plait", TemporalAddress: "temporal.example:7233"}
}

func TestJoinWithoutAStack(t *testing.T) {
	t.Parallel()
	_, _, err := stack.Join(t.Context(), t.TempDir())
	require.ErrorIs(t, err, stack.ErrNotRunning)

	options := externalOptions(t)
	s := start(t, options)
	require.NoError(t, s.Publish("app"))
	require.NoError(t, stop(s))
	_, _, err = stack.Join(t.Context(), options.DataDir)
	require.ErrorIs(t, err, stack.ErrNotRunning)
}

func TestJoinWaitsForPublish(t *testing.T) {
	t.Parallel()
	options := externalOptions(t)
	s := start(t, options)

	soon, cancel := context.WithTimeout(t.Context(), 100*time.Millisecond)
	defer cancel()
	_, _, err := stack.Join(soon, options.DataDir)
	require.ErrorIs(t, err, context.DeadlineExceeded)

	joined := make(chan stack.State, 1)
	go func() {
		state, release, err := stack.Join(t.Context(), options.DataDir)
		if err == nil {
			release()
		}
		joined <- state
	}()
	require.NoError(t, s.Publish(map[string]string{"api": "http://127.0.0.1:8080"}))
	state := <-joined
	require.JSONEq(t, `{"api":"http://127.0.0.1:8080"}`, string(state.App))
	require.Equal(t, os.Getpid(), state.PID)
	require.Equal(t, options.DatabaseURL, state.DatabaseURL)
	require.Equal(t, options.TemporalAddress, state.TemporalAddress)
	require.Equal(t, "default", state.Namespace)
}

func TestOwnerWaitsForJoiners(t *testing.T) {
	t.Parallel()
	options := externalOptions(t)
	s := start(t, options)
	require.NoError(t, s.Publish("app"))
	_, release, err := stack.Join(t.Context(), options.DataDir)
	require.NoError(t, err)
	_, releaseOther, err := stack.Join(t.Context(), options.DataDir)
	require.NoError(t, err)
	releaseOther()
	releaseOther()

	soon, cancel := context.WithTimeout(t.Context(), 100*time.Millisecond)
	defer cancel()
	require.ErrorIs(t, s.WaitJoiners(soon), context.DeadlineExceeded)

	waited := make(chan error, 1)
	go func() { waited <- s.WaitJoiners(t.Context()) }()
	release()
	require.NoError(t, <-waited)

	late, cancelLate := context.WithTimeout(t.Context(), 100*time.Millisecond)
	defer cancelLate()
	_, _, err = stack.Join(late, options.DataDir)
	require.ErrorIs(t, err, context.DeadlineExceeded, "a stack that is about to stop takes no joiners")
}

// sameOr returns nil if user is the user of this process, because process.Start takes nil for it.
func sameOr(user *process.User) *process.User {
	if int(user.UID) == os.Geteuid() {
		return nil
	}
	return user
}

func rewritePID(t *testing.T, file string, pid int) {
	t.Helper()
	text, err := os.ReadFile(file)
	require.NoError(t, err)
	_, rest, found := strings.Cut(string(text), "\n")
	require.True(t, found)
	require.NoError(t, os.WriteFile(file, []byte(strconv.Itoa(pid)+"\n"+rest), 0o600))
}
