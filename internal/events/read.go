package events

import (
	"context"
	"math"
	"slices"
	"time"

	"plait/internal/records"
)

// End is an id after all events, for [Hub.Replay].
const End = math.MaxInt64

// read follows the log while there are subscriptions, until ctx ends.
func (h *Hub) read(ctx context.Context) {
	defer close(h.ended)
	changed, leave := h.store.Watch(records.EveryTask)
	defer leave()
	pause := time.NewTimer(0)
	defer pause.Stop()
	for ctx.Err() == nil {
		wait := h.step(ctx)
		pause.Reset(readEvery)
		select {
		case <-ctx.Done():
		case <-pause.C:
		}
		if wait == 0 {
			continue
		}
		pause.Reset(wait)
		select {
		case <-ctx.Done():
		case <-changed:
		case <-h.joined:
		case <-pause.C:
		}
	}
}

// step reads a page and admits who waits. It returns how long the next step can wait unless something happens.
func (h *Hub) step(ctx context.Context) time.Duration {
	at, needed := h.place()
	switch {
	case !needed:
		return pollIdle
	case at == unknown:
		end, err := h.store.EventsEnd(ctx)
		if err != nil {
			return pollFailed
		}
		h.advance(records.EventPage{Next: end})
		return 0
	}
	page, err := h.store.Events(ctx, records.EventFilter{}, at, pageEvents)
	if err != nil {
		return pollFailed
	}
	h.advance(page)
	switch {
	case page.More:
		return 0
	case page.Pending:
		return pollPending
	default:
		return pollIdle
	}
}

// place is where to read on; nothing is needed while nobody subscribes.
func (h *Hub) place() (at int64, needed bool) {
	h.mu.Lock()
	defer h.mu.Unlock()
	if needed = len(h.of) > 0 || len(h.joining) > 0; !needed {
		h.at = unknown
	}
	return h.at, needed
}

// advance hands out a page, and then begins the subscriptions that wait.
func (h *Hub) advance(page records.EventPage) {
	h.mu.Lock()
	defer h.mu.Unlock()
	if page.Truncated {
		h.cutAll(ErrBehind)
	}
	for _, e := range page.Events {
		h.hand(e)
	}
	h.at = page.Next
	for _, s := range h.joining {
		s.From = h.at
		if h.of[s.filter] == nil {
			h.of[s.filter] = map[*Subscription]bool{}
		}
		h.of[s.filter][s] = true
		close(s.begun)
	}
	h.joining = nil
}

// hand gives an event to those who wait for it. The caller holds mu.
func (h *Hub) hand(e records.Event) {
	ofTenant, ofTask := h.of[records.EventFilter{Tenant: e.Tenant}], h.of[records.EventFilter{Tenant: e.Tenant, TaskID: e.TaskID}]
	if len(ofTenant) == 0 && len(ofTask) == 0 {
		return
	}
	body, err := h.encode(e)
	if err != nil {
		return
	}
	event := &Event{ID: e.ID, Type: e.Type, Body: body}
	for _, of := range []map[*Subscription]bool{ofTenant, ofTask} {
		for s := range of {
			select {
			case s.events <- event:
			default:
				h.cut(s, ErrBehind)
			}
		}
	}
}

// cut ends a subscription. The caller holds mu.
func (h *Hub) cut(s *Subscription, reason error) {
	h.remove(s)
	s.err = reason
	close(s.events)
}

// cutAll requires mu.
func (h *Hub) cutAll(reason error) {
	for _, of := range h.of {
		for s := range of {
			h.cut(s, reason)
		}
	}
}

// remove requires mu.
func (h *Hub) remove(s *Subscription) {
	if delete(h.of[s.filter], s); len(h.of[s.filter]) == 0 {
		delete(h.of, s.filter)
	}
	h.joining = slices.DeleteFunc(h.joining, func(other *Subscription) bool { return other == s })
}
