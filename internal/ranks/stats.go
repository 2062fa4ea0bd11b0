package ranks

import (
	"math/bits"
	"time"
)

// Timing is the sum of some durations.
type Timing struct {
	Count int           `json:"count"`
	Total time.Duration `json:"total"`
	Max   time.Duration `json:"max"`
	// Spread counts them by their length.
	Spread Histogram `json:"-"`
}

func (t *Timing) add(d time.Duration) {
	t.Count++
	t.Total += d
	t.Max = max(t.Max, d)
	t.Spread.add(d)
}

// RankStats describe what went to one rank.
type RankStats struct {
	// Bytes are those of inputs, as they were sent: once for requests that share an input.
	Bytes int64 `json:"bytes"`
	// Broadcast is the time from sending an input until the rank has it decoded, Decode the part of it for decoding on the rank.
	Broadcast Timing `json:"broadcast"`
	Decode    Timing `json:"decode"`
	// Joined is how often the rank joined: more than once if it was lost.
	Joined int `json:"joined"`
}

// Stats describe what a leader has done.
type Stats struct {
	Requests int          `json:"requests"`
	Modes    map[Mode]int `json:"modes"`
	// Hits are the inputs that were there, or on their way, when a request needed them, Misses the others.
	Hits   int `json:"hits"`
	Misses int `json:"misses"`
	// Canceled and Failed are the requests that ended so.
	Canceled int `json:"canceled"`
	Failed   int `json:"failed"`
	// QueueWait is the time from a request until its inputs go out. Decode is the time for decoding on the leader for all.
	QueueWait Timing      `json:"queue_wait"`
	Decode    Timing      `json:"decode"`
	Ranks     []RankStats `json:"ranks"`
	// Loop is the time that the leader's loop took for single events. LoopWork is the part of it in which its thread had a processor, which
	// does not depend on what else the machine does; it is zero where the system does not tell.
	Loop     Timing `json:"-"`
	LoopWork Timing `json:"-"`
}

// steps is how many counts of a [Histogram] a power of two has, as a binary logarithm.
const steps = 2

// Histogram counts durations: each count is for durations that differ by less than a quarter.
type Histogram [64 << steps]int

func (h *Histogram) add(d time.Duration) { h[step(d)]++ }

// step returns the count of a duration: those below four nanoseconds have one each, and a power of two above has four.
func step(d time.Duration) int {
	n := uint64(max(d, 0))
	power := bits.Len64(n)
	if power <= steps+1 {
		return int(n)
	}
	return (power-steps)<<steps | int(n>>(power-steps-1))&(1<<steps-1)
}

// longest returns the longest duration of a count.
func longest(i int) time.Duration {
	if i < 2<<steps {
		return time.Duration(i)
	}
	shift := i>>steps - 1
	return time.Duration((i&(1<<steps-1)|1<<steps)+1)<<shift - 1
}

// Quantile returns a duration that part q, 0 to 1, of the durations do not exceed: at most a quarter more than the smallest such duration.
func (h *Histogram) Quantile(q float64) time.Duration {
	all := 0
	for _, n := range h {
		all += n
	}
	left := q * float64(all)
	for i, n := range h {
		if left -= float64(n); left <= 0 {
			return longest(i)
		}
	}
	return 0
}

// buckets returns how many durations are not longer than each power of four from a microsecond to a minute, in seconds.
func (h *Histogram) buckets() map[float64]uint64 {
	const first, last = 10, 36
	found, all, i := map[float64]uint64{}, uint64(0), 0
	for power := first; power <= last; power += 2 {
		bound := time.Duration(1) << power
		for ; i < len(h) && longest(i) < bound; i++ {
			all += uint64(h[i])
		}
		found[bound.Seconds()] = all
	}
	return found
}
