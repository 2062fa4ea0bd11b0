package records_test

import (
	"context"
	"encoding/json"
	"flag"
	"fmt"
	"os"
	"os/exec"
	"slices"
	"sync"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"plait/internal/benchtest"
	"plait/internal/quota"
	"plait/internal/records"
	"plait/internal/records/recordstest"
)

// The variables that make the test program a process of API clients.
const (
	envLoadDatabase = "PLAIT_TEST_LOAD_DATABASE"
	envLoad         = "PLAIT_TEST_LOAD"
)

var peerFlag = flag.String("peer", "", "program that asks another limiter, which the benchmark of rate limits measures as well")

// load is what each of several processes asks for.
type load struct {
	Key string `json:"key"`
	// Limit is the number of requests a minute that a peer admits; the store has its own.
	Limit   int           `json:"limit"`
	Clients int           `json:"clients"`
	Begin   time.Time     `json:"begin"`
	For     time.Duration `json:"for"`
	// Every is the time between two requests of a client; a late one is not made up for.
	Every time.Duration `json:"every"`
}

// asked is what a process was answered. Times are microseconds: of admissions since 1970, of checks by their duration.
type asked struct {
	Admitted []int64 `json:"admitted"`
	Checks   []int64 `json:"checks"`
}

// runLoad asks as the environment says, and prints what it was answered.
func runLoad() error {
	var l load
	if err := json.Unmarshal([]byte(os.Getenv(envLoad)), &l); err != nil {
		return err
	}
	ctx, cancel := context.WithDeadline(context.Background(), l.Begin.Add(l.For))
	defer cancel()
	store, err := records.Open(ctx, os.Getenv(envLoadDatabase), records.Options{MaxConns: l.Clients})
	if err != nil {
		return err
	}
	defer store.Close()
	var mu sync.Mutex
	var all asked
	var clients sync.WaitGroup
	for i := range l.Clients {
		clients.Go(func() {
			got := l.ask(ctx, store, l.Every*time.Duration(i)/time.Duration(l.Clients))
			mu.Lock()
			defer mu.Unlock()
			all.Admitted, all.Checks = append(all.Admitted, got.Admitted...), append(all.Checks, got.Checks...)
		})
	}
	clients.Wait()
	return json.NewEncoder(os.Stdout).Encode(all)
}

// ask is one client, which begins a little after the first.
func (l load) ask(ctx context.Context, store *records.Store, after time.Duration) (got asked) {
	select {
	case <-ctx.Done():
	case <-time.After(time.Until(l.Begin) + after):
	}
	ticker := time.NewTicker(l.Every)
	defer ticker.Stop()
	for ctx.Err() == nil {
		began := time.Now()
		a, err := store.Admit(context.WithoutCancel(ctx), l.Key)
		if err != nil {
			panic(err) // the bench has no figure then
		}
		got.Checks = append(got.Checks, time.Since(began).Microseconds())
		if a.Requests != nil && a.Requests.Allowed {
			got.Admitted = append(got.Admitted, time.Now().UnixMicro())
		}
		select {
		case <-ctx.Done():
		case <-ticker.C:
		}
	}
	return got
}

const loadProcesses = 8

// spread runs the load in several processes of a program, and gathers what they were answered.
func (f fixture) spread(program string, l load) (all asked) {
	f.T.Helper()
	l.Begin = time.Now().Add(2 * time.Second)
	encoded, err := json.Marshal(l)
	require.NoError(f.T, err)
	answers := make([]asked, loadProcesses)
	var processes sync.WaitGroup
	for i := range loadProcesses {
		processes.Go(func() {
			cmd := exec.CommandContext(f.T.Context(), program)
			cmd.Env, cmd.Stderr = append(os.Environ(), envLoadDatabase+"="+f.URL, envLoad+"="+string(encoded)), os.Stderr
			out, err := cmd.Output()
			if err == nil {
				err = json.Unmarshal(out, &answers[i])
			}
			if err != nil {
				f.T.Error(fmt.Errorf("process %d: %w", i, err))
			}
		})
	}
	processes.Wait()
	for _, a := range answers {
		all.Admitted, all.Checks = append(all.Admitted, a.Admitted...), append(all.Checks, a.Checks...)
	}
	slices.Sort(all.Admitted)
	slices.Sort(all.Checks)
	require.NotEmpty(f.T, all.Checks)
	return all
}

func (a asked) percentile(p int) int64 { return a.Checks[(len(a.Checks)-1)*p/100] }

// BenchmarkRateLimit asks for a quarter more than the limit, from 8 processes with 8 clients each, for a minute; of a peer likewise.
func BenchmarkRateLimit(b *testing.B) {
	store, rf := recordstest.NewFixture(b)
	f := fixture{store, rf}
	const clients, most, window = 8, 24_000, time.Minute
	unlimited, _, err := store.CreateKey(b.Context(), records.NewKey{Tenant: "unlimited"})
	require.NoError(b, err)
	key := f.limited(quota.Limits{RequestsPerMinute: limit(most)})
	every := window * loadProcesses * clients * 4 / (5 * most)
	for b.Loop() {
		without := f.spread(os.Args[0], load{Key: unlimited, Clients: clients, For: 5 * time.Second, Every: every})
		with := f.spread(os.Args[0], load{Key: key, Clients: clients, For: window, Every: every})
		figures := map[string]any{
			"case": "rate limit", "processes": loadProcesses, "clients": loadProcesses * clients, "seconds": window.Seconds(),
			"limit": most, "asked": len(with.Checks), "admitted": len(with.Admitted),
			"admitted_of_limit": float64(len(with.Admitted)) / most,
			"check_us_p50":      with.percentile(50), "check_us_p99": with.percentile(99),
			"check_without_limit_us_p50": without.percentile(50), "check_without_limit_us_p99": without.percentile(99),
		}
		if *peerFlag != "" {
			peer := f.spread(*peerFlag, load{Key: key, Limit: most, Clients: clients, For: window, Every: every})
			figures["peer_admitted_of_limit"] = float64(len(peer.Admitted)) / most
			figures["peer_check_us_p50"], figures["peer_check_us_p99"] = peer.percentile(50), peer.percentile(99)
		}
		benchtest.Write(b, nil, figures)
	}
}
