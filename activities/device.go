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

// besideDevice is how many items may be decoded, encoded or wait in memory in addition to those on the slots of a device. Each takes
// as much memory as a lease. One keeps a device busy: decoding and encoding a page of a comic takes a tenth of its time on the
// device (0.19 s of 2.36 s, BenchmarkHeld).
const besideDevice = 1

// Devices limits how many items are on each device at the same time, whatever the queues deliver, and how much memory they take.
//
// A slot is held while an engine detects, reads, erases or letters, also where the device is the CPU. Decoding and encoding run
// without a slot, for a bounded number of items.
type Devices struct {
	devices []*device
	// admitted has a place for each item in progress, on a device or beside it.
	admitted *semaphore.Weighted
	// memory is the budget that items in progress share with leases; nil is no limit.
	memory *memory.Budget
	slots  int
	mu     sync.Mutex
	// waiting is the number of items that wait for admission or for their device.
	waiting atomic.Int64
	metrics *Metrics
}

type device struct {
	slots *semaphore.Weighted
	// free is how many more items the device may admit.
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

// Slots is the number of slots of all devices.
func (d *Devices) Slots() int { return d.slots }

// Waiting is the number of items that wait for admission or for their device.
func (d *Devices) Waiting() int { return int(d.waiting.Load()) }

// Admission is the place of one item on a device.
type Admission struct {
	devices *Devices
	at      int
	waited  time.Duration
}

// Admit waits for a place and takes it on the device with the most room. The wait ends with ctx, or when the worker stops; the
// returned admission outlives a stop. The caller gives the place back with Leave.
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

// Hold waits for a slot of the device and calls work while it holds the slot.
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

// Reserve waits for memory, in bytes. The wait ends with ctx, or when the worker stops.
func (d *Devices) Reserve(ctx context.Context, bytes int64, use memory.Use) (*memory.Reservation, error) {
	d.waiting.Add(1)
	defer d.waiting.Add(-1)
	waiting, done := untilStop(ctx)
	defer done()
	defer Span(ctx, "wait for memory")()
	return d.memory.Reserve(waiting, bytes, use)
}

// wait acquires one unit of the semaphore and adds the time of the wait to waited.
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
