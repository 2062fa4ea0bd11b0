package stack

import (
	"errors"
	"log/slog"
	"os"
	"path/filepath"
	"time"
)

const (
	// Ports of Temporal in a network of its own, and the preferred ones of loopback where there is no such network.
	defaultTemporalPort   = 7233
	defaultTemporalUIPort = 7243

	defaultNamespace = "default"

	defaultRestartWait = 250 * time.Millisecond
)

// Options say what to start and where.
type Options struct {
	DataDir        string
	AssetsDir      string // empty: assets beside the executable
	TemporalBinary string // empty: as temporal.FindBinary chooses

	// External servers replace the embedded ones.
	DatabaseURL     string
	TemporalAddress string // host:port, or unix:///path

	Namespace        string            // empty: default
	SearchAttributes map[string]string // registered with the embedded Temporal; name: type, as Keyword, Text, Int, Datetime

	// CodecEndpoint is where browsers find the codec of payloads for the embedded Temporal's UI, a URL or a path; empty: none.
	CodecEndpoint string

	// Ports to prefer over those of the last run, where Temporal cannot have a network of its own; zero has no wish.
	TemporalPort, TemporalUIPort int

	Logger *slog.Logger
	// RestartWait is the wait before a child that ended is started again: it doubles with each restart, up to 20 times this. Zero is
	// 250 ms.
	RestartWait time.Duration

	// Progress is told when a part is "starting" and "ready", and when a child ends and starts again, from several goroutines; optional.
	Progress func(part, state string)
}

// complete checks the options and fills the defaults.
func (o Options) complete() (Options, error) {
	if o.DataDir == "" {
		return o, errors.New("no data folder is named")
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

// makeDataDir makes the data folder for its owner alone. One that root makes can be walked through, not listed, by others: the
// account of Postgres must reach the cluster inside.
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
	return os.Chmod(dir, 0o711) //nolint:gosec // G302: the account of Postgres walks through
}

func (o Options) file(parts ...string) string {
	return filepath.Join(append([]string{o.DataDir}, parts...)...)
}

func (o Options) logFile(name string) string { return o.file("logs", name+".log") }

func (o Options) pidFile(name string) string { return o.file("run", name+pidSuffix) }

const pidSuffix = ".pid"
