package activities

import (
	"context"
	"time"

	"plait/internal/core"
	"plait/internal/records"
)

// InSlot waits for a slot and calls work while it holds the slot. An item has at most one slot at a time: an attempt that Temporal
// has given up may still wait for its model, and a second one would pay for the same answer. A stopping worker ends the wait but not
// the work. Nor does the loss of the slot, which is a session of the database: a call that has begun is paid for, so it ends and is
// recorded, beside that of whoever has the slot by then. The next call waits for a slot again.
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
	slot := &ItemSlot{host: h, slots: slots, item: item, part: part}
	if err := slot.take(ctx); err != nil {
		return result, err
	}
	defer func() { slot.slot.Release() }()
	return work(ctx, slot)
}

// ItemSlot is the slot of an item: held, yielded while its last answer is recorded, or held again. It is not safe for concurrent
// use.
type ItemSlot struct {
	host  *Host
	slots Slots
	item  core.Item
	// part is empty for the item as a whole.
	part string

	slot    *records.Slot
	yielded bool
}

func (s *ItemSlot) take(ctx context.Context) error {
	slot, err := s.host.acquire(ctx, s.slots, s.item, s.part)
	if err != nil {
		return err
	}
	s.slot, s.yielded = slot, false
	return nil
}

// Yield frees the slot for others while an answer is recorded; the item stays locked.
func (s *ItemSlot) Yield() {
	if s.yielded {
		return
	}
	s.yielded = true
	s.slot.Yield()
}

// Regain waits for a slot again after Yield, or when the slot was lost; otherwise it does nothing. It fails as the wait of InSlot does.
func (s *ItemSlot) Regain(ctx context.Context) error {
	if !s.yielded && s.slot.Context().Err() == nil {
		return nil
	}
	s.slot.Release()
	return s.take(ctx)
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
