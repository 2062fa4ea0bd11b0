package api_test

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"net/http"
	"strconv"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/coder/websocket"
	"github.com/jackc/pgx/v5"
	"github.com/stretchr/testify/require"
	"github.com/tmaxmax/go-sse"
	"golang.org/x/sync/errgroup"

	"plait/api/client"
	"plait/api/schema"
	"plait/internal/core"
	"plait/internal/records"
	"plait/internal/records/recordstest"
)

// queued is a task that no worker takes up.
func (c caller) queued(items int) records.NewTask {
	c.t.Helper()
	n := recordstest.NewTask("comic", json.RawMessage(`{"from":"ja","to":"en","mode":"auto"}`), items)
	n.Tenant = c.tenant
	for i := range n.Items {
		n.Items[i].Tenant = c.tenant
	}
	_, _, err := c.records.CreateTask(c.t.Context(), n)
	require.NoError(c.t, err)
	return n
}

// course is what happens to a task until it is canceled, in four events.
func (c caller) course(id string) {
	c.t.Helper()
	ctx := c.t.Context()
	require.NoError(c.t, c.records.StartTask(ctx, core.StartTaskInput{TaskID: id}))
	recordstest.Exec(c.t, c.url, `UPDATE item SET status = 'running', stage = 'detect' WHERE task_id = $1 AND item_index = 0`, id)
	_, err := c.records.SetPaused(ctx, c.tenant, id, true)
	require.NoError(c.t, err)
	_, err = c.records.FinishTask(ctx, core.FinishTaskInput{TaskID: id, Canceled: true})
	require.NoError(c.t, err)
}

// stream is an open stream, of which the test takes events.
type stream struct {
	t      testing.TB
	events chan schema.Event
	// end is sent how the stream ended: "EOF", or the close frame.
	end chan string
}

func (c caller) open(path string, headers ...string) *http.Response {
	c.t.Helper()
	ctx, cancel := context.WithTimeout(context.WithoutCancel(c.t.Context()), patience)
	req, err := http.NewRequestWithContext(ctx, http.MethodGet, c.address+path, nil)
	require.NoError(c.t, err)
	req.Header.Set("Authorization", "Bearer "+c.key)
	for _, h := range headers {
		name, value, _ := strings.Cut(h, ": ")
		req.Header.Set(name, value)
	}
	transport := &http.Transport{}
	resp, err := transport.RoundTrip(req)
	require.NoError(c.t, err)
	c.t.Cleanup(func() {
		cancel()
		_ = resp.Body.Close()
		transport.CloseIdleConnections()
	})
	return resp
}

func newStream(tb testing.TB) *stream {
	tb.Helper()
	return &stream{t: tb, events: make(chan schema.Event, 1000), end: make(chan string, 1)}
}

// serverSent opens a stream of server-sent events.
func (c caller) serverSent(path string, headers ...string) *stream {
	c.t.Helper()
	resp := c.open(path, headers...) //nolint:bodyclose // open closes it
	require.Equal(c.t, http.StatusOK, resp.StatusCode)
	require.Equal(c.t, "text/event-stream", resp.Header.Get("Content-Type"))
	s := newStream(c.t)
	go func() {
		defer close(s.events)
		for e, err := range sse.Read(resp.Body, nil) {
			if err != nil {
				s.end <- err.Error()
				return
			}
			var event schema.Event
			if e.Data != "" && json.Unmarshal([]byte(e.Data), &event) == nil && event.Type == e.Type {
				s.events <- event
			}
		}
		s.end <- "EOF"
	}()
	return s
}

// webSocket opens a stream over a WebSocket.
func (c caller) webSocket(path string) *stream {
	c.t.Helper()
	ctx, cancel := context.WithCancel(context.WithoutCancel(c.t.Context()))
	conn, resp, err := websocket.Dial(ctx, //nolint:bodyclose // that of an upgrade is the connection
		c.address+path, &websocket.DialOptions{
			HTTPHeader: http.Header{"Authorization": {"Bearer " + c.key}},
		})
	require.NoError(c.t, err)
	require.Equal(c.t, http.StatusSwitchingProtocols, resp.StatusCode)
	s := newStream(c.t)
	c.t.Cleanup(func() {
		cancel()
		_ = conn.CloseNow()
	})
	go func() {
		defer close(s.events)
		for {
			_, b, err := conn.Read(ctx)
			if err != nil {
				s.end <- strconv.Itoa(int(websocket.CloseStatus(err)))
				return
			}
			var event schema.Event
			if json.Unmarshal(b, &event) == nil {
				s.events <- event
			}
		}
	}()
	return s
}

