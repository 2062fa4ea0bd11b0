package chaos_test

import (
	"context"
	"errors"
	"fmt"
	"os"
	"slices"
	"strconv"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/stretchr/testify/require"
	"golang.org/x/sync/errgroup"

	"plait/activities/comic/enginetest"
	"plait/internal/benchtest"
	"plait/internal/comic"
	"plait/internal/core"
)

const (
	// soakClients is how many clients send a page each, wait for its end and send the next one.
	soakClients = 8
	// sampleEvery is the time between two looks at the memory of the processes.
	sampleEvery = time.Second
)

// soakFigures are what BenchmarkSoak writes.
type soakFigures struct {
	Case     string  `json:"case"`
	Seconds  float64 `json:"seconds"`
	Clients  int     `json:"clients"`
	Restarts int     `json:"postgres_restarts"`
	// Accepted tasks have all ended with success, with one message to a webhook each. Lost and Twice are what is missing and what there is
	// more than once, of tasks, ends, messages and recorded model answers.
	Accepted  int     `json:"accepted"`
	Lost      int     `json:"lost"`
	Twice     int     `json:"twice"`
	PerSecond float64 `json:"tasks_per_second"`
	// The times are from the first byte of a request to the end of its task.
	P50 float64 `json:"p50_ms"`
	P99 float64 `json:"p99_ms"`
	Max float64 `json:"max_ms"`
	// AskedAgain counts calls of the model server whose answers were not recorded.
	AskedAgain int `json:"model_calls_asked_again"`
	// Memory has the resident memory of each process in MiB: the median of the second fifth of the time, and of the last.
	Memory map[string]memoryOverTime `json:"memory_mib"`
}

type memoryOverTime struct {
	Early float64 `json:"early"`
	Late  float64 `json:"late"`
}

// soak is a load of single pages without a break.
type soak struct {
	*storm
	mu        sync.Mutex
	sent      int
	latencies []time.Duration
	memory    map[string][]float64
}

// BenchmarkSoak has clients send pages for the -duration, while Postgres is first restarted, as by an upgrade, and then killed. Afterwards
// everything that was accepted must have ended once, and nothing may be left over.
func BenchmarkSoak(b *testing.B) {
	in := newInstallation(b, *seed)
	receivers := map[string]*receiver{"soak": newReceiver(b, in.records, "soak")}
	s := &soak{storm: newStorm(in, in.customer("soak")), memory: map[string][]float64{}}
	b.ResetTimer()
	began := time.Now()
	s.load()
	elapsed := time.Since(began)
	b.StopTimer()

	found := &findings{}
	f := soakFigures{
		Case: "soak", Seconds: elapsed.Seconds(), Clients: soakClients, Restarts: 2, Accepted: len(s.latencies),
		PerSecond: float64(len(s.latencies)) / elapsed.Seconds(), Memory: map[string]memoryOverTime{},
	}
	s.countEnds(found, &f)
	s.checkWebhooks(found, receivers)
	s.checkLeftovers(found)
	found.require(b, *seed)

	slices.Sort(s.latencies)
	at := func(share float64) float64 {
		return float64(s.latencies[int(share*float64(len(s.latencies)-1))].Milliseconds())
	}
	f.P50, f.P99, f.Max = at(0.5), at(0.99), at(1)
	for name, samples := range s.memory {
		fifth := len(samples) / 5
		f.Memory[name] = memoryOverTime{Early: median(samples[fifth : 2*fifth]), Late: median(samples[len(samples)-fifth:])}
	}
	benchtest.Write(b, nil, f)
}

// load returns when the time is over and every accepted task has ended.
func (s *soak) load() {
	s.t.Helper()
	ctx, cancel := context.WithTimeout(s.t.Context(), *duration+patience)
	defer cancel()
	over := time.Now().Add(*duration)
	var group errgroup.Group
	for range soakClients {
		group.Go(func() error {
			for time.Now().Before(over) {
				if err := s.page(ctx); err != nil {
					return err
				}
			}
			return nil
		})
	}
	group.Go(func() error { return s.sample(ctx, over) })
	group.Go(func() error { return s.restarts(ctx) })
	require.NoError(s.t, group.Wait())
}

