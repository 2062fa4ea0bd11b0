package records

import (
	"context"
	"log/slog"
	"sync"
	"time"

	"github.com/jackc/pgx/v5"
)

const (
	// progressChannel carries the ids of tasks that changed; the schema's triggers send them.
	progressChannel = "plait_progress"
	reconnectAfter  = time.Second
)

// Feed tells subscribers that a task has changed. It holds one connection, whatever the number of subscribers.
type Feed struct {
	store *Store
	log   *slog.Logger

	mu          sync.Mutex
	subscribers map[string]map[chan struct{}]struct{}
}

// NewFeed makes a feed; it is silent until Run.
func NewFeed(s *Store, log *slog.Logger) *Feed {
	return &Feed{store: s, log: log, subscribers: map[string]map[chan struct{}]struct{}{}}
}

// Run listens until ctx ends, and connects again when the connection breaks.
func (f *Feed) Run(ctx context.Context) error {
	for {
		err := f.listen(ctx)
		if ctx.Err() != nil {
			return nil
		}
		f.log.Warn("the feed of changes lost its connection", "error", err)
		select {
		case <-ctx.Done():
			return nil
		case <-time.After(reconnectAfter):
		}
	}
}

func (f *Feed) listen(ctx context.Context) error {
	config := f.store.pool.Config().ConnConfig
	config.RuntimeParams["application_name"] = "plait feed"
	conn, err := pgx.ConnectConfig(ctx, config)
	if err != nil {
		return wrap(err, "listen for changes")
	}
	defer conn.Close(context.WithoutCancel(ctx)) //nolint:errcheck // the connection is given up
	if _, err := conn.Exec(ctx, "LISTEN "+progressChannel); err != nil {
		return wrap(err, "listen for changes")
	}
	// What changed while nobody listened is not told: everyone looks once.
	f.notifyAll()
	for {
		n, err := conn.WaitForNotification(ctx)
		if err != nil {
			return wrap(err, "listen for changes")
		}
		f.notify(n.Payload)
	}
}

// Subscribe returns a channel that receives after each change of the task, several changes possibly as one, and a
// function that ends the subscription. The channel is never closed.
func (f *Feed) Subscribe(taskID string) (changes <-chan struct{}, cancel func()) {
	c := make(chan struct{}, 1)
	f.mu.Lock()
	defer f.mu.Unlock()
	if f.subscribers[taskID] == nil {
		f.subscribers[taskID] = map[chan struct{}]struct{}{}
	}
	f.subscribers[taskID][c] = struct{}{}
	return c, func() { f.unsubscribe(taskID, c) }
}

func (f *Feed) unsubscribe(taskID string, c chan struct{}) {
	f.mu.Lock()
	defer f.mu.Unlock()
	delete(f.subscribers[taskID], c)
	if len(f.subscribers[taskID]) == 0 {
		delete(f.subscribers, taskID)
	}
}

func (f *Feed) notify(taskID string) {
	f.mu.Lock()
	defer f.mu.Unlock()
	nudge(f.subscribers[taskID])
}

func (f *Feed) notifyAll() {
	f.mu.Lock()
	defer f.mu.Unlock()
	for _, subscribers := range f.subscribers {
		nudge(subscribers)
	}
}

// nudge never blocks: a channel that is full has a nudge waiting already.
func nudge(subscribers map[chan struct{}]struct{}) {
	for c := range subscribers {
		select {
		case c <- struct{}{}:
		default:
		}
	}
}
