package workers_test

import (
	"bytes"
	"context"
	"fmt"
	"log/slog"
	"testing"
	"time"

	"github.com/google/uuid"
	"github.com/stretchr/testify/require"
	"go.temporal.io/sdk/client"
	sdklog "go.temporal.io/sdk/log"

	"plait/activities"
	comicsteps "plait/activities/comic"
	"plait/activities/comic/enginetest"
	"plait/internal/blob"
	"plait/internal/comic"
	"plait/internal/core"
	"plait/internal/lease"
	"plait/internal/records"
	comicrecords "plait/internal/records/comic"
	"plait/internal/records/recordstest"
	"plait/internal/stack/stacktest"
	"plait/internal/translate"
	"plait/internal/translate/translatetest"
	"plait/internal/webhook"
	"plait/workers"
	comicworkers "plait/workers/comic"
	"plait/workflows"
)

const (
	tenant = "tenant"
	// patience bounds what a test waits for; nothing takes as long unless it is stuck.
	patience = 3 * time.Minute
)

// rig is a real database, blob folder and Temporal server, to which hosts are added. The queues have fixed names, so
// tests with hosts run one after the other.
type rig struct {
	t       testing.TB
	url     string
	address string
	blobDir string
	records *records.Store
	blobs   blob.Store
	client  client.Client
	model   *translatetest.Model
	// translator is asked in place of the model when it is not nil.
	translator translate.Translator
}

func newRig(tb testing.TB) *rig {
	tb.Helper()
	return newRigAt(tb, recordstest.Database(tb), stacktest.Temporal(tb))
}

func newRigAt(tb testing.TB, url, address string) *rig {
	tb.Helper()
	r := &rig{t: tb, url: url, address: address, blobDir: tb.TempDir(), model: &translatetest.Model{}}
	r.connect(tb.Context())
	tb.Cleanup(func() {
		r.client.Close()
		r.records.Close()
	})
	return r
}

func (r *rig) connect(ctx context.Context) {
	var err error
	r.records, err = records.Open(ctx, r.url, records.Options{})
	require.NoError(r.t, err)
	r.blobs, err = blob.Open(ctx, r.blobDir)
	require.NoError(r.t, err)
	r.client, err = dial(r.address)
	require.NoError(r.t, err)
}

func dial(address string) (client.Client, error) {
	return client.Dial(client.Options{HostPort: address, Identity: "test",
		ConnectionOptions: client.ConnectionOptions{GrpcCompression: &client.GrpcCompressionNone{}},
		Logger:            sdklog.NewStructuredLogger(slog.New(slog.DiscardHandler))})
}

// hostOptions are what a test may want different of a host.
type hostOptions struct {
	engine *enginetest.Engine
	roles  []workers.Role
	sticky int
	leases lease.Config
	slots  int
	stop   time.Duration
	// webhooks sends messages; nil sends none.
	webhooks *webhook.Sender
}

// host is one worker process, but for the process.
type host struct {
	self   *activities.Host
	steps  *comicsteps.Activities
	engine *enginetest.Engine
	cancel context.CancelFunc
	done   chan error
	// drain asks for one; drained is closed at its end.
	drain, drained chan struct{}
}

func (r *rig) host(o hostOptions) *host {
	r.t.Helper()
	if o.engine == nil {
		o.engine = &enginetest.Engine{}
	}
	if o.roles == nil {
		o.roles = allRoles
	}
	if o.stop == 0 {
		o.stop = 10 * time.Second
	}
	instance := workers.NewInstance()
	h := &host{engine: o.engine, done: make(chan error, 1), drain: make(chan struct{}), drained: make(chan struct{})}
	h.self = activities.New(activities.Deps{
		Blobs: r.blobs, Records: r.records, Leases: lease.New(o.leases), Name: "host", Queue: workflows.HostQueue("host", instance), Webhooks: o.webhooks,
	})
	h.steps = comicsteps.New(comicsteps.Deps{
		Host: h.self, Engine: comicsteps.EngineOf(o.engine), TranslateSlots: o.slots,
		Translators: func(context.Context, comic.Options) (translate.Translator, error) {
			if r.translator != nil {
				return r.translator, nil
			}
			return r.model, nil
		},
	})
	ctx, cancel := context.WithCancel(context.WithoutCancel(r.t.Context()))
	h.cancel = cancel
	ready := make(chan struct{})
	go func() {
		h.done <- workers.Run(ctx, workers.Config{
			Client: r.client, Roles: o.roles, Host: h.self, Instance: instance,
			Kinds: []workers.Kind{comicworkers.Kind(h.steps)}, StickyCache: o.sticky, StopTimeout: o.stop,
			Drain: h.drain, OnReady: func() { close(ready) }, OnDrained: func() { close(h.drained) },
		})
	}()
	r.t.Cleanup(func() { require.NoError(r.t, h.stop()) })
	select {
	case <-ready:
	case err := <-h.done:
		require.NoError(r.t, err)
	case <-time.After(patience):
		require.FailNow(r.t, "no host")
	}
	return h
}

