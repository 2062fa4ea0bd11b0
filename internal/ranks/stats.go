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
}

func (t *Timing) add(d time.Duration) {
	t.Count++
	t.Total += d
	t.Max = max(t.Max, d)
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
	// Loop is the time that the leader's loop took for single events.
	Loop Histogram `json:"-"`
}

// Histogram counts durations by their binary logarithm in nanoseconds.
type Histogram [64]int

func (h *Histogram) add(d time.Duration) { h[bits.Len64(uint64(max(d, 0)))]++ }

// Quantile returns a duration that part q, 0 to 1, of the durations do not exceed: at most twice the smallest such duration.
func (h *Histogram) Quantile(q float64) time.Duration {
	all := 0
	for _, n := range h {
		all += n
	}
	left := q * float64(all)
	for i, n := range h {
		if left -= float64(n); left <= 0 {
			return time.Duration(1)<<i - 1
		}
	}
	return 0
}
