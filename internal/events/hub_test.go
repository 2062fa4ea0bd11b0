package events_test

import (
	"encoding/json"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"plait/internal/core"
	"plait/internal/events"
	"plait/internal/records"
	"plait/internal/records/recordstest"
	"plait/internal/stack/stacktest"
)

func TestMain(m *testing.M) { stacktest.Main(m) }

func newHub(t *testing.T, buffer int) (*events.Hub, *records.Store, recordstest.Fixture) {
	t.Helper()
	store, f := recordstest.NewFixture(t)
	hub := events.NewHub(store, buffer, func(e records.Event) ([]byte, error) { return e.Data, nil })
	t.Cleanup(hub.Close)
	return hub, store, f
}

func next(t *testing.T, s *events.Subscription) *events.Event {
	t.Helper()
	select {
	case e, open := <-s.C:
		require.True(t, open, "it ended: %v", s.Err())
		return e
	case <-time.After(30 * time.Second):
		require.FailNow(t, "no event came")
		return nil
	}
}

func TestReplayAndSubscriptionMeet(t *testing.T) {
	hub, store, f := newHub(t, 16)
	ctx := t.Context()
	task := recordstest.NewTask("comic", json.RawMessage(`{}`), 1)
	f.Create(task)
	ofTask, ofTenant := records.EventFilter{Tenant: recordstest.Tenant, TaskID: task.ID}, records.EventFilter{Tenant: recordstest.Tenant}
	one, err := hub.Subscribe(ctx, ofTask)
	require.NoError(t, err)
	all, err := hub.Subscribe(ctx, ofTenant)
	require.NoError(t, err)
	require.NoError(t, store.StartTask(ctx, core.StartTaskInput{TaskID: task.ID}))
	started := next(t, one)
	require.Equal(t, "task.started", started.Type)
	require.Equal(t, started, next(t, all))
	at, known := one.At()
	require.True(t, known)
	require.GreaterOrEqual(t, at, started.ID)

	var replayed []string
	last, truncated, err := hub.Replay(ctx, ofTask, 0, one.From, func(e *events.Event) error {
		replayed = append(replayed, e.Type)
		return nil
	})
	require.NoError(t, err)
	require.False(t, truncated)
	require.Equal(t, []string{"task.queued"}, replayed, "what follows comes live")
	require.LessOrEqual(t, last, one.From)

	one.Close()
	f.Create(recordstest.NewTask("comic", json.RawMessage(`{}`), 1))
	require.Equal(t, "task.queued", next(t, all).Type)
	require.Empty(t, one.C)
}

func TestASubscriberThatFallsBehindIsCut(t *testing.T) {
	hub, _, f := newHub(t, 1)
	s, err := hub.Subscribe(t.Context(), records.EventFilter{Tenant: recordstest.Tenant})
	require.NoError(t, err)
	for range 3 {
		f.Create(recordstest.NewTask("comic", json.RawMessage(`{}`), 1))
	}
	require.Eventually(t, func() bool { return s.Err() != nil }, 30*time.Second, 10*time.Millisecond)
	require.ErrorIs(t, s.Err(), events.ErrBehind)
	next(t, s) // what it had room for
	_, open := <-s.C
	require.False(t, open)
}

func TestAHubThatIsClosedEndsItsSubscriptions(t *testing.T) {
	hub, _, _ := newHub(t, 1)
	filter := records.EventFilter{Tenant: recordstest.Tenant}
	s, err := hub.Subscribe(t.Context(), filter)
	require.NoError(t, err)
	hub.Close()
	_, open := <-s.C
	require.False(t, open)
	require.ErrorIs(t, s.Err(), events.ErrClosed)
	_, err = hub.Subscribe(t.Context(), filter)
	require.Equal(t, core.CodeUnavailable, core.CodeOf(err))
}
