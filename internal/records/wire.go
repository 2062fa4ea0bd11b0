package records

import (
	"context"
	"errors"
	"fmt"
	"net"
	"os"
	"strconv"
	"sync"
	"time"

	"github.com/jackc/pgx/v5/pgconn"
)

// wireMargin is for the way there and back, beyond what the server allows a statement.
const wireMargin = 5 * time.Second

// keepAlive finds out within seconds that the machine at the other end is gone, on a connection on which nothing is under way.
// The server is told to look as often where it matters: see slotParams.
var keepAlive = net.KeepAliveConfig{Enable: true, Idle: 2 * time.Second, Interval: time.Second, Count: 2}

// answerWithin is how long an answer may be waited for where the server breaks a statement off after statementTimeout, as the
// URL or this package sets it. A time in a unit that Go does not read, and none at all, are no bound: 0.
func answerWithin(statementTimeout string) time.Duration {
	if milliseconds, err := strconv.Atoi(statementTimeout); err == nil {
		statementTimeout = fmt.Sprint(milliseconds, "ms")
	}
	limit, err := time.ParseDuration(statementTimeout)
	if err != nil || limit <= 0 {
		return 0
	}
	return limit + wireMargin
}

// dial makes connections on which nothing is waited for longer than within; 0 is no bound. A server that is frozen, or a proxy
// whose server is gone, keeps a connection open and says nothing for ever: neither the server's own time-outs nor keep-alive
// end that.
func dial(within time.Duration) pgconn.DialFunc {
	dialer := &net.Dialer{KeepAliveConfig: keepAlive}
	if within <= 0 {
		return dialer.DialContext
	}
	return func(ctx context.Context, network, address string) (net.Conn, error) {
		conn, err := dialer.DialContext(ctx, network, address)
		if err != nil {
			return nil, err
		}
		return &wire{
			Conn: conn, within: within,
			reading: direction{set: conn.SetReadDeadline}, writing: direction{set: conn.SetWriteDeadline},
		}, nil
	}
}

// errSilent ends a connection on which nothing came in time.
var errSilent = errors.New("the connection was silent")

// wire is a connection on which no read and no write takes longer than within.
type wire struct {
	net.Conn
	within           time.Duration
	reading, writing direction
}

func (w *wire) Read(b []byte) (int, error)  { return w.reading.bounded(w.within, w.Conn.Read, b) }
func (w *wire) Write(b []byte) (int, error) { return w.writing.bounded(w.within, w.Conn.Write, b) }

func (w *wire) SetReadDeadline(t time.Time) error  { return w.reading.demand(t) }
func (w *wire) SetWriteDeadline(t time.Time) error { return w.writing.demand(t) }
func (w *wire) SetDeadline(t time.Time) error {
	return errors.Join(w.reading.demand(t), w.writing.demand(t))
}

// direction holds two deadlines of one way of a connection, of which the earlier counts.
type direction struct {
	set func(time.Time) error

	mu sync.Mutex
	// demanded is that of whoever uses the connection, who may move it at any moment, and own that of what is under way. Zero
	// is none.
	demanded, own time.Time
}

func (d *direction) demand(t time.Time) error {
	d.mu.Lock()
	defer d.mu.Unlock()
	d.demanded = t
	return d.apply()
}

func (d *direction) limit(t time.Time) error {
	d.mu.Lock()
	defer d.mu.Unlock()
	d.own = t
	return d.apply()
}

func (d *direction) apply() error {
	if d.own.IsZero() || !d.demanded.IsZero() && d.demanded.Before(d.own) {
		return d.set(d.demanded)
	}
	return d.set(d.own)
}

// bounded does a read or a write. When its own deadline ends it, the error is not one of a time-out: pgx takes those for the end
// of a context, after which a connection may go on.
func (d *direction) bounded(within time.Duration, do func([]byte) (int, error), b []byte) (int, error) {
	own := time.Now().Add(within)
	if err := d.limit(own); err != nil {
		return 0, err
	}
	n, err := do(b)
	if errors.Is(err, os.ErrDeadlineExceeded) && !time.Now().Before(own) {
		return n, fmt.Errorf("%w for %s", errSilent, within)
	}
	if free := d.limit(time.Time{}); err == nil {
		err = free
	}
	return n, err
}
