package api_test

import (
	"fmt"
	"io"
	"net/http"
	"slices"
	"strconv"
	"sync"
	"testing"
	"time"

	"github.com/stretchr/testify/require"
	"golang.org/x/sync/errgroup"

	"plait/internal/benchtest"
	"plait/internal/records"
	"plait/internal/records/recordstest"
)

// The cases of BenchmarkLoad.
var (
	loadClients = []int{1, 16, 256}
	loadBefore  = []int{0, 100_000}
)

const loadFor = 6 * time.Second

// loadFigures are what BenchmarkLoad writes. Every answer was 202.
type loadFigures struct {
	Case string `json:"case"`
	// Started says whether the tasks were started in Temporal before the answer. Those of a tenant that runs as many as it may are not.
	Started bool `json:"started"`
	// Workers is false: nothing takes the tasks up.
	Workers bool `json:"workers"`
	// Procs is GOMAXPROCS of the server.
	Procs   int `json:"server_procs"`
	Clients int `json:"clients"`
	// Before is the number of ended tasks that the table had already.
	Before    int     `json:"tasks_before"`
	Accepted  int     `json:"accepted"`
	PerSecond float64 `json:"accepted_per_second"`
	P50       float64 `json:"p50_ms"`
	P99       float64 `json:"p99_ms"`
	Max       float64 `json:"max_ms"`
}

// BenchmarkLoad measures how many tasks of one page a server process accepts, from the first byte of a request to the last of its answer.
// When that comes, the rows and the page are on disk, and the workflow has started or the task waits for a place among those that its tenant
// may run. The server has two threads for Go; the clients, Postgres and Temporal share the machine with it, and no worker runs.
func BenchmarkLoad(b *testing.B) {
	const procs = 2
	r := newRig(b)
	most := strconv.Itoa(slices.Max(loadClients))
	r.child(envServeUploads+"="+most, "GOMAXPROCS="+strconv.Itoa(procs))
	started, waiting := r.caller("acme"), r.callerThatRunsOne("waiting")
	for _, before := range loadBefore {
		endedTasks(b, r.url, before)
		for _, clients := range loadClients {
			for _, c := range []caller{started, waiting} {
				l := &loadRun{caller: c, http: http.Client{Transport: &http.Transport{MaxIdleConnsPerHost: clients}, Timeout: patience}, status: http.StatusAccepted}
				l.request = l.page
				f := l.figures(clients, fmt.Sprintf("%d-%d", before, clients))
				f.Started, f.Procs, f.Before = c.key == started.key, procs, before
				benchtest.Write(b, nil, f)
			}
		}
	}
}

// callerThatRunsOne may run one task at a time, and runs it.
func (r *rig) callerThatRunsOne(tenant string) caller {
	r.t.Helper()
	tier, one := records.NewTier("one"), int64(1)
	tier.RunningTasks = &one
	_, err := r.records.SetTier(r.t.Context(), tier)
	require.NoError(r.t, err)
	_, err = r.records.SetTenant(r.t.Context(), tenant, records.TenantChange{Tier: &tier.Name})
	require.NoError(r.t, err)
	c := r.caller(tenant)
	c.queuedID()
	return c
}

// endedTasks writes n tasks that ended an hour ago. The triggers are off, since they write an event for each.
func endedTasks(b *testing.B, url string, n int) {
	b.Helper()
	for _, sql := range []string{
		`ALTER TABLE task DISABLE TRIGGER USER`,
		fmt.Sprintf(`INSERT INTO task (id, tenant, kind, options, total_count, success_count, status, started_at, ended_at)
			SELECT 'ended-' || n, 'tenant-' || n %% 100, 'comic', '{}', 1, 1, 'success', now() - interval '2 hours', now() - interval '1 hour'
			FROM generate_series(1, %d) n`, n),
		`ALTER TABLE task ENABLE TRIGGER USER`,
		`ANALYZE task`,
	} {
		recordstest.Exec(b, url, sql)
	}
}

// loadRun are clients that post one task after the other.
type loadRun struct {
	caller
	http http.Client
	// request makes the request of a name, and status is that of its answer.
	request   func(name string) (*http.Request, error)
	status    int
	mu        sync.Mutex
	latencies []time.Duration
}

// figures are those of a run.
func (l *loadRun) figures(clients int, name string) loadFigures {
	l.t.Helper()
	elapsed := l.run(clients, name)
	slices.Sort(l.latencies)
	at := func(share float64) float64 {
		return float64(l.latencies[int(share*float64(len(l.latencies)-1))].Microseconds()) / 1000
	}
	return loadFigures{
		Case: "accept", Clients: clients, Accepted: len(l.latencies), PerSecond: float64(len(l.latencies)) / elapsed.Seconds(),
		P50: at(0.5), P99: at(0.99), Max: at(1),
	}
}

// run returns the time from the first request to the last answer.
func (l *loadRun) run(clients int, name string) time.Duration {
	l.t.Helper()
	defer l.http.CloseIdleConnections()
	begin := time.Now()
	var group errgroup.Group
	for n := range clients {
		group.Go(func() error {
			for i := 0; time.Since(begin) < loadFor; i++ {
				if err := l.submit(fmt.Sprintf("%s-%d-%d", name, n, i)); err != nil {
					return err
				}
			}
			return nil
		})
	}
	require.NoError(l.t, group.Wait())
	return time.Since(begin)
}

// page asks for the translation of a page of its own.
func (l *loadRun) page(name string) (*http.Request, error) {
	body, kind := formOf(toEnglish(image("1.png", page(l.t, name))))
	req, err := http.NewRequestWithContext(l.t.Context(), http.MethodPost, l.address+translations, body)
	if err == nil {
		req.Header.Set("Content-Type", kind)
	}
	return req, err
}

// submit sends a request under an idempotency key of its own.
func (l *loadRun) submit(name string) error {
	req, err := l.request(name)
	if err != nil {
		return err
	}
	req.Header.Set("Authorization", "Bearer "+l.key)
	req.Header.Set("Idempotency-Key", name)
	begin := time.Now()
	resp, err := l.http.Do(req)
	if err != nil {
		return err
	}
	defer resp.Body.Close()
	text, err := io.ReadAll(resp.Body)
	if err != nil {
		return err
	}
	took := time.Since(begin)
	if resp.StatusCode != l.status {
		return fmt.Errorf("a task was refused with %d: %s", resp.StatusCode, text)
	}
	l.mu.Lock()
	defer l.mu.Unlock()
	l.latencies = append(l.latencies, took)
	return nil
}
