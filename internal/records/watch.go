package records

import (
	"context"
	"sync"
	"time"

	"github.com/jackc/pgx/v5"
)

// listenAgain is how long it takes until a listener that was cut off tries to be back.
const listenAgain = time.Second

// watches wake those who wait for changes of tasks. One session listens for all of a process, from the first watch on: who never
// watches has none.
type watches struct {
	config *pgx.ConnConfig

	mu sync.Mutex
	of map[string]map[chan struct{}]bool
	// stop ends the listening and ended is closed with it; both are nil before the first watch.
	stop  context.CancelFunc
	ended chan struct{}
}

func newWatches(config *pgx.ConnConfig) *watches {
	config.RuntimeParams["application_name"] = "plait watch"
	return &watches{config: config, of: make(map[string]map[chan struct{}]bool)}
}

// Watch wakes whoever waits for a change of a task, or of one of its pages: changed holds a token when there may have been one
// since the last was taken. A change that comes while the database is out of reach is not told before it is back, so who waits
// looks from time to time by himself. Leave ends the watch.
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

// close ends the listening.
func (w *watches) close() {
	w.mu.Lock()
	stop, ended := w.stop, w.ended
	w.mu.Unlock()
	if stop != nil {
		stop()
		<-ended
	}
}

// listen is back after every loss of its session. Why one was lost, whoever looks at the records learns.
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
	_, err := conn.Exec(ctx, `LISTEN plait_progress`)
	return err
}

// wakeAll is for what may have come before the session listened.
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
	w.tell(taskID)
}

// tell leaves a token with every watch of the task that has none. The caller has locked mu.
func (w *watches) tell(taskID string) {
	for wake := range w.of[taskID] {
		select {
		case wake <- struct{}{}:
		default:
		}
	}
}

const (
	// pingEvery is how often a session that only listens shows that it is still there: it may be that nobody tells that it is not.
	pingEvery = 5 * time.Second
	// sessionAnswer is how long such a session may take to answer: as long as a statement of this package, even where the URL has
	// those wait without end.
	sessionAnswer = 20 * time.Second
)

// notified waits for a notification for a while, and then asks the session whether it is still there. The asking goes on beyond the
// end of ctx: the session may still be needed. Without a notification, what it returns is empty.
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