// leases are those that the host keeps.
func (h *host) leases() *lease.Cache { return h.self.Leases }

// stop drains the host; a second stop answers as the first.
func (h *host) stop() error {
	h.cancel()
	err := <-h.done
	h.done <- err
	return err
}

// chapter is a task of comics, and its options.
type chapter struct {
	workflows.TaskInput
	Options comic.Options
	share   workflows.Share
}

// task writes a chapter of these pages and returns the input of its workflow.
func (r *rig) task(mode core.Mode, pages ...[]byte) chapter {
	r.t.Helper()
	return r.write(tenant, 0, comic.Options{From: "ja", To: "en", Mode: mode}, pages...)
}

// taskOf writes a page of a tenant, with a priority; 0 is the default.
func (r *rig) taskOf(tenant string, priority int, page []byte) chapter {
	r.t.Helper()
	return r.write(tenant, priority, comic.Options{From: "ja", To: "en", Mode: comic.ModeSplit}, page)
}

func (r *rig) write(tenant string, priority int, o comic.Options, pages ...[]byte) chapter {
	r.t.Helper()
	in := chapter{
		TaskInput: workflows.TaskInput{TaskID: uuid.NewString(), Tenant: tenant, Kind: comic.Kind, Title: r.t.Name()}, Options: o,
	}
	var files []records.File
	for i, image := range pages {
		ref, _, err := r.blobs.Put(r.t.Context(), bytes.NewReader(image), 1<<20)
		require.NoError(r.t, err)
		page := core.Item{TaskID: in.TaskID, Tenant: tenant, Index: i, Name: fmt.Sprintf("%03d.png", i+1), Blob: ref}
		in.Items = append(in.Items, page)
		files = append(files, records.File{Role: records.RoleArchive, Position: i, Name: page.Name, ItemIndex: &i})
	}
	_, created, err := r.records.CreateTask(r.t.Context(), records.NewTask{
		ID: in.TaskID, Tenant: tenant, Kind: in.Kind, Title: in.Title, Options: in.Options.JSON(), Priority: priority, Items: in.Items, Files: files,
	})
	require.NoError(r.t, err)
	require.True(r.t, created)
	return in
}

func (r *rig) start(in chapter) {
	r.t.Helper()
	in.TaskInput.Options = in.Options.JSON()
	require.NoError(r.t, workflows.Start(r.t.Context(), r.client, in.TaskInput, in.share))
}

// wait returns the result of a chapter, and checks that the counts add up to its pages. Of its modes it leaves fallbacks alone,
// which tell that something was lost.
func (r *rig) wait(in chapter) (core.TaskResult, error) {
	r.t.Helper()
	ctx, cancel := context.WithTimeout(r.t.Context(), patience)
	defer cancel()
	var result core.TaskResult
	err := r.client.GetWorkflow(ctx, in.TaskID, "").Get(ctx, &result)
	task, recordErr := r.records.Task(ctx, in.Tenant, in.TaskID)
	require.NoError(r.t, recordErr)
	require.Equal(r.t, len(in.Items), task.SuccessCount+task.FailedCount)
	require.Equal(r.t, len(in.Items), task.TotalCount)
	if err == nil {
		counts := result
		counts.Modes = nil
		require.Equal(r.t, task.Result(), counts)
	}
	fallbacks := result.Modes[comic.ModeFallback]
	if result.Modes = nil; fallbacks > 0 {
		result.Modes = map[core.Mode]int{comic.ModeFallback: fallbacks}
	}
	return result, err
}

func (r *rig) run(in chapter) core.TaskResult {
	r.t.Helper()
	r.start(in)
	result, err := r.wait(in)
	require.NoError(r.t, err)
	return result
}

func (r *rig) pages(in chapter) []comicrecords.Page {
	r.t.Helper()
	pages, err := comicrecords.New(r.records).Pages(r.t.Context(), in.TaskID)
	require.NoError(r.t, err)
	return pages
}

func (r *rig) result(p comicrecords.Page) string {
	r.t.Helper()
	b, err := r.blobs.Read(r.t.Context(), p.Result, 1<<20)
	require.NoError(r.t, err)
	return string(b)
}

// await fails the test when c does not come.
func await[T any](tb testing.TB, c <-chan T, what string) (value T) {
	tb.Helper()
	select {
	case value = <-c:
	case <-time.After(patience):
		require.FailNow(tb, "waited in vain", what)
	}
	return value
}

const pollEvery = 20 * time.Millisecond

// until waits for a condition that nothing announces, as long as the patience of the tests.
func until(ctx context.Context, holds func() bool) error {
	ctx, cancel := context.WithTimeout(ctx, patience)
	defer cancel()
	ticker := time.NewTicker(pollEvery)
	defer ticker.Stop()
	for !holds() {
		select {
		case <-ctx.Done():
			return ctx.Err()
		case <-ticker.C:
		}
	}
	return nil
}
