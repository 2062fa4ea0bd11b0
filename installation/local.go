package installation

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"log/slog"
	"maps"
	"net"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"time"

	"golang.org/x/sync/errgroup"

	"plait/api"
	"plait/api/temporalui"
	"plait/internal/config"
	"plait/internal/core"
	"plait/internal/records"
	"plait/internal/stack"
	"plait/workflows"
)

// Local is a whole installation on one machine: Postgres, Temporal and a worker as child processes, and the API in this process.
type Local struct {
	*stack.Stack
	// Address is the base URL of the API, and Key a key for it.
	Address string
	Key     string
	// ui is nil when Temporal, and therefore its UI, is not embedded.
	ui *temporalUI
	// Failed receives the error of the API or of the stack when either ends by itself.
	Failed chan error
	stop   context.CancelFunc
	done   chan struct{}
	log    *slog.Logger
	grace  time.Duration
	config *config.Loaded
}

// joinTimeout is how long a stack may take to start: creating a database on a slow disk takes longest.
const joinTimeout = 2 * time.Minute

// Published is the information that a second command needs to use a running installation.
type Published struct {
	API string `json:"api"`
	Key string `json:"key"`
	// Translator are the settings of its translator, by name; for secrets, only whether they are set.
	Translator map[string]string `json:"translator,omitempty"`
}

// StartLocal starts everything and returns once the API answers. It fails with stack.ErrInUse when another process runs the stack of the
// data folder.
func StartLocal(ctx context.Context, l *config.Loaded, kinds Kinds, version string, log *slog.Logger, progress func(part, state string)) (_ *Local, err error) {
	s, err := stack.Start(ctx, stack.Options{
		DataDir: l.DataDir, AssetsDir: l.AssetsDir, TemporalBinary: l.Temporal.Binary,
		DatabaseURL: l.Database.URL, TemporalAddress: l.Temporal.Address, Namespace: l.Temporal.Namespace,
		SearchAttributes: workflows.SearchAttributes(), CodecEndpoint: temporalui.CodecPath, Logger: log, Progress: progress,
	})
	if err != nil {
		return nil, interruptedInstead(ctx, err)
	}
	in := &Local{Stack: s, Failed: make(chan error, 1), done: make(chan struct{}), log: log, config: l, grace: l.Worker.StopTimeout + l.HTTP.ShutdownTimeout}
	serving, stop := context.WithCancel(context.WithoutCancel(ctx))
	in.stop = stop
	defer func() {
		if err != nil {
			close(in.done)
			err = errors.Join(interruptedInstead(ctx, err), in.Stop())
		}
	}()

	if err = in.useStack(ctx); err != nil {
		return nil, err
	}
	serve, err := in.open(ctx, kinds, version)
	if err != nil {
		return nil, err
	}
	go in.serve(serving, func() error { return serve(serving) })
	return in, nil
}

// useStack configures the installation to use its stack, and brings the schema and the key of the stack up to date.
func (in *Local) useStack(ctx context.Context) (err error) {
	l, s := in.config, in.Stack
	if err = useTempFolder(s.DataDir()); err != nil {
		return err
	}
	embedded := l.Temporal.Address == ""
	l.Database.URL, l.Temporal.Address, l.Temporal.Namespace = s.DatabaseURL(), s.TemporalAddress(), s.Namespace()
	if embedded {
		if err = usePayloadKey(l); err != nil {
			return err
		}
	}
	if err = records.Migrate(ctx, l.Database.URL); err != nil {
		return err
	}
	in.Key, err = localKey(ctx, l)
	return err
}

