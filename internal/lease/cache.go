package lease

import (
	"slices"
	"sync"
	"time"

	"github.com/google/uuid"

	"plait/internal/core"
	"plait/internal/memory"
)

// The defaults of a Config. Capacity and TTL are those of the split contract.
const (
	DefaultCapacity = 10
	DefaultTTL      = 300 * time.Second
	// DefaultStart is how many leases can wait one after another for translations of a minute each.
	DefaultStart = 4
	// DefaultMemory, in bytes, is enough for ten pages of 50 megapixels, the limit of pictures, at four bytes a pixel.
	DefaultMemory = 2 << 30
)

// Value is what a step keeps for the next step. It must not change after Put, because two steps may read it at the same time.
type Value interface {
	// Bytes returns the size of the value in memory.
	Bytes() int64
}

// Entry is a value to keep.
type Entry struct {
	Value Value
	// Spare marks a lease that only saves time: it is evicted before all others, and never evicts one that is not spare.
	Spare bool
	// Memory is the reservation under which the value was made, or nil. In an entry that Lookup returns, it is a reservation that the
	// caller must release.
	Memory *memory.Reservation
}

// Config bounds a cache. A field that is zero takes its default.
type Config struct {
	Capacity int
	TTL      time.Duration
	// Memory is the budget of the process; leases may use all of it. nil: a budget for the leases alone.
	Memory *memory.Budget
	// Start is how many leases the cache has room for until one has been used for the first time: see [Cache.Claim].
	Start int
	// Now is the clock; nil means time.Now.
	Now func() time.Time
}

// Cache keeps leases by their ids. It is safe for concurrent use.
type Cache struct {
	capacity int
	ttl      time.Duration
	memory   *memory.Budget
	start    int
	now      func() time.Time

	mu sync.Mutex
	// kept is in order from the least to the most recently used. It is short, so a use moves the elements.
	kept  []kept
	bytes int64
	// tombstones has at most capacity elements: all of them were in the cache at the same time, one TTL ago.
	tombstones []tombstone
	stats      Stats
	room       room
}

type kept struct {
	Entry
	id      string
	expires time.Time
	// making is the memory in bytes that was reserved to make the value.
	making int64
	// since and uses are those of the room when the lease was added. measured reports that its use has been counted.
	since    time.Time
	uses     int
	measured bool
}

// tombstone records an expired lease, so that Lookup can distinguish it from an unknown one.
type tombstone struct {
	id    string
	until time.Time
}

// New returns an empty cache.
func New(c Config) *Cache {
	cache := &Cache{capacity: c.Capacity, ttl: c.TTL, memory: c.Memory, start: c.Start, now: c.Now, room: newRoom()}
	if cache.capacity <= 0 {
		cache.capacity = DefaultCapacity
	}
	if cache.ttl <= 0 {
		cache.ttl = DefaultTTL
	}
	if cache.memory == nil {
		cache.memory = memory.NewBudget(DefaultMemory)
	}
	cache.memory.OnShortage(cache.evict)
	if cache.start <= 0 {
		cache.start = DefaultStart
	}
	if cache.now == nil {
		cache.now = time.Now
	}
	return cache
}

// TTL returns the lifetime of a lease.
func (c *Cache) TTL() time.Duration { return c.ttl }

// Memory returns the budget that includes the bytes of the leases.
func (c *Cache) Memory() *memory.Budget { return c.memory }

// Capacity returns the largest number of leases.
func (c *Cache) Capacity() int { return c.capacity }

// Put adds a lease and returns its id. The cache retains the entry's reservation. Put evicts the least recently used leases, spare ones
// first, to make room. It drops a lease that is larger than the whole budget, and a spare lease that would evict one that is not spare:
// then Lookup fails with CodeCacheMiss.
func (c *Cache) Put(e Entry) (id string) {
	id = uuid.NewString()
	size := e.Value.Bytes()
	c.mu.Lock()
	defer c.mu.Unlock()
	now := c.now()
	c.expire(now)
	if size > c.memory.Size() {
		c.stats.Evicted++
		return id
	}
	for len(c.kept) >= c.capacity || c.bytes+size > c.memory.Size() {
		at := max(slices.IndexFunc(c.kept, func(k kept) bool { return k.Spare }), 0)
		c.stats.Evicted++
		if e.Spare && !c.kept[at].Spare {
			return id
		}
		c.remove(at)
	}
	k := kept{Entry: e, id: id, expires: now.Add(c.ttl), making: e.Memory.Bytes()}
	if e.Memory == nil {
		k.Memory = c.memory.Keep(size)
	} else {
		e.Memory.Retain()
		e.Memory.Keep(size)
	}
	c.await(&k, now)
	c.kept = append(c.kept, k)
	c.bytes += size
	return id
}

