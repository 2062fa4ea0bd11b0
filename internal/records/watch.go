package records

import (
	"context"
	"sync"
	"time"

	"github.com/jackc/pgx/v5"
)

// listenAgain is the pause before a listener reconnects.
const listenAgain = time.Second

// watches notify waiting goroutines of changes of tasks. All watches of a process share one listening session, which the first watch
// opens.
type watches struct {
	config *pgx.ConnConfig

	mu sync.Mutex
	of map[string]map[chan struct{}]bool
	// stop ends the listening; ended is closed when it has ended. Both are nil before the first watch.
	stop  context.CancelFunc
	ended chan struct{}
}

func newWatches(config *pgx.ConnConfig) *watches {
	config.RuntimeParams["application_name"] = "plait watch"
	return &watches{config: config, of: make(map[string]map[chan struct{}]bool)}
}

// EveryTask is the id by which [Store.Watch] watches all tasks.
const EveryTask = ""

// Watch returns a channel that gets a token when a task or one of its items may have changed since the last token was taken. Changes
// made while the database cannot be reached are signaled after the reconnect, so callers also poll now and then. Leave ends the
// watch.
func (s *Store) Watch(taskID string) (changed <-chan struct{}, leave func()) {
	w, wake := s.watches, make(chan struct{}, 1)
	w.mu.Lock()
	defer w.mu.Unlock()
	if w.of[taskID] == nil {
		w.of[taskID] = make(map[chan struct{}]bool)
	}
	w.of[taskID][wake] = true
	if w.stop == nil {
		ctx, cancel := context.WithCancel(context.Background())
		w.stop, w.ended = cancel, make(chan struct{})
		go w.listen(ctx)
	}
	return wake, func() {
		w.mu.Lock()
		defer w.mu.Unlock()
		if delete(w.of[taskID], wake); len(w.of[taskID]) == 0 {
			delete(w.of, taskID)
		}
	}
}

// close stops listening and waits until the session has ended.
func (w *watches) close() {
	w.mu.Lock()
	stop, ended := w.stop, w.ended
	w.mu.Unlock()
	if stop != nil {
		stop()
		<-ended
	}
}

// listen reconnects after every loss of its session. It ignores the error: other statements report an outage.
func (w *watches) listen(ctx context.Context) {
	defer close(w.ended)
	for ctx.Err() == nil {
		_ = w.session(ctx)
		select {
		case <-ctx.Done():
		case <-time.After(listenAgain):
		}
	}
}

func (w *watches) session(ctx context.Context) error {
	conn, err := pgx.ConnectConfig(ctx, w.config)
	if err != nil {
		return err
	}
	defer func() {
		ctx, cancel := context.WithTimeout(context.WithoutCancel(ctx), connectTimeout)
		defer cancel()
		_ = conn.Close(ctx)
	}()
	if err := listenTo(ctx, conn); err != nil {
		return err
	}
	w.wakeAll()
	for ctx.Err() == nil {
		taskID, err := notified(ctx, conn)
		if err != nil {
			return err
		}
		w.wake(taskID)
	}
	return nil
}

func listenTo(ctx context.Context, conn *pgx.Conn) error {
	ctx, cancel := context.WithTimeout(ctx, sessionAnswer)
	defer cancel()
	_, err := conn.Exec(ctx, `LISTEN plait_progress; LISTEN plait_waiting`)
	return err
}

// wakeAll signals every watch, for changes made before the session listened.
func (w *watches) wakeAll() {
	w.mu.Lock()
	defer w.mu.Unlock()
	for taskID := range w.of {
		w.tell(taskID)
	}
}

func (w *watches) wake(taskID string) {
	w.mu.Lock()
	defer w.mu.Unlock()
	if taskID != "" { // a ping
		w.tell(taskID)
		w.tell(EveryTask)
	}
}

// tell puts a token into each channel of the task that has none. The caller holds mu.
func (w *watches) tell(taskID string) {
	for wake := range w.of[taskID] {
		select {
		case wake <- struct{}{}:
		default:
		}
	}
}

const (
	// pingEvery is how often an idle listening session is pinged: nothing else reports that it is dead.
	pingEvery = 5 * time.Second
	// sessionAnswer is how long a ping may take: the default of statement_timeout, even where the URL sets no limit.
	sessionAnswer = 20 * time.Second
)

// notified waits up to pingEvery for a notification and then pings the session. The ping outlives ctx, because the session may still
// be needed. It returns an empty payload when nothing came.
func notified(ctx context.Context, conn *pgx.Conn) (payload string, err error) {
	waiting, cancel := context.WithTimeout(ctx, pingEvery)
	defer cancel()
	notification, err := conn.WaitForNotification(waiting)
	switch {
	case err == nil:
		return notification.Payload, nil
	case ctx.Err() != nil:
		return "", nil
	case waiting.Err() != nil:
		asking, cancel := context.WithTimeout(context.WithoutCancel(ctx), sessionAnswer)
		defer cancel()
		return "", conn.Ping(asking)
	default:
		return "", err
	}
}
