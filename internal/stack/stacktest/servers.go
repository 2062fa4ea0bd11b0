package stacktest

import (
	"context"
	"errors"
	"log/slog"
	"os"
	"path/filepath"
	"sync"
	"time"

	"plait/internal/assets"
	"plait/internal/assets/assetstest"
	"plait/internal/stack/port"
	"plait/internal/stack/postgres"
	"plait/internal/stack/process"
	"plait/internal/stack/temporal"
)

const (
	startTimeout = 60 * time.Second
	stopTimeout  = 20 * time.Second
)

// servers are the servers that one test process has started.
type servers struct {
	searchAttributes map[string]string
	postgres         lazy
	temporal         lazy

	mu        sync.Mutex
	templates []database
	running   []*process.Process
	folders   []string
}

// database is a database of a server with this URL.
type database struct{ server, name string }

// dropLater has a database dropped when the tests have ended.
func (s *servers) dropLater(server, name string) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.templates = append(s.templates, database{server, name})
}

func (s *servers) startPostgres() (string, error) {
	dir, err := s.folder()
	if err != nil {
		return "", err
	}
	place, err := postgres.ChoosePlace(dir, "", "test")
	if err != nil {
		return "", err
	}
	tree, err := postgres.ReachableTree(filepath.Join(assetstest.Location(), "postgres"), place)
	if err != nil {
		return "", err
	}
	ctx, cancel := context.WithTimeout(context.Background(), startTimeout)
	defer cancel()
	chosen, err := port.Choose(ctx)
	if err != nil {
		return "", err
	}
	server, err := postgres.Start(ctx, postgres.Config{
		Tree: tree, Place: place, Port: chosen, Password: "test", Disposable: true,
		LogFile: filepath.Join(dir, "postgres.log"), PIDFile: filepath.Join(dir, "postgres.pid"), Logger: slog.Default(),
	})
	if err != nil {
		return "", err
	}
	s.started(server.Process())
	return server.URL(), nil
}

func (s *servers) startTemporal() (string, error) {
	dir, err := s.folder()
	if err != nil {
		return "", err
	}
	binary, err := temporalBinary()
	if err != nil {
		return "", err
	}
	ctx, cancel := context.WithTimeout(context.Background(), startTimeout)
	defer cancel()
	chosen, err := port.Choose(ctx)
	if err != nil {
		return "", err
	}
	server, err := temporal.Start(ctx, temporal.Config{
		Binary: binary, Port: chosen, Namespace: "default", Database: filepath.Join(dir, "temporal.db"),
		SearchAttributes: s.searchAttributes,
		LogFile:          filepath.Join(dir, "temporal.log"), PIDFile: filepath.Join(dir, "temporal.pid"), Logger: slog.Default(),
	})
	if err != nil {
		return "", err
	}
	s.started(server.Process())
	return server.Address(), nil
}

// temporalBinary returns the path of the fetched CLI. Its version is pinned; that of a CLI on the PATH is not.
func temporalBinary() (string, error) {
	if binary := os.Getenv(EnvTemporalBinary); binary != "" {
		return temporal.FindBinary(binary, "")
	}
	set, err := assets.Open(assetstest.Location())
	if err != nil {
		return "", err
	}
	return set.Path(assets.Temporal)
}

// folder creates a temporary folder that the account of Postgres can pass through.
func (s *servers) folder() (string, error) {
	dir, err := os.MkdirTemp("", "plait-stacktest-")
	if err != nil {
		return "", err
	}
	s.mu.Lock()
	s.folders = append(s.folders, dir)
	s.mu.Unlock()
	return dir, os.Chmod(dir, 0o711) //nolint:gosec // G302: the account of Postgres passes through
}

func (s *servers) started(p *process.Process) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.running = append(s.running, p)
}

func (s *servers) stop() error {
	ctx, cancel := context.WithTimeout(context.Background(), stopTimeout)
	defer cancel()
	var errs []error
	for _, t := range s.templates {
		errs = append(errs, drop(t.server, t.name))
	}
	for _, p := range s.running {
		errs = append(errs, p.Stop(ctx))
	}
	for _, dir := range s.folders {
		errs = append(errs, os.RemoveAll(dir))
	}
	return errors.Join(errs...)
}
