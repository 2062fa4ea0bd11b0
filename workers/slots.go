package workers

import (
	"context"
	"sync"

	"go.temporal.io/sdk/worker"
)

// stepSlots are the slots of a queue whose steps may wait for a model: a fixed number, and one more for each step that
// waits, up to a bound. With a fixed number alone, a few such steps keep all others from an idle device; with a large
// one, a worker hoards steps that another host is free for.
type stepSlots struct {
	// base is the fixed number; spare the most that is given out in place of waiting steps.
	base, spare int

	mu             sync.Mutex
	taken, waiting int
	// changed is closed, and replaced, when a slot may have become free.
	changed chan struct{}
}

// stepTuner gives a worker these slots for its steps.
type stepTuner struct {
	worker.WorkerTuner
	slots worker.SlotSupplier
}

// GetActivityTaskSlotSupplier is asked by the SDK.
func (t stepTuner) GetActivityTaskSlotSupplier() worker.SlotSupplier { return t.slots }

func newStepSlots(base, spare int) *stepSlots {
	return &stepSlots{base: base, spare: spare, changed: make(chan struct{})}
}

// ReserveSlot waits for a slot, or for the end of ctx.
func (s *stepSlots) ReserveSlot(ctx context.Context, _ worker.SlotReservationInfo) (*worker.SlotPermit, error) {
	for {
		permit, changed := s.take()
		if permit != nil {
			return permit, nil
		}
		select {
		case <-changed:
		case <-ctx.Done():
			return nil, ctx.Err()
		}
	}
}

// TryReserveSlot is nil when there is no slot.
func (s *stepSlots) TryReserveSlot(worker.SlotReservationInfo) *worker.SlotPermit {
	permit, _ := s.take()
	return permit
}

// take returns a permit, or else what is closed when it is worth to try again.
func (s *stepSlots) take() (*worker.SlotPermit, <-chan struct{}) {
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.taken-min(s.waiting, s.spare) >= s.base {
		return nil, s.changed
	}
	s.taken++
	return &worker.SlotPermit{}, nil
}

// MarkSlotUsed makes no difference: a slot is taken from its reservation on.
func (s *stepSlots) MarkSlotUsed(worker.SlotMarkUsedInfo) {}

// ReleaseSlot gives a slot back.
func (s *stepSlots) ReleaseSlot(worker.SlotReleaseInfo) { s.change(-1, 0) }

// MaxSlots is how many are taken at most.
func (s *stepSlots) MaxSlots() int { return s.base + s.spare }

// wait is for a step that begins to wait. A step whose wait is over goes on at once, also where its slot was given to
// another: then no further one is given out until so many have ended.
func (s *stepSlots) wait() (end func()) {
	s.change(0, 1)
	return func() { s.change(0, -1) }
}

func (s *stepSlots) change(taken, waiting int) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.taken += taken
	s.waiting += waiting
	close(s.changed)
	s.changed = make(chan struct{})
}
