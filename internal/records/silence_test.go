package records_test

import (
	"context"
	"io"
	"net"
	"strconv"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"github.com/jackc/pgx/v5"
	"github.com/stretchr/testify/require"

	"plait/internal/core"
	"plait/internal/records"
	"plait/internal/records/recordstest"
)

const (
	// shortAnswers in a URL makes 5.2 seconds of silence the end of a connection.
	shortAnswers = "statement_timeout=200"
	// longSilence is more than any one call may wait there: for a connection of the pool, and on it.
	longSilence = 20 * time.Second
	// calling is how many ask at once, of whom most wait for a connection.
	calling = 12
)

// wayToPostgres stands before a server, and can fall silent: it keeps every connection, takes new ones, and passes nothing on.
type wayToPostgres struct {
	url    string
	silent atomic.Bool
	// changed wakes what was held back.
	changed chan struct{}
}

func (f fixture) silentWay(options string) *wayToPostgres {
	f.T.Helper()
	listener, err := net.Listen("tcp", "127.0.0.1:0")
	require.NoError(f.T, err)
	config, err := pgx.ParseConfig(f.URL)
	require.NoError(f.T, err)
	server := net.JoinHostPort(config.Host, strconv.Itoa(int(config.Port)))
	w := &wayToPostgres{changed: make(chan struct{}), url: strings.Replace(f.URL, server, listener.Addr().String(), 1) + "&" + options}
	ctx, stop := context.WithCancel(context.WithoutCancel(f.T.Context()))
	var open sync.WaitGroup
	open.Go(func() {
		for {
			conn, err := listener.Accept()
			if err != nil {
				return
			}
			open.Go(func() { w.carry(ctx, conn, server) })
		}
	})
	f.T.Cleanup(func() {
		stop()
		_ = listener.Close()
		open.Wait()
	})
	return w
}

// carry passes both ways until either side ends, or ctx.
func (w *wayToPostgres) carry(ctx context.Context, from net.Conn, server string) {
	to, err := net.Dial("tcp", server)
	if err != nil {
		_ = from.Close()
		return
	}
	stop := context.AfterFunc(ctx, func() { _, _ = from.Close(), to.Close() }) // ends the passing
	defer stop()
	var both sync.WaitGroup
	both.Go(func() { w.pass(to, from) })
	both.Go(func() { w.pass(from, to) })
	both.Wait()
}

func (w *wayToPostgres) pass(to, from net.Conn) {
	defer to.Close()
	defer from.Close()
	_, _ = io.Copy(writer(func(b []byte) (int, error) {
		if w.silent.Load() {
			<-w.changed
		}
		return to.Write(b)
	}), from)
}

type writer func([]byte) (int, error)

func (w writer) Write(b []byte) (int, error) { return w(b) }

func (w *wayToPostgres) fallSilent() { w.silent.Store(true) }
func (w *wayToPostgres) speak()      { w.silent.Store(false); close(w.changed) }

// A server that keeps its connections and does not answer: nobody waits for it without end, whatever his context allows.
func TestASilentServerIsNotWaitedFor(t *testing.T) {
	f := open(t)
	way := f.silentWay(shortAnswers)
	store, err := records.Open(t.Context(), way.url, records.Options{MaxConns: 2, Slots: 1})
	require.NoError(t, err)
	t.Cleanup(store.Close)
	slot, err := store.AcquireSlot(t.Context(), "translate", 1)
	require.NoError(t, err)

	way.fallSilent()
	began := time.Now()
	var calls sync.WaitGroup
	failures := make(chan error, calling+1)
	for range calling {
		calls.Go(func() {
			_, err := store.Task(t.Context(), tenant, "none")
			failures <- err
		})
	}
	calls.Go(func() {
		_, err := records.Open(t.Context(), way.url, records.Options{})
		failures <- err
	})
	calls.Wait()
	for range calling + 1 {
		recordstest.RequireCode(t, core.CodeUnavailable, <-failures)
	}
	require.Less(t, time.Since(began), longSilence)

	lost, cancel := context.WithTimeout(t.Context(), longSilence)
	defer cancel()
	ended(lost, t, slot.Context().Done())
	recordstest.RequireCode(t, core.CodeUnavailable, context.Cause(slot.Context()))
	slot.Release()

	way.speak()
	require.NoError(t, store.Ping(t.Context()))
	f.noLocks()
}

// Where the URL has statements wait without end, a session that only holds a slot is asked all the same, and given up.
func TestASlotIsLostWithASilentServerWhateverStatementsMayTake(t *testing.T) {
	f := open(t)
	way := f.silentWay("statement_timeout=0")
	store, err := records.Open(t.Context(), way.url, records.Options{Slots: 1})
	require.NoError(t, err)
	t.Cleanup(store.Close)
	slot, err := store.AcquireSlot(t.Context(), "translate", 1)
	require.NoError(t, err)
	way.fallSilent()
	lost, cancel := context.WithTimeout(t.Context(), time.Minute)
	defer cancel()
	ended(lost, t, slot.Context().Done())
	recordstest.RequireCode(t, core.CodeUnavailable, context.Cause(slot.Context()))
	slot.Release()
	way.speak()
}
