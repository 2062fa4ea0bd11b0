package main

import (
	"context"
	"fmt"
	"os"
	"os/signal"
	"syscall"

	"github.com/prometheus/client_golang/prometheus"
	"golang.org/x/sync/errgroup"

	"plait/activities"
	"plait/activities/enginetest"
	"plait/internal/config"
	"plait/internal/lease"
	"plait/workers"
	"plait/workflows"
)

// withStandIn makes the worker of an installation one whose engine is that of enginetest: the rest of it is as in a worker that
// reads pictures.
const withStandIn = "PLAIT_TEST_STAND_IN"

// isStandIn reports whether this process is to be such a worker.
func isStandIn() bool {
	return os.Getenv(withStandIn) != "" && len(os.Args) == 2 && os.Args[1] == "worker"
}

// runStandIn is that process.
func runStandIn() int {
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt, syscall.SIGTERM)
	defer stop()
	if err := workWithStandIn(ctx); err != nil {
		fmt.Fprintln(os.Stderr, err)
		return 1
	}
	return 0
}

func workWithStandIn(ctx context.Context) error {
	l, err := config.Load(config.Sources{Environ: os.Environ()})
	if err != nil {
		return err
	}
	log := logger(os.Stderr, l.Log)
	store, err := openRecords(ctx, l)
	if err != nil {
		return err
	}
	defer store.Close()
	roles, instance := workers.AllRoles(), workers.NewInstance()
	temporal, err := dialTemporal(ctx, l, workers.Identity("stand-in", instance, roles), nil, log)
	if err != nil {
		return err
	}
	defer temporal.Close()
	deps := activities.Deps{
		Engine: activities.EngineOf(&enginetest.Pictures{}), Contexts: lease.New(lease.Config{}), Records: store,
		Host: "stand-in", HostQueue: workflows.HostQueue("stand-in", instance), ContextPages: contextPages(l.Translator.ContextPages), Log: log,
	}
	registry := prometheus.NewRegistry()
	if _, err := equip(ctx, l, []workers.Role{workers.RoleControl, workers.RoleTranslate}, registry, &deps); err != nil {
		return err
	}
	steps := activities.New(deps)
	presence := newPresence(l, roles, instance, deps, steps)
	group, ctx := errgroup.WithContext(ctx)
	group.Go(func() error {
		return workers.Run(ctx, workers.Config{
			Client: temporal, Roles: roles, Activities: steps, Host: deps.Host, Instance: instance,
			Drain: presence.Drain(), OnDrained: presence.Drained,
		})
	})
	group.Go(func() error { return presence.Run(ctx) })
	return group.Wait()
}