func (s *stream) next() (e schema.Event) {
	s.t.Helper()
	select {
	case e = <-s.events:
	case <-time.After(patience):
		require.FailNow(s.t, "no event came")
	}
	return e
}

func (s *stream) take(n int) (events []schema.Event) {
	s.t.Helper()
	for range n {
		events = append(events, s.next())
	}
	return events
}

func (s *stream) ended() string {
	s.t.Helper()
	select {
	case how := <-s.end:
		return how
	case <-time.After(patience):
		require.FailNow(s.t, "the stream did not end")
		return ""
	}
}

func typesOf(events []schema.Event) (types []string) {
	for _, e := range events {
		types = append(types, e.Type)
	}
	return types
}

func TestStreamsTellTheSame(t *testing.T) {
	t.Parallel()
	r := newRig(t)
	c := r.caller("acme")
	// What has ended and what runs say when the task will start.
	recordstest.Exec(t, r.url, `INSERT INTO task (id, tenant, kind, options, total_count, success_count, status, started_at, ended_at)
		VALUES ('before', 'other', 'comic', '{}', 1, 1, 'success', now() - interval '1 hour', now()),
			('now', 'other', 'comic', '{}', 1, 0, 'running', now(), NULL)`)
	task := c.queued(2)
	path := "/v1/tasks/" + task.ID + "/events"
	sent, socket, all := c.serverSent(path), c.webSocket(path), c.serverSent("/v1/events")
	first := sent.next()
	require.Equal(t, schema.EventTaskSnapshot, first.Type)
	require.Equal(t, 1, first.Data.QueuePosition)
	require.WithinDuration(t, time.Now().Add(time.Hour), *first.Data.EstimatedStart, time.Minute)
	require.Equal(t, schema.EventTaskSnapshot, socket.next().Type)
	require.Equal(t, schema.EventStreamOpened, all.next().Type)

	c.course(task.ID)
	events := sent.take(4)
	require.Equal(t, []string{schema.EventTaskStarted, schema.EventTaskProgress, schema.EventTaskPaused, schema.EventTaskEnded}, typesOf(events))
	require.Equal(t, &schema.ItemEvent{Index: 0, Status: core.StatusRunning, Stage: "detect"}, events[1].Data.Item)
	require.Equal(t, core.CodeCanceled, events[3].Data.Failure.Code)
	require.Equal(t, 2, events[3].Data.FailedCount)
	require.Equal(t, events, socket.take(4))
	require.Equal(t, events, all.take(4))
	require.Equal(t, "EOF", sent.ended())
	require.Equal(t, "1000", socket.ended())

	last := "?last_event_id=" + events[1].ID
	require.Equal(t, events[2:], c.serverSent(path, "Last-Event-ID: "+events[1].ID).take(2))
	resumed := c.webSocket(path + last)
	require.Equal(t, events[2:], resumed.take(2))
	require.Equal(t, "1000", resumed.ended())
	require.Equal(t, events[2:], c.serverSent("/v1/events"+last).take(2))
	c.get(path, "Last-Event-ID: "+events[3].ID).is(http.StatusNoContent)
	again := c.get(path).is(http.StatusOK) // checks the answer against its description
	require.Contains(t, string(again.body), schema.EventTaskSnapshot)
	require.Contains(t, string(again.body), `"status":"canceled"`)
}

func TestEventsAreAsDescribed(t *testing.T) {
	t.Parallel()
	c := newRig(t).caller("acme")
	task := c.queued(1)
	s := c.serverSent("/v1/tasks/" + task.ID + "/events")
	events := s.take(1) // it has begun
	c.course(task.ID)
	described := description(t).Components.Schemas["Event"].Value
	for _, e := range append(events, s.take(4)...) {
		b, err := json.Marshal(e)
		require.NoError(t, err)
		var value any
		require.NoError(t, json.Unmarshal(b, &value))
		require.NoError(t, described.VisitJSON(value), "%s", b)
	}
}

func TestStreamsOfTenantsAreApart(t *testing.T) {
	t.Parallel()
	r := newRig(t)
	c, other := r.caller("acme"), r.callerOf("other", records.ScopeRead)
	foreign := other.serverSent("/v1/events")
	foreign.next()
	mine := c.queued(1)
	c.course(mine.ID)
	theirs := other.queued(1)
	require.Equal(t, theirs.ID, foreign.next().Data.TaskID)
	other.get("/v1/tasks/"+mine.ID+"/events").refused(http.StatusNotFound, core.CodeNotFound, "there is no task")
}

