package stack

import (
	"context"
	"crypto/rand"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"strings"

	"plait/internal/assets"
	"plait/internal/stack/port"
	"plait/internal/stack/postgres"
	"plait/internal/stack/process"
	"plait/internal/stack/temporal"
)

// portAttempts bounds how often a part is started anew because a port was taken between its choice and its use.
const portAttempts = 3

func startPostgres(ctx context.Context, o Options, k *kept) (*postgres.Server, error) {
	set, err := assets.Open(o.AssetsDir)
	if err != nil {
		return nil, err
	}
	place, err := postgres.ChoosePlace(o.DataDir, k.PostgresDir)
	if err != nil {
		return nil, fmt.Errorf("folder for Postgres: %w", err)
	}
	if place.Dir != o.file("postgres") {
		o.Logger.WarnContext(ctx, "the account of Postgres cannot reach the data folder; its cluster is elsewhere",
			"data_dir", o.DataDir, "cluster", place.Dir)
	}
	tree, err := postgres.ReachableTree(filepath.Join(set.Dir(), "postgres"), place)
	if err != nil {
		return nil, err
	}
	password, err := EnsureSecret(o.file("postgres.password"), rand.Text)
	if err != nil {
		return nil, err
	}
	config := postgres.Config{
		Tree: tree, Place: place, Password: password, LogFile: o.logFile("postgres"), PIDFile: o.pidFile("postgres"), Logger: o.Logger,
	}
	if err := config.StopLeftover(ctx); err != nil {
		return nil, fmt.Errorf("stop the Postgres an earlier run left: %w", err)
	}
	return withFreePorts(func() (*postgres.Server, error) {
		if config.Port, err = port.Choose(ctx, o.PostgresPort, k.PostgresPort, defaultPostgresPort); err != nil {
			return nil, err
		}
		k.PostgresDir, k.PostgresPort = place.Dir, config.Port
		return postgres.Start(ctx, config)
	})
}

func startTemporal(ctx context.Context, o Options, k *kept) (*temporal.Server, error) {
	binary, err := temporal.FindBinary(o.TemporalBinary, o.AssetsDir)
	if err != nil {
		return nil, err
	}
	config := temporal.Config{
		Binary: binary, Namespace: o.Namespace, Database: o.file("temporal", "temporal.db"), SearchAttributes: o.SearchAttributes,
		LogFile: o.logFile("temporal"), PIDFile: o.pidFile("temporal"), Logger: o.Logger,
	}
	if err := config.StopLeftover(ctx); err != nil {
		return nil, err
	}
	if err := makeTemporalDir(o, k); err != nil {
		return nil, err
	}
	return withFreePorts(func() (*temporal.Server, error) {
		if config.Port, err = port.Choose(ctx, o.TemporalPort, k.TemporalPort, defaultTemporalPort); err != nil {
			return nil, err
		}
		if config.UIPort, err = port.Choose(ctx, o.TemporalUIPort, k.TemporalUIPort, defaultTemporalUIPort); err != nil {
			return nil, err
		}
		k.TemporalPort, k.TemporalUIPort = config.Port, config.UIPort
		return temporal.Start(ctx, config)
	})
}

// makeTemporalDir makes the folder of Temporal's database. What is in it before any start has been completed is a database that was
// cut short while it was made, with which no server starts.
func makeTemporalDir(o Options, k *kept) error {
	if k.TemporalPort == 0 {
		if err := os.RemoveAll(o.file("temporal")); err != nil {
			return err
		}
	}
	return os.MkdirAll(o.file("temporal"), 0o700)
}

// withFreePorts runs start, which chooses ports, again when it failed over a port.
func withFreePorts[T any](start func() (T, error)) (server T, err error) {
	for range portAttempts {
		if server, err = start(); !isPortTaken(err) {
			return server, err
		}
	}
	return server, err
}

// isPortTaken looks for the system's words in what a part said last; neither part has a status for it.
func isPortTaken(err error) bool {
	var failure *process.ChildError
	return errors.As(err, &failure) && strings.Contains(strings.ToLower(failure.LogTail), "address already in use")
}

// EnsureSecret reads the secret that file holds. Where there is no file it makes one, mode 0600, of what create returns.
func EnsureSecret(file string, create func() string) (string, error) {
	text, err := os.ReadFile(file)
	if err == nil {
		return strings.TrimSpace(string(text)), nil
	}
	if !errors.Is(err, fs.ErrNotExist) {
		return "", err
	}
	secret := create()
	return secret, writeFile(file, []byte(secret+"\n"))
}
