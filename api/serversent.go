package api

import (
	"context"
	"encoding/json"
	"fmt"
	"net/http"
	"time"

	"github.com/labstack/echo/v4"

	"plait/api/schema"
	"plait/internal/events"
)

const (
	eventStream = "text/event-stream"
	// reconnectAfter is when a client connects again, in milliseconds.
	reconnectAfter = 2000
	// goodbye is the time to tell a client why its stream is cut.
	goodbye = time.Second
)

// serverSent is a stream of server-sent events, as the HTML standard has them.
type serverSent struct {
	writer  *echo.Response
	control *http.ResponseController
	// idle is the longest time that the client may take no bytes.
	idle time.Duration
	ctx  context.Context
}

func openServerSent(c echo.Context, idle time.Duration) (outlet, error) {
	s := &serverSent{writer: c.Response(), control: http.NewResponseController(c.Response()), idle: idle, ctx: c.Request().Context()}
	// The server has a deadline for requests, which this one would not meet.
	if err := s.control.SetReadDeadline(time.Time{}); err != nil {
		return nil, fmt.Errorf("open a stream: %w", err)
	}
	s.writer.Header().Set(echo.HeaderContentType, eventStream)
	s.writer.Header().Set("X-Accel-Buffering", "no") // nginx
	s.writer.WriteHeader(http.StatusOK)
	return s, s.write(false, "retry: %d\n\n", reconnectAfter)
}

func (s *serverSent) send(e *events.Event, more bool) error {
	return s.write(more, "id: %d\nevent: %s\ndata: %s\n\n", e.ID, e.Type, e.Body)
}

// An event without data tells nobody, but sets where a client resumes.
func (s *serverSent) beat(at int64) error {
	if at == 0 {
		return s.write(false, ":\n\n")
	}
	return s.write(false, ":\nid: %d\n\n", at)
}

func (s *serverSent) close(reason error) {
	if reason == nil {
		_ = s.control.Flush() // the client may be gone
		return
	}
	s.idle = goodbye
	body, err := json.Marshal(schema.Event{Type: schema.EventStreamClosed, Timestamp: time.Now().UTC(), Message: closeOf(reason).message})
	if err == nil {
		_ = s.write(false, "event: %s\ndata: %s\n\n", schema.EventStreamClosed, body) // the client may be gone
	}
}

func (s *serverSent) alive() context.Context { return s.ctx }

func (s *serverSent) write(more bool, format string, args ...any) error {
	if err := s.control.SetWriteDeadline(time.Now().Add(s.idle)); err != nil {
		return err
	}
	if _, err := fmt.Fprintf(s.writer, format, args...); err != nil || more {
		return err
	}
	return s.control.Flush()
}
