package workers_test

import (
	"bytes"
	"context"
	"fmt"
	"io"
	"log/slog"
	"net/http"
	"net/http/httptest"
	"net/netip"
	"strings"
	"testing"
	"time"

	standardwebhooks "github.com/standard-webhooks/standard-webhooks/libraries/go"
	"github.com/stretchr/testify/require"

	"plait/activities"
	"plait/internal/comic"
	"plait/internal/core"
	"plait/internal/fetch"
	"plait/internal/records"
	"plait/internal/seal"
	"plait/internal/webhook"
	"plait/tasks"
	"plait/workers"
	"plait/workflows"
)

// envWebhooks makes this test binary a worker of the role control that sends messages: "database URL|Temporal address".
const envWebhooks = "PLAIT_TEST_WEBHOOKS"

func pollAsWebhooks(ctx context.Context, places []string) error {
	store, err := records.Open(ctx, places[0], records.Options{})
	if err != nil {
		return err
	}
	defer store.Close()
	c, err := dial(places[1])
	if err != nil {
		return err
	}
	defer c.Close()
	host := activities.New(activities.Deps{Records: store, Name: "doomed", Webhooks: webhookSender(store)})
	return workers.Run(ctx, workers.Config{
		Client: c, Roles: []workers.Role{workers.RoleControl}, Host: host, Instance: "1", StickyCache: -1, OnReady: func() { fmt.Println(ready) },
	})
}

func webhookSender(store *records.Store) *webhook.Sender {
	box, err := seal.New([][]byte{bytes.Repeat([]byte("k"), 32)})
	if err != nil {
		panic(err)
	}
	return &webhook.Sender{
		Records: store, Secrets: webhook.Secrets{Records: store, Box: box},
		Fetch: fetch.New(fetch.Config{Timeout: webhook.Timeout, Allowed: []netip.Prefix{netip.MustParsePrefix("127.0.0.0/8")}}),
	}
}

// webhooks is an installation that sends messages, and a receiver.
type webhooks struct {
	*rig
	sender  *webhook.Sender
	service *tasks.Service
	// url is that of the receiver, got the requests that it received, and answer what it does.
	url    string
	got    chan *http.Request
	bodies chan []byte
	answer func(http.ResponseWriter, *http.Request)
}

// newWebhooks tries messages by a schedule without long waits.
func newWebhooks(t *testing.T, patience time.Duration) *webhooks {
	t.Helper()
	w := &webhooks{rig: newRig(t), got: make(chan *http.Request, 100), bodies: make(chan []byte, 100)}
	w.sender = webhookSender(w.records)
	w.service = tasks.New(tasks.Deps{
		Records: w.records, Blobs: w.blobs, Temporal: w.client, Log: slog.New(slog.DiscardHandler),
		Webhooks: core.WebhookSchedule{FirstWait: 50 * time.Millisecond, LongestWait: 500 * time.Millisecond, Patience: patience},
	})
	server := httptest.NewServer(http.HandlerFunc(func(rw http.ResponseWriter, r *http.Request) {
		b, _ := io.ReadAll(r.Body)
		w.bodies <- b
		w.got <- r
		w.answer(rw, r)
	}))
	t.Cleanup(server.Close)
	w.url = server.URL
	return w
}

// control adds a host that sends.
func (w *webhooks) control() *host {
	w.t.Helper()
	return w.host(hostOptions{roles: []workers.Role{workers.RoleControl}, webhooks: w.sender})
}

// end ends a task of the tenant and starts what that sends.
func (w *webhooks) end() {
	w.t.Helper()
	in := w.task(comic.ModeSplit, hello(0))
	_, err := w.records.FinishTask(w.t.Context(), core.FinishTaskInput{TaskID: in.TaskID, Canceled: true})
	require.NoError(w.t, err)
	for range 2 { // the repetition changes nothing
		require.NoError(w.t, w.service.StartWebhooks(w.t.Context()))
	}
}

// until returns the only delivery once it has the status.
func (w *webhooks) until(status records.DeliveryStatus) (d records.Delivery) {
	w.t.Helper()
	ctx, cancel := context.WithTimeout(w.t.Context(), patience)
	defer cancel()
	require.NoError(w.t, until(ctx, func() bool {
		list, _, err := w.records.Deliveries(ctx, tenant, records.DeliveryFilter{}, 10, records.Cursor{})
		require.NoError(w.t, err)
		require.Len(w.t, list, 1)
		d = list[0]
		return d.Status == status
	}))
	return d
}

// closed waits until the workflow of the delivery has ended, and records its history.
func (w *webhooks) closed(t *testing.T, d records.Delivery, name string) {
	t.Helper()
	id := "webhook-" + d.ID
	require.NoError(t, w.client.GetWorkflow(t.Context(), id, "").Get(t.Context(), nil))
	if name != "" {
		recordRun(t, w.rig, chapter{TaskInput: workflows.TaskInput{TaskID: id}}, "", name)
	}
}

func (w *webhooks) endpoint() records.Endpoint {
	w.t.Helper()
	e, _, err := w.records.AddEndpoint(w.t.Context(), tenant, w.url)
	require.NoError(w.t, err)
	return e
}

