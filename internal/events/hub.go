// Package events gives the log of events to the streams of a process. One reader follows the log of all tenants, however many streams
// there are.
package events

import (
	"context"
	"errors"
	"sync"
	"time"

	"plait/internal/core"
	"plait/internal/records"
)

const (
	// pageEvents bounds one read of the log. A subscriber that takes its events has room for several.
	pageEvents = 128
	// pollIdle is for notifications that were lost with their session, pollPending for events that no notification announces, and
	// pollFailed for a database that does not answer.
	pollIdle    = 5 * time.Second
	pollPending = 20 * time.Millisecond
	pollFailed  = time.Second
	// readEvery bounds how often the log is read when many transactions notify.
	readEvery = 5 * time.Millisecond
	// unknown is the place of a hub that does not read because nobody subscribes.
	unknown = -1
)

// The reasons why a subscription ends.
var (
	// ErrBehind means that the subscriber did not take its events fast enough. It can resume from the log.
	ErrBehind = errors.New("the events were not taken fast enough")
	// ErrClosed means that the hub was closed.
	ErrClosed = errors.New("the hub of events is closed")
)

// Event is an event with its encoded form, which all subscribers share.
type Event struct {
	ID   int64
	Type string
	Body []byte
}

// Hub reads the log and hands events to subscriptions. It is safe for concurrent use.
type Hub struct {
	store  *records.Store
	encode func(records.Event) ([]byte, error)
	buffer int

	mu      sync.Mutex
	of      map[records.EventFilter]map[*Subscription]bool
	joining []*Subscription
	// at is the id up to which the subscriptions have got their events.
	at int64
	// stop ends the reading; ended is closed when it has ended. Both are nil before the first subscription.
	stop   context.CancelFunc
	ended  chan struct{}
	closed bool
	// joined has a token when a subscription waits in joining.
	joined chan struct{}
}

// NewHub makes a hub. Encode is called once for an event that somebody has subscribed to; an event that it refuses is left out. Buffer is
// how many events a subscriber may be behind.
func NewHub(store *records.Store, buffer int, encode func(records.Event) ([]byte, error)) *Hub {
	return &Hub{
		store: store, encode: encode, buffer: buffer, of: map[records.EventFilter]map[*Subscription]bool{}, at: unknown,
		joined: make(chan struct{}, 1),
	}
}

// Subscription receives the events that match a filter and follow From.
type Subscription struct {
	// From is the id after which C begins.
	From int64
	// C is closed when the subscription ends.
	C <-chan *Event

	hub    *Hub
	filter records.EventFilter
	events chan *Event
	begun  chan struct{}
	err    error // guarded by hub.mu
}

// Subscribe waits until the hub knows where the log ends. The filter names a tenant, and may name a task. It fails with
// [core.CodeUnavailable] when ctx ends before. The caller closes the subscription.
func (h *Hub) Subscribe(ctx context.Context, filter records.EventFilter) (*Subscription, error) {
	events := make(chan *Event, h.buffer)
	s := &Subscription{C: events, hub: h, filter: filter, events: events, begun: make(chan struct{})}
	h.mu.Lock()
	if h.closed {
		h.mu.Unlock()
		return nil, core.Wrap(core.CodeUnavailable, ErrClosed, "the server is stopping")
	}
	h.joining = append(h.joining, s)
	if h.stop == nil {
		ctx, cancel := context.WithCancel(context.Background())
		h.stop, h.ended = cancel, make(chan struct{})
		go h.read(ctx)
	}
	h.mu.Unlock()
	select {
	case h.joined <- struct{}{}:
	default:
	}
	select {
	case <-s.begun:
		return s, nil
	case <-ctx.Done():
		s.Close()
		return nil, core.Wrap(core.CodeUnavailable, ctx.Err(), "the log of events cannot be read")
	}
}

// Err is why C is closed: ErrBehind or ErrClosed.
func (s *Subscription) Err() error {
	s.hub.mu.Lock()
	defer s.hub.mu.Unlock()
	return s.err
}

// Close ends the subscription.
func (s *Subscription) Close() {
	s.hub.mu.Lock()
	defer s.hub.mu.Unlock()
	s.hub.remove(s)
}

// At returns the id up to which the subscriber has taken all its events, and false while some wait for it. Only the goroutine that receives
// from C may call it.
func (s *Subscription) At() (int64, bool) {
	s.hub.mu.Lock()
	defer s.hub.mu.Unlock()
	return s.hub.at, len(s.events) == 0 && s.err == nil
}

// Replay calls each with the events after an id, up to and including another. Truncated says that the log does not have all of them; the
// caller then reads the tasks again. Last is the id of the last event, or after when there is none.
func (h *Hub) Replay(
	ctx context.Context, filter records.EventFilter, after, upTo int64, each func(*Event) error,
) (last int64, truncated bool, err error) {
	last = after
	for from := after; from < upTo; {
		page, err := h.store.Events(ctx, filter, from, pageEvents)
		if err != nil || page.Truncated {
			return last, page.Truncated, err
		}
		for _, e := range page.Events {
			if e.ID > upTo {
				return last, false, nil
			}
			body, err := h.encode(e)
			if err != nil {
				return last, false, err
			}
			if err := each(&Event{ID: e.ID, Type: e.Type, Body: body}); err != nil {
				return last, false, err
			}
			last = e.ID
		}
		if !page.More {
			break
		}
		from = page.Next
	}
	return last, false, nil
}

// Close ends all subscriptions with ErrClosed, and returns when the log is no longer read.
func (h *Hub) Close() {
	h.mu.Lock()
	h.closed = true
	h.cutAll(ErrClosed)
	stop, ended := h.stop, h.ended
	h.mu.Unlock()
	if stop != nil {
		stop()
		<-ended
	}
}
