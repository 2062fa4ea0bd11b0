package workers

import (
	"context"
	"sync"

	"go.temporal.io/sdk/worker"
)

// stepSlots are the slots of a queue whose steps may wait for a model: a fixed number, and one more for each waiting step, up to a
// bound. With a small fixed number alone, a few waiting steps would keep others from an idle device; with a large one, a worker
// would take steps that another host is free for.
type stepSlots struct {
	// base is the fixed number; spare is the maximum of additional slots for waiting steps.
	base, spare int

	mu             sync.Mutex
	taken, waiting int
	// changed is closed and replaced when a slot may have become free.
	changed chan struct{}
}

// stepTuner is the worker tuner that uses these slots for activities.
type stepTuner struct {
	worker.WorkerTuner
	slots worker.SlotSupplier
}

// GetActivityTaskSlotSupplier implements worker.WorkerTuner.
func (t stepTuner) GetActivityTaskSlotSupplier() worker.SlotSupplier { return t.slots }

func newStepSlots(base, spare int) *stepSlots {
	return &stepSlots{base: base, spare: spare, changed: make(chan struct{})}
}

// ReserveSlot waits for a slot, or until ctx ends.
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

// TryReserveSlot returns nil when there is no slot.
func (s *stepSlots) TryReserveSlot(worker.SlotReservationInfo) *worker.SlotPermit {
	permit, _ := s.take()
	return permit
}

// take returns a permit, or else a channel that is closed when a retry may succeed.
func (s *stepSlots) take() (*worker.SlotPermit, <-chan struct{}) {
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.taken-min(s.waiting, s.spare) >= s.base {
		return nil, s.changed
	}
	s.taken++
	return &worker.SlotPermit{}, nil
}

// MarkSlotUsed does nothing: a slot counts as taken from its reservation on.
func (s *stepSlots) MarkSlotUsed(worker.SlotMarkUsedInfo) {}

// ReleaseSlot frees a slot.
func (s *stepSlots) ReleaseSlot(worker.SlotReleaseInfo) { s.change(-1, 0) }

// MaxSlots is the maximum number of slots in use.
func (s *stepSlots) MaxSlots() int { return s.base + s.spare }

// wait marks a step as waiting; the returned function ends the wait. A step goes on at once after its wait, also when its slot was
// given to another step. Then no further slot is given out until enough steps have ended.
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
