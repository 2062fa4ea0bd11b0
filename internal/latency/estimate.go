package latency

import "time"

// The constants of RFC 6298: alpha = 1/8 for the mean, beta = 1/4 for the deviation, and K = 4 deviations above the mean for the upper
// bound.
const (
	meanShare      = 8
	deviationShare = 4
	deviations     = 4
)

// Estimate is the estimate of one duration. The zero value is ready to use. A workflow that continues as a new run passes it on as JSON.
type Estimate struct {
	Mean      time.Duration `json:"mean"`
	Deviation time.Duration `json:"deviation"`
	// Last is the latest measurement.
	Last time.Duration `json:"last,omitempty"`
}

// Known reports whether there was a measurement.
func (e *Estimate) Known() bool { return e.Mean > 0 }

// Observe adds a measurement. A duration that is not positive counts as 1 ns.
func (e *Estimate) Observe(d time.Duration) {
	d = max(d, 1)
	e.Last = d
	if !e.Known() {
		e.Mean, e.Deviation = d, d/2
		return
	}
	e.Deviation += ((e.Mean - d).Abs() - e.Deviation) / deviationShare
	e.Mean = max(e.Mean+(d-e.Mean)/meanShare, 1)
}

// Upper returns an upper bound that a duration rarely exceeds; 0 without a measurement.
func (e *Estimate) Upper() time.Duration { return e.Mean + deviations*e.Deviation }

// Within returns how many durations, one after another, fit into limit; at least 1, and 1 without a measurement. It allows for the
// deviation of one duration only, because the deviations of several mostly cancel out.
func (e *Estimate) Within(limit time.Duration) int {
	if !e.Known() {
		return 1
	}
	return max(int((limit-deviations*e.Deviation)/e.Mean), 1)
}

// WithinLately is like Within, but returns at most as many durations as fit into limit if all are as long as the last one. If durations
// become a hundred times longer, the mean needs a dozen measurements to follow, but WithinLately reacts at once. This bound changes with
// every measurement, so a single long duration lowers it only until the next.
func (e *Estimate) WithinLately(limit time.Duration) int {
	return max(min(e.Within(limit), int(limit/max(e.Last, 1))), 1)
}
