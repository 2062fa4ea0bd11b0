package activities

import (
	"context"
	"sync"
	"sync/atomic"
	"time"

	"golang.org/x/sync/semaphore"

	"plait/internal/core"
	"plait/internal/lease"
	"plait/internal/memory"
)

// besideDevice is how many items may be prepared, wait prepared, or be finished beside those that the slots of a device are for.
// Each is as large as a lease. One is enough to keep a device busy: a page of a comic is decoded and encoded in a tenth of the
// time that it is on the device (0.19 s of 2.36 s, BenchmarkHeld).
const besideDevice = 1

// Devices are what engines run on: so many items at once on each, whatever the queues deliver, in so much memory.
//
// A slot is held for what the device is there for, such as finding, reading, erasing and lettering. Where the device is the
// processor itself, the same is counted as on any other. Decoding and encoding go on beside, for a bounded number of items.
type Devices struct {
	devices []*device
	// admitted has a place for each item that may be worked on, on any device or beside it.
	admitted *semaphore.Weighted
	// memory is what items under way share with leases; nil bounds nothing.
	memory *memory.Budget
	slots  int
	mu     sync.Mutex
	// waiting counts the items that wait to be admitted, or then for their device.
	waiting atomic.Int64
	metrics *Metrics
}

type device struct {
	slots *semaphore.Weighted
	// free is how many more items may be admitted for it.
	free int
}

func newDevices(slots []int, leases *lease.Cache, m *Metrics) *Devices {
	if len(slots) == 0 {
		slots = []int{1}
	}
	d := &Devices{metrics: m}
	if leases != nil {
		d.memory = leases.Memory()
	}
	places := 0
	for _, n := range slots {
		n = max(n, 1)
		d.devices = append(d.devices, &device{slots: semaphore.NewWeighted(int64(n)), free: n + besideDevice})
		d.slots += n
		places += n + besideDevice
	}
	d.admitted = semaphore.NewWeighted(int64(places))
	return d
}

// Slots is how many items are on all devices at once.
func (d *Devices) Slots() int { return d.slots }

// Waiting is how many items wait at present, to be admitted or then for their device.
func (d *Devices) Waiting() int { return int(d.waiting.Load()) }

// Admission is the place of one item on a device.
type Admission struct {
	devices *Devices
	at      int
	waited  time.Duration
}

// Admit takes a place on the device that has most room, and waits for one. The end of ctx ends the waiting; so does a worker that
// stops, whose work goes on. Leave gives the place back.
func (d *Devices) Admit(ctx context.Context) (*Admission, error) {
	a := &Admission{devices: d}
	if err := d.wait(ctx, "wait for admission", d.admitted, &a.waited); err != nil {
		return nil, err
	}
	d.mu.Lock()
	defer d.mu.Unlock()
	for i, candidate := range d.devices {
		if candidate.free > d.devices[a.at].free {
			a.at = i
		}
	}
	d.devices[a.at].free--
	return a, nil
}

// Device is the number of the device, from 0 in the order of Deps.DeviceSlots.
func (a *Admission) Device() int { return a.at }

// Leave gives the place back.
func (a *Admission) Leave() {
	a.devices.mu.Lock()
	a.devices.devices[a.at].free++
	a.devices.mu.Unlock()
	a.devices.admitted.Release(1)
}

// Hold works with a slot of the device.
func (a *Admission) Hold(ctx context.Context, kind core.Kind, stage core.Stage, work func() error) error {
	slots := a.devices.devices[a.at].slots
	if err := a.devices.wait(ctx, "wait for the device", slots, &a.waited); err != nil {
		return err
	}
	defer slots.Release(1)
	defer Span(ctx, "hold the device")()
	a.devices.metrics.deviceWaited(kind, stage, a.waited)
	held := time.Now()
	defer func() { a.devices.metrics.deviceHeld(kind, stage, time.Since(held)) }()
	return work()
}

// Reserve waits until there are so many bytes of memory. The end of ctx ends the waiting; so does a worker that stops.
func (d *Devices) Reserve(ctx context.Context, bytes int64, use memory.Use) (*memory.Reservation, error) {
	d.waiting.Add(1)
	defer d.waiting.Add(-1)
	waiting, done := untilStop(ctx)
	defer done()
	defer Span(ctx, "wait for memory")()
	return d.memory.Reserve(waiting, bytes, use)
}

// wait takes one of what there is a number of, and adds to waited how long that took.
func (d *Devices) wait(ctx context.Context, name string, of *semaphore.Weighted, waited *time.Duration) error {
	d.waiting.Add(1)
	defer d.waiting.Add(-1)
	waiting, done := untilStop(ctx)
	defer done()
	defer Span(ctx, name)()
	asked := time.Now()
	if err := of.Acquire(waiting, 1); err != nil {
		return context.Cause(waiting)
	}
	*waited += time.Since(asked)
	return nil
}
