package provider

import (
	"context"
	"errors"
	"sync/atomic"
	"time"

	"github.com/sony/gobreaker/v2"

	"plait/internal/core"
)

// Bounds of a circuit.
const (
	// DefaultCircuitFailures in a row are not accidental, and cost little while a provider is failing.
	DefaultCircuitFailures = 5
	// DefaultCircuitPause is long enough for a provider to restart.
	DefaultCircuitPause = 30 * time.Second
)

// errOpen is the cause of a failure without a call, because the circuit is open.
var errOpen = errors.New("circuit open")

// IsOpen reports whether err means that the provider was not asked because too many calls in a row have failed.
func IsOpen(err error) bool { return errors.Is(err, errOpen) }

// circuit is a circuit breaker for a provider that does not answer. After failures in a row it admits no call for a pause, then one as a
// trial. Only CodeTranslatorUnavailable counts as a failure.
type circuit struct {
	Provider
	pause   time.Duration
	breaker *gobreaker.CircuitBreaker[Completion]
	// opened is the last time that the circuit opened, in nanoseconds of the Unix epoch.
	opened atomic.Int64
	tell   func(open bool)
}

// WithCircuit wraps p in a circuit that opens after this many failures in a row, for the length of pause; 0 means the defaults. Tell, when
// not nil, is called each time the circuit opens or closes.
func WithCircuit(p Provider, failures int, pause time.Duration, tell func(open bool)) Provider {
	if failures <= 0 {
		failures = DefaultCircuitFailures
	}
	if pause <= 0 {
		pause = DefaultCircuitPause
	}
	c := &circuit{Provider: p, pause: pause, tell: tell}
	c.breaker = gobreaker.NewCircuitBreaker[Completion](gobreaker.Settings{
		Name: p.Name(), Timeout: pause,
		ReadyToTrip: func(counts gobreaker.Counts) bool {
			return counts.ConsecutiveFailures >= uint32(min(failures, 1<<20))
		},
		IsSuccessful:  func(err error) bool { return core.CodeOf(err) != core.CodeTranslatorUnavailable },
		IsExcluded:    func(err error) bool { return core.CodeOf(err) == core.CodeCanceled },
		OnStateChange: c.changed,
	})
	return c
}

func (c *circuit) changed(_ string, _, to gobreaker.State) {
	if to == gobreaker.StateOpen {
		c.opened.Store(time.Now().UnixNano())
	}
	if c.tell != nil && to != gobreaker.StateHalfOpen {
		c.tell(to == gobreaker.StateOpen)
	}
}

// Complete makes the call, unless the circuit is open. It then fails immediately with CodeTranslatorUnavailable, and RetryAfter is the
// rest of the pause.
func (c *circuit) Complete(ctx context.Context, p Prompt) (Completion, error) {
	completion, err := c.breaker.Execute(func() (Completion, error) { return c.Provider.Complete(ctx, p) })
	if !errors.Is(err, gobreaker.ErrOpenState) && !errors.Is(err, gobreaker.ErrTooManyRequests) {
		return completion, err
	}
	left := max(time.Until(time.Unix(0, c.opened.Load()).Add(c.pause)), time.Second).Round(time.Second)
	return Completion{}, core.Wrap(core.CodeTranslatorUnavailable, errOpen,
		c.Name()+" has failed too often in a row; it is asked again in "+left.String()).WithRetryAfter(left)
}
