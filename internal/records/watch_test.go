package records_test

import (
	"testing"
	"time"

	"github.com/stretchr/testify/require"
)

// told waits for a token of a watch.
func told(t *testing.T, changed <-chan struct{}) {
	t.Helper()
	select {
	case <-changed:
	case <-time.After(30 * time.Second):
		require.FailNow(t, "not told of a change")
	}
}

// watching is the session that listens, once it does.
func (f fixture) watching() (sessions []string) {
	f.T.Helper()
	require.Eventually(f.T, func() bool {
		sessions = f.Rows(`SELECT pid::text FROM pg_stat_activity WHERE application_name = 'plait watch' AND datname = current_database()
			AND query LIKE 'LISTEN%' AND state = 'idle'`)
		return len(sessions) > 0
	}, 30*time.Second, 10*time.Millisecond)
	return sessions
}

func TestAWatchIsToldOfItsTask(t *testing.T) {
	f := open(t)
	task, other := f.running(2), f.running(1)
	changed, leave := f.Watch(task.ID)
	again, leaveAgain := f.Watch(task.ID)
	defer leaveAgain()
	elsewhere, leaveElsewhere := f.Watch(other.ID)
	defer leaveElsewhere()
	require.Len(t, f.watching(), 1, "one session for all")
	for _, c := range []<-chan struct{}{changed, again, elsewhere} {
		told(t, c) // of what may have been missed before it listened
	}
	run := runOf(task.Items[0], second, 1)
	f.Begin(run)
	told(t, changed)
	told(t, again)
	require.NoError(t, f.FinishItem(t.Context(), run, resultOf(run.Item)))
	told(t, changed)
	leave()
	leave()
	f.Begin(runOf(task.Items[1], first, 1))
	told(t, again)
	require.Empty(t, changed, "it was left")
	require.Empty(t, elsewhere)
}

func TestAWatchOutlivesItsSession(t *testing.T) {
	f := open(t)
	task := f.running(1)
	changed, leave := f.Watch(task.ID)
	defer leave()
	sessions := f.watching()
	told(t, changed)
	f.SQL(`SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE application_name = 'plait watch' AND datname = current_database()`)
	told(t, changed) // of what may have been missed while it was away
	require.NotEqual(t, sessions, f.watching())
	f.Begin(runOf(task.Items[0], first, 1))
	told(t, changed)
}