// page sends a page and waits until it is done.
func (s *soak) page(ctx context.Context) error {
	s.mu.Lock()
	s.sent++
	ch := chapter{number: s.sent, mode: comic.ModeSplit}
	s.mu.Unlock()
	image, err := enginetest.Picture(fmt.Sprintf(pageText, ch.number, 0, sayings[0]))
	if err != nil {
		return err
	}
	ch.pages = [][]byte{image}
	began := time.Now()
	id, err := s.customer.post(ctx, ch)
	if err != nil {
		return err
	}
	task, err := s.customer.untilEnd(ctx, id)
	if err == nil && task.Status != core.StatusSuccess {
		err = fmt.Errorf("task %s has ended as %s", id, task.Status)
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	s.latencies = append(s.latencies, time.Since(began))
	return err
}

// restarts has Postgres restarted after a third of the time, and killed after two.
func (s *soak) restarts(ctx context.Context) error {
	now := make(chan struct{})
	close(now)
	for _, again := range []func() error{
		func() error { return s.postgres.restart(ctx) },
		func() error { return s.postgres.crash(now) },
	} {
		if err := wait(ctx, *duration/3); err != nil {
			return err
		}
		s.journal.tell("restart", "postgres")
		if err := again(); err != nil {
			return err
		}
		s.journal.tell("back", "postgres answers")
	}
	return nil
}

// sample notes the memory of each process until the time is over.
func (s *soak) sample(ctx context.Context, over time.Time) error {
	for time.Now().Before(over) {
		if err := wait(ctx, sampleEvery); err != nil {
			return err
		}
		for _, k := range s.parts() {
			mib, err := residentMiB(k.pid())
			if err != nil {
				return fmt.Errorf("%s: %w", k.name, err)
			}
			s.memory[k.name] = append(s.memory[k.name], mib)
		}
	}
	return nil
}

func residentMiB(pid int) (float64, error) {
	b, err := os.ReadFile(fmt.Sprintf("/proc/%d/status", pid))
	if err != nil {
		return 0, err
	}
	_, rest, found := strings.Cut(string(b), "VmRSS:")
	if !found {
		return 0, errors.New("the process has no memory")
	}
	kib, err := strconv.ParseFloat(strings.Fields(rest)[0], 64)
	return kib / 1024, err
}

func median(list []float64) float64 {
	if len(list) == 0 {
		return 0
	}
	sorted := slices.Sorted(slices.Values(list))
	return sorted[len(sorted)/2]
}

// countEnds holds the rows against what was accepted.
func (s *soak) countEnds(found *findings, f *soakFigures) {
	accepted := len(s.customer.tasks())
	for what, query := range map[string]string{
		"tasks":           `SELECT count(*) FROM task WHERE tenant = $1`,
		"successful ends": `SELECT count(*) FROM task WHERE tenant = $1 AND status = 'success' AND success_count = 1`,
		"ends in the log": `SELECT count(*) FROM event WHERE tenant = $1 AND type = 'task.ended'`,
		"messages":        `SELECT count(*) FROM webhook_delivery WHERE tenant = $1`,
		"model answers":   `SELECT count(*) FROM model_call WHERE tenant = $1 AND outcome = 'ok'`,
	} {
		var n int
		if err := s.ask(s.t.Context(), query, []any{"soak"}, &n); err != nil || n != accepted {
			found.add("%d tasks were accepted, and there are %d %s (%v)", accepted, n, what, err)
		}
		f.Lost += max(accepted-n, 0)
		f.Twice += max(n-accepted, 0)
	}
	for _, call := range s.calm.Calls() {
		if !call.Answered.IsZero() {
			f.AskedAgain++
		}
	}
	f.AskedAgain -= accepted
}
