package lease

import (
	"time"

	"plait/internal/latency"
)

// Claim is what room for a lease is asked for.
type Claim int

const (
	// Ordinary claims leave room for an urgent one.
	Ordinary Claim = iota
	// Urgent is the claim of an item that others wait for, whose leases may fill the cache: without room of its own,
	// they would all wait until those expire.
	Urgent
)

// room is what has been promised to leases that do not exist yet.
type room struct {
	claims [Urgent + 1]int
	// begun are the ordinary claims of which a lease is being made; the rest wait for work.
	begun int
	// wait is how long a lease waits for its use, for each that was kept when it came.
	wait latency.Estimate
	// changed is closed, and replaced, when there may be more room.
	changed chan struct{}
}

func newRoom() room { return room{changed: make(chan struct{})} }

func (r *room) news() {
	close(r.changed)
	r.changed = make(chan struct{})
}

// Claim takes room for a lease before it is made, until [Cache.Unclaim]; Put gives a lease its place whether or not
// that was claimed. Where there is no room, changed is closed when it is worth to ask again.
//
// There is room for fewer leases than the capacity where they would wait for their uses too long: leases are
// used one after the other, as fast as their items are worked on, so what waits behind n others waits n times as long.
// Only so many are let in as are measured to be used well within their TTL; until the first was used, those of
// Config.Start.
func (c *Cache) Claim(as Claim) (granted bool, changed <-chan struct{}) {
	c.mu.Lock()
	defer c.mu.Unlock()
	c.expire(c.now())
	if !c.hasRoom(as) {
		return false, c.room.changed
	}
	c.room.claims[as]++
	return true, nil
}

// ClaimNow is an ordinary claim whose lease is being made: [Cache.Unclaim] takes it as one that has begun. Claims that wait
// for work do not stand in its way: a worker that asks for steps would keep the last room from a caller that has one.
func (c *Cache) ClaimNow() (granted bool) {
	c.mu.Lock()
	defer c.mu.Unlock()
	c.expire(c.now())
	if c.full() {
		return false
	}
	c.room.claims[Ordinary]++
	c.room.begun++
	return true
}

// Begin notes that the lease of a claim is being made.
func (c *Cache) Begin(as Claim) {
	c.mu.Lock()
	defer c.mu.Unlock()
	if as == Ordinary {
		c.room.begun++
	}
}

// Unclaim gives a claim back, after Put or in its place.
func (c *Cache) Unclaim(as Claim, begun bool) {
	c.mu.Lock()
	defer c.mu.Unlock()
	c.room.claims[as]--
	if begun && as == Ordinary {
		c.room.begun--
	}
	c.room.news()
}

// Full says that there is room for no ordinary lease beyond those that are kept and being made.
func (c *Cache) Full() bool {
	c.mu.Lock()
	defer c.mu.Unlock()
	return c.full()
}

func (c *Cache) full() bool {
	promised := c.held() + c.room.begun
	return promised >= c.ordinaryRoom() || !c.fits(promised)
}

func (c *Cache) hasRoom(as Claim) bool {
	ordinary, urgent := c.held()+c.room.claims[Ordinary], c.room.claims[Urgent]
	if as == Urgent {
		// In a cache of one lease nothing can be set aside: there, an urgent one takes the place of another.
		return ordinary+urgent < c.capacity || (c.capacity == 1 && urgent == 0)
	}
	// The first urgent claim is what the room is set aside for; a worker holds it while it asks for steps.
	return ordinary+max(urgent-1, 0) < c.ordinaryRoom() && c.fits(ordinary+urgent)
}

// ordinaryRoom is how many leases are let in by ordinary claims.
func (c *Cache) ordinaryRoom() int {
	most := max(c.capacity-1, 1)
	if !c.room.wait.Known() {
		return min(most, c.start)
	}
	return min(most, c.room.wait.Within(fresh(c.ttl)))
}

// fresh is how old a lease may get before its use is asked for: the rest of its time is for the render to come to
// this host and to its device.
func fresh(ttl time.Duration) time.Duration { return ttl * 4 / 5 }

// fits expects of the leases to come that making each takes as much memory as making the largest kept did.
func (c *Cache) fits(promised int) bool {
	var largest int64
	for _, k := range c.kept {
		largest = max(largest, k.made, k.Value.Bytes())
	}
	claims := promised - c.held()
	return promised == 0 || c.bytes+int64(claims+1)*largest <= c.memory.Size()
}

// held is the number of leases that are kept to be used.
func (c *Cache) held() (n int) {
	for _, k := range c.kept {
		if !k.Spare {
			n++
		}
	}
	return n
}

// waited notes how long a lease waited for its first use, or for its end.
func (c *Cache) waited(k kept, now time.Time) kept {
	if k.among > 0 {
		c.room.wait.Observe(now.Sub(k.expires.Add(-c.ttl)) / time.Duration(k.among))
		c.room.news()
	}
	k.among = 0
	return k
}
