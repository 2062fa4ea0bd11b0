package stack

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"sync"
	"syscall"
	"time"

	"github.com/gofrs/flock"
	"golang.org/x/sync/errgroup"

	"plait/internal/stack/postgres"
	"plait/internal/stack/process"
	"plait/internal/stack/temporal"
)

const (
	// startTimeout covers the recovery of a large database after a crash.
	startTimeout      = 3 * time.Minute
	failedStopTimeout = 20 * time.Second
)

// Names of the embedded parts, in Processes, Progress and log files.
const (
	PartPostgres = "postgres"
	PartTemporal = "temporal"
)

// Stack is a running stack, owned by this process.
type Stack struct {
	options  Options
	lock     *flock.Flock
	joiners  *flock.Flock
	postgres *postgres.Server // nil: external
	temporal *temporal.Server // nil: external

	mu       sync.Mutex
	sockets  []string // temporary folders of sockets; Stop removes them
	state    State
	children []*child
	stopping bool
	err      error
	done     chan struct{}

	stopOnce sync.Once
	stopErr  error
}

// Start locks the data folder and starts Postgres and Temporal in parallel, except those that are external. It returns when both
// servers answer.
//
// Errors: [*InUseError] (errors.Is ErrInUse), *assets.MissingError, temporal.ErrNoBinary, *process.ChildError with a part's last lines.
func Start(ctx context.Context, options Options) (*Stack, error) {
	o, err := options.complete()
	if err != nil {
		return nil, err
	}
	if err := makeDataDir(o.DataDir); err != nil {
		return nil, err
	}
	lock, err := acquire(ctx, o.DataDir)
	if err != nil {
		return nil, err
	}
	s := &Stack{
		options: o, lock: lock, joiners: flock.New(joinersFile(o.DataDir), flock.SetPermissions(0o600)), done: make(chan struct{}),
	}
	ctx, cancel := context.WithTimeout(ctx, startTimeout)
	defer cancel()
	if err := s.start(ctx); err != nil {
		stopCtx, cancel := context.WithTimeout(context.WithoutCancel(ctx), failedStopTimeout)
		defer cancel()
		return nil, errors.Join(err, s.Stop(stopCtx))
	}
	return s, nil
}

func (s *Stack) start(ctx context.Context) error {
	if err := s.prepare(ctx); err != nil {
		return err
	}
	k, err := readKept(s.options.DataDir)
	if err != nil {
		return err
	}
	if err := s.startParts(ctx, &k); err != nil {
		return err
	}
	if err := writeJSON(keptFile(s.options.DataDir), k); err != nil {
		return err
	}
	s.watchParts()
	return s.describe()
}

// prepare removes the published state of a killed owner, and stops children that outlived it.
func (s *Stack) prepare(ctx context.Context) error {
	if err := s.retract(); err != nil {
		return err
	}
	for _, dir := range []string{"logs", "run"} {
		if err := os.MkdirAll(s.options.file(dir), 0o700); err != nil {
			return err
		}
	}
	records, err := filepath.Glob(s.options.pidFile("*"))
	if err != nil {
		return err
	}
	for _, record := range records {
		if record == s.options.pidFile(PartPostgres) || record == s.options.pidFile(PartTemporal) {
			continue // startPostgres and startTemporal stop these, after the children that use them
		}
		stopped, err := process.StopLeftover(ctx, record, syscall.SIGTERM)
		if err != nil {
			return fmt.Errorf("stop a process of an earlier run (%s): %w", filepath.Base(record), err)
		}
		if stopped {
			s.options.Logger.WarnContext(ctx, "stopped a process of an earlier run", "record", filepath.Base(record))
		}
	}
	return nil
}

// startParts starts the embedded servers and sets their fields in s and k. Each goroutine writes different fields.
func (s *Stack) startParts(ctx context.Context, k *kept) error {
	group, ctx := errgroup.WithContext(ctx)
	if s.options.DatabaseURL == "" {
		group.Go(s.part(PartPostgres, func() (err error) {
			s.postgres, err = s.startPostgres(ctx, k)
			return err
		}))
	}
	if s.options.TemporalAddress == "" {
		group.Go(s.part(PartTemporal, func() (err error) {
			s.temporal, err = s.startTemporal(ctx, k)
			k.Temporal = k.Temporal || err == nil
			return err
		}))
	}
	return group.Wait()
}

func (s *Stack) part(name string, start func() error) func() error {
	return func() error {
		begun := time.Now()
		s.options.Progress(name, "starting")
		if err := start(); err != nil {
			return err
		}
		s.options.Progress(name, "ready")
		s.options.Logger.Info("started", "part", name, "elapsed_ms", time.Since(begun).Milliseconds())
		return nil
	}
}

// describe sets the state and writes it to the data folder. Join still waits for Publish.
func (s *Stack) describe() error {
	identity, _ := process.Identity(os.Getpid())
	s.state = State{
		PID: os.Getpid(), Identity: identity, Namespace: s.options.Namespace, Started: time.Now().UTC(),
		DatabaseURL: s.options.DatabaseURL, TemporalAddress: s.options.TemporalAddress,
	}
	if s.postgres != nil {
		s.state.DatabaseURL = s.postgres.URL()
	}
	if s.temporal != nil {
		s.state.TemporalAddress, s.state.TemporalUI = s.temporal.Address(), s.temporal.UI()
	}
	return writeJSON(stateFile(s.options.DataDir), s.state)
}

// Publish lets other processes [Join] the stack. They receive app, encoded as JSON: for example the address of the API. Another call
// replaces app. Only the owner of the data folder can read the file.
func (s *Stack) Publish(app any) error {
	text, err := json.Marshal(app)
	if err != nil {
		return err
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	s.state.App = text
	return writeJSON(stateFile(s.options.DataDir), s.state)
}

// retract removes the published state, so that no other process joins.
func (s *Stack) retract() error {
	if err := os.Remove(stateFile(s.options.DataDir)); err != nil && !errors.Is(err, fs.ErrNotExist) {
		return err
	}
	return nil
}

// WaitJoiners lets no further process join, and waits until every process that joined has released the stack.
func (s *Stack) WaitJoiners(ctx context.Context) error {
	if err := s.retract(); err != nil {
		return err
	}
	if _, err := s.joiners.TryLockContext(ctx, joinPoll); err != nil {
		return fmt.Errorf("wait for the commands that use this stack: %w", err)
	}
	return nil
}

// DatabaseURL returns the URL of the database, embedded or external.
func (s *Stack) DatabaseURL() string { return s.state.DatabaseURL }

// TemporalAddress returns the address of the Temporal frontend, embedded or external: host:port, or unix:///path.
func (s *Stack) TemporalAddress() string { return s.state.TemporalAddress }

// TemporalUI returns the URL of the embedded web UI: http://host:port, or unix:///path. It is empty when Temporal is external. The UI
// has no authentication.
func (s *Stack) TemporalUI() string { return s.state.TemporalUI }

// Namespace returns the Temporal namespace.
func (s *Stack) Namespace() string { return s.state.Namespace }

// DataDir returns the absolute path of the data folder.
func (s *Stack) DataDir() string { return s.options.DataDir }
