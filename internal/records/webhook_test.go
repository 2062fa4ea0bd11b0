package records_test

import (
	"encoding/json"
	"fmt"
	"net/http"
	"testing"
	"time"

	"github.com/stretchr/testify/require"
	"golang.org/x/sync/errgroup"

	"plait/internal/core"
	"plait/internal/records"
	"plait/internal/records/recordstest"
)

// ended creates a task and ends it.
func (f fixture) ended(change ...func(*records.NewTask)) records.NewTask {
	f.T.Helper()
	n := newTask(1)
	for _, c := range change {
		c(&n)
	}
	f.Running(n)
	_, err := f.FinishTask(f.T.Context(), core.FinishTaskInput{TaskID: n.ID, Canceled: true})
	require.NoError(f.T, err)
	return n
}

func (f fixture) endpoint(url string) records.Endpoint {
	f.T.Helper()
	e, _, err := f.AddEndpoint(f.T.Context(), tenant, url)
	require.NoError(f.T, err)
	return e
}

func (f fixture) deliveries(filter records.DeliveryFilter) []records.Delivery {
	f.T.Helper()
	list, _, err := f.Deliveries(f.T.Context(), tenant, filter, 100, records.Cursor{})
	require.NoError(f.T, err)
	return list
}

// begun returns the only round that waits for its workflow, as started.
func (f fixture) begun() records.Round {
	f.T.Helper()
	list, err := f.UnstartedDeliveries(f.T.Context(), 10)
	require.NoError(f.T, err)
	require.Len(f.T, list, 1)
	require.NoError(f.T, f.DeliveryStarted(f.T.Context(), list[0]))
	return list[0]
}

func TestTheEndOfATaskWritesItsDeliveries(t *testing.T) {
	f := open(t)
	ctx := t.Context()
	first, second := f.endpoint("https://a.example/1"), f.endpoint("https://a.example/2")
	_, _, err := f.AddEndpoint(ctx, "other", "https://b.example")
	require.NoError(t, err)
	f.running(1) // has not ended
	plain := f.ended()
	called := f.ended(func(n *records.NewTask) { n.CallbackURL = "https://c.example/call" })
	require.Equal(t, "https://c.example/call", f.TaskOf(called.ID).CallbackURL)

	require.Len(t, f.deliveries(records.DeliveryFilter{}), 5)
	require.Len(t, f.deliveries(records.DeliveryFilter{TaskID: plain.ID}), 2)
	require.Len(t, f.deliveries(records.DeliveryFilter{EndpointID: second.ID}), 2)
	require.Len(t, f.deliveries(records.DeliveryFilter{EndpointID: first.ID, TaskID: called.ID}), 1)
	require.Empty(t, f.deliveries(records.DeliveryFilter{Status: records.DeliveryDelivered}))
	var urls []string
	for _, d := range f.deliveries(records.DeliveryFilter{TaskID: called.ID, Status: records.DeliveryPending}) {
		urls = append(urls, d.URL)
		require.Equal(t, "task.ended", d.Type)
		var data struct {
			TaskID string      `json:"task_id"`
			Status core.Status `json:"status"`
		}
		require.NoError(t, json.Unmarshal(d.Data, &data))
		require.Equal(t, called.ID, data.TaskID)
		require.Equal(t, core.StatusCanceled, data.Status)
	}
	require.ElementsMatch(t, []string{first.URL, second.URL, called.CallbackURL}, urls)
	_, err = f.Delivery(ctx, "other", f.deliveries(records.DeliveryFilter{})[0].ID)
	recordstest.RequireCode(t, core.CodeNotFound, err)

	page, next, err := f.Deliveries(ctx, tenant, records.DeliveryFilter{}, 3, records.Cursor{})
	require.NoError(t, err)
	rest, end, err := f.Deliveries(ctx, tenant, records.DeliveryFilter{}, 3, next)
	require.NoError(t, err)
	require.True(t, end.IsZero())
	require.Equal(t, f.deliveries(records.DeliveryFilter{}), append(page, rest...))
}

func TestEndpointsAreAddedOnceAndBounded(t *testing.T) {
	f := open(t)
	ctx := t.Context()
	var group errgroup.Group
	for i := range records.MaxEndpoints + 5 {
		group.Go(func() error {
			_, _, err := f.AddEndpoint(ctx, tenant, fmt.Sprintf("https://a.example/%d", i))
			if core.CodeOf(err) == core.CodeConflict {
				return nil
			}
			return err
		})
	}
	require.NoError(t, group.Wait())
	list, err := f.Endpoints(ctx, tenant)
	require.NoError(t, err)
	require.Len(t, list, records.MaxEndpoints)
	again, added, err := f.AddEndpoint(ctx, tenant, list[3].URL)
	require.NoError(t, err)
	require.False(t, added)
	require.Equal(t, list[3], again)

	for _, call := range []func(string, string) error{
		func(tenant, id string) error { _, err := f.Endpoint(ctx, tenant, id); return err },
		func(tenant, id string) error { _, err := f.ResumeEndpoint(ctx, tenant, id); return err },
		func(tenant, id string) error { return f.DeleteEndpoint(ctx, tenant, id) },
	} {
		recordstest.RequireCode(t, core.CodeNotFound, call("other", again.ID))
		require.NoError(t, call(tenant, again.ID))
		recordstest.RequireCode(t, core.CodeNotFound, call(tenant, "none"))
	}
	_, added, err = f.AddEndpoint(ctx, tenant, again.URL)
	require.NoError(t, err)
	require.True(t, added)
}