func TestAMessageArrivesOnceItsReceiverIsBack(t *testing.T) {
	w := newWebhooks(t, time.Hour)
	w.control()
	answers := make(chan func(http.ResponseWriter, *http.Request), 5)
	answers <- func(rw http.ResponseWriter, _ *http.Request) { rw.WriteHeader(http.StatusInternalServerError) }
	answers <- func(rw http.ResponseWriter, _ *http.Request) {
		rw.Header().Set("Retry-After", "1")
		rw.WriteHeader(http.StatusServiceUnavailable)
	}
	answers <- func(rw http.ResponseWriter, r *http.Request) {
		http.Redirect(rw, r, "/elsewhere", http.StatusTemporaryRedirect)
	}
	answers <- func(rw http.ResponseWriter, _ *http.Request) { panic(http.ErrAbortHandler) } // the connection breaks
	answers <- func(rw http.ResponseWriter, _ *http.Request) { rw.WriteHeader(http.StatusNoContent) }
	w.answer = func(rw http.ResponseWriter, r *http.Request) { (<-answers)(rw, r) }
	e := w.endpoint()
	w.end()
	d := w.until(records.DeliveryDelivered)
	require.Equal(t, 5, d.Attempts)
	require.Equal(t, e.ID, d.EndpointID)
	secrets, err := w.sender.Secrets.Valid(t.Context(), tenant)
	require.NoError(t, err)
	verifier, err := standardwebhooks.NewWebhook(secrets[0].Plain)
	require.NoError(t, err)
	for range 5 {
		request := <-w.got
		require.NoError(t, verifier.Verify(<-w.bodies, request.Header))
		require.Equal(t, d.ID, request.Header.Get("Webhook-Id"))
		require.Equal(t, "/", request.URL.Path)
	}
	w.closed(t, d, "webhook")

	answers <- func(http.ResponseWriter, *http.Request) {}
	_, err = w.records.ReplayDelivery(t.Context(), tenant, d.ID)
	require.NoError(t, err)
	require.NoError(t, w.service.StartWebhooks(t.Context()))
	require.Equal(t, 6, w.until(records.DeliveryDelivered).Attempts)
	require.Equal(t, d.ID, (<-w.got).Header.Get("Webhook-Id"), "the receiver can tell that it is the same message")
}

func TestADeadReceiverIsPausedAndResumed(t *testing.T) {
	w := newWebhooks(t, 2*time.Second)
	w.control()
	w.answer = func(rw http.ResponseWriter, _ *http.Request) { rw.WriteHeader(http.StatusBadGateway) }
	e := w.endpoint()
	w.end()
	d := w.until(records.DeliveryFailed)
	require.Greater(t, d.Attempts, 1)
	require.Equal(t, "the receiver answered 502 Bad Gateway", d.LastError)
	w.closed(t, d, "webhook-failed")
	e, err := w.records.Endpoint(t.Context(), tenant, e.ID)
	require.NoError(t, err)
	require.NotNil(t, e.PausedAt)

	w.end()
	paused, _, err := w.records.Deliveries(t.Context(), tenant, records.DeliveryFilter{Status: records.DeliveryPaused}, 10, records.Cursor{})
	require.NoError(t, err)
	require.Len(t, paused, 1)
	w.answer = func(http.ResponseWriter, *http.Request) {}
	_, err = w.records.ResumeEndpoint(t.Context(), tenant, e.ID)
	require.NoError(t, err)
	require.NoError(t, w.service.StartWebhooks(t.Context()))
	ctx, cancel := context.WithTimeout(t.Context(), patience)
	defer cancel()
	require.NoError(t, until(ctx, func() bool {
		d, err := w.records.Delivery(ctx, tenant, paused[0].ID)
		require.NoError(t, err)
		return d.Status == records.DeliveryDelivered
	}))
}

func TestAReceiverThatIsGoneIsAskedOnce(t *testing.T) {
	w := newWebhooks(t, time.Hour)
	w.control()
	w.answer = func(rw http.ResponseWriter, _ *http.Request) { rw.WriteHeader(http.StatusGone) }
	e := w.endpoint()
	w.end()
	require.Equal(t, 1, w.until(records.DeliveryFailed).Attempts)
	e, err := w.records.Endpoint(t.Context(), tenant, e.ID)
	require.NoError(t, err)
	require.Contains(t, e.PauseReason, "410")
}

// A worker is killed while the receiver has the message and has not answered. Another one sends it again.
func TestAKilledWorkerLosesNoMessage(t *testing.T) {
	w := newWebhooks(t, time.Hour)
	held, release := make(chan struct{}), make(chan struct{})
	t.Cleanup(func() { close(release) })
	first := true
	w.answer = func(http.ResponseWriter, *http.Request) {
		if first {
			first = false
			close(held)
			<-release
		}
	}
	doomed, said := w.child(t, envWebhooks+"="+strings.Join([]string{w.rig.url, w.address}, "|"))
	require.Equal(t, ready, await(t, said, "the doomed worker"))
	w.endpoint()
	w.end()
	await(t, held, "the first request")
	require.NoError(t, doomed.Process.Kill())
	w.control()
	d := w.until(records.DeliveryDelivered)
	require.Equal(t, 1, d.Attempts, "the first attempt had no end")
	for range 2 {
		require.Equal(t, d.ID, (<-w.got).Header.Get("Webhook-Id"))
	}
	w.closed(t, d, "")
}