// open opens the API and the Temporal UI, starts the worker, and publishes the installation. It returns what serves until its context ends.
func (in *Local) open(ctx context.Context, kinds Kinds, version string) (serve func(context.Context) error, err error) {
	l := in.config
	listener, err := listen(ctx, l, "http.address", l.HTTP.Address)
	if err != nil {
		return nil, err
	}
	in.Address = "http://" + listener.Addr().String()
	server, closeServer, err := NewServer(ctx, l, kinds, version, in.log, true)
	if err != nil {
		return nil, errors.Join(err, listener.Close())
	}
	defer func() {
		if err != nil {
			closeServer()
			err = errors.Join(err, listener.Close())
		}
	}()
	if upstream := in.Stack.TemporalUI(); upstream != "" {
		if in.ui, err = openTemporalUI(ctx, l, upstream, in.log); err != nil {
			return nil, err
		}
		server.TemporalUI = in.ui.links(l)
		closeAPI := closeServer
		closeServer = func() { in.ui.close(); closeAPI() }
	}
	if err = in.startWorker(l); err != nil {
		return nil, err
	}
	if err = in.Publish(Published{API: in.Address, Key: in.Key, Translator: l.Shared("translator.")}); err != nil {
		return nil, err
	}
	return func(ctx context.Context) error {
		defer closeServer()
		group, ctx := errgroup.WithContext(ctx)
		group.Go(func() error { return server.Serve(ctx, listener) })
		if in.ui != nil {
			group.Go(func() error { return in.ui.serve(ctx) })
		}
		return group.Wait()
	}, nil
}

// interruptedInstead returns err, or the interruption that caused it: the last log lines of a stopped program would not help the user.
func interruptedInstead(ctx context.Context, err error) error {
	if cause := context.Cause(ctx); cause != nil {
		return cause
	}
	return err
}

// useTempFolder puts temporary files, mainly uploads in progress, on the disk of the data folder, because /tmp is in memory on many
// systems. A TMPDIR that is set stays unchanged.
func useTempFolder(dataDir string) error {
	if os.Getenv("TMPDIR") != "" {
		return nil
	}
	dir := filepath.Join(dataDir, "tmp")
	if err := os.MkdirAll(dir, 0o700); err != nil {
		return err
	}
	return os.Setenv("TMPDIR", dir)
}

// serve runs the API and watches the stack; the first of them that ends by itself is reported as the failure.
func (in *Local) serve(ctx context.Context, api func() error) {
	defer close(in.done)
	ended := make(chan error, 1)
	go func() { ended <- api() }()
	select {
	case err := <-ended:
		if ctx.Err() == nil {
			in.Failed <- fmt.Errorf("the API ended: %w", err)
		}
	case <-in.Done():
		in.Failed <- in.Err()
		in.stop()
		if err := <-ended; err != nil {
			in.log.Warn("the API ended because its stack did", "error", err)
		}
	}
}

// TemporalUI returns the address of the Temporal UI, and a link that signs in once; both are empty when Temporal is not embedded.
func (in *Local) TemporalUI() (address, signIn string) {
	if in.ui == nil {
		return "", ""
	}
	return in.ui.url(), in.ui.server.SignInURL(in.ui.url(), in.Key)
}

// signInLifetime is how long the link of [Local.SignInURL] works.
const signInLifetime = 24 * time.Hour

// SignInURL returns a link that opens the page in a browser, and signs it in once.
func (in *Local) SignInURL(ctx context.Context) (string, error) {
	store, err := OpenRecords(ctx, in.config)
	if err != nil {
		return "", err
	}
	defer store.Close()
	key, err := store.Authenticate(ctx, in.Key)
	if err != nil {
		return "", err
	}
	secret, err := store.NewSignInLink(ctx, key.ID, signInLifetime)
	return api.SignInURL(in.Address, secret), err
}

// Stop drains and stops everything that StartLocal started.
func (in *Local) Stop() error {
	in.stop()
	<-in.done
	ctx, cancel := context.WithTimeout(context.Background(), in.grace)
	defer cancel()
	return in.Stack.Stop(ctx)
}

// startWorker runs this program as a worker of every role in a child process, so that a crash of a device's library, or the system's lack
// of memory, does not end the API.
func (in *Local) startWorker(l *config.Loaded) error {
	program, err := os.Executable()
	if err != nil {
		return err
	}
	environ := childEnviron(l)
	return in.Run("worker", func() *exec.Cmd {
		cmd := exec.Command(program, "worker") //nolint:noctx // the stack stops it, in order
		cmd.Env = environ
		return cmd
	})
}