// Lookup returns the entry of a lease, which stays in the cache. The caller may use the value even after the lease was dropped, has
// expired or was evicted, and must release the entry's Memory after the use.
//
// Errors: core.CodeTaskExpired for a lease that expired within the last TTL; core.CodeCacheMiss for any other unknown id.
func (c *Cache) Lookup(id string) (Entry, error) {
	c.mu.Lock()
	defer c.mu.Unlock()
	now := c.now()
	c.expire(now)
	at := slices.IndexFunc(c.kept, func(k kept) bool { return k.id == id })
	if at >= 0 {
		k := c.measure(c.kept[at], now)
		c.kept = append(slices.Delete(c.kept, at, at+1), k)
		c.stats.Hits++
		k.Memory.Retain()
		return k.Entry, nil
	}
	if slices.ContainsFunc(c.tombstones, func(t tombstone) bool { return t.id == id }) {
		c.stats.Expired++
		return Entry{}, core.NewError(core.CodeTaskExpired, "the lease has expired")
	}
	c.stats.Misses++
	return Entry{}, core.NewError(core.CodeCacheMiss, "no such lease")
}

// Exchange replaces the value of a lease. It evicts nothing: if there is no memory for the new value, the old one stays.
func (c *Cache) Exchange(id string, better Value) {
	c.mu.Lock()
	defer c.mu.Unlock()
	at := slices.IndexFunc(c.kept, func(k kept) bool { return k.id == id })
	if at < 0 {
		return
	}
	if more := better.Bytes() - c.kept[at].Value.Bytes(); c.bytes+more <= c.memory.Size() {
		c.kept[at].Value = better
		c.kept[at].Memory.Keep(better.Bytes())
		c.bytes += more
	}
}

// Drop removes a lease after its use.
func (c *Cache) Drop(id string) {
	c.mu.Lock()
	defer c.mu.Unlock()
	if at := slices.IndexFunc(c.kept, func(k kept) bool { return k.id == id }); at >= 0 {
		c.remove(at)
	}
}

// Sweep removes expired leases. Put, Lookup, Claim, ClaimNow and Stats do that too.
func (c *Cache) Sweep() {
	c.mu.Lock()
	defer c.mu.Unlock()
	c.expire(c.now())
}

// Stats are the size of a cache and counts since it was created.
type Stats struct {
	Leases int
	Bytes  int64
	Hits   int64 // lookups that found a lease
	Misses int64 // lookups of unknown leases
	// Room is how many leases of [Ordinary] claims the cache accepts at the same time.
	Room int
	// Expired counts lookups of expired leases. Evicted counts evicted leases, and those that Put dropped.
	Expired int64
	Evicted int64
}

// Stats returns statistics for metrics.
func (c *Cache) Stats() Stats {
	c.mu.Lock()
	defer c.mu.Unlock()
	c.expire(c.now())
	s := c.stats
	s.Leases, s.Bytes, s.Room = len(c.kept), c.bytes, c.ordinaryRoom()
	return s
}

// evict evicts leases that are not in use until that many bytes are free, the least recently used first: only spare leases, or with all
// first the spare ones and then the others.
func (c *Cache) evict(bytes int64, all bool) {
	c.mu.Lock()
	defer c.mu.Unlock()
	for _, spare := range []bool{true, false} {
		for at := 0; at < len(c.kept) && bytes > 0 && (spare || all); {
			if k := c.kept[at]; k.Spare != spare || k.Memory.Shared() {
				at++
				continue
			}
			bytes -= c.kept[at].Value.Bytes()
			c.stats.Evicted++
			c.remove(at)
		}
	}
}

func (c *Cache) remove(at int) {
	c.bytes -= c.kept[at].Value.Bytes()
	c.kept[at].Memory.Release()
	c.kept = slices.Delete(c.kept, at, at+1)
	c.room.notify()
}

func (c *Cache) expire(now time.Time) {
	for at := 0; at < len(c.kept); {
		k := c.kept[at]
		if now.Before(k.expires) {
			at++
			continue
		}
		c.remove(at)
		if k.waits() {
			c.observe(k, now)
		}
		c.tombstones = append(c.tombstones, tombstone{id: k.id, until: k.expires.Add(c.ttl)})
	}
	c.tombstones = slices.DeleteFunc(c.tombstones, func(t tombstone) bool { return !now.Before(t.until) })
}