func TestADeliveryIsTriedAndReplayed(t *testing.T) {
	f := open(t)
	ctx := t.Context()
	f.endpoint("https://a.example")
	f.ended()
	r := f.begun()
	waiting, err := f.UnstartedDeliveries(ctx, 10)
	require.NoError(t, err)
	require.Empty(t, waiting)
	age, err := f.OldestPendingDelivery(ctx)
	require.NoError(t, err)
	require.Positive(t, age)

	d, found, err := f.PendingDelivery(ctx, r)
	require.NoError(t, err)
	require.True(t, found)
	require.Equal(t, "https://a.example", d.URL)
	require.NoError(t, f.RecordAttempt(ctx, r, records.Attempt{Status: 500, Error: "the receiver answered 500"}))
	require.NoError(t, f.RecordAttempt(ctx, r, records.Attempt{Delivered: true, Status: 204}))
	require.NoError(t, f.RecordAttempt(ctx, r, records.Attempt{Error: "late"}))
	require.NoError(t, f.FailDelivery(ctx, r), "late as well")
	d = f.deliveries(records.DeliveryFilter{})[0]
	require.Equal(t, records.DeliveryDelivered, d.Status)
	require.Equal(t, 2, d.Attempts)
	require.Equal(t, 204, d.LastStatus)
	require.Empty(t, d.LastError)
	_, found, err = f.PendingDelivery(ctx, r)
	require.NoError(t, err)
	require.False(t, found)
	age, err = f.OldestPendingDelivery(ctx)
	require.NoError(t, err)
	require.Zero(t, age)

	_, err = f.ReplayDelivery(ctx, "other", d.ID)
	recordstest.RequireCode(t, core.CodeNotFound, err)
	for range 2 { // the repetition changes nothing
		d, err = f.ReplayDelivery(ctx, tenant, d.ID)
		require.NoError(t, err)
		require.Equal(t, records.DeliveryPending, d.Status)
		require.Equal(t, 1, d.Round)
	}
	_, found, err = f.PendingDelivery(ctx, r)
	require.NoError(t, err)
	require.False(t, found, "of the earlier round")
	require.Equal(t, records.Round{DeliveryID: d.ID, Number: 1, Tenant: tenant}, f.begun())
}

func TestADeadEndpointIsPausedUntilItIsResumed(t *testing.T) {
	f := open(t)
	ctx := t.Context()
	e := f.endpoint("https://a.example")
	f.ended()
	failing := f.begun()
	require.NoError(t, f.RecordAttempt(ctx, failing, records.Attempt{Status: 500, Error: "the receiver answered 500"}))
	f.ended()
	lucky := f.begun()
	require.NoError(t, f.RecordAttempt(ctx, lucky, records.Attempt{Delivered: true, Status: 200}))
	require.NoError(t, f.FailDelivery(ctx, failing))
	e, err := f.Endpoint(ctx, tenant, e.ID)
	require.NoError(t, err)
	require.Nil(t, e.PausedAt, "another delivery arrived meanwhile")

	f.ended()
	dead := f.begun()
	f.ended()
	beside := f.begun()
	for range 2 {
		require.NoError(t, f.FailDelivery(ctx, dead))
	}
	f.ended() // to a paused endpoint
	e, err = f.Endpoint(ctx, tenant, e.ID)
	require.NoError(t, err)
	require.NotNil(t, e.PausedAt)
	require.Contains(t, e.PauseReason, "received nothing")
	require.Len(t, f.deliveries(records.DeliveryFilter{Status: records.DeliveryPaused}), 2)
	_, found, err := f.PendingDelivery(ctx, beside)
	require.NoError(t, err)
	require.False(t, found)
	_, err = f.ReplayDelivery(ctx, tenant, dead.DeliveryID)
	recordstest.RequireCode(t, core.CodeConflict, err)

	e, err = f.ResumeEndpoint(ctx, tenant, e.ID)
	require.NoError(t, err)
	require.Nil(t, e.PausedAt)
	waiting, err := f.UnstartedDeliveries(ctx, 10)
	require.NoError(t, err)
	require.Len(t, waiting, 2)
	require.NoError(t, f.RecordAttempt(ctx, beside, records.Attempt{Delivered: true, Status: 200}), "of the round before the pause")
	require.Len(t, f.deliveries(records.DeliveryFilter{Status: records.DeliveryPending}), 2)

	require.NoError(t, f.DeleteEndpoint(ctx, tenant, e.ID))
	require.Empty(t, f.deliveries(records.DeliveryFilter{Status: records.DeliveryPending}))
	_, err = f.ReplayDelivery(ctx, tenant, dead.DeliveryID)
	recordstest.RequireCode(t, core.CodeConflict, err)
}

