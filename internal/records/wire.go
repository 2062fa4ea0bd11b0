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

// wireMargin is the time for the way to the server and back, on top of the statement time-out of the server.
const wireMargin = 5 * time.Second

// keepAlive detects within four seconds that the machine at the other end of an idle connection is gone. slotParams sets the same on
// the side of the server.
var keepAlive = net.KeepAliveConfig{Enable: true, Idle: 2 * time.Second, Interval: time.Second, Count: 2}

// answerWithin is how long to wait for an answer, given the statement_timeout of the URL or of this package. It is 0, no limit, when
// there is no time-out or its unit is one that Go does not parse.
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

// dial makes connections on which no read or write takes longer than within; 0 is no limit. A frozen server, or a proxy that lost
// its server, keeps a connection open and never answers. Neither statement time-outs nor keep-alive end that.
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

// errSilent is the error of a connection on which nothing arrived in time.
var errSilent = errors.New("the connection was silent")

// wire is a connection on which every read and write takes at most within.
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

// direction keeps two deadlines for reads or for writes of a connection. The earlier one applies.
type direction struct {
	set func(time.Time) error

	mu sync.Mutex
	// demanded is the deadline that the user of the connection sets, at any moment; own is that of the read or write in progress.
	// Zero is none.
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

// bounded does a read or a write. When its own deadline ends it, it returns errSilent and not a time-out: pgx takes a time-out for
// the end of a context and may go on using the connection.
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
