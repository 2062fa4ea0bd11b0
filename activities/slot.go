package activities

import (
	"context"
	"time"

	"plait/internal/core"
	"plait/internal/records"
)

// InSlot waits for a slot and works under it. An item has one slot at a time: an attempt that Temporal has given up may wait for its
// model still, and another would pay for the same answer. A worker that stops ends the waiting, not the work.
func InSlot[T any](
	ctx context.Context, h *Host, slots Slots, item core.Item, work func(context.Context, *ItemSlot) (T, error),
) (result T, err error) {
	defer noteWaiting(ctx)()
	held, lose := context.WithCancelCause(ctx)
	defer lose(nil)
	slot := &ItemSlot{host: h, slots: slots, item: item, lose: lose}
	if err := slot.take(ctx); err != nil {
		return result, err
	}
	defer slot.release()
	result, err = work(held, slot)
	if err != nil && held.Err() != nil && ctx.Err() == nil {
		err = context.Cause(held)
	}
	return result, err
}

// ItemSlot is the slot of an item: held, yielded while an answer waits for its record, or held again. Its work uses it, one call at
// a time.
type ItemSlot struct {
	host  *Host
	slots Slots
	item  core.Item
	// lose ends the work under the slot when the slot is lost.
	lose context.CancelCauseFunc

	slot *records.Slot
	// unwatch ends that a lost slot ends the work.
	unwatch func() bool
	yielded bool
}

func (s *ItemSlot) take(ctx context.Context) error {
	slot, err := s.host.acquire(ctx, s.slots, s.item)
	if err != nil {
		return err
	}
	s.slot, s.yielded = slot, false
	s.unwatch = context.AfterFunc(slot.Context(), func() { s.lose(context.Cause(slot.Context())) })
	return nil
}

// Yield gives the place to others while an answer waits for its record; the item stays with its holder. From now on a lost slot ends
// no work: nothing is asked of a model.
func (s *ItemSlot) Yield() {
	if s.yielded {
		return
	}
	s.yielded = true
	s.unwatch()
	s.slot.Yield()
}

// Regain waits for a place again after Yield; otherwise it does nothing. It fails as InSlot does while it waits.
func (s *ItemSlot) Regain(ctx context.Context) error {
	if !s.yielded {
		return nil
	}
	s.slot.Release()
	return s.take(ctx)
}

func (s *ItemSlot) release() {
	s.unwatch()
	s.slot.Release()
}

func (h *Host) acquire(ctx context.Context, slots Slots, item core.Item) (slot *records.Slot, err error) {
	waiting, done := untilStop(ctx)
	defer done()
	asked := time.Now()
	waited := Span(ctx, "wait for a "+slots.Name+" slot")
	if item.TaskID == "" { // an item that stands in no record is nobody else's
		slot, err = h.Records.AcquireSlot(waiting, slots.Name, slots.Count)
	} else {
		slot, err = h.Records.AcquireSlotFor(waiting, slots.Name, slots.Count, KeyOf(item))
	}
	waited()
	if err != nil {
		if waiting.Err() != nil {
			err = context.Cause(waiting)
		}
		return nil, err
	}
	waitedFor := time.Since(asked)
	h.Metrics.slotWaited(slots.Name, waitedFor)
	if waitedFor > freshFor {
		if err := h.Records.CheckPaused(ctx, item.TaskID); err != nil {
			slot.Release()
			return nil, err
		}
	}
	return slot, nil
}
