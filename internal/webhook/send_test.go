package webhook_test

import (
	"bytes"
	"encoding/json"
	"fmt"
	"io"
	"net/http"
	"net/http/httptest"
	"net/netip"
	"testing"
	"time"

	standardwebhooks "github.com/standard-webhooks/standard-webhooks/libraries/go"
	"github.com/stretchr/testify/require"

	"plait/internal/core"
	"plait/internal/fetch"
	"plait/internal/records"
	"plait/internal/records/recordstest"
	"plait/internal/seal"
	"plait/internal/stack/stacktest"
	"plait/internal/webhook"
)

func TestMain(m *testing.M) { stacktest.Main(m) }

const tenant = recordstest.Tenant

// request is a request that a receiver got.
type request struct {
	header http.Header
	body   []byte
}

// verified checks the signature with the library of Standard Webhooks.
func (r request) verified(t *testing.T, secret string) error {
	t.Helper()
	v, err := standardwebhooks.NewWebhook(secret)
	require.NoError(t, err)
	return v.Verify(r.body, r.header)
}

type rig struct {
	*webhook.Sender
	recordstest.Fixture
	url  string
	got  chan request
	code int
}

// newRig has a receiver that answers with code.
func newRig(t *testing.T) *rig {
	t.Helper()
	t.Parallel()
	store, f := recordstest.NewFixture(t)
	r := &rig{Fixture: f, got: make(chan request, 10), code: http.StatusOK}
	server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, req *http.Request) {
		b, _ := io.ReadAll(req.Body)
		r.got <- request{req.Header, b}
		w.Header().Set("Retry-After", "7")
		w.WriteHeader(r.code)
	}))
	t.Cleanup(server.Close)
	r.url = server.URL
	r.Sender = &webhook.Sender{
		Records: store, Secrets: webhook.Secrets{Records: store, Box: box(t, "k")},
		Fetch: fetch.New(fetch.Config{Timeout: webhook.Timeout, Allowed: []netip.Prefix{netip.MustParsePrefix("127.0.0.0/8")}}),
	}
	return r
}

// box has a key of each letter.
func box(t *testing.T, letters string) *seal.Box {
	t.Helper()
	var keys [][]byte
	for _, letter := range letters {
		keys = append(keys, bytes.Repeat([]byte(string(letter)), 32))
	}
	b, err := seal.New(keys)
	require.NoError(t, err)
	return b
}

// round ends a task with a callback URL, and returns the round of its delivery.
func (r *rig) round(callback string) records.Round {
	r.T.Helper()
	n := recordstest.NewTask("any", json.RawMessage(`{}`), 1)
	n.CallbackURL = callback
	r.Running(n)
	_, err := r.Records.FinishTask(r.T.Context(), core.FinishTaskInput{TaskID: n.ID, Canceled: true})
	require.NoError(r.T, err)
	list, err := r.Records.UnstartedDeliveries(r.T.Context(), 10)
	require.NoError(r.T, err)
	require.Len(r.T, list, 1)
	require.NoError(r.T, r.Records.DeliveryStarted(r.T.Context(), list[0]))
	return list[0]
}

func (r *rig) delivery(of records.Round) records.Delivery {
	r.T.Helper()
	d, err := r.Records.Delivery(r.T.Context(), tenant, of.DeliveryID)
	require.NoError(r.T, err)
	return d
}

func TestAMessageIsSignedAndVerified(t *testing.T) {
	r := newRig(t)
	ctx := t.Context()
	first, err := r.Secrets.Valid(ctx, tenant)
	require.NoError(t, err)
	require.Len(t, first, 1)
	require.Regexp(t, `^whsec_[A-Za-z0-9+/]{43}=$`, first[0].Plain)
	require.NotContains(t, fmt.Sprint(r.Rows(`SELECT sealed FROM webhook_secret`)), first[0].Plain)

	round := r.round(r.url + "/hook?a=b")
	r.code = http.StatusInternalServerError
	outcome, err := r.Send(ctx, round)
	require.NoError(t, err)
	require.False(t, outcome.Done)
	require.Zero(t, outcome.RetryAfter, "it is not asked with this status")
	before := <-r.got
	require.NoError(t, before.verified(t, first[0].Plain))

	rotated, err := r.Secrets.Rotate(ctx, tenant)
	require.NoError(t, err)
	require.Len(t, rotated, 2)
	require.Equal(t, first[0].Plain, rotated[1].Plain)
	require.WithinDuration(t, time.Now().Add(webhook.Overlap), *rotated[1].ExpiresAt, time.Minute)
	r.code = http.StatusNoContent
	outcome, err = r.Send(ctx, round)
	require.NoError(t, err)
	require.True(t, outcome.Done)
	after := <-r.got
	require.NoError(t, after.verified(t, first[0].Plain), "both secrets sign")
	require.NoError(t, after.verified(t, rotated[0].Plain))
	require.Equal(t, before.body, after.body)
	require.Equal(t, before.header.Get("Webhook-Id"), after.header.Get("Webhook-Id"))
	require.Equal(t, round.DeliveryID, after.header.Get("Webhook-Id"))
	forged := request{after.header, append(after.body, ' ')}
	require.Error(t, forged.verified(t, rotated[0].Plain))

	var m struct {
		Type      string
		Timestamp time.Time
		Data      struct {
			TaskID string `json:"task_id"`
			Status core.Status
			Links  map[string]string
		}
	}
	require.NoError(t, json.Unmarshal(after.body, &m))
	d := r.delivery(round)
	require.Equal(t, "task.ended", m.Type)
	require.WithinDuration(t, d.CreatedAt, m.Timestamp, 0)
	require.Equal(t, d.TaskID, m.Data.TaskID)
	require.Equal(t, core.StatusCanceled, m.Data.Status)
	require.Equal(t, map[string]string{"self": "/v1/tasks/" + d.TaskID}, m.Data.Links)
	require.Equal(t, records.DeliveryDelivered, d.Status)
	require.Equal(t, 2, d.Attempts)

	outcome, err = r.Send(ctx, round)
	require.NoError(t, err)
	require.True(t, outcome.Done)
	require.Nil(t, outcome.Attempt, "a delivered message is not sent again")
	require.Empty(t, r.got)
}

