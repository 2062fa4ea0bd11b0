package records

import (
	"context"
	"maps"
	"strings"
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
	// Slots is the number of slots that this process may hold at once, 500 at most; each has a connection of its own.
	// As many as there are of a name let one process have them all: who asks beyond waits in the process. As many
	// again may be yielded. Defaults to 4.
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
	turns turns
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
	// Who has yielded a slot and who holds it in his place have a connection each.
	slots, err := newPool(ctx, url, 2*o.Slots, slotParams)
	if err != nil {
		pool.Close()
		return nil, err
	}
	if err := pool.Ping(ctx); err != nil {
		pool.Close()
		slots.Close()
		return nil, Wrap(err, "open the database")
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
		return nil, Wrap(err, "open the database")
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
		return Wrap(err, "ping the database")
	}
	if needed := latestVersion(); version < needed {
		return core.Errorf(core.CodeUnavailable,
			"the database schema has version %d and this program needs %d: run plait migrate", version, needed)
	}
	return nil
}

// Statement is one part of a transaction.
type Statement struct {
	SQL  string
	Args pgx.NamedArgs
	// Read takes the rows that the statement returns, all of them; nil for a statement whose rows are not read.
	Read func(pgx.Rows) error
}

// All reads every row into list.
func All[T any](list *[]T, scan pgx.RowToFunc[T]) func(pgx.Rows) error {
	return func(rows pgx.Rows) (err error) {
		*list, err = pgx.CollectRows(rows, scan)
		return err
	}
}

// One reads exactly one row into row. It fails with [pgx.ErrNoRows] when there is none.
func One[T any](row *T, scan pgx.RowToFunc[T]) func(pgx.Rows) error {
	return func(rows pgx.Rows) (err error) {
		*row, err = pgx.CollectExactlyOneRow(rows, scan)
		return err
	}
}

// Read runs statements that only read, in one round trip.
func (s *Store) Read(ctx context.Context, statements ...Statement) error {
	_, err := run(s.pool.SendBatch(ctx, batchOf(statements)), statements)
	return classify(err)
}

// Write runs statements in one transaction and one round trip, after locking the row of the task. It returns the number of rows
// that each statement changed.
func (s *Store) Write(ctx context.Context, taskID string, statements ...Statement) ([]int64, error) {
	lock := Statement{SQL: `SELECT FROM task WHERE id = @id FOR NO KEY UPDATE`, Args: pgx.NamedArgs{"id": taskID}}
	statements = append([]Statement{lock}, statements...)
	changed, err := run(s.pool.SendBatch(ctx, batchOf(statements)), statements)
	if err != nil {
		return nil, classify(err)
	}
	return changed[1:], nil
}

// inTransaction runs statements in one transaction and one round trip, and returns the number of rows that each of them changed.
func (s *Store) inTransaction(ctx context.Context, statements ...Statement) ([]int64, error) {
	changed, err := run(s.pool.SendBatch(ctx, batchOf(statements)), statements)
	return changed, classify(err)
}

// Transact runs do in a transaction, which is rolled back when do fails.
func (s *Store) Transact(ctx context.Context, do func(pgx.Tx) error) error {
	return classify(pgx.BeginFunc(ctx, s.pool, do))
}

func batchOf(statements []Statement) *pgx.Batch {
	batch := &pgx.Batch{}
	for _, st := range statements {
		batch.Queue(st.SQL, st.Args)
	}
	return batch
}

// run takes the results of the statements of a batch.
func run(results pgx.BatchResults, statements []Statement) (changed []int64, err error) {
	changed = make([]int64, len(statements))
	for i, st := range statements {
		if changed[i], err = st.take(results); err != nil {
			_ = results.Close() // it repeats err
			return nil, err
		}
	}
	return changed, results.Close()
}

// take takes the next result of a batch, which is that of the statement.
func (st Statement) take(results pgx.BatchResults) (changed int64, err error) {
	if st.Read == nil {
		tag, err := results.Exec()
		return tag.RowsAffected(), err
	}
	rows, err := results.Query()
	if err != nil {
		return 0, err
	}
	return 0, st.Read(rows)
}

// Clean makes s fit for a text column: Postgres accepts neither NUL nor invalid UTF-8, and models answer with both.
func Clean(s string) string {
	return strings.ReplaceAll(strings.ToValidUTF8(s, "\uFFFD"), "\x00", "")
}
