package client

import (
	"context"
	"encoding/json"
	"io"
	"net/http"
	"time"

	"github.com/tmaxmax/go-sse"

	"plait/api/schema"
	"plait/internal/core"
)

const (
	// streamSilence is when a stream counts as dead: the server sends something every 15 seconds.
	streamSilence = 45 * time.Second
	// streamAgain is the pause before a stream is opened again.
	streamAgain = time.Second
	// maxEvent is the largest event in bytes.
	maxEvent = 1 << 20
)

// Events calls each with the events of a task as they happen, until the task has ended or each returns an error, which it returns. An empty
// taskID means all tasks of the tenant, whose events do not end. An empty lastID begins with the state of the task; otherwise the events
// that follow the event of this id come first. A stream that breaks off is resumed, so that each gets every event once.
func (c *Client) Events(ctx context.Context, taskID, lastID string, each func(schema.Event) error) error {
	s := &eventStream{client: c, path: "/v1/events", ofTask: taskID != "", last: lastID, each: each}
	if s.ofTask {
		s.path = taskPath(taskID) + "/events"
	}
	for silent := 0; ; silent++ {
		before := s.last
		err := s.read(ctx)
		switch {
		case s.ended:
			return nil
		case ctx.Err() != nil:
			return context.Cause(ctx)
		case s.last != before:
			silent = 0
		}
		if s.refused != nil {
			return s.refused
		}
		if !opensAgain(err) || silent == silentLooks {
			return err
		}
		select {
		case <-ctx.Done():
			return context.Cause(ctx)
		case <-time.After(streamAgain):
		}
	}
}

func opensAgain(err error) bool {
	code := core.CodeOf(err)
	return err == nil || code == core.CodeUnavailable || code == core.CodeRateLimited
}

type eventStream struct {
	client *Client
	path   string
	ofTask bool
	each   func(schema.Event) error
	// last is where the stream is resumed.
	last string
	// ended says that the task has ended, and refused is the error that each returned, or that an event is not one.
	ended   bool
	refused error
}

// read reads one connection to its end.
func (s *eventStream) read(ctx context.Context) error {
	ctx, cancel := context.WithCancel(ctx)
	defer cancel()
	silence := time.AfterFunc(streamSilence, cancel)
	defer silence.Stop()
	header := http.Header{"Accept": {"text/event-stream"}}
	if s.last != "" {
		header.Set("Last-Event-ID", s.last)
	}
	resp, err := s.client.do(ctx, http.MethodGet, s.path, header, nil)
	if err != nil {
		return unavailable(err)
	}
	defer resp.Body.Close()
	if resp.StatusCode == http.StatusNoContent {
		s.ended = true
		return nil
	}
	body := &watchedReader{r: resp.Body, silence: silence}
	for e, err := range sse.Read(body, &sse.ReadConfig{MaxEventSize: maxEvent}) {
		if err != nil {
			return unavailable(err)
		}
		if s.take(e); s.ended || s.refused != nil {
			return nil
		}
	}
	return nil
}

// take gives an event to each. One without data only says where to resume.
func (s *eventStream) take(e sse.Event) {
	if e.Data != "" && e.Type != schema.EventStreamClosed {
		var event schema.Event
		if err := json.Unmarshal([]byte(e.Data), &event); err != nil {
			s.refused = core.Wrap(core.CodeInternal, err, "the server sent an event that cannot be read")
			return
		}
		if s.refused = s.each(event); s.refused != nil {
			return
		}
		s.ended = s.ofTask && endsTask(event)
	}
	if e.LastEventID != "" {
		s.last = e.LastEventID
	}
}

func endsTask(e schema.Event) bool {
	return e.Type == schema.EventTaskEnded || e.Type == schema.EventTaskSnapshot && e.Data != nil && e.Data.Status.Ended()
}

// watchedReader puts off the end of a stream that is silent.
type watchedReader struct {
	r       io.Reader
	silence *time.Timer
}

func (w *watchedReader) Read(p []byte) (int, error) {
	n, err := w.r.Read(p)
	w.silence.Reset(streamSilence)
	return n, err
}