func TestStreamsThatAreRefused(t *testing.T) {
	t.Parallel()
	config := testConfig()
	config.MaxStreamsPerTenant = 1
	c := newRigWith(t, config).caller("acme")
	c.get("/v1/events", "Last-Event-ID: x").refused(http.StatusBadRequest, core.CodeInvalidInput, "last event")
	c.get("/v1/events?last_event_id=-1").refused(http.StatusBadRequest, core.CodeInvalidInput, "last event")
	c.get("/v1/events", "Upgrade: websocket", "Connection: Upgrade").refused(http.StatusBadRequest, core.CodeInvalidInput, "handshake")
	c.get("/v1/events", "Upgrade: websocket", "Origin: https://evil.example").refused(http.StatusForbidden, core.CodeForbidden, "origin")
	c.do(http.MethodHead, "/v1/events", nil).is(http.StatusOK)
	c.serverSent("/v1/events").next()
	c.get("/v1/events").refused(http.StatusTooManyRequests, core.CodeRateLimited, "streams")
}

func TestAStreamEndsWithItsKey(t *testing.T) {
	t.Parallel()
	c := newRig(t).caller("acme")
	sent, socket := c.serverSent("/v1/events"), c.webSocket("/v1/events")
	sent.next()
	socket.next()
	keys, err := c.records.ListKeys(t.Context(), "acme")
	require.NoError(t, err)
	require.NoError(t, c.records.RevokeKey(t.Context(), keys[0].ID))
	closed := sent.next()
	require.Equal(t, schema.EventStreamClosed, closed.Type)
	require.Contains(t, closed.Message, "revoked")
	require.Equal(t, "1008", socket.ended())
}

func TestAServerThatStopsEndsItsStreams(t *testing.T) {
	t.Parallel()
	c := newRig(t).caller("acme")
	sent, socket := c.serverSent("/v1/events"), c.webSocket("/v1/events")
	sent.next()
	socket.next()
	start := time.Now()
	require.NoError(t, c.stop())
	require.Less(t, time.Since(start), testConfig().ShutdownTimeout)
	require.Equal(t, schema.EventStreamClosed, sent.next().Type)
	require.Equal(t, "1001", socket.ended())
}

func TestAClientLearnsThatTheLogIsTooShort(t *testing.T) {
	t.Parallel()
	c := newRig(t).caller("acme")
	task := c.queued(1)
	_, err := c.records.RemoveEvents(t.Context(), 0, 1, 10)
	require.NoError(t, err)
	events := c.serverSent("/v1/tasks/"+task.ID+"/events", "Last-Event-ID: 0").take(2)
	require.Equal(t, []string{schema.EventStreamTruncated, schema.EventTaskSnapshot}, typesOf(events))
	require.Equal(t, schema.EventStreamTruncated, c.serverSent("/v1/events?last_event_id=0").next().Type)
}

// A client that does not read is cut, and has every event once it resumes.
func TestASlowReaderMissesNothing(t *testing.T) {
	t.Parallel()
	config := testConfig()
	config.RequestTimeout = 3 * time.Second
	c := newRigWith(t, config).caller("acme")
	task := c.queued(1)
	resp := c.open("/v1/events?last_event_id=0") //nolint:bodyclose // open closes it
	require.Eventually(t, func() bool { return c.gauge("plait_event_streams") == 1 }, patience, 10*time.Millisecond)
	const most = 12_000
	recordstest.Exec(t, c.url, fmt.Sprintf(`SELECT pg_advisory_xact_lock((28005::bigint << 48) + nextval('event_id_seq'));
		INSERT INTO event (tenant, task_id, type, data) SELECT 'acme', '%s', 'task.progress',
			jsonb_build_object('task_id', '%[1]s', 'failure', jsonb_build_object('message', repeat('x', 1500))) FROM generate_series(1, %d)`, task.ID, most))
	c.queued(1) // notifies
	require.Eventually(t, func() bool { return c.gauge("plait_event_streams") == 0 }, patience, 10*time.Millisecond)

	var last int64
	count := 0
	take := func(r io.Reader) {
		for e, err := range sse.Read(r, nil) {
			if err != nil || e.Data == "" || e.Type == schema.EventStreamClosed {
				continue
			}
			id, err := strconv.ParseInt(e.LastEventID, 10, 64)
			require.NoError(t, err)
			require.Greater(t, id, last)
			if last, count = id, count+1; count == most+2 {
				return
			}
		}
	}
	take(resp.Body)
	require.Less(t, count, most, "it was cut")
	for range 20 { // a busy machine may cut it again
		if count < most+2 {
			take(c.open("/v1/events?last_event_id=" + strconv.FormatInt(last, 10)).Body) //nolint:bodyclose // open closes it
		}
	}
	require.Equal(t, most+2, count)
}

