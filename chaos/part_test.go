package chaos_test

import (
	"context"
	"encoding/json"
	"fmt"
	"log/slog"
	"net"
	"os"
	"os/signal"
	"slices"
	"syscall"
	"time"

	"github.com/prometheus/client_golang/prometheus"
	"go.temporal.io/sdk/client"
	sdklog "go.temporal.io/sdk/log"
	"golang.org/x/sync/errgroup"
	"google.golang.org/grpc"

	"plait/activities"
	comicsteps "plait/activities/comic"
	"plait/activities/comic/enginetest"
	"plait/api"
	comicapi "plait/api/comic"
	"plait/internal/blob"
	"plait/internal/comic"
	"plait/internal/core"
	"plait/internal/lease"
	"plait/internal/records"
	"plait/internal/translate"
	"plait/internal/translate/provider"
	"plait/tasks"
	comictasks "plait/tasks/comic"
	"plait/workers"
	comicworkers "plait/workers/comic"
	"plait/workflows"
)

// envPart makes this test program a part of the installation: its description in JSON.
const envPart = "PLAIT_CHAOS_PART"

// readyLine is what a part prints when it serves or polls.
const readyLine = "ready"

const (
	// deviceTime is how long the stand-in engine takes for a call, so that a fault may meet one.
	deviceTime = 120 * time.Millisecond
	// modelTimeout gives up a model that hangs.
	modelTimeout = 8 * time.Second
	// circuitPause is short: a storm must not be over before a model is asked again.
	circuitPause = 2 * time.Second
	sweepEvery   = 2 * time.Second
	stopTimeout  = 20 * time.Second
	// translateSlots are those of the installation.
	translateSlots = 2
)

// part is a process of the installation.
type part struct {
	Name string
	// Roles are those of a worker; the API has none, and an address.
	Roles   []workers.Role
	Address string
	// Database, Temporal and Model are reached through proxies; Blobs is the folder.
	Database, Temporal, Model, Blobs string
	// Catalog is the file of the models of videos. A part that has one is of an installation for videos, in place of comics.
	Catalog string
	// TTL is how long contexts are kept.
	TTL time.Duration
	// Life counts the starts of the part. The model server is told.
	Life int
}

// runPart is the process of a part, until it is told to stop.
func runPart(description string) (status int) {
	var p part
	if err := json.Unmarshal([]byte(description), &p); err != nil {
		fmt.Fprintln(os.Stderr, err)
		return 2
	}
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt, syscall.SIGTERM)
	defer stop()
	if err := p.run(ctx); err != nil {
		fmt.Fprintln(os.Stderr, err)
		return 1
	}
	return 0
}

func (p part) run(ctx context.Context) error {
	log := slog.New(slog.NewTextHandler(os.Stderr, nil))
	orders := &orders{}
	go orders.obey(os.Stdin, log)
	if p.Catalog != "" {
		return p.runVideos(ctx, log)
	}
	store, err := records.Open(ctx, p.Database, records.Options{Slots: translateSlots})
	if err != nil {
		return err
	}
	defer store.Close()
	blobs, err := blob.Open(ctx, p.Blobs)
	if err != nil {
		return err
	}
	temporal, err := client.DialContext(ctx, client.Options{
		HostPort: p.Temporal, Identity: p.Name, Logger: sdklog.NewStructuredLogger(log),
		ConnectionOptions: client.ConnectionOptions{
			GrpcCompression: &client.GrpcCompressionNone{},
			DialOptions:     []grpc.DialOption{grpc.WithChainUnaryInterceptor(orders.skew)},
		},
	})
	if err != nil {
		return err
	}
	defer temporal.Close()
	chapters := comictasks.New(comictasks.Deps{Records: store, Blobs: blobs, Temporal: temporal, Log: log})
	service := tasks.New(tasks.Deps{Records: store, Blobs: blobs, Temporal: temporal, Log: log, Kinds: []tasks.Kind{chapters.Kind()}, Webhooks: webhookSchedule()})
	if len(p.Roles) == 0 {
		return p.serve(ctx, log, api.Deps{Tasks: service, Kinds: []api.Kind{comicapi.Kind(chapters, store)}, Records: store, Blobs: blobs, Temporal: temporal})
	}
	return p.work(ctx, log, temporal, service, activities.Deps{Records: store, Blobs: blobs, Log: log})
}

