package api

import (
	"context"
	"encoding/json"
	"errors"
	"strconv"
	"time"

	"plait/api/schema"
	"plait/internal/events"
	"plait/internal/records"
)

const (
	// heartbeatEvery keeps proxies from closing a quiet stream, and finds clients that are gone.
	heartbeatEvery = 15 * time.Second
	// eventBuffer is how many events a client may be behind, besides those in the buffers of its connection.
	eventBuffer = 512
)

// outlet is an open stream to a client.
type outlet interface {
	// send gives an event to the client; more says that others follow at once.
	send(e *events.Event, more bool) error
	// beat shows that the stream is alive, and that the client has all up to an id; 0 means that this is not known.
	beat(at int64) error
	// alive ends when the client is gone.
	alive() context.Context
	// close ends the stream: with nil when it has come to its end, otherwise with the reason, which the client is told.
	close(reason error)
}

// follower sends the events that match a filter to one client, without a gap or a double.
type follower struct {
	server *Server
	filter records.EventFilter
	// sent is the id up to which the client has the events. Resumed says that it named it. A replay may read the log further than the hub
	// has, so that the first live events can be among those that were sent.
	sent    int64
	resumed bool
}

// run returns nil at the end of a task.
func (f *follower) run(ctx context.Context, out outlet) error {
	hub := f.server.events
	truncated := false
	if f.resumed {
		var err error
		if truncated, err = f.replay(ctx, events.End, out); err != nil {
			return reasonOf(ctx, err)
		}
	}
	joining, cancel := context.WithTimeout(ctx, f.server.Config.RequestTimeout)
	defer cancel()
	live, err := hub.Subscribe(joining, f.filter)
	if err != nil {
		return reasonOf(ctx, err)
	}
	defer live.Close()
	ended, err := f.begin(ctx, live.From, truncated, out)
	if err != nil || ended {
		return reasonOf(ctx, err)
	}
	return f.live(ctx, live, out)
}

// replay sends what the log has up to an id.
func (f *follower) replay(ctx context.Context, upTo int64, out outlet) (truncated bool, err error) {
	f.sent, truncated, err = f.server.events.Replay(ctx, f.filter, f.sent, upTo, func(e *events.Event) error { return out.send(e, true) })
	return truncated, err
}

// begin sends what comes before the live events, which follow the id from. Ended says that nothing will follow.
func (f *follower) begin(ctx context.Context, from int64, truncated bool, out outlet) (ended bool, err error) {
	if f.resumed && !truncated {
		if truncated, err = f.replay(ctx, from, out); err != nil {
			return false, err
		}
	}
	switch {
	case truncated:
		err = f.tell(schema.Event{ID: strconv.FormatInt(from, 10), Type: schema.EventStreamTruncated, Timestamp: time.Now().UTC()}, from, out)
	case f.resumed:
		return f.isOver(ctx, out)
	case f.filter.TaskID == "":
		return false, f.tell(schema.Event{ID: strconv.FormatInt(from, 10), Type: schema.EventStreamOpened, Timestamp: time.Now().UTC()}, from, out)
	}
	if err != nil || f.filter.TaskID == "" {
		return false, err
	}
	e, ended, err := f.server.snapshot(ctx, f.filter.Tenant, f.filter.TaskID, from)
	if err != nil {
		return false, err
	}
	return ended, f.tell(e, from, out)
}

// isOver reports whether the task has ended and the client has its last event.
func (f *follower) isOver(ctx context.Context, out outlet) (bool, error) {
	if err := out.beat(0); err != nil || f.filter.TaskID == "" { // sends what was replayed
		return false, err
	}
	t, err := f.server.Records.Task(ctx, f.filter.Tenant, f.filter.TaskID)
	if err != nil || !t.Status.Ended() {
		return false, err
	}
	last, err := f.server.Records.LastEvent(ctx, f.filter.TaskID)
	return last <= f.sent, err
}

func (f *follower) tell(e schema.Event, at int64, out outlet) error {
	body, err := json.Marshal(e)
	if err != nil {
		return err
	}
	f.sent = at
	return out.send(&events.Event{ID: at, Type: e.Type, Body: body}, false)
}

func (f *follower) live(ctx context.Context, live *events.Subscription, out outlet) error {
	heart := time.NewTicker(heartbeatEvery)
	defer heart.Stop()
	for {
		select {
		case <-ctx.Done():
			return context.Cause(ctx)
		case e, open := <-live.C:
			if !open {
				return live.Err()
			}
			if e.ID <= f.sent {
				continue
			}
			f.sent = e.ID
			last := f.filter.TaskID != "" && e.Type == schema.EventTaskEnded
			if err := out.send(e, !last && len(live.C) > 0); err != nil || last {
				return reasonOf(ctx, err)
			}
		case <-heart.C:
			at, known := live.At()
			if !known {
				continue // events come in place of the heartbeat
			}
			if err := out.beat(max(at, f.sent)); err != nil {
				return reasonOf(ctx, err)
			}
		}
	}
}

// reasonOf is why a stream is cut when err came of it: the cause of ctx goes before what it made fail.
func reasonOf(ctx context.Context, err error) error {
	if err == nil {
		return nil
	}
	if cause := context.Cause(ctx); cause != nil && !errors.Is(cause, context.Canceled) {
		return cause
	}
	return err
}
