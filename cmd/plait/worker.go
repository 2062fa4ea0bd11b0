package main

import (
	"context"
	"errors"
	"fmt"
	"log/slog"
	"slices"
	"sync/atomic"

	"github.com/prometheus/client_golang/prometheus"
	"github.com/prometheus/client_golang/prometheus/collectors"
	"github.com/spf13/cobra"
	"go.temporal.io/sdk/client"
	"golang.org/x/sync/errgroup"

	"plait/activities"
	"plait/internal/comic/engine"
	"plait/internal/config"
	"plait/internal/lease"
	"plait/internal/records"
	"plait/internal/translators"
	"plait/tasks"
	"plait/workers"
	"plait/workflows"
)

func newWorker(a *app) *cobra.Command {
	var roles []string
	c := &cobra.Command{
		Use:   "worker",
		Short: "Run a worker: workflows, the device's steps, translation",
		Long: `Run a worker of one or more roles until it is stopped; a stop lets running steps end.

  control    runs the workflows, and sweeps up what a crash left behind
  gpu        owns the device: reads, erases and letters pages
  translate  calls the translator, away from any device`,
		Args: cobra.NoArgs,
		RunE: func(c *cobra.Command, _ []string) error {
			parsed, err := workers.ParseRoles(roles)
			if err != nil {
				return usageError(c, err)
			}
			l, err := a.load()
			if err != nil {
				return err
			}
			if err := locate(c.Context(), l); err != nil {
				return err
			}
			return runWorker(c.Context(), l, parsed, logger(c.ErrOrStderr(), l.Log))
		},
	}
	c.Flags().StringSliceVar(&roles, "role", []string{"control", "gpu", "translate"}, "roles of this worker")
	return c
}

// newRegistry is a registry with what every process tells of itself.
func newRegistry() *prometheus.Registry {
	r := prometheus.NewRegistry()
	r.MustRegister(collectors.NewGoCollector(), collectors.NewProcessCollector(collectors.ProcessCollectorOpts{}))
	return r
}

// runWorker puts a worker process together, runs it, and takes it apart.
func runWorker(ctx context.Context, l *config.Loaded, roles []workers.Role, log *slog.Logger) (err error) {
	host := l.Worker.Host
	if host == "" {
		host = hostName()
	}
	split, err := startHostAPI(ctx, l, roles, log)
	if err != nil {
		return err
	}
	defer split.close()
	instance, registry := workers.NewInstance(), newRegistry()
	stopTracing, err := startTracing(ctx, l, "plait-worker", host, instance, log)
	if err != nil {
		return err
	}
	defer stopTracing()
	metrics, err := workers.NewMetricsHandler(registry, log)
	if err != nil {
		return err
	}
	store, err := openRecords(ctx, l)
	if err != nil {
		return err
	}
	defer store.Close()
	temporal, err := dialTemporal(ctx, l, workers.Identity(host, instance, roles), metrics, log)
	if err != nil {
		return err
	}
	defer temporal.Close()

	deps := activities.Deps{
		Records: store, Host: host, HostQueue: workflows.HostQueue(host, instance),
		DeviceSlots: engine.DeviceSlots(&l.Config), TranslateSlots: l.Worker.TranslateSlots,
		ContextPages: contextPages(l.Translator.ContextPages), MaxImageBytes: int64(l.Limits.MaxPageBytes),
		UntranslatedKinds: translators.UntranslatedKinds(l.Translator),
		Log:               log,
	}
	closeEngine, err := equip(ctx, l, roles, registry, &deps)
	if err != nil {
		return err
	}
	defer func() {
		split.close() // before the engine that its requests use
		err = errors.Join(err, closeEngine())
	}()

	deps.Metrics = activities.NewMetrics(registry, deps.Contexts)
	steps := activities.New(deps)
	split.ready(steps)
	p := parts{
		config: l, roles: roles, host: host, instance: instance, log: log, registry: registry,
		temporal: temporal, deps: deps, steps: steps, presence: newPresence(l, roles, instance, deps, steps), split: split,
	}
	return p.run(ctx)
}

