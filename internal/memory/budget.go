package memory

import (
	"context"
	"sync"
	"time"
)

// Use says what memory is reserved for.
type Use int

const (
	// Finish is for work on a page that is already in memory and is released afterwards. It has priority over Admit. One Finish may run
	// even without free memory: otherwise the pages in memory could wait for each other without end.
	Finish Use = iota
	// Admit is for work on another page, which is not in memory yet.
	Admit
)

// Patience is how long a Reserve waits, while no other work runs, before kept pages are evicted for it.
const Patience = 30 * time.Second

// Budget limits the bytes of pages in this process. It is a weighted semaphore shared by pages in progress and kept pages. A request
// for more than the whole budget is reduced to the whole budget, so that it runs alone. It is safe for concurrent use. A nil Budget has
// no limit.
type Budget struct {
	size int64

	mu      sync.Mutex
	used    int64
	working int // number of reservations with work in progress
	queues  [Admit + 1][]*waiter
	evict   Evict
}

// Evict frees that many bytes of kept pages that are not in use: only spare ones, or with all any of them.
type Evict func(bytes int64, all bool)

type waiter struct {
	bytes int64
	ready chan struct{}
}

// NewBudget returns a budget of that many bytes.
func NewBudget(bytes int64) *Budget { return &Budget{size: bytes} }

// Size returns the size of the budget in bytes.
func (b *Budget) Size() int64 { return b.size }

// Used returns how many bytes are reserved.
func (b *Budget) Used() int64 {
	b.mu.Lock()
	defer b.mu.Unlock()
	return b.used
}

// OnShortage sets the function that evicts kept pages when memory is short.
func (b *Budget) OnShortage(evict Evict) {
	b.mu.Lock()
	defer b.mu.Unlock()
	b.evict = evict
}

// Reserve waits until that many bytes are free, and reserves them for work. When ctx ends first, it returns the cause.
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

// grant grants waiting requests in order, Finish before Admit. The first one that does not fit blocks all behind it.
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

// withdraw removes a waiter, and returns its memory if it was granted meanwhile.
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

// makeRoom evicts kept pages for w if it still waits: spare ones, and with all also others, unless work is running that will free memory.
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

// Keep reserves bytes for a page that is in memory already, even if the budget has no room.
func (b *Budget) Keep(bytes int64) *Reservation {
	if b == nil {
		return nil
	}
	r := &Reservation{budget: b, holders: 1}
	r.Keep(bytes)
	return r
}

// Reservation is reserved memory of a budget. It has one holder at first. The methods of a nil Reservation do nothing.
type Reservation struct {
	budget *Budget
	// The budget's mutex guards the following fields.
	bytes   int64
	working bool
	holders int
}

// Bytes returns how many bytes are reserved.
func (r *Reservation) Bytes() int64 {
	if r == nil {
		return 0
	}
	r.budget.mu.Lock()
	defer r.budget.mu.Unlock()
	return r.bytes
}

// Keep ends the work and changes the reservation to the bytes that its result takes.
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

// Retain adds a holder, which must also call Release.
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

// Release removes a holder. The last Release returns the memory to the budget.
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
