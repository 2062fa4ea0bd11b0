package activities

import (
	"context"
	"time"

	"plait/internal/core"
	"plait/internal/records"
)

// InSlot waits for a slot and calls work while it holds the slot. An item has at most one slot at a time: an attempt that Temporal
// has given up may still wait for its model, and a second one would pay for the same answer. A stopping worker ends the wait but not
// the work.
func InSlot[T any](
	ctx context.Context, h *Host, slots Slots, item core.Item, work func(context.Context, *ItemSlot) (T, error),
) (result T, err error) {
	return InSlotOf(ctx, h, slots, item, "", work)
}

// InSlotOf is InSlot for a part of an item, which has slots of its own: parts of an item can call a model at the same time.
func InSlotOf[T any](
	ctx context.Context, h *Host, slots Slots, item core.Item, part string, work func(context.Context, *ItemSlot) (T, error),
) (result T, err error) {
	defer WithoutDevice(ctx)()
	held, lose := context.WithCancelCause(ctx)
	defer lose(nil)
	slot := &ItemSlot{host: h, slots: slots, item: item, part: part, lose: lose}
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

// ItemSlot is the slot of an item: held, yielded while its last answer is recorded, or held again. It is not safe for concurrent
// use.
type ItemSlot struct {
	host  *Host
	slots Slots
	item  core.Item
	// part is empty for the item as a whole.
	part string
	// lose cancels the work when the slot is lost.
	lose context.CancelCauseFunc

	slot *records.Slot
	// unwatch stops the loss of the slot from canceling the work.
	unwatch func() bool
	yielded bool
}

func (s *ItemSlot) take(ctx context.Context) error {
	slot, err := s.host.acquire(ctx, s.slots, s.item, s.part)
	if err != nil {
		return err
	}
	s.slot, s.yielded = slot, false
	s.unwatch = context.AfterFunc(slot.Context(), func() { s.lose(context.Cause(slot.Context())) })
	return nil
}

// Yield frees the slot for others while an answer is recorded; the item stays locked. From now on losing the slot does not cancel
// the work, because no model call runs.
func (s *ItemSlot) Yield() {
	if s.yielded {
		return
	}
	s.yielded = true
	s.unwatch()
	s.slot.Yield()
}

// Regain waits for a slot again after Yield; otherwise it does nothing. It fails as the wait of InSlot does.
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

func (h *Host) acquire(ctx context.Context, slots Slots, item core.Item, part string) (slot *records.Slot, err error) {
	waiting, done := untilStop(ctx)
	defer done()
	matter := KeyOf(item)
	if part != "" {
		matter += "#" + part
	}
	asked := time.Now()
	waited := Span(ctx, "wait for a "+slots.Name+" slot")
	if item.TaskID == "" { // without a record there is no other attempt at the item
		slot, err = h.Records.AcquireSlot(waiting, slots.Name, slots.Count)
	} else {
		slot, err = h.Records.AcquireSlotFor(waiting, slots.Name, slots.Count, matter)
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
