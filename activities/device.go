package activities

import (
	"context"
	"time"

	"golang.org/x/sync/semaphore"

	"plait/internal/pipeline"
)

// Device is what the engine runs on: so many calls at once, whatever the queues deliver.
type Device struct {
	slots   *semaphore.Weighted
	metrics *Metrics
}

func newDevice(slots int, m *Metrics) *Device {
	return &Device{slots: semaphore.NewWeighted(int64(slots)), metrics: m}
}

// Hold waits for a slot and calls work with it. The end of ctx ends the waiting; so does a worker that stops, whose work
// goes on.
func (d *Device) Hold(ctx context.Context, stage pipeline.Stage, work func() error) error {
	waiting, done := untilStop(ctx)
	defer done()
	asked := time.Now()
	waited := span(ctx, "wait for the device")
	err := d.slots.Acquire(waiting, 1)
	waited()
	if err != nil {
		return context.Cause(waiting)
	}
	defer d.slots.Release(1)
	defer span(ctx, "hold the device")()
	held := time.Now()
	d.metrics.deviceWaited(stage, held.Sub(asked))
	defer func() { d.metrics.deviceHeld(stage, time.Since(held)) }()
	return work()
}
