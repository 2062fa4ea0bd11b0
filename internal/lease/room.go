package lease

import (
	"slices"
	"time"

	"plait/internal/latency"
)

// Claim says how urgently room for a lease is needed.
type Claim int

const (
	// Ordinary claims leave room for one urgent claim.
	Ordinary Claim = iota
	// Urgent is the claim of an item that other items wait for. The leases of those items may fill the cache: without reserved room, all
	// items would wait until these leases expire.
	Urgent
)

// room is the state of claims, which are for leases that do not exist yet.
type room struct {
	claims [Urgent + 1]int
	// begun counts the ordinary claims whose lease is being made. The other ordinary claims wait for work.
	begun int
	// interval estimates the time between the uses of two leases while leases wait for their use.
	interval latency.Estimate
	// uses counts the leases that have been used. since is when the current interval began: at the latest use, or when a lease was added
	// and no other waited.
	uses  int
	since time.Time
	// changed is closed and replaced when there may be more room.
	changed chan struct{}
}

func newRoom() room { return room{changed: make(chan struct{})} }

func (r *room) notify() {
	close(r.changed)
	r.changed = make(chan struct{})
}

// Claim reserves room for a lease before it is made, until [Cache.Unclaim]. If there is no room, Claim returns a channel that is closed
// when it makes sense to claim again. Put does not require a claim.
//
// The cache may have room for fewer leases than its capacity. Leases are used one after another, as fast as their items are processed,
// so a lease behind n others waits n times as long. Claim grants only as many as the measured waits let be used well within the TTL;
// until the first lease has been used, Config.Start.
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

// ClaimNow makes an ordinary claim whose lease is made immediately: pass begun to [Cache.Unclaim]. It ignores claims that wait for
// work; otherwise a worker that polls for steps would keep the last room from a caller that has a step already.
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

// Begin records that the lease of a claim is being made.
func (c *Cache) Begin(as Claim) {
	c.mu.Lock()
	defer c.mu.Unlock()
	if as == Ordinary {
		c.room.begun++
	}
}

// Unclaim ends a claim, after Put or without it. begun reports whether Begin was called for it.
func (c *Cache) Unclaim(as Claim, begun bool) {
	c.mu.Lock()
	defer c.mu.Unlock()
	c.room.claims[as]--
	if begun && as == Ordinary {
		c.room.begun--
	}
	c.room.notify()
}

// Full reports whether there is no room for another ordinary lease besides those that are kept and those that are being made.
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
		// A cache with a capacity of one lease has no reserved room: there, an urgent lease replaces another.
		return ordinary+urgent < c.capacity || (c.capacity == 1 && urgent == 0)
	}
	// The first urgent claim uses the reserved room, so it does not count. A worker holds it while it polls for steps.
	return ordinary+max(urgent-1, 0) < c.ordinaryRoom() && c.fits(ordinary+urgent)
}

// ordinaryRoom returns how many leases ordinary claims may have.
func (c *Cache) ordinaryRoom() int {
	most := max(c.capacity-1, 1)
	if !c.room.interval.Known() {
		return min(most, c.start)
	}
	return min(most, c.room.interval.Within(longestWait(c.ttl)))
}

// longestWait returns the longest planned wait of a lease. The rest of its TTL is for the render step to get to this host and its device.
func longestWait(ttl time.Duration) time.Duration { return ttl * 4 / 5 }

// fits reports whether the budget has memory for one more lease besides those promised (kept or claimed). It assumes that each new lease
// needs as much memory as the largest kept one did while it was made.
func (c *Cache) fits(promised int) bool {
	var largest int64
	for _, k := range c.kept {
		largest = max(largest, k.making, k.Value.Bytes())
	}
	claims := promised - c.held()
	return promised == 0 || c.bytes+int64(claims+1)*largest <= c.memory.Size()
}

// held returns the number of kept leases that are not spare.
func (c *Cache) held() (n int) {
	for _, k := range c.kept {
		if !k.Spare {
			n++
		}
	}
	return n
}

// waits reports whether the lease waits for its first use.
func (k kept) waits() bool { return !k.measured && !k.Spare }

// await begins the measurement for a new lease.
func (c *Cache) await(k *kept, now time.Time) {
	if !slices.ContainsFunc(c.kept, kept.waits) {
		c.room.since = now
	}
	k.since, k.uses = c.room.since, c.room.uses
}

// measure updates the estimate of the interval when a lease is used for the first time. It returns k marked as measured.
func (c *Cache) measure(k kept, now time.Time) kept {
	if k.waits() {
		c.room.uses++
		c.room.since = now
		c.observe(k, now)
	}
	k.measured = true
	return k
}

// observe measures the interval as the mean over all uses since k was added. It counts from the beginning of the interval in which k was
// added: counted from when k was added, the mean would be too short by a part of an interval, which is much where few leases wait.
func (c *Cache) observe(k kept, now time.Time) {
	c.room.interval.Observe(now.Sub(k.since) / time.Duration(max(c.room.uses-k.uses, 1)))
	c.room.notify()
}
