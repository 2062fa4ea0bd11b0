package installation

import (
	"context"
	"errors"
	"fmt"
	"log/slog"
	"slices"
	"sync/atomic"

	"plait/activities"
	"plait/internal/config"
	"plait/internal/core"
	"plait/internal/lease"
	"plait/internal/memory"
	"plait/internal/records"
	"plait/tasks"
	"plait/workers"
	"plait/workflows"

	"github.com/prometheus/client_golang/prometheus"
	"github.com/prometheus/client_golang/prometheus/collectors"
	"golang.org/x/sync/errgroup"
)

// NewRegistry returns a registry with the metrics of the process itself.
func NewRegistry() *prometheus.Registry {
	r := prometheus.NewRegistry()
	r.MustRegister(collectors.NewGoCollector(), collectors.NewProcessCollector(collectors.ProcessCollectorOpts{}))
	return r
}

// RunWorker opens the dependencies of a worker process with these roles, runs it until ctx ends, and closes them.
func RunWorker(ctx context.Context, l *config.Loaded, kinds Kinds, version string, roles []workers.Role, log *slog.Logger) (err error) {
	host := l.Worker.Host
	if host == "" {
		host = HostName()
	}
	instance, registry := workers.NewInstance(), NewRegistry()
	stopTracing, err := startTracing(ctx, l, "plait-worker", version, host, instance, log)
	if err != nil {
		return err
	}
	defer stopTracing()
	metrics, err := workers.NewMetricsHandler(registry, log)
	if err != nil {
		return err
	}
	store, err := OpenRecords(ctx, l)
	if err != nil {
		return err
	}
	defer store.Close()
	temporal, err := DialTemporal(ctx, l, workers.Identity(host, instance, roles), metrics, log)
	if err != nil {
		return err
	}
	defer temporal.Close()
	blobs, err := OpenBlobs(ctx, l)
	if err != nil {
		return err
	}
	self := activities.Deps{Records: store, Blobs: blobs, Name: host, Queue: workflows.HostQueue(host, instance), Log: log}
	if slices.Contains(roles, workers.RoleControl) {
		if self.Webhooks, err = webhookSender(ctx, l, store, log); err != nil {
			return err
		}
	}
	if slices.Contains(roles, workers.RoleGPU) {
		if err := addDevice(l, &self); err != nil {
			return err
		}
	}
	self.Metrics = activities.NewMetrics(registry, self.Leases)
	p := process{
		Worker:   Worker{Process: Process{Config: l, Records: store, Blobs: blobs, Temporal: temporal, Log: log, Registry: registry}, Roles: roles, Host: activities.New(self)},
		registry: registry, instance: instance,
	}
	p.presence = NewPresence(l, version, roles, instance, p.Host)
	p.Drain = p.presence.Drain()
	closeSteps, err := p.open(ctx, kinds)
	defer func() { err = errors.Join(err, closeSteps()) }()
	if err != nil {
		return err
	}
	return p.run(ctx, kinds)
}

// addDevice gives a host its device: slots, and leases in the memory budget of the process.
func addDevice(l *config.Loaded, host *activities.Deps) error {
	budget, err := memory.ForPages(int64(l.Worker.PageMemory))
	if err != nil {
		return err
	}
	host.DeviceSlots = []int{l.DeviceSlots()}
	host.Leases = lease.New(lease.Config{
		Capacity: l.Context.Capacity, TTL: l.Context.TTL, Memory: budget,
		// Two pages per translate slot: the one at the model, and the next one.
		Start: max(lease.DefaultStart, 2*l.Worker.TranslateSlots),
	})
	return nil
}

// process is a worker process.
type process struct {
	Worker
	registry *prometheus.Registry
	instance string
	presence *workers.Presence
	steps    []Steps
}

// open opens the steps of the kinds. The returned function closes those that are open, in reverse order.
func (p *process) open(ctx context.Context, kinds Kinds) (closeAll func() error, err error) {
	closeAll = func() (err error) {
		for _, s := range slices.Backward(p.steps) {
			if s.Close != nil {
				err = errors.Join(err, s.Close())
			}
		}
		return err
	}
	for _, kind := range kinds {
		s, err := kind.Steps(ctx, p.Worker)
		if err != nil {
			return closeAll, err
		}
		s.Name = kind.Name
		p.steps = append(p.steps, s)
	}
	return closeAll, nil
}

// run runs all parts concurrently, until one fails or ctx ends.
func (p *process) run(ctx context.Context, kinds Kinds) error {
	l := p.Config
	var ready atomic.Bool
	config := workers.Config{
		Client: p.Temporal, Roles: p.Roles, Host: p.Host, Instance: p.instance,
		StopTimeout: l.Worker.StopTimeout, Drain: p.Drain, OnDrained: p.presence.Drained,
		OnReady: func() {
			ready.Store(true)
			p.Log.Info("worker ready", "roles", core.Join(p.Roles, ","), "host", p.Host.Name)
		},
	}
	group, ctx := errgroup.WithContext(ctx)
	for _, s := range p.steps {
		config.Kinds = append(config.Kinds, s.Kind)
		if s.Run != nil {
			group.Go(func() error { return s.Run(ctx) })
		}
	}
	group.Go(func() error { return workers.Run(ctx, config) })
	if slices.Contains(p.Roles, workers.RoleControl) {
		service, _, err := kinds.service(p.Process, tasks.NewMetrics(p.registry))
		if err != nil {
			return err
		}
		group.Go(func() error { return service.RunSweeper(ctx, l.Worker.SweepEvery) })
		group.Go(func() error { return service.RunWebhooks(ctx) })
	}
	group.Go(func() error { return p.presence.Run(ctx) })
	group.Go(func() error { return serveMetrics(ctx, l.HTTP.MetricsAddress, p.registry, ready.Load, p.Log) })
	return group.Wait()
}

// NewPresence makes the record of this worker that operators see.
func NewPresence(l *config.Loaded, version string, roles []workers.Role, instance string, self *activities.Host) *workers.Presence {
	host := records.Host{Instance: instance, Name: self.Name, Version: version}
	for _, role := range roles {
		host.Roles = append(host.Roles, string(role))
	}
	if self.Leases != nil {
		host.Queue, host.DeviceSlots = self.Queue, self.Devices.Slots()
		host.Device = fmt.Sprintf("%s:%d", l.Device.Kind, l.Device.ID)
	}
	return workers.NewPresence(self.Records, host, self, records.HostSeenEvery, self.Log)
}
