package workers

import (
	"context"

	"go.temporal.io/sdk/worker"

	"plait/internal/lease"
)

// contextSlots are the slots of a queue whose steps each leave a detect context: a slot is only given out where there is
// room for one. So a host that is full asks for no step that others may have room for.
type contextSlots struct {
	*stepSlots
	contexts *lease.Cache
	claim    lease.Claim
}

// claimed is the claim of a slot; begun once the slot has a step.
type claimed struct{ begun bool }

// ReserveSlot waits for a slot and for room, or for the end of ctx.
func (s contextSlots) ReserveSlot(ctx context.Context, info worker.SlotReservationInfo) (*worker.SlotPermit, error) {
	permit, err := s.stepSlots.ReserveSlot(ctx, info)
	for err == nil {
		granted, changed := s.contexts.Claim(s.claim)
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

// TryReserveSlot is nil when there is no slot or no room.
func (s contextSlots) TryReserveSlot(info worker.SlotReservationInfo) *worker.SlotPermit {
	permit := s.stepSlots.TryReserveSlot(info)
	if permit == nil {
		return nil
	}
	if granted, _ := s.contexts.Claim(s.claim); !granted {
		s.change(-1, 0)
		return nil
	}
	permit.UserData = &claimed{}
	return permit
}

// MarkSlotUsed notes that a step has come.
func (s contextSlots) MarkSlotUsed(info worker.SlotMarkUsedInfo) {
	if c, ok := info.Permit().UserData.(*claimed); ok {
		c.begun = true
		s.contexts.Begin(s.claim)
	}
}

// ReleaseSlot gives a slot back, and its claim: by now the context is in the cache, or there is none.
func (s contextSlots) ReleaseSlot(info worker.SlotReleaseInfo) {
	if c, ok := info.Permit().UserData.(*claimed); ok {
		s.contexts.Unclaim(s.claim, c.begun)
	}
	s.stepSlots.ReleaseSlot(info)
}