// childEnviron returns the environment of a child process that is to have the settings of this one, with the stack that it uses.
func childEnviron(l *config.Loaded) []string {
	child := *l
	child.Origin = maps.Clone(l.Origin)
	for _, name := range []string{"database.url", "temporal.address", "temporal.namespace", "temporal.payload_keys"} {
		child.Origin[name] = "stack"
	}
	return append(plainEnviron(), child.Environ()...)
}

// plainEnviron returns this process's environment without the settings, which the child receives separately.
func plainEnviron() []string {
	own := map[string]bool{}
	for _, s := range config.Settings() {
		for _, name := range s.Env {
			own[name] = true
		}
	}
	return slices.DeleteFunc(os.Environ(), func(line string) bool {
		name, _, _ := strings.Cut(line, "=")
		return own[name]
	})
}

// localKey returns the API key of this data folder, and creates one when there is no valid one.
func localKey(ctx context.Context, l *config.Loaded) (string, error) {
	store, err := OpenRecords(ctx, l)
	if err != nil {
		return "", err
	}
	defer store.Close()
	path := filepath.Join(l.DataDir, "api-key")
	b, err := os.ReadFile(path)
	if err != nil && !errors.Is(err, fs.ErrNotExist) {
		return "", err
	}
	if key := strings.TrimSpace(string(b)); key != "" {
		_, err := store.Authenticate(ctx, key)
		if err == nil {
			return key, nil
		}
		if core.CodeOf(err) != core.CodeUnauthorized {
			return "", err
		}
	}
	key, _, err := store.CreateKey(WithActor(ctx, "the key of the data folder"), records.NewKey{Tenant: LocalTenant, Name: "data folder", Scope: records.ScopeAdmin})
	if err != nil {
		return "", err
	}
	return key, os.WriteFile(path, []byte(key+"\n"), 0o600)
}

// listen listens on the address of a setting. If the address is the default and its port is in use, it listens on a free port.
func listen(ctx context.Context, l *config.Loaded, setting, address string) (net.Listener, error) {
	var lc net.ListenConfig
	listener, err := lc.Listen(ctx, "tcp", address)
	if err == nil {
		return listener, nil
	}
	if origin := l.Origin[setting]; origin != "default" {
		return nil, fmt.Errorf("%s (%s): %w", setting, origin, err)
	}
	host, _, splitErr := net.SplitHostPort(address)
	if splitErr != nil {
		return nil, fmt.Errorf("%s: %w", setting, splitErr)
	}
	return lc.Listen(ctx, "tcp", net.JoinHostPort(host, "0"))
}

// JoinLocal finds the installation that runs in the data folder, and waits a while for one that is starting. Its owner does not stop
// before the caller releases it.
func JoinLocal(ctx context.Context, dataDir string) (Published, func(), error) {
	ctx, cancel := context.WithTimeout(ctx, joinTimeout)
	defer cancel()
	state, release, err := stack.Join(ctx, dataDir)
	if err != nil {
		return Published{}, nil, err
	}
	var p Published
	if err := json.Unmarshal(state.App, &p); err != nil || p.API == "" {
		release()
		return Published{}, nil, fmt.Errorf("what runs in %s does not publish an address to join", dataDir)
	}
	return p, release, nil
}

// RunningTranslator sets the translator's settings that the configuration leaves at their defaults to those of the installation that runs
// in the data folder, because that installation translates the tasks. It reports whether one runs.
func RunningTranslator(ctx context.Context, l *config.Loaded) (bool, error) {
	p, release, err := JoinLocal(ctx, l.DataDir)
	if errors.Is(err, stack.ErrNotRunning) {
		return false, nil
	}
	if err != nil {
		return false, err
	}
	release()
	return true, l.Complete(p.Translator, "running stack")
}
