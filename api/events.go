package api

import (
	"context"
	"encoding/json"
	"fmt"
	"net/http"
	"strconv"
	"strings"
	"time"

	"github.com/labstack/echo/v4"

	"plait/api/schema"
	"plait/internal/core"
	"plait/internal/events"
	"plait/internal/records"
)

const (
	lastEventHeader    = "Last-Event-ID"
	lastEventParameter = "last_event_id"
)

// encodeEvent is the form in which clients receive an entry of the log.
func encodeEvent(e records.Event) ([]byte, error) {
	var data schema.TaskEvent
	if err := json.Unmarshal(e.Data, &data); err != nil {
		return nil, fmt.Errorf("decode event %d: %w", e.ID, err)
	}
	data.Links = events.Links(e.TaskID, data.Status, data.SuccessCount)
	return json.Marshal(schema.Event{ID: strconv.FormatInt(e.ID, 10), Type: e.Type, Timestamp: e.At.UTC(), Data: &data})
}

// snapshot is the event that shows a task as it is.
func (s *Server) snapshot(ctx context.Context, tenant, taskID string, at int64) (e schema.Event, ended bool, err error) {
	t, err := s.Records.Task(ctx, tenant, taskID)
	if err != nil {
		return schema.Event{}, false, err
	}
	p, err := s.Records.Progress(ctx, taskID)
	if err != nil {
		return schema.Event{}, false, err
	}
	v, err := s.describeTask(t, p, nil)
	return schema.Event{
		ID: strconv.FormatInt(at, 10), Type: schema.EventTaskSnapshot, Timestamp: time.Now().UTC(),
		Data: &schema.TaskEvent{
			TaskID: v.ID, Kind: v.Kind, Status: v.Status, RetryCount: v.RetryCount,
			TotalCount: v.TotalCount, SuccessCount: v.SuccessCount, FailedCount: v.FailedCount,
			EstimatedMS: v.Progress.EstimatedMS, QueuePosition: v.Progress.QueuePosition, EstimatedStart: v.Progress.EstimatedStart,
			Failure: v.Failure, Links: v.Links,
		},
	}, v.Status.Ended(), err
}

// streamTask streams the events of one task, until it has ended.
func (s *Server) streamTask(c echo.Context) error {
	t, err := s.task(c)
	if err != nil {
		return err
	}
	after, resumed, err := lastEvent(c)
	if err != nil {
		return err
	}
	filter := records.EventFilter{Tenant: t.Tenant, TaskID: t.ID}
	if resumed && t.Status.Ended() {
		last, err := s.Records.LastEvent(c.Request().Context(), t.ID)
		if err != nil {
			return err
		}
		if last <= after && !isUpgrade(c.Request()) {
			return c.NoContent(http.StatusNoContent) // browsers then stop to reconnect
		}
	}
	return s.stream(c, &follower{server: s, filter: filter, sent: after, resumed: resumed})
}

// streamTenant streams the events of all tasks of the tenant.
func (s *Server) streamTenant(c echo.Context) error {
	after, resumed, err := lastEvent(c)
	if err != nil {
		return err
	}
	return s.stream(c, &follower{server: s, filter: records.EventFilter{Tenant: tenantOf(c)}, sent: after, resumed: resumed})
}

// lastEvent is the id after which the client resumes. The header, which clients send by themselves, goes before the parameter.
func lastEvent(c echo.Context) (id int64, resumed bool, err error) {
	given := c.Request().Header.Values(lastEventHeader)
	if len(given) == 0 {
		given = c.QueryParams()[lastEventParameter]
	}
	switch {
	case len(given) > 1:
		return 0, false, core.NewError(core.CodeInvalidInput, "the header "+lastEventHeader+" is given twice")
	case len(given) == 0 || given[0] == "":
		return 0, false, nil
	}
	id, err = records.ParseEventID(given[0])
	return id, true, err
}

// isUpgrade reports whether the client asks for a WebSocket.
func isUpgrade(r *http.Request) bool {
	return strings.EqualFold(r.Header.Get("Upgrade"), "websocket")
}

// stream opens a stream of the sort that the client asks for, and sends events until the stream or the request ends.
func (s *Server) stream(c echo.Context, f *follower) error {
	if c.Request().Method == http.MethodHead {
		c.Response().Header().Set(echo.HeaderContentType, eventStream)
		return c.NoContent(http.StatusOK)
	}
	open := openServerSent
	if isUpgrade(c.Request()) {
		if err := s.checkHandshake(c.Request()); err != nil {
			return err
		}
		open = openWebSocket
	}
	ctx, leave, err := s.streams.enter(c.Request().Context(), keyOf(c))
	if err != nil {
		return err
	}
	defer leave()
	out, err := open(c, s.Config.RequestTimeout)
	if err != nil {
		return err
	}
	defer context.AfterFunc(out.alive(), leave)()
	out.close(f.run(ctx, out))
	return nil
}
