package workers

import (
	"context"

	"go.temporal.io/sdk/worker"

	"plait/internal/lease"
)

// leaseSlots are the slots of a queue whose steps each leave a lease. A slot is given out only where there is room for a lease, so
// that a full host does not take steps that other hosts have room for.
type leaseSlots struct {
	*stepSlots
	leases *lease.Cache
	claim  lease.Claim
}

// claimed is the claim of a slot; begun is set once the slot has a step.
type claimed struct{ begun bool }

// ReserveSlot waits for a slot and for room for a lease, or until ctx ends.
func (s leaseSlots) ReserveSlot(ctx context.Context, info worker.SlotReservationInfo) (*worker.SlotPermit, error) {
	permit, err := s.stepSlots.ReserveSlot(ctx, info)
	for err == nil {
		granted, changed := s.leases.Claim(s.claim)
		if granted {
			permit.UserData = &claimed{}
			return permit, nil
		}
		select {
		case <-changed:
		case <-ctx.Done():
			s.change(-1, 0)
			err = ctx.Err()
		}
	}
	return nil, err
}

// TryReserveSlot returns nil when there is no slot or no room.
func (s leaseSlots) TryReserveSlot(info worker.SlotReservationInfo) *worker.SlotPermit {
	permit := s.stepSlots.TryReserveSlot(info)
	if permit == nil {
		return nil
	}
	if granted, _ := s.leases.Claim(s.claim); !granted {
		s.change(-1, 0)
		return nil
	}
	permit.UserData = &claimed{}
	return permit
}

// MarkSlotUsed records that the slot has a step.
func (s leaseSlots) MarkSlotUsed(info worker.SlotMarkUsedInfo) {
	if c, ok := info.Permit().UserData.(*claimed); ok {
		c.begun = true
		s.leases.Begin(s.claim)
	}
}

// ReleaseSlot frees a slot and its claim. The lease is in the cache by now, or the step left none.
func (s leaseSlots) ReleaseSlot(info worker.SlotReleaseInfo) {
	if c, ok := info.Permit().UserData.(*claimed); ok {
		s.leases.Unclaim(s.claim, c.begun)
	}
	s.stepSlots.ReleaseSlot(info)
}
