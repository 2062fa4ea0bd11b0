package records

import (
	"context"
	"time"

	"github.com/jackc/pgx/v5"
	"github.com/jackc/pgx/v5/pgxpool"

	"plait/internal/core"
)

// acquireLimit bounds how long a statement waits for a connection of the pool. It is a pgx tracer because only a tracer can replace
// the context with which a connection is acquired.
type acquireLimit time.Duration

var _ pgxpool.AcquireTracer = acquireLimit(0)

// limitAcquire lets a statement wait for a connection as long as for an answer. The pool of slots has no such limit.
func limitAcquire(config *pgxpool.Config) {
	if within := answerWithin(config.ConnConfig.RuntimeParams["statement_timeout"]); within > 0 {
		config.ConnConfig.Tracer = acquireLimit(within)
	}
}

// acquiring is the context of one wait for a connection. When the limit ends it, Err says that the pool is busy and not that the
// caller canceled.
type acquiring struct {
	context.Context
	stop context.CancelFunc
	busy *core.Error
}

func (a acquiring) Err() error {
	if context.Cause(a.Context) == error(a.busy) { //nolint:errorlint // this very one: any of its code counts as equal
		return a.busy
	}
	return a.Context.Err()
}

// TraceAcquireStart implements [pgxpool.AcquireTracer].
func (l acquireLimit) TraceAcquireStart(ctx context.Context, _ *pgxpool.Pool, _ pgxpool.TraceAcquireStartData) context.Context {
	busy := core.Wrap(core.CodeUnavailable, context.DeadlineExceeded, "no connection to the database came free in time")
	limited, stop := context.WithTimeoutCause(ctx, time.Duration(l), busy)
	return acquiring{Context: limited, stop: stop, busy: busy}
}

// TraceAcquireEnd implements [pgxpool.AcquireTracer].
func (acquireLimit) TraceAcquireEnd(ctx context.Context, _ *pgxpool.Pool, _ pgxpool.TraceAcquireEndData) {
	if a, ok := ctx.(acquiring); ok {
		a.stop()
	}
}

// TraceQueryStart implements [pgx.QueryTracer], and bounds nothing: see wire.
func (acquireLimit) TraceQueryStart(ctx context.Context, _ *pgx.Conn, _ pgx.TraceQueryStartData) context.Context {
	return ctx
}

// TraceQueryEnd implements [pgx.QueryTracer].
func (acquireLimit) TraceQueryEnd(context.Context, *pgx.Conn, pgx.TraceQueryEndData) {}