// gauge reads a metric of the server.
func (r *rig) gauge(name string) float64 {
	r.t.Helper()
	families, err := r.registry.Gather()
	require.NoError(r.t, err)
	for _, f := range families {
		if f.GetName() == name {
			return f.GetMetric()[0].GetGauge().GetValue()
		}
	}
	return -1
}

// Clients that follow a tenant while the server is killed have every event once.
func TestClientsResumeAfterAKill(t *testing.T) {
	t.Parallel()
	r := newRig(t)
	server := r.child()
	c := r.caller("acme")
	task := c.queued(1)
	const clients, events = 10, 60
	ctx, stop := context.WithTimeout(t.Context(), patience)
	defer stop()
	var mu sync.Mutex
	got := make([][]string, clients)
	var opened, following errgroup.Group
	for i := range clients {
		begun := make(chan struct{})
		opened.Go(func() error {
			select {
			case <-begun:
				return nil
			case <-ctx.Done():
				return ctx.Err()
			}
		})
		following.Go(func() error {
			own, err := client.New(c.address, c.key)
			if err != nil {
				return err
			}
			defer own.CloseIdleConnections()
			return own.Events(ctx, task.ID, "", func(e schema.Event) error {
				mu.Lock()
				defer mu.Unlock()
				if got[i] == nil {
					got[i] = []string{}
					close(begun)
					return nil // the snapshot
				}
				got[i] = append(got[i], e.ID)
				return nil
			})
		})
	}
	require.NoError(t, opened.Wait())
	for n := range events {
		if n == events/3 {
			require.NoError(t, server.Process.Kill())
			_ = server.Wait() // it was killed
		}
		if n == 2*events/3 {
			r.child(envServeAddress + "=" + strings.TrimPrefix(c.address, "http://"))
		}
		recordstest.Exec(t, r.url, `UPDATE item SET status = 'running', stage = $1`, fmt.Sprint("s", n))
	}
	require.NoError(t, r.records.StartTask(t.Context(), core.StartTaskInput{TaskID: task.ID}))
	_, err := r.records.FinishTask(t.Context(), core.FinishTaskInput{TaskID: task.ID, Canceled: true})
	require.NoError(t, err)
	require.NoError(t, following.Wait())
	want := recordstest.Rows(t, r.url, `SELECT id::text FROM event WHERE type <> 'task.queued' ORDER BY event.id`)
	require.Len(t, want, events+2)
	for i := range clients {
		require.Equal(t, want, got[i])
	}
}

// A client that resumes while events come has each of them once: the log may be ahead of what the server's streams have got.
func TestAClientResumesWhileEventsCome(t *testing.T) {
	t.Parallel()
	c := newRig(t).caller("acme")
	task := c.queued(1)
	c.serverSent("/v1/events").next() // the server follows the log from here on
	ctx, stop := context.WithCancel(t.Context())
	var writing errgroup.Group
	writing.Go(func() error {
		conn, err := pgx.Connect(t.Context(), c.url)
		if err != nil {
			return err
		}
		defer func() { _ = conn.Close(context.Background()) }()
		for n := 0; ctx.Err() == nil; n++ {
			if _, err := conn.Exec(t.Context(), `UPDATE item SET status = 'running', stage = $1 WHERE task_id = $2`, fmt.Sprint("s", n), task.ID); err != nil {
				return err
			}
		}
		return nil
	})
	var reading errgroup.Group
	for range 8 {
		reading.Go(func() error { return resumes(ctx, c, 50) })
	}
	err := reading.Wait()
	stop()
	require.NoError(t, err)
	require.NoError(t, writing.Wait())
}

// resumes opens a stream many times where the last one ended. It returns an error when an event comes out of order or twice.
func resumes(ctx context.Context, c caller, times int) error {
	own, err := client.New(c.address, c.key)
	if err != nil {
		return err
	}
	defer own.CloseIdleConnections()
	enough := errors.New("enough")
	var last int64
	for range times {
		taken := 0
		err := own.Events(ctx, "", strconv.FormatInt(last, 10), func(e schema.Event) error {
			id, err := records.ParseEventID(e.ID)
			if err != nil {
				return err
			}
			if id <= last {
				return fmt.Errorf("event %d comes after %d", id, last)
			}
			if last, taken = id, taken+1; taken == 20 {
				return enough
			}
			return nil
		})
		if !errors.Is(err, enough) {
			return err
		}
	}
	return nil
}
