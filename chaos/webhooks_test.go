package chaos_test

import (
	"bytes"
	"io"
	"net/http"
	"net/http/httptest"
	"net/netip"
	"strconv"
	"strings"
	"sync"
	"testing"
	"time"

	standardwebhooks "github.com/standard-webhooks/standard-webhooks/libraries/go"
	"github.com/stretchr/testify/require"

	"plait/internal/core"
	"plait/internal/fetch"
	"plait/internal/records"
	"plait/internal/seal"
	"plait/internal/webhook"
)

// webhookSchedule tries a message again soon, and for longer than any storm.
func webhookSchedule() core.WebhookSchedule {
	return core.WebhookSchedule{FirstWait: 200 * time.Millisecond, LongestWait: 3 * time.Second, Patience: 24 * time.Hour}
}

func webhookSecrets(store *records.Store) (webhook.Secrets, error) {
	box, err := seal.New([][]byte{bytes.Repeat([]byte("c"), 32)})
	return webhook.Secrets{Records: store, Box: box}, err
}

// webhookSender sends to this machine alone.
func webhookSender(store *records.Store) (*webhook.Sender, error) {
	secrets, err := webhookSecrets(store)
	client := fetch.New(fetch.Config{Timeout: 5 * time.Second, Allowed: []netip.Prefix{netip.MustParsePrefix("127.0.0.0/8")}})
	return &webhook.Sender{Records: store, Secrets: secrets, Fetch: client}, err
}

// receiver is told of the ends of the tasks of one tenant. It refuses the first attempt of every third message.
type receiver struct {
	verifier *standardwebhooks.Webhook

	mu sync.Mutex
	// got counts the attempts of each message, and forged those with a wrong signature.
	got    map[string]int
	forged int
}

// newReceiver has a tenant's messages sent to a server of the test.
func newReceiver(tb testing.TB, store *records.Store, tenant string) *receiver {
	tb.Helper()
	secrets, err := webhookSecrets(store)
	require.NoError(tb, err)
	valid, err := secrets.Valid(tb.Context(), tenant)
	require.NoError(tb, err)
	r := &receiver{got: map[string]int{}}
	r.verifier, err = standardwebhooks.NewWebhook(valid[0].Plain)
	require.NoError(tb, err)
	server := httptest.NewServer(r)
	tb.Cleanup(server.Close)
	_, _, err = store.AddEndpoint(tb.Context(), tenant, server.URL)
	require.NoError(tb, err)
	return r
}

func (r *receiver) ServeHTTP(w http.ResponseWriter, req *http.Request) {
	body, err := io.ReadAll(req.Body)
	if err != nil {
		return // the sender was killed
	}
	id := req.Header.Get(standardwebhooks.HeaderWebhookID)
	r.mu.Lock()
	defer r.mu.Unlock()
	if r.verifier.Verify(body, req.Header) != nil {
		r.forged++
	}
	r.got[id]++
	if digit, err := strconv.ParseInt(id[:1], 16, 8); err == nil && digit%3 == 0 && r.got[id] == 1 {
		w.WriteHeader(http.StatusServiceUnavailable)
	}
}

// checkWebhooks demands that each end of a task was told, to its tenant alone.
func (s *storm) checkWebhooks(f *findings, receivers map[string]*receiver) {
	s.await(f, leftover{"messages that have not arrived", s.count(`SELECT count(*), coalesce(string_agg(id || ' ' || status || ': ' || last_error, ', '), '')
		FROM webhook_delivery WHERE status <> 'delivered'`)})
	for tenant, r := range receivers {
		var ends int
		var ids string
		err := s.ask(s.t.Context(), `SELECT (SELECT count(*) FROM event WHERE tenant = $1 AND type = 'task.ended'),
			(SELECT coalesce(string_agg(id, ' '), '') FROM webhook_delivery WHERE tenant = $1)`, []any{tenant}, &ends, &ids)
		require.NoError(s.t, err)
		r.mu.Lock()
		told := strings.Fields(ids)
		if len(told) != ends || len(r.got) != ends || r.forged > 0 {
			f.add("%d ends of tasks of %s, %d messages written, %d received, %d with a wrong signature", ends, tenant, len(told), len(r.got), r.forged)
		}
		attempts := 0
		for _, id := range told {
			if r.got[id] == 0 {
				f.add("message %s of %s counts as delivered, and was not received", id, tenant)
			}
			attempts += r.got[id]
		}
		s.journal.tell("told", "%d ends of tasks of %s, in %d requests", ends, tenant, attempts)
		r.mu.Unlock()
	}
}
