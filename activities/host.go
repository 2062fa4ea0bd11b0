package activities

import (
	"log/slog"

	"plait/internal/blob"
	"plait/internal/lease"
	"plait/internal/records"
)

// Deps are what the steps of every kind work with. A process needs only what its roles use: Leases belong to a process that owns
// devices.
type Deps struct {
	Records *records.Store
	Blobs   blob.Store
	// Leases is nil in a process without a device.
	Leases *lease.Cache
	// DeviceSlots is how many items are on each device at once, one number a device; empty is one device of one slot.
	DeviceSlots []int
	// Name names this machine in the records; Queue is the task queue of this very process.
	Name, Queue string
	// Log and Metrics may be nil.
	Log     *slog.Logger
	Metrics *Metrics
}

// Host is a worker process as its steps see it: what it shares between the kinds, and the steps of every task.
type Host struct {
	Records *records.Store
	Blobs   blob.Store
	Leases  *lease.Cache
	Devices *Devices
	Name    string
	Queue   string
	Log     *slog.Logger
	Metrics *Metrics
	// queueWait is that of Queue.
	queueWait queueWait
}

// New makes the host that the steps of all kinds share.
func New(d Deps) *Host {
	h := &Host{
		Records: d.Records, Blobs: d.Blobs, Leases: d.Leases, Name: d.Name, Queue: d.Queue, Log: d.Log, Metrics: d.Metrics,
		Devices: newDevices(d.DeviceSlots, d.Leases, d.Metrics),
	}
	if h.Log == nil {
		h.Log = slog.New(slog.DiscardHandler)
	}
	return h
}
