package activities

import (
	"context"
	"sync/atomic"
	"time"

	"golang.org/x/sync/semaphore"

	"plait/internal/comic"
	"plait/internal/core"
	"plait/internal/lease"
)

// besideDevice is how many pages may be decoded, wait decoded, or be encoded beside those that the slots are for. Each is as large
// as a detect context. One is enough to keep a device busy: a page is decoded and encoded in a tenth of the time that it is on the
// device (.19 s of 2.36 s, bench/held.jsonl).
const besideDevice = 1

// Device is what the engine runs on: so many pages at once, whatever the queues deliver.
//
// A slot is held for what the device is there for: finding, reading, erasing and lettering. Where the device is the processor
// itself, the same is counted as on any other. Decoding and encoding go on beside, for a bounded number of pages.
type Device struct {
	engine Engine
	slots  *semaphore.Weighted
	// admitted are the pages that are worked on, on the device or beside it.
	admitted *semaphore.Weighted
	// waiting counts the pages that wait to be admitted, or then for the device.
	waiting atomic.Int64
	metrics *Metrics
}

func newDevice(e Engine, slots int, m *Metrics) *Device {
	return &Device{
		engine: e, slots: semaphore.NewWeighted(int64(slots)), admitted: semaphore.NewWeighted(int64(slots + besideDevice)), metrics: m,
	}
}

// Waiting is how many pages wait at present, to be admitted or then for the device.
func (d *Device) Waiting() int { return int(d.waiting.Load()) }

// Take admits a page when there is room for it: an image is decoded, work is called with it while the device is held, and the page
// that it returns is encoded. Without an image there is no page to call work with, and without a page of work there is no result. The
// end of ctx ends the waiting; so does a worker that stops, whose work goes on.
func (d *Device) Take(
	ctx context.Context, stage core.Stage, image []byte, work func(Decoded) (Lettered, error),
) (result []byte, report comic.RenderReport, err error) {
	var waited time.Duration
	leave, err := d.wait(ctx, "wait for admission", d.admitted, &waited)
	if err != nil {
		return nil, report, err
	}
	defer leave()
	page, err := d.decode(ctx, image)
	if err != nil {
		return nil, report, err
	}
	lettered, err := d.hold(ctx, stage, waited, func() (Lettered, error) { return work(page) })
	if err != nil || lettered == nil {
		return nil, report, err
	}
	defer span(ctx, "encode")()
	return lettered.Encode(ctx)
}

func (d *Device) decode(ctx context.Context, image []byte) (Decoded, error) {
	if image == nil {
		return nil, nil
	}
	defer span(ctx, "decode")()
	return d.engine.Decode(ctx, image)
}

// hold works with a slot of the device. before is how long the step has waited to be admitted.
func (d *Device) hold(
	ctx context.Context, stage core.Stage, before time.Duration, work func() (Lettered, error),
) (Lettered, error) {
	free, err := d.wait(ctx, "wait for the device", d.slots, &before)
	if err != nil {
		return nil, err
	}
	defer free()
	defer span(ctx, "hold the device")()
	d.metrics.deviceWaited(stage, before)
	held := time.Now()
	defer func() { d.metrics.deviceHeld(stage, time.Since(held)) }()
	return work()
}

// wait takes one of what there is a number of, and adds to waited how long that took.
func (d *Device) wait(ctx context.Context, name string, of *semaphore.Weighted, waited *time.Duration) (release func(), err error) {
	d.waiting.Add(1)
	defer d.waiting.Add(-1)
	waiting, done := untilStop(ctx)
	defer done()
	defer span(ctx, name)()
	asked := time.Now()
	if err := of.Acquire(waiting, 1); err != nil {
		return nil, context.Cause(waiting)
	}
	*waited += time.Since(asked)
	return func() { of.Release(1) }, nil
}

// Detect finds and reads the regions of an encoded image, once admitted.
func (d *Device) Detect(
	ctx context.Context, stage core.Stage, image []byte, o comic.Options,
) (left lease.Context, found comic.DetectOutput, err error) {
	_, _, err = d.Take(ctx, stage, image, func(page Decoded) (_ Lettered, err error) {
		left, found, err = page.Detect(ctx, o)
		return nil, err
	})
	return left, found, err
}

// Render letters the page of a context, once admitted, and returns it encoded.
func (d *Device) Render(
	ctx context.Context, stage core.Stage, c lease.Context, translations []core.Translation,
) ([]byte, comic.RenderReport, error) {
	return d.Take(ctx, stage, nil, func(Decoded) (Lettered, error) { return d.engine.Letter(ctx, c, translations) })
}
