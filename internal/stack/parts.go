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
	"plait/internal/stack/netns"
	"plait/internal/stack/port"
	"plait/internal/stack/postgres"
	"plait/internal/stack/process"
	"plait/internal/stack/temporal"
)

// portChoices bounds the choices of ports that another process takes before a part listens on them.
const portChoices = 3

func (s *Stack) startPostgres(ctx context.Context, k *kept) (*postgres.Server, error) {
	o := s.options
	set, err := assets.Open(o.AssetsDir)
	if err != nil {
		return nil, err
	}
	password, err := EnsureSecret(o.file("postgres.password"), rand.Text)
	if err != nil {
		return nil, err
	}
	place, err := postgres.ChoosePlace(o.DataDir, k.PostgresDir, password)
	if err != nil {
		return nil, fmt.Errorf("folder for Postgres: %w", err)
	}
	if place.Dir != o.file("postgres") {
		if err := warnOfPlace(ctx, o, place); err != nil {
			return nil, err
		}
	}
	k.PostgresDir = place.Dir
	tree, err := postgres.ReachableTree(filepath.Join(set.Dir(), "postgres"), place)
	if err != nil {
		return nil, err
	}
	config := postgres.Config{
		Tree: tree, Place: place, Password: password, LogFile: o.logFile("postgres"), PIDFile: o.pidFile("postgres"), Logger: o.Logger,
	}
	if err := config.StopLeftover(ctx); err != nil {
		return nil, fmt.Errorf("stop the Postgres server of an earlier run: %w", err)
	}
	if config.SocketDir, err = s.socketDir(place.Dir, postgres.SocketName, place.User); err != nil {
		return nil, err
	}
	return postgres.Start(ctx, config)
}

// warnOfPlace says where the cluster is, and which clusters former data folders of the same path have left there.
func warnOfPlace(ctx context.Context, o Options, place postgres.Place) error {
	o.Logger.WarnContext(ctx, "the account that Postgres runs as cannot reach the data folder; its cluster is in another folder",
		"data_dir", o.DataDir, "cluster", place.Dir)
	abandoned, err := postgres.Abandoned(o.DataDir, place)
	if len(abandoned) > 0 {
		o.Logger.WarnContext(ctx, "the clusters of former data folders are left; delete them if nobody needs them",
			"data_dir", o.DataDir, "clusters", abandoned)
	}
	return err
}

func (s *Stack) startTemporal(ctx context.Context, k *kept) (*temporal.Server, error) {
	o := s.options
	binary, err := temporal.FindBinary(o.TemporalBinary, o.AssetsDir)
	if err != nil {
		return nil, err
	}
	config := temporal.Config{
		Binary: binary, Namespace: o.Namespace, Database: o.file("temporal", "temporal.db"), SearchAttributes: o.SearchAttributes,
		CodecEndpoint: o.CodecEndpoint, LogFile: o.logFile("temporal"), PIDFile: o.pidFile("temporal"), Logger: o.Logger,
	}
	if err := config.StopLeftover(ctx); err != nil {
		return nil, err
	}
	if err := makeTemporalDir(o, k); err != nil {
		return nil, err
	}
	if err := netns.Supported(ctx); err != nil {
		o.Logger.WarnContext(ctx, "every user of this machine can connect to the embedded Temporal: this system gives it no network namespace",
			"error", err)
		return startTemporalOnLoopback(ctx, config, o, k)
	}
	if config.SocketDir, err = s.socketDir(o.file("run"), temporal.LongestSocketName, nil); err != nil {
		return nil, err
	}
	config.Port, config.UIPort = defaultTemporalPort, defaultTemporalUIPort
	return temporal.Start(ctx, config)
}

// startTemporalOnLoopback chooses ports for the server, and chooses again when another process took one before the server did.
func startTemporalOnLoopback(ctx context.Context, config temporal.Config, o Options, k *kept) (server *temporal.Server, err error) {
	for range portChoices {
		if config.Port, err = port.Choose(ctx, o.TemporalPort, k.TemporalPort, defaultTemporalPort); err != nil {
			return nil, err
		}
		if config.UIPort, err = port.Choose(ctx, o.TemporalUIPort, k.TemporalUIPort, defaultTemporalUIPort); err != nil {
			return nil, err
		}
		k.TemporalPort, k.TemporalUIPort = config.Port, config.UIPort
		if server, err = temporal.Start(ctx, config); err == nil || config.PortsFree(ctx) {
			return server, err
		}
	}
	return nil, err
}

// maxSocketPath is the longest path of a Unix socket that every system accepts, in bytes.
const maxSocketPath = 103

// socketDir returns a folder for a socket with this name, which only user (nil: the current user) can enter. This is dir, unless the
// path of the socket would be too long: then it is a temporary folder, which Stop removes.
func (s *Stack) socketDir(dir, name string, user *process.User) (string, error) {
	if len(filepath.Join(dir, name)) <= maxSocketPath {
		return dir, nil
	}
	short, err := os.MkdirTemp("/tmp", "plait-") // not TMPDIR, which may also be too long
	if err != nil {
		return "", fmt.Errorf("folder for a socket: %w", err)
	}
	s.mu.Lock()
	s.sockets = append(s.sockets, short)
	s.mu.Unlock()
	if user == nil {
		return short, nil
	}
	return short, user.TakeOwnership(short)
}

// makeTemporalDir creates the folder of Temporal's database. If no start has ever completed, it first deletes the folder: it may
// contain a half-made database, with which the server does not start.
func makeTemporalDir(o Options, k *kept) error {
	if !k.Temporal {
		if err := os.RemoveAll(o.file("temporal")); err != nil {
			return err
		}
	}
	return os.MkdirAll(o.file("temporal"), 0o700)
}

// EnsureSecret returns the secret in file, without surrounding white space. If the file does not exist, EnsureSecret writes the result
// of create to it, with mode 0600.
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
