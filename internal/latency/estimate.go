package latency

import "time"

// The weights of RFC 6298: alpha 1/8 for the mean, beta 1/4 for the deviation, and K = 4 deviations above the mean for
// what is hardly ever exceeded.
const (
	meanShare      = 8
	deviationShare = 4
	deviations     = 4
)

// Estimate is the estimate of one kind of duration. The zero value is ready to use. Workflows keep it as JSON when they continue as
// a new run.
type Estimate struct {
	Mean      time.Duration `json:"mean"`
	Deviation time.Duration `json:"deviation"`
	// Last is the latest that was seen.
	Last time.Duration `json:"last,omitempty"`
}

// Known is false until a duration was seen.
func (e *Estimate) Known() bool { return e.Mean > 0 }

// See takes one measured duration into account. One that is not positive counts as the least there is.
func (e *Estimate) See(d time.Duration) {
	d = max(d, 1)
	e.Last = d
	if !e.Known() {
		e.Mean, e.Deviation = d, d/2
		return
	}
	e.Deviation += ((e.Mean - d).Abs() - e.Deviation) / deviationShare
	e.Mean = max(e.Mean+(d-e.Mean)/meanShare, 1)
}

// Upper is what one duration hardly ever exceeds; 0 when nothing is known.
func (e *Estimate) Upper() time.Duration { return e.Mean + deviations*e.Deviation }

// Within is how many durations, one after the other, end within limit even where they vary as they have done; at least 1.
// Deviations cancel out over several, so those of one are allowed for. Nothing may be known yet: then it is 1.
func (e *Estimate) Within(limit time.Duration) int {
	if !e.Known() {
		return 1
	}
	return max(int((limit-deviations*e.Deviation)/e.Mean), 1)
}

// WithinLately is Within where the last duration may be the first of many like it: no more than as many of those. What has
// become a hundred times slower takes the mean a dozen durations to follow; what was slow once is forgotten with the next.
func (e *Estimate) WithinLately(limit time.Duration) int {
	return max(min(e.Within(limit), int(limit/max(e.Last, 1))), 1)
}
