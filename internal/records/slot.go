package records

import (
	"context"
	"errors"
	"fmt"
	"hash/fnv"
	"math/rand/v2"
	"sync"
	"sync/atomic"
	"time"

	"github.com/jackc/pgerrcode"
	"github.com/jackc/pgx/v5"
	"github.com/jackc/pgx/v5/pgconn"
	"github.com/jackc/pgx/v5/pgxpool"

	"plait/internal/core"
)

// Slot is one of n slots under a name. One holder has it at a time, across all processes: it is a Postgres advisory lock of a
// database session that belongs to this slot alone. The lock ends with the session, so a killed process frees its slots.
type Slot struct {
	conn *pgxpool.Conn
	// class and number are the two keys of the advisory lock: a hash of the name, and the slot from 0 to n-1.
	class, number int32

	ctx  context.Context //nolint:containedctx // the context is what the slot gives out
	lose context.CancelCauseFunc
	// stop ends the goroutine that watches the connection; watched is closed when that goroutine has returned.
	stop    context.CancelFunc
	watched chan struct{}
	once    sync.Once
	yielded atomic.Bool
	// leave ends the turn of this slot in its process, once it is free in the database.
	leave func()
}

// turns bound the callers of a process that ask the database for a slot to the number of slots: more of them could only wait there, each
// with a connection, and would wait for one slot while another is free. It is safe for concurrent use.
type turns struct {
	mu    sync.Mutex
	names map[turnsKey]chan struct{}
}

type turnsKey struct{ class, n int32 }

// take waits for a turn, or until ctx ends. The caller ends its turn with leave, which may be called more than once.
func (t *turns) take(ctx context.Context, class, n int32) (leave func(), err error) {
	t.mu.Lock()
	if t.names == nil {
		t.names = map[turnsKey]chan struct{}{}
	}
	turn := t.names[turnsKey{class, n}]
	if turn == nil {
		turn = make(chan struct{}, n)
		t.names[turnsKey{class, n}] = turn
	}
	t.mu.Unlock()
	select {
	case turn <- struct{}{}:
		return sync.OnceFunc(func() { <-turn }), nil
	case <-ctx.Done():
		return nil, ctx.Err()
	}
}

// AcquireSlot waits until one of the n slots of the name is free, or ctx ends. ctx bounds only the wait: an acquired slot is held
// until it is released or lost. All callers of one name must pass the same n. It fails with [core.CodeUnavailable] when the database
// does not answer.
func (s *Store) AcquireSlot(ctx context.Context, name string, n int) (*Slot, error) {
	return s.acquireSlot(ctx, name, n, nil)
}

// TrySlot is [Store.AcquireSlot] without a wait: it returns nil when all slots are held.
func (s *Store) TrySlot(ctx context.Context, name string, n int) (*Slot, error) {
	conn, err := s.slots.Acquire(ctx)
	if err != nil {
		return nil, Wrap(err, "try a slot")
	}
	class, count := slotClass(name), int32(min(max(n, 1), 1<<20))
	start := rand.Int32N(count) //nolint:gosec // fairness, not secrecy
	var number int32
	switch err := conn.QueryRow(ctx, lockFree, class, start, count).Scan(&number); {
	case errors.Is(err, pgx.ErrNoRows):
		conn.Release()
		return nil, nil //nolint:nilnil // all slots are held, which is no error
	case err != nil:
		discard(conn)
		return nil, Wrap(err, "try a slot")
	}
	return newSlot(ctx, conn, class, number, func() {}), nil
}

// AcquireSlotFor acquires a slot as [Store.AcquireSlot] does, and also an exclusive lock on matter, so that only one holder works on
// it. When another holder has the matter, it fails with [core.CodeUnavailable] and a retry delay.
func (s *Store) AcquireSlotFor(ctx context.Context, name string, n int, matter string) (*Slot, error) {
	key := int64(hashOf("plait slot %s for %s", name, matter))
	return s.acquireSlot(ctx, name, n, &key)
}

func (s *Store) acquireSlot(ctx context.Context, name string, n int, matter *int64) (*Slot, error) {
	if n < 1 {
		return nil, core.Errorf(core.CodeInvalidInput, "slots %q: there must be at least 1, not %d", name, n)
	}
	class, count := slotClass(name), int32(min(n, 1<<20))
	leave, err := s.turns.take(ctx, class, count)
	if err != nil {
		return nil, Wrap(err, "acquire a slot")
	}
	held := false
	defer func() {
		if !held {
			leave()
		}
	}()
	conn, err := s.slots.Acquire(ctx)
	if err != nil {
		return nil, Wrap(err, "acquire a slot")
	}
	number, err := lockSlot(ctx, conn, class, count)
	if err != nil {
		discard(conn)
		return nil, Wrap(err, "acquire a slot")
	}
	if err := lockMatter(ctx, conn, matter); err != nil {
		discard(conn)
		return nil, Wrap(err, "acquire a slot")
	}
	held = true
	return newSlot(ctx, conn, class, number, leave), nil
}

// newSlot is a slot whose lock the session of conn holds.
func newSlot(ctx context.Context, conn *pgxpool.Conn, class, number int32, leave func()) *Slot {
	slot := &Slot{conn: conn, class: class, number: number, watched: make(chan struct{}), leave: leave}
	slot.ctx, slot.lose = context.WithCancelCause(context.WithoutCancel(ctx))
	watch, stop := context.WithCancel(context.WithoutCancel(ctx))
	slot.stop = stop
	go slot.watch(watch)
	return slot
}

