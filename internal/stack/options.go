package stack

import (
	"errors"
	"log/slog"
	"os"
	"path/filepath"
)

// Preferred ports of loopback; another is chosen where one is taken. 5433 leaves Postgres's own port to a system server.
const (
	defaultPostgresPort   = 5433
	defaultTemporalPort   = 7233
	defaultTemporalUIPort = 8233

	defaultNamespace = "default"
)

// Options say what to start and where.
type Options struct {
	DataDir        string
	AssetsDir      string // empty: assets beside the executable
	TemporalBinary string // empty: as temporal.FindBinary chooses

	// External servers replace the embedded ones.
	DatabaseURL     string
	TemporalAddress string // host:port

	Namespace        string            // empty: default
	SearchAttributes map[string]string // registered with the embedded Temporal; name: type, as Keyword, Text, Int, Datetime

	// Ports to prefer over those of the last run; zero has no wish.
	PostgresPort, TemporalPort, TemporalUIPort int

	Logger *slog.Logger
	// Progress is told when a part is "starting" and "ready", from several goroutines; optional.
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