// serve is the API.
func (p part) serve(ctx context.Context, log *slog.Logger, d api.Deps) error {
	d.Config = api.Config{
		RequestTimeout: 20 * time.Second, UploadTimeout: time.Minute, ShutdownTimeout: 10 * time.Second,
		MaxConnections: 200, MaxUploads: 8, AdmissionTimeout: 20 * time.Second, MaxBody: 16 << 20, MaxPages: 100,
	}
	d.Log, d.Registry, d.Version = log, prometheus.NewRegistry(), "chaos"
	listener, err := new(net.ListenConfig).Listen(ctx, "tcp", p.Address)
	if err != nil {
		return err
	}
	fmt.Println(readyLine)
	return api.New(d).Serve(ctx, listener)
}

// work is a worker, put together as that of the command is.
func (p part) work(ctx context.Context, log *slog.Logger, temporal client.Client, service *tasks.Service, d activities.Deps) error {
	instance := workers.NewInstance()
	d.Name, d.Queue = p.Name, workflows.HostQueue(p.Name, instance)
	translator, err := p.translator(d.Records, log)
	if err != nil {
		return err
	}
	comics := comicsteps.Deps{TranslateSlots: translateSlots}
	comics.Translators = func(context.Context, comic.Options) (translate.Translator, error) { return translator, nil }
	self := records.Host{Instance: instance, Name: p.Name, Version: "chaos"}
	for _, role := range p.Roles {
		self.Roles = append(self.Roles, string(role))
	}
	if slices.Contains(p.Roles, workers.RoleGPU) {
		comics.Engine, d.Leases = comicsteps.EngineOf(newEngine()), lease.New(lease.Config{TTL: p.TTL})
		self.Queue, self.Device, self.DeviceSlots = d.Queue, "stand-in", 1
	}
	if slices.Contains(p.Roles, workers.RoleControl) {
		if d.Webhooks, err = webhookSender(d.Records); err != nil {
			return err
		}
	}
	comics.Host = activities.New(d)
	presence := workers.NewPresence(d.Records, self, comics.Host, 0, log)
	group, ctx := errgroup.WithContext(ctx)
	group.Go(func() error {
		return workers.Run(ctx, workers.Config{
			Client: temporal, Roles: p.Roles, Host: comics.Host, Instance: instance,
			Kinds: []workers.Kind{comicworkers.Kind(comicsteps.New(comics))}, StopTimeout: stopTimeout, Drain: presence.Drain(), OnDrained: presence.Drained,
			OnReady: func() { fmt.Println(readyLine) },
		})
	})
	group.Go(func() error { return presence.Run(ctx) })
	if slices.Contains(p.Roles, workers.RoleControl) {
		group.Go(func() error { return service.RunSweeper(ctx, sweepEvery) })
		group.Go(func() error { return service.RunWebhooks(ctx) })
	}
	return group.Wait()
}

func (p part) translator(store *records.Store, log *slog.Logger) (translate.Translator, error) {
	return translate.New(translate.Config{
		Provider: provider.Config{
			Kind: provider.OpenAI, BaseURL: p.Model, Model: modelName, Timeout: modelTimeout,
			Headers: map[string]string{headerLife: lifeName(p.Name, p.Life)},
		},
		Temperature: translate.DefaultTemperature, CircuitPause: circuitPause,
	}, store, log)
}

// newEngine is the stand-in engine.
func newEngine() *enginetest.Pictures {
	e := &enginetest.Pictures{}
	e.Before = func(ctx context.Context, _ core.Stage, _ []byte) error {
		select {
		case <-ctx.Done():
			return ctx.Err()
		case <-time.After(deviceTime):
			return nil
		}
	}
	return e
}
