package activities

import (
	"log/slog"

	"plait/internal/blob"
	"plait/internal/lease"
	"plait/internal/records"
	"plait/internal/webhook"
)

// Deps are the dependencies of the steps of every kind. A process needs only those of its roles: Leases belongs to a process that
// owns devices.
type Deps struct {
	Records *records.Store
	Blobs   blob.Store
	// Leases is nil in a process without a device.
	Leases *lease.Cache
	// DeviceSlots is the number of items at the same time on each device; empty is one device with one slot.
	DeviceSlots []int
	// Name is the name of this machine in the records; Queue is the host queue of this process.
	Name, Queue string
	// Webhooks sends messages to tenants; only a process with the role control needs it.
	Webhooks *webhook.Sender
	// Log and Metrics may be nil.
	Log     *slog.Logger
	Metrics *Metrics
}

// Host is a worker process for its steps: what the kinds share, and the steps of every task.
type Host struct {
	Records *records.Store
	Blobs   blob.Store
	Leases  *lease.Cache
	Devices *Devices
	// Webhooks is nil in a process that sends no messages.
	Webhooks *webhook.Sender
	Name     string
	Queue    string
	Log      *slog.Logger
	Metrics  *Metrics
	// queueWait is the wait in Queue.
	queueWait queueWait
}

// New makes a host. Log may be nil.
func New(d Deps) *Host {
	h := &Host{
		Records: d.Records, Blobs: d.Blobs, Leases: d.Leases, Name: d.Name, Queue: d.Queue, Log: d.Log, Metrics: d.Metrics, Webhooks: d.Webhooks,
		Devices: newDevices(d.DeviceSlots, d.Leases, d.Metrics),
	}
	if h.Log == nil {
		h.Log = slog.New(slog.DiscardHandler)
	}
	return h
}
