package chaos_test

import (
	"context"
	"encoding/json"
	"fmt"
	"log/slog"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/stretchr/testify/require"
	"go.temporal.io/sdk/client"

	"plait/internal/assets/assetstest"
	"plait/internal/llmtest"
	"plait/internal/records"
	"plait/internal/stack/port"
	"plait/internal/stack/stacktest"
	"plait/workers"
)

const (
	modelName  = llmtest.DefaultModel
	headerLife = "X-Plait-Life"

	// patience bounds what the test waits for; nothing takes as long unless it is stuck. Many chapters take longer than one.
	patience      = 10 * time.Minute
	chapterWithin = 2 * time.Second
	pollEvery     = 100 * time.Millisecond

	// usualTTL keeps contexts for longer than any page waits in calm, and shortTTL for less than a model call.
	usualTTL = 30 * time.Second
	shortTTL = time.Second
)

// installation is everything that runs, in processes of its own but for the model server and the proxies.
type installation struct {
	t       testing.TB
	logs    string
	blobs   string
	temp    string
	url     string
	journal *journal

	postgres, temporal *server
	// calm answers at once; stormy takes its time, and can be told to hang and to fail.
	calm, stormy *llmtest.Server
	// The ways to the servers, as the parts go. Each part has its own to Temporal.
	toPostgres, toModel, toAPI *proxy
	toTemporal                 map[string]*proxy

	api *kept
	// The workers of comics by their role, and those of videos, which have all roles that a video needs.
	controls, gpus, speech, videos []*kept
	records                        *records.Store
	client                         client.Client

	mu   sync.Mutex
	ttls map[string]time.Duration
}

// newInstallation is one for comics.
func newInstallation(tb testing.TB, seed uint64) *installation {
	tb.Helper()
	in := newServers(tb, fmt.Sprint(seed))
	in.calm = llmtest.New(tb)
	in.stormy = llmtest.New(tb, llmtest.WithMatrix(llmtest.Matrix{Seed: seed, Latency: llmtest.Latency{Median: modelTime, Sigma: 0.4}}))
	in.toModel = newProxy(tb, hostOf(in.calm.URL()))
	in.startAPI(part{})
	for i := range 2 {
		in.controls = append(in.controls, in.worker("control", i, workers.RoleControl))
		in.speech = append(in.speech, in.worker("translate", i, workers.RoleTranslate))
	}
	for i := range 3 {
		in.gpus = append(in.gpus, in.worker("gpu", i, workers.RoleGPU))
	}
	in.awaitParts()
	return in
}

// newServers starts Postgres and Temporal. The logs go to a folder of that name.
func newServers(tb testing.TB, name string) *installation {
	tb.Helper()
	logs := filepath.Join(assetstest.ModuleRoot(), "build", "chaos", name)
	require.NoError(tb, os.RemoveAll(logs))
	require.NoError(tb, os.MkdirAll(logs, 0o755))
	folder := stacktest.DataDir(tb)
	in := &installation{
		t: tb, logs: logs, blobs: filepath.Join(folder, "blobs"), temp: filepath.Join(folder, "tmp"), journal: newJournal(tb, logs),
		ttls: map[string]time.Duration{}, toTemporal: map[string]*proxy{},
	}
	require.NoError(tb, os.Mkdir(in.temp, 0o700))
	in.postgres, in.url = newPostgres(tb, in.journal, folder, logs)
	in.temporal = newTemporal(tb, in.journal, folder, logs)
	require.NoError(tb, records.Migrate(tb.Context(), in.url))
	var err error
	in.records, err = records.Open(tb.Context(), in.url, records.Options{})
	require.NoError(tb, err)
	tb.Cleanup(in.records.Close)
	in.client, err = client.Dial(client.Options{HostPort: in.temporal.address, Logger: slog.New(slog.DiscardHandler)})
	require.NoError(tb, err)
	tb.Cleanup(in.client.Close)
	in.toPostgres = newProxy(tb, in.postgres.address)
	return in
}

// patienceFor is that with so many chapters, which go through side by side.
func patienceFor(chapters int) time.Duration { return patience + time.Duration(chapters)*chapterWithin }

// modelTime is the median of an answer in the storm.
const modelTime = 600 * time.Millisecond

// startAPI starts the API, with what else is said of it.
func (in *installation) startAPI(p part) {
	in.t.Helper()
	chosen, err := port.Choose(in.t.Context())
	require.NoError(in.t, err)
	p.Name, p.Address = "api", fmt.Sprintf("127.0.0.1:%d", chosen)
	in.toAPI = newProxy(in.t, p.Address)
	in.api = in.part(p)
}

// awaitParts waits until all parts serve.
func (in *installation) awaitParts() {
	in.t.Helper()
	ctx, cancel := context.WithTimeout(in.t.Context(), patience)
	defer cancel()
	for _, k := range in.parts() {
		require.NoError(in.t, k.awaitReady(ctx))
	}
}

func (in *installation) worker(kind string, i int, role workers.Role) *kept {
	return in.part(part{Name: fmt.Sprintf("%s-%d", kind, i+1), Roles: []workers.Role{role}})
}

// part keeps a process of this test program.
func (in *installation) part(p part) *kept {
	p.Database = strings.Replace(in.url, in.postgres.address, in.toPostgres.address(), 1)
	in.toTemporal[p.Name] = newProxy(in.t, in.temporal.address)
	p.Temporal, p.Blobs = in.toTemporal[p.Name].address(), in.blobs
	if in.toModel != nil {
		p.Model = "http://" + in.toModel.address() + "/v1"
	}
	k := keep(p.Name, filepath.Join(in.logs, p.Name+".log"), in.journal, func(life int) (*exec.Cmd, error) {
		p.Life, p.TTL = life, in.ttlOf(p.Name)
		description, err := json.Marshal(p)
		if err != nil {
			return nil, err
		}
		cmd := exec.Command(os.Args[0])
		cmd.Env = append(os.Environ(), envPart+"="+string(description), "TMPDIR="+in.temp)
		return cmd, nil
	})
	in.t.Cleanup(func() { require.NoError(in.t, in.stopPart(k)) })
	return k
}

func (in *installation) stopPart(k *kept) error {
	k.melt()
	ctx, cancel := context.WithTimeout(context.WithoutCancel(in.t.Context()), 3*stopTimeout)
	defer cancel()
	return k.stop(ctx)
}

// parts are all processes that are kept.
func (in *installation) parts() []*kept {
	all := []*kept{in.api}
	all = append(all, in.controls...)
	all = append(all, in.speech...)
	all = append(all, in.videos...)
	return append(all, in.gpus...)
}

// writers are the parts that store blobs.
func (in *installation) writers() []*kept { return append([]*kept{in.api}, in.gpus...) }

// ttlOf is how long the next life of a part keeps its contexts; a short time is for one life.
func (in *installation) ttlOf(name string) time.Duration {
	in.mu.Lock()
	defer in.mu.Unlock()
	ttl, ok := in.ttls[name]
	delete(in.ttls, name)
	if !ok {
		return usualTTL
	}
	return ttl
}

func (in *installation) shorten(name string) {
	in.mu.Lock()
	defer in.mu.Unlock()
	in.ttls[name] = shortTTL
}