func TestAnswersOtherThan2xx(t *testing.T) {
	r := newRig(t)
	ctx := t.Context()
	for _, test := range []struct {
		code  int
		after time.Duration
		gone  bool
		what  string
	}{
		{http.StatusFound, 0, false, "the receiver answered 302 Found; redirects are not followed"},
		{http.StatusBadRequest, 0, false, "the receiver answered 400 Bad Request"},
		{http.StatusGone, 0, true, "the receiver answered 410 Gone"},
		{http.StatusTooManyRequests, 7 * time.Second, false, "the receiver answered 429 Too Many Requests"},
		{http.StatusServiceUnavailable, 7 * time.Second, false, "the receiver answered 503 Service Unavailable"},
		{599, 0, false, "the receiver answered 599"},
	} {
		round := r.round(r.url)
		r.code = test.code
		outcome, err := r.Send(ctx, round)
		require.NoError(t, err, test.what)
		require.False(t, outcome.Done, test.what)
		require.Equal(t, test.after, outcome.RetryAfter, test.what)
		require.Equal(t, test.gone, outcome.Gone(), test.what)
		d := r.delivery(round)
		require.Equal(t, test.what, d.LastError)
		require.Equal(t, test.code, d.LastStatus)
		require.Equal(t, records.DeliveryPending, d.Status)
		<-r.got
	}
}

func TestAReceiverThatIsNotReached(t *testing.T) {
	r := newRig(t)
	for url, what := range map[string]string{
		"http://10.0.0.1/hook?secret=1": "http://10.0.0.1/hook: the host, or one that it redirects to, has no public address",
		"http://nowhere.invalid":        "http://nowhere.invalid: the host, or one that it redirects to, has no public address",
		"http://127.0.0.1:9":            "http://127.0.0.1:9: this port is not used for HTTP",
	} {
		round := r.round(url)
		outcome, err := r.Send(t.Context(), round)
		require.NoError(t, err, url)
		require.False(t, outcome.Done, url)
		require.Equal(t, what, r.delivery(round).LastError)
		require.Zero(t, r.delivery(round).LastStatus)
	}
}

// Once a process has started with a new key, the old one can be dropped.
func TestSecretsOutliveTheirKey(t *testing.T) {
	r := newRig(t)
	ctx := t.Context()
	before, err := r.Secrets.Rotate(ctx, tenant)
	require.NoError(t, err)
	_, err = r.Secrets.Rotate(ctx, "other")
	require.NoError(t, err)
	for _, want := range [][]int{{2, 0}, {0, 0}} {
		r.Secrets.Box = box(t, "nk")
		changed, unreadable, err := r.Secrets.Reseal(ctx)
		require.NoError(t, err)
		require.Equal(t, want, []int{changed, unreadable})
	}
	r.Secrets.Box = box(t, "n")
	after, err := r.Secrets.Valid(ctx, tenant)
	require.NoError(t, err)
	require.Equal(t, before, after)
	r.Secrets.Box = box(t, "x")
	changed, unreadable, err := r.Secrets.Reseal(ctx)
	require.NoError(t, err)
	require.Equal(t, []int{0, 2}, []int{changed, unreadable})
}

// A key that was replaced and forgotten makes secrets unreadable, until they are rotated.
func TestASecretWithoutItsKeyIsReplaced(t *testing.T) {
	r := newRig(t)
	ctx := t.Context()
	_, err := r.Secrets.Valid(ctx, tenant)
	require.NoError(t, err)
	r.Secrets.Box = box(t, "n")
	_, err = r.Secrets.Valid(ctx, tenant)
	require.Equal(t, core.CodeInternal, core.CodeOf(err))
	_, err = r.Send(ctx, r.round(r.url))
	require.Error(t, err)
	rotated, err := r.Secrets.Rotate(ctx, tenant)
	require.NoError(t, err)
	require.Len(t, rotated, 1)
	other, err := r.Secrets.Valid(ctx, "other")
	require.NoError(t, err)
	require.NotEqual(t, rotated[0].Plain, other[0].Plain)
}