func TestAnEndpointThatIsGoneIsPausedAtOnce(t *testing.T) {
	f := open(t)
	ctx := t.Context()
	e := f.endpoint("https://a.example")
	f.ended()
	r := f.begun()
	f.ended()
	require.NoError(t, f.RecordAttempt(ctx, f.begun(), records.Attempt{Delivered: true, Status: 200}))
	require.NoError(t, f.RecordAttempt(ctx, r, records.Attempt{Status: http.StatusGone, Error: "the receiver answered 410 Gone"}))
	require.NoError(t, f.FailDelivery(ctx, r))
	e, err := f.Endpoint(ctx, tenant, e.ID)
	require.NoError(t, err)
	require.NotNil(t, e.PausedAt)
	require.Contains(t, e.PauseReason, "410")
}

// Deliveries to one endpoint that are given up at once do not wait for each other.
func TestDeliveriesAreGivenUpAtOnce(t *testing.T) {
	f := open(t)
	ctx := t.Context()
	f.endpoint("https://a.example")
	var rounds []records.Round
	for range 10 {
		f.ended()
		rounds = append(rounds, f.begun())
	}
	var group errgroup.Group
	for _, r := range rounds {
		group.Go(func() error { return f.FailDelivery(ctx, r) })
	}
	require.NoError(t, group.Wait())
	require.Empty(t, f.deliveries(records.DeliveryFilter{Status: records.DeliveryPending}))
	require.Len(t, f.deliveries(records.DeliveryFilter{Status: records.DeliveryFailed}), 1, "the first one paused the others")
}

func TestOldDeliveriesAreRemoved(t *testing.T) {
	f := open(t)
	ctx := t.Context()
	e := f.endpoint("https://a.example")
	f.ended()
	old := f.begun()
	f.SQL(`UPDATE webhook_delivery SET created_at = now() - interval '2 hours', started_at = now() - interval '2 hours'`)
	removed, err := f.RemoveDeliveries(ctx, time.Hour, 10)
	require.NoError(t, err)
	require.Zero(t, removed, "it is still tried")
	given, err := f.GiveUpDeliveries(ctx, time.Hour, 10)
	require.NoError(t, err)
	require.Equal(t, 1, given)
	d, err := f.Delivery(ctx, tenant, old.DeliveryID)
	require.NoError(t, err)
	require.Equal(t, records.DeliveryFailed, d.Status)

	f.SQL(`UPDATE webhook_endpoint SET paused_at = now(), pause_reason = 'test'`)
	f.ended()
	f.SQL(`UPDATE webhook_delivery SET created_at = now() - interval '2 hours' WHERE status = 'paused'`)
	f.SQL(`UPDATE webhook_delivery SET ended_at = now() - interval '2 hours' WHERE status = 'failed'`)
	f.SQL(`UPDATE webhook_endpoint SET paused_at = NULL, pause_reason = NULL`)
	f.ended()
	removed, err = f.RemoveDeliveries(ctx, time.Hour, 10)
	require.NoError(t, err)
	require.Equal(t, 2, removed)
	require.Len(t, f.deliveries(records.DeliveryFilter{EndpointID: e.ID}), 1)
}

func TestWebhookSecretsOverlap(t *testing.T) {
	f := open(t)
	ctx := t.Context()
	read := func(tenant, offered string) (all []string) {
		t.Helper()
		list, err := f.WebhookSecrets(ctx, tenant, []byte(offered))
		require.NoError(t, err)
		for _, s := range list {
			all = append(all, string(s.Sealed))
		}
		return all
	}
	require.Equal(t, []string{"a"}, read(tenant, "a"))
	require.Equal(t, []string{"a"}, read(tenant, "b"), "the first one stays")
	require.Equal(t, []string{"x"}, read("other", "x"))

	list, err := f.RotateWebhookSecret(ctx, tenant, []byte("c"), time.Hour)
	require.NoError(t, err)
	require.Len(t, list, 2)
	require.Nil(t, list[0].ExpiresAt)
	require.NotNil(t, list[1].ExpiresAt)
	require.Equal(t, []string{"c", "a"}, read(tenant, ""))
	f.SQL(`UPDATE webhook_secret SET expires_at = now() - interval '1 second' WHERE expires_at IS NOT NULL`)
	require.Equal(t, []string{"c"}, read(tenant, ""))
	require.Equal(t, []string{"x"}, read("other", ""))

	for range records.MaxWebhookSecrets - 1 {
		_, err = f.RotateWebhookSecret(ctx, tenant, []byte("d"), time.Hour)
		require.NoError(t, err)
	}
	_, err = f.RotateWebhookSecret(ctx, tenant, []byte("e"), time.Hour)
	recordstest.RequireCode(t, core.CodeConflict, err)
	require.Equal(t, []string{"d", "d", "d", "d", "c"}, read(tenant, ""))
	_, err = f.RotateWebhookSecret(ctx, "new", []byte("n"), time.Hour)
	require.NoError(t, err)
	require.Equal(t, []string{"n"}, read("new", ""))
}
