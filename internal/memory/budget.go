package memory

import (
	"context"
	"sync"
	"time"
)

// Use is what memory is reserved for.
type Use int

const (
	// Finish is work on a page that is in memory already and leaves it afterwards. It goes before Admit, and one such work runs even
	// without free memory: otherwise pages in memory would wait for each other.
	Finish Use = iota
	// Admit takes a further page into memory.
	Admit
)

// Patience is how long Admit waits for kept pages, while no other work runs, before they are evicted.
const Patience = 30 * time.Second

// Budget limits the bytes of pages in this process: a weighted semaphore over pages in progress and kept pages. A request for more
// than the whole budget runs alone. It is safe for concurrent use; nil is no limit.
type Budget struct {
	size int64

	mu      sync.Mutex
	used    int64
	working int // reservations that are worked under
	queues  [Admit + 1][]*waiter
	evict   Evict
}

// Evict frees so many bytes of kept pages that are not in use: of spare ones, or with all of any.
type Evict func(bytes int64, all bool)

type waiter struct {
	bytes int64
	ready chan struct{}
}

// NewBudget is a budget of so many bytes.
func NewBudget(bytes int64) *Budget { return &Budget{size: bytes} }

// Size is how many bytes there are in all.
func (b *Budget) Size() int64 { return b.size }

// Used is how many bytes are reserved.
func (b *Budget) Used() int64 {
	b.mu.Lock()
	defer b.mu.Unlock()
	return b.used
}

// OnShortage names what frees memory of pages that are kept.
func (b *Budget) OnShortage(evict Evict) {
	b.mu.Lock()
	defer b.mu.Unlock()
	b.evict = evict
}

// Reserve waits until there are so many bytes for work. It fails with the error of ctx.
func (b *Budget) Reserve(ctx context.Context, bytes int64, use Use) (*Reservation, error) {
	if b == nil {
		return nil, ctx.Err()
	}
	w := &waiter{bytes: min(bytes, b.size), ready: make(chan struct{})}
	b.mu.Lock()
	b.queues[use] = append(b.queues[use], w)
	b.grant()
	b.mu.Unlock()
	b.makeRoom(w, false)
	patience := time.NewTicker(Patience)
	defer patience.Stop()
	for {
		select {
		case <-w.ready:
			return &Reservation{budget: b, bytes: w.bytes, working: true, holders: 1}, nil
		case <-ctx.Done():
			b.withdraw(w, use)
			return nil, context.Cause(ctx)
		case <-patience.C:
			b.makeRoom(w, true)
		}
	}
}

// grant lets those that wait go on as far as there is memory, in their order.
func (b *Budget) grant() {
	for use := range b.queues {
		for len(b.queues[use]) > 0 {
			w := b.queues[use][0]
			if b.used+w.bytes > b.size && (Use(use) == Admit || b.working > 0) {
				return
			}
			b.queues[use] = b.queues[use][1:]
			b.used += w.bytes
			b.working++
			close(w.ready)
		}
	}
}

// withdraw ends a wait, and gives back memory that was granted in the meantime.
func (b *Budget) withdraw(w *waiter, use Use) {
	b.mu.Lock()
	defer b.mu.Unlock()
	for i, other := range b.queues[use] {
		if other == w {
			b.queues[use] = append(b.queues[use][:i:i], b.queues[use][i+1:]...)
			b.grant()
			return
		}
	}
	b.used -= w.bytes // granted meanwhile
	b.working--
	b.grant()
}

// makeRoom evicts kept pages for one that still waits: spare ones at once, others only while no work runs that would free memory.
func (b *Budget) makeRoom(w *waiter, all bool) {
	b.mu.Lock()
	evict, short := b.evict, b.used+w.bytes-b.size
	all = all && b.working == 0
	b.mu.Unlock()
	select {
	case <-w.ready:
		return
	default:
	}
	if evict != nil && short > 0 {
		evict(short, all)
	}
}

// Keep reserves bytes that are in memory already, whether or not the budget has room.
func (b *Budget) Keep(bytes int64) *Reservation {
	if b == nil {
		return nil
	}
	r := &Reservation{budget: b, holders: 1}
	r.Keep(bytes)
	return r
}

// Reservation is memory of a budget. Its methods do nothing on nil.
type Reservation struct {
	budget *Budget
	// The rest is guarded by the budget's mutex.
	bytes   int64
	working bool
	holders int
}

// Bytes is how much is reserved.
func (r *Reservation) Bytes() int64 {
	if r == nil {
		return 0
	}
	r.budget.mu.Lock()
	defer r.budget.mu.Unlock()
	return r.bytes
}

// Keep ends the work: what is left of it takes so many bytes.
func (r *Reservation) Keep(bytes int64) {
	if r == nil {
		return
	}
	r.budget.mu.Lock()
	defer r.budget.mu.Unlock()
	r.resize(bytes)
}

func (r *Reservation) resize(bytes int64) {
	r.budget.used += bytes - r.bytes
	r.bytes = bytes
	if r.working {
		r.working = false
		r.budget.working--
	}
	r.budget.grant()
}

// Retain adds a holder, who releases it too.
func (r *Reservation) Retain() {
	if r != nil {
		r.budget.mu.Lock()
		defer r.budget.mu.Unlock()
		r.holders++
	}
}

// Shared reports whether there is more than one holder.
func (r *Reservation) Shared() bool {
	if r == nil {
		return false
	}
	r.budget.mu.Lock()
	defer r.budget.mu.Unlock()
	return r.holders > 1
}

// Release gives the memory back once the last holder has released it.
func (r *Reservation) Release() {
	if r == nil {
		return
	}
	r.budget.mu.Lock()
	defer r.budget.mu.Unlock()
	if r.holders--; r.holders == 0 {
		r.resize(0)
	}
}