// slotClass hashes a name into the first key of its advisory locks. Postgres names these locks by two numbers of 32 bits or by one
// of 64 bits.
func slotClass(name string) int32 {
	h := fnv.New32a()
	fmt.Fprintf(h, "plait slot %s", name)
	return int32(h.Sum32())
}

func hashOf(format string, args ...any) uint64 {
	h := fnv.New64a()
	fmt.Fprintf(h, format, args...)
	return h.Sum64()
}

// askAgainAfter is the retry delay while another holder has the matter. A holder keeps it for a model call, which takes seconds to
// minutes.
const askAgainAfter = 5 * time.Second

// lockMatter waits for at most the lock_timeout of the session: a holder that has just released the matter may not have unlocked it
// in the database yet.
func lockMatter(ctx context.Context, conn *pgxpool.Conn, matter *int64) error {
	if matter == nil {
		return nil
	}
	_, err := conn.Exec(ctx, `SELECT pg_advisory_lock($1)`, *matter)
	if isLockTimeout(err) {
		return core.Wrap(core.CodeUnavailable, err, "an earlier attempt still runs").WithRetryAfter(askAgainAfter)
	}
	return err
}

func isLockTimeout(err error) bool {
	var refused *pgconn.PgError
	return errors.As(err, &refused) && refused.Code == pgerrcode.LockNotAvailable
}

// lockFree locks the first free slot of n from a start on. The rows are examined one after the other, until one is locked.
const lockFree = `
SELECT number FROM (SELECT ($2::integer + i) % $3::integer AS number FROM generate_series(0, $3::integer - 1) AS i OFFSET 0) AS slots
WHERE pg_try_advisory_lock($1::integer, number) LIMIT 1`

// lockSlot takes any free slot. If there is none, it waits for a random one, because the server grants a lock to its waiters at once
// and in order. After the lock_timeout of the session (one second) it tries all slots again.
func lockSlot(ctx context.Context, conn *pgxpool.Conn, class, n int32) (number int32, err error) {
	for {
		start := rand.Int32N(n) //nolint:gosec // fairness, not secrecy
		if err = conn.QueryRow(ctx, lockFree, class, start, n).Scan(&number); !errors.Is(err, pgx.ErrNoRows) {
			return number, err
		}
		number = rand.Int32N(n) //nolint:gosec // as above
		_, err = conn.Exec(ctx, `SELECT pg_advisory_lock($1, $2)`, class, number)
		if !isLockTimeout(err) {
			return number, err
		}
		// If the lock is granted just as the time-out expires, the statement fails but the session keeps the lock.
		if err := unlockAll(ctx, conn); err != nil {
			return 0, err
		}
	}
}

// unlockAll releases every advisory lock of the session, also those that it took more than once.
func unlockAll(ctx context.Context, conn *pgxpool.Conn) error {
	_, err := conn.Exec(ctx, `SELECT pg_advisory_unlock_all()`)
	return err
}

// Context ends when the slot is released. When the database session breaks, and with it the slot is lost, it ends with a cause of
// [core.CodeUnavailable].
func (s *Slot) Context() context.Context { return s.ctx }

// watch waits until the session breaks. The session listens to no channel: waiting for a notification only reads from the
// connection.
func (s *Slot) watch(ctx context.Context) {
	defer close(s.watched)
	defer s.unlockPlace()
	for ctx.Err() == nil {
		if _, err := notified(ctx, s.conn.Conn()); err != nil {
			s.lose(core.Wrap(core.CodeUnavailable, err, "the slot was lost with its database session"))
			return
		}
	}
}

// Yield starts to free the slot for others and returns without waiting for the database. The matter stays locked until Release. From
// now on, losing the session does not end the context of the slot.
func (s *Slot) Yield() {
	s.yielded.Store(true)
	s.stop()
}

// unlockPlace unlocks the slot after Yield. If the unlock fails, it closes the session, which frees the slot too.
func (s *Slot) unlockPlace() {
	if !s.yielded.Load() {
		return
	}
	ctx, cancel := context.WithTimeout(context.WithoutCancel(s.ctx), connectTimeout)
	defer cancel()
	if _, err := s.conn.Exec(ctx, `SELECT pg_advisory_unlock($1, $2)`, s.class, s.number); err != nil {
		_ = s.conn.Conn().Close(ctx) // an error changes nothing: the session is gone either way
	}
	s.leave()
}

// Release frees the slot in the background, because its holder has more to write; closing the store waits for it. It may be called
// more than once.
func (s *Slot) Release() {
	s.once.Do(func() {
		s.stop()
		s.lose(context.Canceled)
		go s.unlock()
	})
}

func (s *Slot) unlock() {
	defer s.leave()
	<-s.watched
	ctx, cancel := context.WithTimeout(context.WithoutCancel(s.ctx), connectTimeout)
	defer cancel()
	if err := unlockAll(ctx, s.conn); err != nil {
		discard(s.conn)
		return
	}
	s.conn.Release()
}

// discard closes a connection whose locks are unknown instead of returning it to the pool.
func discard(conn *pgxpool.Conn) {
	ctx, cancel := context.WithTimeout(context.Background(), connectTimeout)
	defer cancel()
	raw := conn.Hijack()
	raw.Close(ctx) // an error changes nothing: the session is gone either way
}
