package chaos_test

import (
	"context"
	"fmt"
	"log/slog"
	"path/filepath"
	"sync"
	"syscall"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"plait/internal/assets/assetstest"
	"plait/internal/stack/port"
	"plait/internal/stack/postgres"
	"plait/internal/stack/process"
	"plait/internal/stack/stacktest"
	"plait/internal/stack/temporal"
	"plait/workflows"
)

// startTimeout bounds one try to start a server, with its recovery.
const (
	startTimeout = 2 * time.Minute
	startTries   = 3
)

// server is Postgres or Temporal, which comes back at the same address with the same data.
type server struct {
	name    string
	journal *journal
	address string
	start   func(context.Context) (*process.Process, error)

	// down is held while the server is.
	down sync.Mutex
	now  *process.Process
}

// begin starts the server, again and again as a service manager would: on a machine that is busy it may give up its own start.
func (s *server) begin(ctx context.Context) error {
	for tries := 1; ; tries++ {
		trying, cancel := context.WithTimeout(ctx, startTimeout)
		now, err := s.start(trying)
		cancel()
		if err == nil {
			s.now = now
			return nil
		}
		s.journal.tell("not started", "%s, try %d: %v", s.name, tries, err)
		if tries == startTries {
			return fmt.Errorf("start %s: %w", s.name, err)
		}
	}
}

// crash kills the server, and starts it again when it is time.
func (s *server) crash(until <-chan struct{}) error {
	s.down.Lock()
	defer s.down.Unlock()
	if err := s.now.Signal(syscall.SIGKILL); err != nil {
		return err
	}
	<-s.now.Done()
	<-until
	return s.begin(context.Background())
}

// restart stops the server as an upgrade does, and starts it again.
func (s *server) restart(ctx context.Context) error {
	s.down.Lock()
	defer s.down.Unlock()
	if err := s.now.Stop(ctx); err != nil {
		return err
	}
	return s.begin(ctx)
}

func (s *server) stop(ctx context.Context) error {
	s.down.Lock()
	defer s.down.Unlock()
	return s.now.Stop(ctx)
}

func newServer(tb testing.TB, s *server) *server {
	tb.Helper()
	require.NoError(tb, s.begin(tb.Context()))
	tb.Cleanup(func() {
		ctx, cancel := context.WithTimeout(context.WithoutCancel(tb.Context()), stopTimeout)
		defer cancel()
		require.NoError(tb, s.stop(ctx))
	})
	return s
}

// newPostgres starts Postgres as an installation has it: what it has committed outlives its death.
func newPostgres(tb testing.TB, j *journal, folder, logs string) (s *server, url string) {
	tb.Helper()
	place, err := postgres.ChoosePlace(folder, "", "chaos")
	require.NoError(tb, err)
	tree, err := postgres.ReachableTree(filepath.Join(assetstest.Location(), "postgres"), place)
	require.NoError(tb, err)
	chosen, err := port.Choose(tb.Context())
	require.NoError(tb, err)
	config := postgres.Config{
		Tree: tree, Place: place, Port: chosen, Password: "chaos", LogFile: filepath.Join(logs, "postgres.log"),
		PIDFile: filepath.Join(folder, "postgres.pid"), Logger: slog.New(slog.DiscardHandler),
	}
	s = newServer(tb, &server{name: "postgres", journal: j, address: fmt.Sprintf("127.0.0.1:%d", chosen),
		start: func(ctx context.Context) (*process.Process, error) {
			running, err := postgres.Start(ctx, config)
			if err != nil {
				return nil, err
			}
			url = running.URL()
			return running.Process(), nil
		}})
	return s, url
}

func newTemporal(tb testing.TB, j *journal, folder, logs string) *server {
	tb.Helper()
	chosen, err := port.Choose(tb.Context())
	require.NoError(tb, err)
	config := temporal.Config{
		Binary: stacktest.TemporalBinary(tb), Port: chosen, Namespace: "default", Database: filepath.Join(folder, "temporal.db"),
		SearchAttributes: workflows.SearchAttributes(), LogFile: filepath.Join(logs, "temporal.log"),
		PIDFile: filepath.Join(folder, "temporal.pid"), Logger: slog.New(slog.DiscardHandler),
	}
	return newServer(tb, &server{name: "temporal", journal: j, address: fmt.Sprintf("127.0.0.1:%d", chosen),
		start: func(ctx context.Context) (*process.Process, error) {
			running, err := temporal.Start(ctx, config)
			if err != nil {
				return nil, err
			}
			return running.Process(), nil
		}})
}
