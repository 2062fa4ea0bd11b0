// Package quota says what a tier allows its tenants, and words the refusals. The checks themselves are statements of
// [plait/internal/records], so that they are exact over any number of processes.
//
// Requests and tokens a minute are counted in a sliding window: half seconds, of which a check counts the current one and the 120 before
// it. Two properties follow.
//
//   - No 60 seconds admit more than the limit. A moment t is in the slot floor(2t). Whatever was admitted in the 60 seconds before t has a
//     slot of at least floor(2t)-120, so a check at t counts all of it, and admits only what fits beside it.
//   - A window that is full has room again at most half a second late: what was admitted at t counts until the slot floor(2t)+121 begins, at
//     most 60.5 seconds after t. Under constant load a tenant therefore gets at least 60/60.5, or 99.1 %, of its limit.
//
// The whole limit may be used at once. The generic cell rate algorithm (ATM Forum, Traffic Management 4.0) needs one time stamp in place of
// 121 counts, but cannot have both properties with such bursts: at a rate of L a minute and a burst of B it admits up to L+B-1 in a minute,
// and with a rate of L-B+1, which is exact, a burst of half the limit halves the rate. A task is charged the tokens of all its items at
// once, so that bursts are the rule.
package quota

import (
	"fmt"
	"strings"
	"time"

	"plait/internal/core"
)

// Limits are the limits of a tier, for each of its tenants. A limit that is nil does not apply.
type Limits struct {
	// RequestsPerMinute bounds authenticated requests within any 60 seconds. A refused request does not count.
	RequestsPerMinute *int64 `json:"requests_per_minute,omitempty"`
	// TokensPerMinute bounds the tokens of language models within any 60 seconds.
	TokensPerMinute *int64 `json:"tokens_per_minute,omitempty"`
	// RunningTasks bounds the tasks that run at once; further ones wait.
	RunningTasks *int64 `json:"running_tasks,omitempty"`
	// WaitingTasks bounds the tasks in the queue; further ones are refused.
	WaitingTasks *int64 `json:"waiting_tasks,omitempty"`
	// StoredBytes bounds the files that a tenant has sent and that are kept; further ones are refused. Results do not count.
	StoredBytes *int64 `json:"stored_bytes,omitempty"`
	// UploadBytes bounds the body of a request, and the files that it names.
	UploadBytes *int64 `json:"upload_bytes,omitempty"`
}

// MaxLimit is the largest limit; the smallest is 1.
const MaxLimit = 1_000_000_000_000_000

// Limit is one limit, by name.
type Limit struct {
	// Name is the name in JSON and SQL.
	Name string
	// Bounds says what the limit bounds.
	Bounds string
	// Value points to the field.
	Value **int64
}

// All returns every limit, in the order of the fields.
func (l *Limits) All() []Limit {
	return []Limit{
		{"requests_per_minute", "requests within any 60 seconds", &l.RequestsPerMinute},
		{"tokens_per_minute", "tokens of language models within any 60 seconds", &l.TokensPerMinute},
		{"running_tasks", "tasks that run at once", &l.RunningTasks},
		{"waiting_tasks", "tasks in the queue", &l.WaitingTasks},
		{"stored_bytes", "bytes of the files that are kept", &l.StoredBytes},
		{"upload_bytes", "bytes of one request", &l.UploadBytes},
	}
}

// Check fails with [core.CodeInvalidInput] for a limit that is out of range, and names it.
func (l Limits) Check() error {
	for _, limit := range l.All() {
		if v := *limit.Value; v != nil && (*v < 1 || *v > MaxLimit) {
			return core.Errorf(core.CodeInvalidInput, "%s is %d; it must be from 1 to %d, or absent for no limit", limit.Name, *v, int64(MaxLimit))
		}
	}
	return nil
}

// String lists the limits that apply.
func (l Limits) String() string {
	var list []string
	for _, limit := range l.All() {
		if *limit.Value != nil {
			list = append(list, fmt.Sprintf("%s=%d", limit.Name, **limit.Value))
		}
	}
	if len(list) == 0 {
		return "none"
	}
	return strings.Join(list, " ")
}

// Unit is what a rate counts.
type Unit string

// The units.
const (
	Requests Unit = "requests"
	Tokens   Unit = "tokens"
)

// MaxReset is the longest time for which something counts against a rate.
const MaxReset = 60*time.Second + 500*time.Millisecond

// Rate is the use of a tenant within a minute, as a check found it.
type Rate struct {
	Unit  Unit
	Limit int64
	// Used is what counts against the limit, with the amount if that was admitted. It can exceed the limit: tokens are settled by what was used.
	Used    int64
	Allowed bool
	// Wait is the time until the amount would be admitted, if nothing else were; 0 if it is now.
	Wait time.Duration
	// Reset is the time until nothing counts against the limit, if nothing else is admitted.
	Reset time.Duration
}

// Remaining is what the limit leaves now.
func (r Rate) Remaining() int64 { return max(r.Limit-r.Used, 0) }

// Refusal is the error of an amount that was not admitted; it is nil for one that was.
func (r Rate) Refusal() error {
	if r.Allowed {
		return nil
	}
	return Refused(string(r.Unit)+"_per_minute", r.Limit, r.Wait)
}

// Refused is the error of a request that goes beyond a limit. Wait is the time until the limit has room; 0 if that is not known.
func Refused(name string, limit int64, wait time.Duration) error {
	reached := fmt.Sprintf("the limit %s is reached: the tier of this tenant allows %d", name, limit)
	if wait <= 0 {
		return core.Wrap(core.CodeRateLimited, &ReachedError{name}, reached)
	}
	seconds := wait.Truncate(time.Second)
	if seconds < wait {
		seconds += time.Second
	}
	reached += fmt.Sprintf("; there is room in %d s", seconds/time.Second)
	return core.Wrap(core.CodeRateLimited, &ReachedError{name}, reached).WithRetryAfter(seconds)
}

// ReachedError is the cause of a refusal.
type ReachedError struct {
	// Limit is the name of the limit, as [Limit] has it.
	Limit string
}

func (e *ReachedError) Error() string { return e.Limit }