// parts are what a worker process is made of.
type parts struct {
	config         *config.Loaded
	roles          []workers.Role
	host, instance string
	log            *slog.Logger
	registry       *prometheus.Registry
	temporal       client.Client
	deps           activities.Deps
	steps          *activities.Activities
	presence       *workers.Presence
	split          *hostServer
}

// run runs all parts side by side, until one fails or ctx ends.
func (p parts) run(ctx context.Context) error {
	l := p.config
	var ready atomic.Bool
	group, ctx := errgroup.WithContext(ctx)
	group.Go(func() error {
		return workers.Run(ctx, workers.Config{
			Client: p.temporal, Roles: p.roles, Activities: p.steps, Host: p.host, Instance: p.instance,
			DeviceSlots: engine.DeviceSlots(&l.Config), TranslateSlots: l.Worker.TranslateSlots, StopTimeout: l.Worker.StopTimeout,
			Drain: p.presence.Drain(), OnDrained: p.presence.Drained,
			OnReady: func() {
				ready.Store(true)
				p.log.Info("worker ready", "roles", workers.JoinRoles(p.roles, ","), "host", p.host)
			},
		})
	})
	if slices.Contains(p.roles, workers.RoleControl) {
		group.Go(func() error { return sweep(ctx, l, p.deps, p.temporal, tasks.NewMetrics(p.registry)) })
	}
	group.Go(func() error { return p.presence.Run(ctx) })
	group.Go(func() error { return p.split.drainWith(ctx, p.presence) })
	group.Go(p.split.wait)
	group.Go(func() error { return serveMetrics(ctx, l.HTTP.MetricsAddress, p.registry, ready.Load, p.log) })
	return group.Wait()
}

// newPresence is what operators see of this worker.
func newPresence(l *config.Loaded, roles []workers.Role, instance string, deps activities.Deps, steps *activities.Activities) *workers.Presence {
	host := records.Host{Instance: instance, Name: deps.Host, Version: version}
	for _, role := range roles {
		host.Roles = append(host.Roles, string(role))
	}
	if deps.Contexts != nil {
		host.Queue, host.DeviceSlots = deps.HostQueue, deps.DeviceSlots
		host.Device = fmt.Sprintf("%s:%d", l.Device.Kind, l.Device.ID)
	}
	return workers.NewPresence(deps.Records, host, steps, records.HostSeenEvery, deps.Log)
}

// contextPages tells "none" from "not set" as activities do.
func contextPages(n int) int {
	if n == 0 {
		return -1
	}
	return n
}

// equip gives a worker what its roles need: the engine and the memory of contexts, translators, blobs.
func equip(
	ctx context.Context, l *config.Loaded, roles []workers.Role, registry prometheus.Registerer, deps *activities.Deps,
) (closeEngine func() error, err error) {
	closeEngine = func() error { return nil }
	if deps.Blobs, err = openBlobs(ctx, l); err != nil {
		return closeEngine, err
	}
	set, err := translators.New(&l.Config, deps.Records, translators.NewMetrics(registry), deps.Blobs, deps.Log)
	if err != nil {
		return closeEngine, err
	}
	deps.Translators = set.Of
	if !slices.Contains(roles, workers.RoleGPU) {
		return closeEngine, nil
	}
	deps.Contexts = lease.New(lease.Config{
		Capacity: l.Context.Capacity, TTL: l.Context.TTL, MaxBytes: int64(l.Context.MaxBytes),
		// Two pages for each that is translated at a time: one at the model, and the next.
		Start: max(lease.DefaultStart, 2*l.Worker.TranslateSlots),
	})
	c, err := engine.Configured(&l.Config)
	if err != nil {
		return closeEngine, err
	}
	opened, err := engine.Open(ctx, c)
	if err != nil {
		return closeEngine, err
	}
	deps.Engine = activities.EngineOf(opened)
	return opened.Close, nil
}

func sweep(ctx context.Context, l *config.Loaded, deps activities.Deps, temporal client.Client, metrics *tasks.Metrics) error {
	service := tasks.New(tasks.Deps{
		Records: deps.Records, Blobs: deps.Blobs, Temporal: temporal, Limits: taskLimits(l), Retention: retention(l),
		Log: deps.Log, Metrics: metrics,
	})
	return service.RunSweeper(ctx, l.Worker.SweepEvery)
}
