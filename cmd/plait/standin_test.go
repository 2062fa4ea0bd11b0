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
	comicsteps "plait/activities/comic"
	"plait/activities/comic/enginetest"
	"plait/installation"
	comicinstallation "plait/installation/comic"
	"plait/internal/config"
	"plait/internal/lease"
	"plait/workers"
	comicworkers "plait/workers/comic"
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
	log := installation.NewLogger(os.Stderr, l.Log)
	store, err := installation.OpenRecords(ctx, l)
	if err != nil {
		return err
	}
	defer store.Close()
	roles, instance := kinds.Roles(), workers.NewInstance()
	temporal, err := installation.DialTemporal(ctx, l, workers.Identity("stand-in", instance, roles), nil, log)
	if err != nil {
		return err
	}
	defer temporal.Close()
	blobs, err := installation.OpenBlobs(ctx, l)
	if err != nil {
		return err
	}
	host := activities.New(activities.Deps{
		Leases: lease.New(lease.Config{}), Records: store, Blobs: blobs, Name: "stand-in", Queue: workflows.HostQueue("stand-in", instance), Log: log,
	})
	comics, err := comicinstallation.Dependencies(installation.Worker{
		Process: installation.Process{Config: l, Records: store, Blobs: blobs, Temporal: temporal, Log: log, Registry: prometheus.NewRegistry()},
		Roles:   roles, Host: host,
	})
	if err != nil {
		return err
	}
	comics.Engine = comicsteps.EngineOf(&enginetest.Pictures{})
	presence := installation.NewPresence(l, "stand-in", roles, instance, comics.Host)
	group, ctx := errgroup.WithContext(ctx)
	group.Go(func() error {
		return workers.Run(ctx, workers.Config{
			Client: temporal, Roles: roles, Host: comics.Host, Instance: instance,
			Kinds: []workers.Kind{comicworkers.Kind(comicsteps.New(comics))},
			Drain: presence.Drain(), OnDrained: presence.Drained,
		})
	})
	group.Go(func() error { return presence.Run(ctx) })
	return group.Wait()
}
