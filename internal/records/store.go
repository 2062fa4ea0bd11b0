package records

import (
	"context"
	"fmt"
	"maps"
	"time"

	"github.com/jackc/pgx/v5"
	"github.com/jackc/pgx/v5/pgxpool"

	"plait/internal/core"
)

const (
	// defaultMaxConns is enough for one process: a step is one round trip of about a millisecond.
	defaultMaxConns = 8
	connectTimeout  = 5 * time.Second
	maxConnIdle     = 5 * time.Minute
	// pingTimeout is for a connection that was idle: one that does not answer is given up for another.
	pingTimeout = 3 * time.Second
)

// Options bounds the connections of a store. A field that is zero or less takes its default.
type Options struct {
	// MaxConns is the largest number of connections, besides those for slots and one for watches, 1000 at most. Defaults to 8.
	MaxConns int
	// Slots is the number of slots that this process may hold at once, 1000 at most; each has a connection of its own.
	// As many as there are of a name let one process have them all: who asks beyond waits in the process. Defaults to 8.
	Slots int
}

// sessionParams bound what one statement may cost everyone else, in milliseconds. The longest statement of this package
// deletes a task of thousands of pages, in well under a second.
var sessionParams = map[string]string{
	"application_name":                    "plait",
	"timezone":                            "UTC",
	"statement_timeout":                   "15000",
	"lock_timeout":                        "10000",
	"idle_in_transaction_session_timeout": "30000",
}

// slotParams are for sessions that wait for and hold a slot. A server notices within seconds that the machine of a holder
// is gone (keep-alive), and that a waiting client is. No statement waits for longer than lock_timeout.
var slotParams = map[string]string{
	"application_name":                 "plait slots",
	"statement_timeout":                "15000",
	"lock_timeout":                     "1000",
	"tcp_keepalives_idle":              "2",
	"tcp_keepalives_interval":          "1",
	"tcp_keepalives_count":             "2",
	"client_connection_check_interval": "2000",
}

// Store is a pool of connections to the records. It is safe for concurrent use.
type Store struct {
	pool *pgxpool.Pool
	// slots is apart from pool, because a slot keeps its connection for as long as a model takes to answer.
	slots *pgxpool.Pool
	// watches have a connection of their own, once somebody watches.
	watches *watches
}

// Open connects to the database at url. It does not migrate. It fails with [core.CodeInvalidInput] for a malformed URL
// and with [core.CodeUnavailable] when the database does not answer.
func Open(ctx context.Context, url string, o Options) (*Store, error) {
	pool, err := newPool(ctx, url, o.MaxConns, sessionParams, limitAcquire)
	if err != nil {
		return nil, err
	}
	slots, err := newPool(ctx, url, o.Slots, slotParams)
	if err != nil {
		pool.Close()
		return nil, err
	}
	if err := pool.Ping(ctx); err != nil {
		pool.Close()
		slots.Close()
		return nil, wrap(err, "open the database")
	}
	return &Store{pool: pool, slots: slots, watches: newWatches(slots.Config().ConnConfig)}, nil
}

func newPool(
	ctx context.Context, url string, maxConns int, params map[string]string, options ...func(*pgxpool.Config),
) (*pgxpool.Pool, error) {
	config, err := pgxpool.ParseConfig(url)
	if err != nil {
		return nil, malformedURL(err)
	}
	if maxConns <= 0 {
		maxConns = defaultMaxConns
	}
	config.MaxConns = int32(min(maxConns, 1000))
	config.MaxConnIdleTime = maxConnIdle
	config.PingTimeout = pingTimeout
	configure(config.ConnConfig, params)
	for _, option := range options {
		option(config)
	}
	pool, err := pgxpool.NewWithConfig(ctx, config)
	if err != nil {
		return nil, wrap(err, "open the database")
	}
	return pool, nil
}

// configure sets params except where the URL sets its own, and bounds what is waited for on the wire.
func configure(config *pgx.ConnConfig, params map[string]string) {
	if config.ConnectTimeout == 0 {
		config.ConnectTimeout = connectTimeout
	}
	merged := maps.Clone(params)
	maps.Copy(merged, config.RuntimeParams)
	config.RuntimeParams = merged
	config.DialFunc = dial(answerWithin(merged["statement_timeout"]))
}

func malformedURL(err error) error {
	return core.Wrap(core.CodeInvalidInput, err, "the database URL cannot be read")
}

// Close waits for running statements and closes all connections.
func (s *Store) Close() {
	s.watches.close()
	s.pool.Close()
	s.slots.Close()
}

// Ping fails with [core.CodeUnavailable] when the database does not answer, or when its schema is older than this
// program needs.
func (s *Store) Ping(ctx context.Context) error {
	var version int64
	err := s.pool.QueryRow(ctx, `SELECT coalesce(max(version_id), 0) FROM `+versionTable+` WHERE is_applied`).Scan(&version)
	if err != nil {
		return wrap(err, "ping the database")
	}
	if needed := latestVersion(); version < needed {
		return core.Errorf(core.CodeUnavailable,
			"the database schema has version %d and this program needs %d: run plait migrate", version, needed)
	}
	return nil
}

// write runs the statements of batch in one transaction and one round trip, after locking the row of the task. It returns
// the number of rows that each statement changed.
func (s *Store) write(ctx context.Context, taskID string, statements ...statement) ([]int64, error) {
	batch := &pgx.Batch{}
	batch.Queue(`SELECT FROM task WHERE id = $1 FOR NO KEY UPDATE`, taskID)
	changed := make([]int64, len(statements))
	for _, st := range statements {
		batch.Queue(st.sql, st.args)
	}
	results := s.pool.SendBatch(ctx, batch)
	if _, err := results.Exec(); err != nil {
		return nil, closeAfter(results, err)
	}
	for i, st := range statements {
		if st.scan != nil {
			if err := st.scan(results); err != nil {
				return nil, closeAfter(results, err)
			}
			continue
		}
		tag, err := results.Exec()
		if err != nil {
			return nil, closeAfter(results, err)
		}
		changed[i] = tag.RowsAffected()
	}
	return changed, results.Close()
}

// statement is one part of a write. scan reads its rows, when it has any.
type statement struct {
	sql  string
	args pgx.NamedArgs
	scan func(pgx.BatchResults) error
}

// closeAfter closes results, whose own error repeats err.
func closeAfter(results pgx.BatchResults, err error) error {
	if closeErr := results.Close(); closeErr != nil && err == nil {
		return fmt.Errorf("close the batch: %w", closeErr)
	}
	return err
}
