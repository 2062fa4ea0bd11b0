package lease

import (
	"slices"
	"sync"
	"time"

	"github.com/google/uuid"

	"plait/internal/core"
	"plait/internal/memory"
)

// The bounds when a Config names none. Capacity and TTL are those of the split contract.
const (
	DefaultCapacity = 10
	DefaultTTL      = 300 * time.Second
	// DefaultStart leases last for translations of a minute each.
	DefaultStart = 4
	// DefaultMemory holds ten pages of the 50 megapixels that pictures are limited to, at four bytes a pixel.
	DefaultMemory = 2 << 30
)

// Value is what a step leaves. It must not change once it is kept, because two steps may read it at a time.
type Value interface {
	// Bytes is the memory that the value holds.
	Bytes() int64
}

// Entry is a value to keep.
type Entry struct {
	Value Value
	// Spare is set for a lease that only saves time: it is evicted before all others, and never evicts another.
	Spare bool
	// Memory is the reservation under which the value was made, or nil. Whoever looks the entry up releases it.
	Memory *memory.Reservation
}

// Config bounds a cache. A field that is zero takes its default.
type Config struct {
	Capacity int
	TTL      time.Duration
	// Memory is the budget of the process, of which leases may take all; nil is one of their own.
	Memory *memory.Budget
	// Start is how many leases there is room for until the first one was used: see [Cache.Claim].
	Start int
	// Now is the clock; nil is time.Now.
	Now func() time.Time
}

// Cache keeps leases by id. It is safe for concurrent use.
type Cache struct {
	capacity int
	ttl      time.Duration
	memory   *memory.Budget
	start    int
	now      func() time.Time

	mu sync.Mutex
	// kept runs from the least to the most recently used; it is short, so order is kept by moving elements.
	kept  []kept
	bytes int64
	// tombstones are at most capacity: all of them were in the cache at the same time, one TTL ago.
	tombstones []tombstone
	stats      Stats
	room       room
}

type kept struct {
	Entry
	id      string
	expires time.Time
	// made is the memory that was reserved to make the value, in bytes.
	made int64
	// among is the number of leases when this one was added, itself included; 0 once its wait has been measured.
	among int
}

type tombstone struct {
	id    string
	until time.Time
}

// New makes an empty cache.
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
	cache.memory.OnShortage(cache.giveWay)
	if cache.start <= 0 {
		cache.start = DefaultStart
	}
	if cache.now == nil {
		cache.now = time.Now
	}
	return cache
}

// TTL is how long a lease is kept.
func (c *Cache) TTL() time.Duration { return c.ttl }

// Memory is the budget that leases are counted in.
func (c *Cache) Memory() *memory.Budget { return c.memory }

// Capacity is how many leases are kept.
func (c *Cache) Capacity() int { return c.capacity }

// Put adds a lease and returns its id; the cache then holds the memory too. It drops a lease that is larger than the whole budget,
// and a spare one that would have to evict others: looking it up fails with CACHE_MISS.
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
	k := kept{Entry: e, id: id, expires: now.Add(c.ttl), made: e.Memory.Bytes()}
	if e.Memory == nil {
		k.Memory = c.memory.Keep(size)
	} else {
		e.Memory.Retain()
		e.Memory.Keep(size)
	}
	if !e.Spare {
		k.among = c.held() + 1
	}
	c.kept = append(c.kept, k)
	c.bytes += size
	return id
}

// Lookup finds a value. It stays until it is dropped, expired or evicted; the caller may use it to the end even so, and
// releases its memory then. It fails with core.CodeCacheMiss, or with core.CodeTaskExpired.
func (c *Cache) Lookup(id string) (Entry, error) {
	c.mu.Lock()
	defer c.mu.Unlock()
	now := c.now()
	c.expire(now)
	at := slices.IndexFunc(c.kept, func(k kept) bool { return k.id == id })
	if at >= 0 {
		k := c.waited(c.kept[at], now)
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

// Exchange replaces the value of a lease. It evicts nothing: without memory for the new value the old one stays.
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

// Drop forgets a lease after its use.
func (c *Cache) Drop(id string) {
	c.mu.Lock()
	defer c.mu.Unlock()
	if at := slices.IndexFunc(c.kept, func(k kept) bool { return k.id == id }); at >= 0 {
		c.remove(at)
	}
}

// Sweep frees the memory of expired leases; every other call does so in passing.
func (c *Cache) Sweep() {
	c.mu.Lock()
	defer c.mu.Unlock()
	c.expire(c.now())
}

// Stats are the size of a cache and the counts of its lookups.
type Stats struct {
	Leases int
	Bytes  int64
	Hits   int64
	Misses int64
	// Room is how many leases the cache is ready to keep at once, but for those of [Urgent] claims.
	Room int
	// Expired counts lookups of expired leases; Evicted counts evicted leases.
	Expired int64
	Evicted int64
}

// Stats are read by metrics.
func (c *Cache) Stats() Stats {
	c.mu.Lock()
	defer c.mu.Unlock()
	c.expire(c.now())
	s := c.stats
	s.Leases, s.Bytes, s.Room = len(c.kept), c.bytes, c.ordinaryRoom()
	return s
}

// giveWay evicts leases that are not in use until so many bytes are free: spare ones, and with all also the others, the least
// recently used first.
func (c *Cache) giveWay(bytes int64, all bool) {
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
	c.room.news()
}

func (c *Cache) expire(now time.Time) {
	for at := 0; at < len(c.kept); {
		k := c.kept[at]
		if now.Before(k.expires) {
			at++
			continue
		}
		c.remove(at)
		c.waited(k, now)
		c.tombstones = append(c.tombstones, tombstone{id: k.id, until: k.expires.Add(c.ttl)})
	}
	c.tombstones = slices.DeleteFunc(c.tombstones, func(t tombstone) bool { return !now.Before(t.until) })
}
