package stack

import (
	"errors"
	"log/slog"
	"os"
	"path/filepath"
	"time"
)

const (
	// Ports of Temporal in its own network namespace, and the preferred ports on loopback where the system allows no such namespace.
	defaultTemporalPort   = 7233
	defaultTemporalUIPort = 7243

	defaultNamespace = "default"

	defaultRestartWait = 250 * time.Millisecond
)

// Options configure a stack. Only DataDir is required.
type Options struct {
	DataDir        string
	AssetsDir      string // empty: the folder "assets" beside the executable
	TemporalBinary string // empty: the choice of temporal.FindBinary

	// External servers to use instead of the embedded ones.
	DatabaseURL     string
	TemporalAddress string // host:port, or unix:///path

	Namespace        string            // empty: "default"
	SearchAttributes map[string]string // registered with the embedded Temporal; name: type, such as Keyword, Text, Int, Datetime

	// CodecEndpoint is the URL or path of the payload codec that browsers call from the embedded Temporal UI; empty: none.
	CodecEndpoint string

	// TemporalPort and TemporalUIPort are preferred over the ports of the last run where Temporal has no network namespace of its own.
	// Zero: no preference.
	TemporalPort, TemporalUIPort int

	Logger *slog.Logger
	// RestartWait is the wait before a child that ended is restarted. It doubles with each restart, up to 20 times this value. Zero
	// means 250 ms.
	RestartWait time.Duration

	// Progress, if not nil, is called when a part is "starting" and "ready", and when a child is restarted. Several goroutines may
	// call it at once.
	Progress func(part, state string)
}

// complete checks the options and fills in defaults.
func (o Options) complete() (Options, error) {
	if o.DataDir == "" {
		return o, errors.New("the data folder is not set")
	}
	dir, err := filepath.Abs(o.DataDir)
	if err != nil {
		return o, err
	}
	o.DataDir = dir
	if o.Namespace == "" {
		o.Namespace = defaultNamespace
	}
	if o.RestartWait == 0 {
		o.RestartWait = defaultRestartWait
	}
	if o.Logger == nil {
		o.Logger = slog.Default()
	}
	if o.Progress == nil {
		o.Progress = func(string, string) {}
	}
	return o, nil
}

// makeDataDir creates the data folder for its owner only. Under root it has mode 0711, so that others can pass through it but not list
// it: the account that Postgres runs as must reach the cluster inside.
func makeDataDir(dir string) error {
	if _, err := os.Stat(dir); err == nil {
		return nil
	}
	if os.Geteuid() != 0 {
		return os.MkdirAll(dir, 0o700)
	}
	if err := os.MkdirAll(dir, 0o711); err != nil {
		return err
	}
	return os.Chmod(dir, 0o711) //nolint:gosec // G302: the account that Postgres runs as passes through
}

func (o Options) file(parts ...string) string {
	return filepath.Join(append([]string{o.DataDir}, parts...)...)
}

func (o Options) logFile(name string) string { return o.file("logs", name+".log") }

func (o Options) pidFile(name string) string { return o.file("run", name+pidSuffix) }

const pidSuffix = ".pid"
