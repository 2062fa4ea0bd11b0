package workers

import (
	"context"
	"sync"
	"time"

	"go.temporal.io/sdk/worker"
)

// acquireAgainAfter is the wait after a shared slot could not be acquired.
const acquireAgainAfter = time.Second

// sharedSlots are the slots of a queue that also share a number of slots with the other processes. A process acquires a shared slot before it
// takes a step: while all are held, steps wait in their queue, by priority, and not in a process. A waiting step needs no shared slot.
type sharedSlots struct {
	*stepSlots
	acquire func(ctx context.Context) (release func(), err error)

	mu sync.Mutex
	// acquired is the number of permits with a shared slot, and waiting the number of steps that gave theirs up.
	acquired, waiting int
	// held are the functions that release the shared slots of this process. Any of them serves any step.
	held []func()
}

// ReserveSlot waits for a slot and a shared slot, or until ctx ends.
func (s *sharedSlots) ReserveSlot(ctx context.Context, info worker.SlotReservationInfo) (*worker.SlotPermit, error) {
	permit, err := s.stepSlots.ReserveSlot(ctx, info)
	for err == nil {
		var release func()
		if release, err = s.acquire(ctx); err == nil {
			s.mu.Lock()
			s.acquired++
			s.held = append(s.held, release)
			s.mu.Unlock()
			return permit, nil
		}
		// The worker asks again at once after an error, so an outage of the records is waited for here.
		select {
		case <-time.After(acquireAgainAfter):
			err = nil
		case <-ctx.Done():
			s.stepSlots.change(-1, 0)
			err = ctx.Err()
		}
	}
	return nil, err
}

// TryReserveSlot returns nil: a step is never taken without a wait for a shared slot.
func (s *sharedSlots) TryReserveSlot(worker.SlotReservationInfo) *worker.SlotPermit { return nil }

// ReleaseSlot frees a slot and its shared slot.
func (s *sharedSlots) ReleaseSlot(info worker.SlotReleaseInfo) {
	s.change(-1, 0)
	s.stepSlots.ReleaseSlot(info)
}

// wait marks a step as waiting and gives its shared slot to others. The step goes on without one.
func (s *sharedSlots) wait() (end func()) {
	s.change(0, 1)
	ended := s.stepSlots.wait()
	return func() {
		s.change(0, -1)
		ended()
	}
}

// change releases the shared slots that no step of this process needs any more.
func (s *sharedSlots) change(acquired, waiting int) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.acquired += acquired
	s.waiting += waiting
	for keep := s.acquired - s.waiting; len(s.held) > max(keep, 0); {
		s.held[len(s.held)-1]()
		s.held = s.held[:len(s.held)-1]
	}
}
