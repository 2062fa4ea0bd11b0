package installation

import (
	"context"
	"errors"
	"fmt"
	"log/slog"
	"slices"
	"sync/atomic"

	"plait/activities"
	comicsteps "plait/activities/comic"
	"plait/internal/comic/engine"
	"plait/internal/config"
	"plait/internal/lease"
	"plait/internal/memory"
	"plait/internal/records"
	"plait/internal/translators"
	"plait/tasks"
	comictasks "plait/tasks/comic"
	"plait/workers"
	comicworkers "plait/workers/comic"
	"plait/workflows"

	"github.com/prometheus/client_golang/prometheus"
	"github.com/prometheus/client_golang/prometheus/collectors"
	"go.temporal.io/sdk/client"
	"golang.org/x/sync/errgroup"
)

// NewRegistry is a registry with what every process tells of itself.
func NewRegistry() *prometheus.Registry {
	r := prometheus.NewRegistry()
	r.MustRegister(collectors.NewGoCollector(), collectors.NewProcessCollector(collectors.ProcessCollectorOpts{}))
	return r
}

// RunWorker puts a worker process together, runs it, and takes it apart.
func RunWorker(ctx context.Context, l *config.Loaded, version string, roles []workers.Role, log *slog.Logger) (err error) {
	host := l.Worker.Host
	if host == "" {
		host = HostName()
	}
	split, err := startHostAPI(ctx, l, roles, log)
	if err != nil {
		return err
	}
	defer split.close()
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

	shared := activities.Deps{
		Records: store, Name: host, Queue: workflows.HostQueue(host, instance), DeviceSlots: []int{engine.DeviceSlots(&l.Config)}, Log: log,
	}
	comics, closeEngine, err := Dependencies(ctx, l, roles, registry, &shared)
	if err != nil {
		return err
	}
	defer func() {
		split.close() // before the engine that its requests use
		err = errors.Join(err, closeEngine())
	}()

	shared.Metrics = activities.NewMetrics(registry, shared.Leases)
	comics.Host, comics.Metrics = activities.New(shared), comicsteps.NewMetrics(registry)
	steps := comicsteps.New(comics)
	split.ready(steps)
	p := parts{
		config: l, roles: roles, instance: instance, registry: registry, temporal: temporal, host: comics.Host,
		kinds: []workers.Kind{comicworkers.Kind(steps)}, presence: NewPresence(l, version, roles, instance, comics.Host), split: split,
	}
	return p.run(ctx)
}

// parts are what a worker process is made of.
type parts struct {
	config   *config.Loaded
	roles    []workers.Role
	instance string
	registry *prometheus.Registry
	temporal client.Client
	host     *activities.Host
	kinds    []workers.Kind
	presence *workers.Presence
	split    *hostServer
}

// run runs all parts side by side, until one fails or ctx ends.
func (p parts) run(ctx context.Context) error {
	l := p.config
	var ready atomic.Bool
	group, ctx := errgroup.WithContext(ctx)
	group.Go(func() error {
		return workers.Run(ctx, workers.Config{
			Client: p.temporal, Roles: p.roles, Host: p.host, Instance: p.instance, Kinds: p.kinds,
			StopTimeout: l.Worker.StopTimeout, Drain: p.presence.Drain(), OnDrained: p.presence.Drained,
			OnReady: func() {
				ready.Store(true)
				p.host.Log.Info("worker ready", "roles", workers.JoinRoles(p.roles, ","), "host", p.host.Name)
			},
		})
	})
	if slices.Contains(p.roles, workers.RoleControl) {
		group.Go(func() error { return sweep(ctx, l, p.host, p.temporal, tasks.NewMetrics(p.registry)) })
	}
	group.Go(func() error { return p.presence.Run(ctx) })
	group.Go(func() error { return p.split.drainWith(ctx, p.presence) })
	group.Go(p.split.wait)
	group.Go(func() error { return serveMetrics(ctx, l.HTTP.MetricsAddress, p.registry, ready.Load, p.host.Log) })
	return group.Wait()
}

// NewPresence is what operators see of this worker.
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

// contextPages tells "none" from "not set" as activities do.
func contextPages(n int) int {
	if n == 0 {
		return -1
	}
	return n
}

// Dependencies opens what the roles of a worker need: blobs and leases for the steps of every kind, translators and the engine for
// those of comics.
func Dependencies(
	ctx context.Context, l *config.Loaded, roles []workers.Role, registry prometheus.Registerer, shared *activities.Deps,
) (comics comicsteps.Deps, closeEngine func() error, err error) {
	closeEngine = func() error { return nil }
	comics = comicsteps.Deps{
		TranslateSlots: l.Worker.TranslateSlots, ContextPages: contextPages(l.Translator.ContextPages),
		MaxImageBytes: int64(l.Limits.MaxPageBytes), UntranslatedKinds: translators.UntranslatedKinds(l.Translator),
	}
	if shared.Blobs, err = OpenBlobs(ctx, l); err != nil {
		return comics, closeEngine, err
	}
	set, err := translators.New(&l.Config, shared.Records, translators.NewMetrics(registry), shared.Blobs, shared.Log)
	if err != nil {
		return comics, closeEngine, err
	}
	comics.Translators = set.Of
	if !slices.Contains(roles, workers.RoleGPU) {
		return comics, closeEngine, nil
	}
	budget, err := memory.ForPages(int64(l.Worker.PageMemory))
	if err != nil {
		return comics, closeEngine, err
	}
	shared.Leases = lease.New(lease.Config{
		Capacity: l.Context.Capacity, TTL: l.Context.TTL, Memory: budget,
		// Two pages for each that is translated at a time: one at the model, and the next.
		Start: max(lease.DefaultStart, 2*l.Worker.TranslateSlots),
	})
	c, err := engine.Configured(&l.Config)
	if err != nil {
		return comics, closeEngine, err
	}
	opened, err := engine.Open(ctx, c)
	if err != nil {
		return comics, closeEngine, err
	}
	comics.Engine = comicsteps.EngineOf(opened)
	return comics, opened.Close, nil
}

func sweep(ctx context.Context, l *config.Loaded, host *activities.Host, temporal client.Client, metrics *tasks.Metrics) error {
	service := comictasks.New(comictasks.Deps{Limits: chapterLimits(l), Deps: tasks.Deps{
		Records: host.Records, Blobs: host.Blobs, Temporal: temporal, Window: l.Chapter.Window, Retention: retention(l),
		Log: host.Log, Metrics: metrics,
	}})
	return service.RunSweeper(ctx, l.Worker.SweepEvery)
}
