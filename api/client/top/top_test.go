package top_test

import (
	"bytes"
	"context"
	"errors"
	"io"
	"os"
	"strings"
	"sync"
	"testing"
	"time"

	tea "charm.land/bubbletea/v2"
	"github.com/stretchr/testify/require"

	"plait/api/client/top"
	"plait/api/schema"
)

// patience bounds what a test waits for.
const patience = 20 * time.Second

func of[T any](v T) *T { return &v }

var (
	at       = time.Date(2026, 3, 1, 12, 30, 15, 0, time.UTC)
	overview = schema.Overview{
		At: at,
		Work: []schema.Work{
			{Kind: "comic", Queued: 312, Running: 4, Paused: 1, OldestQueued: 754, ItemsPerMinute: 38, FailedPerMinute: 2},
			{Kind: "document", Running: 1, ItemsPerMinute: 3},
		},
		Queues: []schema.Queue{
			{Name: "plait-comic-detect", Waiting: of(int64(41)), OldestWaiting: of(int64(12)), AddedPerMinute: of(39.5), TakenPerMinute: of(38.0), Pollers: of(3)},
			{Name: "plait-control"},
		},
		Hosts: []schema.Host{
			{Name: "gpu-1", State: "ready", Roles: []string{"gpu"}, Version: "v1", Device: "cuda:0", Slots: 2, Waiting: 3, Contexts: 7, ContextCapacity: 10, SeenAt: at.Add(-3 * time.Second)},
			{Name: "control-1", State: "lost", Roles: []string{"control", "translate"}, Version: "v1", SeenAt: at.Add(-72 * time.Second)},
		},
		Tenants: []schema.BusyTenant{{Name: "acme", Tier: "gold", RunningTasks: 5, WaitingTasks: 300, ItemsPerMinute: 40, RequestsPerMinute: 118, TokensPerMinute: 52_310}},
	}
)

func TestAFrame(t *testing.T) {
	want, err := os.ReadFile("testdata/frame.txt")
	require.NoError(t, err)
	require.Equal(t, string(want), strings.Join(top.Frame(overview), "\n")+"\n")
}

// screen is what a program has written.
type screen struct {
	mu  sync.Mutex
	all bytes.Buffer
}

func (s *screen) Write(p []byte) (int, error) {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.all.Write(p)
}

func (s *screen) shows(t *testing.T, text string) {
	t.Helper()
	require.Eventually(t, func() bool {
		s.mu.Lock()
		defer s.mu.Unlock()
		return strings.Contains(s.all.String(), text)
	}, patience, time.Millisecond, "%s", text)
}

// A person scrolls, sees that the server does not answer any more, and ends it.
func TestTheViewIsKeptWhileNoServerAnswers(t *testing.T) {
	keys, press := io.Pipe()
	out := &screen{}
	gone := make(chan struct{})
	done := make(chan error, 1)
	go func() {
		done <- top.Show(t.Context(), time.Millisecond, func(context.Context) (schema.Overview, error) {
			select {
			case <-gone:
				return schema.Overview{}, errors.New("no answer")
			default:
				return overview, nil
			}
		}, tea.WithInput(keys), tea.WithOutput(out), tea.WithWindowSize(100, 9), tea.WithEnvironment([]string{"TERM=xterm"}))
	}()
	t.Cleanup(func() {
		if t.Failed() {
			t.Logf("%q", out.all.String())
		}
	})
	typed := func(key string) {
		_, err := press.Write([]byte(key))
		require.NoError(t, err)
	}
	out.shows(t, "0 lines are above and 8 below")
	typed(" ")
	out.shows(t, "acme")
	close(gone)
	out.shows(t, "no answer")
	typed("q")
	require.NoError(t, <-done)
}

func TestTheFirstReadMustSucceed(t *testing.T) {
	failed := errors.New("no answer")
	err := top.Show(t.Context(), time.Second, func(context.Context) (schema.Overview, error) { return schema.Overview{}, failed })
	require.ErrorIs(t, err, failed)
}
