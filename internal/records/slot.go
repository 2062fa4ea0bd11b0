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
	"github.com/jackc/pgx/v5/pgconn"
	"github.com/jackc/pgx/v5/pgxpool"

	"plait/internal/core"
)

// Slot is one of n places under a name, held strictly by one holder across all processes: an advisory lock of a session
// of its own. It ends with that session, so a killed process frees its slots.
type Slot struct {
	conn *pgxpool.Conn
	// class and number name the place among the others of its name.
	class, number int32

	ctx  context.Context //nolint:containedctx // the context is what the slot gives out
	lose context.CancelCauseFunc
	// stop ends the watch of the connection; watched is closed when it has ended.
	stop    context.CancelFunc
	watched chan struct{}
	once    sync.Once
	yielded atomic.Bool
}

// AcquireSlot waits until one of the n slots of the name is free, or ctx ends: ctx bounds the waiting alone, and a slot
// once held stays so until it is released or lost. All callers of one name must agree on n. It fails with
// [core.CodeUnavailable] when the database does not answer.
func (s *Store) AcquireSlot(ctx context.Context, name string, n int) (*Slot, error) {
	return s.acquireSlot(ctx, name, n, nil)
}

// AcquireSlotFor is AcquireSlot for a matter that nobody else may hold a slot of that name for. When somebody does, it fails with
// [core.CodeUnavailable], and with a time to ask again.
func (s *Store) AcquireSlotFor(ctx context.Context, name string, n int, matter string) (*Slot, error) {
	key := int64(hashOf("plait slot %s for %s", name, matter))
	return s.acquireSlot(ctx, name, n, &key)
}

func (s *Store) acquireSlot(ctx context.Context, name string, n int, matter *int64) (*Slot, error) {
	if n < 1 {
		return nil, core.Errorf(core.CodeInvalidInput, "slots %q: there must be at least 1, not %d", name, n)
	}
	conn, err := s.slots.Acquire(ctx)
	if err != nil {
		return nil, Wrap(err, "acquire a slot")
	}
	class := slotClass(name)
	number, err := lockSlot(ctx, conn, class, int32(min(n, 1<<20)))
	if err != nil {
		discard(conn)
		return nil, Wrap(err, "acquire a slot")
	}
	if err := lockMatter(ctx, conn, matter); err != nil {
		discard(conn)
		return nil, Wrap(err, "acquire a slot")
	}
	slot := &Slot{conn: conn, class: class, number: number, watched: make(chan struct{})}
	slot.ctx, slot.lose = context.WithCancelCause(context.WithoutCancel(ctx))
	watch, stop := context.WithCancel(context.WithoutCancel(ctx))
	slot.stop = stop
	go slot.watch(watch)
	return slot, nil
}

// slotClass keeps slots of different names apart; advisory locks are named by two numbers of 32 bits, or by one of 64.
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

// askAgainAfter is when a matter that somebody holds is asked for again: it takes a model call, of seconds to minutes.
const askAgainAfter = 5 * time.Second

// lockMatter waits for the session's lock_timeout: whoever has just released the matter may not have told the database yet.
func lockMatter(ctx context.Context, conn *pgxpool.Conn, matter *int64) error {
	if matter == nil {
		return nil
	}
	_, err := conn.Exec(ctx, `SELECT pg_advisory_lock($1)`, *matter)
	if isLockTimeout(err) {
		return core.Wrap(core.CodeUnavailable, err, "an earlier attempt is still at it").WithRetryAfter(askAgainAfter)
	}
	return err
}

func isLockTimeout(err error) bool {
	var refused *pgconn.PgError
	return errors.As(err, &refused) && refused.Code == pgerrcode.LockNotAvailable
}

// lockSlot takes any free slot, or else queues for one at random: the server wakes its waiters at once and in their order.
// The session's lock_timeout of a second then sends it back to look at all.
func lockSlot(ctx context.Context, conn *pgxpool.Conn, class, n int32) (number int32, err error) {
	for {
		for i, start := int32(0), rand.Int32N(n); i < n; i++ { //nolint:gosec // fairness, not secrecy
			number = (start + i) % n
			var locked bool
			if err := conn.QueryRow(ctx, `SELECT pg_try_advisory_lock($1, $2)`, class, number).Scan(&locked); err != nil || locked {
				return number, err
			}
		}
		number = rand.Int32N(n) //nolint:gosec // as above
		_, err = conn.Exec(ctx, `SELECT pg_advisory_lock($1, $2)`, class, number)
		if !isLockTimeout(err) {
			return number, err
		}
		// A lock that is granted in this very moment stays with the session, and its statement fails all the same.
		if err := unlockAll(ctx, conn); err != nil {
			return 0, err
		}
	}
}

// unlockAll frees what the session holds, however often it has locked it.
func unlockAll(ctx context.Context, conn *pgxpool.Conn) error {
	_, err := conn.Exec(ctx, `SELECT pg_advisory_unlock_all()`)
	return err
}

// Context ends when the slot is released and, with a cause of [core.CodeUnavailable], when the session and so the
// slot is lost.
func (s *Slot) Context() context.Context { return s.ctx }

// watch waits for the session to break. Nothing is ever received on it: waiting for a notification is reading.
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

// Yield frees the place and keeps the matter, until Release. It does not wait for the database to say so. The loss of the session
// does not end the slot's context any more.
func (s *Slot) Yield() {
	s.yielded.Store(true)
	s.stop()
}

// unlockPlace frees the place of a slot that was yielded. A session that cannot say that it has done so is ended.
func (s *Slot) unlockPlace() {
	if !s.yielded.Load() {
		return
	}
	ctx, cancel := context.WithTimeout(context.WithoutCancel(s.ctx), connectTimeout)
	defer cancel()
	if _, err := s.conn.Exec(ctx, `SELECT pg_advisory_unlock($1, $2)`, s.class, s.number); err != nil {
		_ = s.conn.Conn().Close(ctx) // how it ends does not matter
	}
}

// Release frees the slot, and does not wait for the database to say so: whoever held it has more to write. Closing the store
// does. It may be called again.
func (s *Slot) Release() {
	s.once.Do(func() {
		s.stop()
		s.lose(context.Canceled)
		go s.unlock()
	})
}

func (s *Slot) unlock() {
	<-s.watched
	ctx, cancel := context.WithTimeout(context.WithoutCancel(s.ctx), connectTimeout)
	defer cancel()
	if err := unlockAll(ctx, s.conn); err != nil {
		discard(s.conn)
		return
	}
	s.conn.Release()
}

// discard closes a connection whose locks are not known, rather than giving it back.
func discard(conn *pgxpool.Conn) {
	ctx, cancel := context.WithTimeout(context.Background(), connectTimeout)
	defer cancel()
	raw := conn.Hijack()
	raw.Close(ctx) // how it ends does not matter
}
