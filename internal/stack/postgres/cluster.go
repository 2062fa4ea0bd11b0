package postgres

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"os/exec"
	"path/filepath"
	"syscall"

	"plait/internal/stack/process"
)

// ensureCluster creates the cluster if there is none. It creates it in a temporary folder and renames it, so that a crash leaves no
// half-made cluster.
//
// initdb needs an account that has a name. If the server's account has none, "nobody" runs initdb, and then the server's account
// becomes the owner of the cluster, before it contains any data.
func (c Config) ensureCluster(ctx context.Context) error {
	if _, err := os.Stat(filepath.Join(c.Place.cluster(), "PG_VERSION")); !errors.Is(err, fs.ErrNotExist) {
		return err
	}
	owner := c.Place.User
	maker := owner
	if maker != nil && !maker.Named() {
		maker = process.Nobody()
	}
	draft := c.Place.Dir + ".new"
	if err := os.RemoveAll(draft); err != nil {
		return err
	}
	if err := os.Mkdir(draft, 0o700); err != nil {
		return err
	}
	defer func() { _ = os.RemoveAll(draft) }()
	if err := c.initdb(ctx, draft, maker); err != nil {
		return err
	}
	cluster := filepath.Join(draft, "cluster")
	if owner != nil {
		if err := owner.TakeOwnership(cluster); err != nil {
			return fmt.Errorf("give the cluster to user %d: %w", owner.UID, err)
		}
	}
	return os.Rename(cluster, c.Place.cluster())
}

// initdb runs initdb as maker (nil: the current user), which creates the folder "cluster" in dir.
func (c Config) initdb(ctx context.Context, dir string, maker *process.User) error {
	// initdb reads the password only from a file or a terminal.
	password := filepath.Join(dir, "password")
	if err := os.WriteFile(password, []byte(c.Password+"\n"), 0o600); err != nil {
		return err
	}
	if maker != nil {
		if err := maker.TakeOwnership(dir); err != nil {
			return fmt.Errorf("give the folder of the password to user %d: %w", maker.UID, err)
		}
	}
	args := []string{
		"-D", filepath.Join(dir, "cluster"), "--username=" + Superuser, "--pwfile=" + password, "--auth=scram-sha-256",
		"--encoding=UTF8", "--locale-provider=builtin", "--locale=C.UTF-8", "--no-instructions",
	}
	if c.Disposable {
		args = append(args, "--no-sync")
	}
	cmd := exec.CommandContext(ctx, filepath.Join(c.Tree, "bin", "initdb"), args...)
	cmd.Cancel = func() error { return cmd.Process.Signal(syscall.SIGTERM) } // initdb then removes its files
	cmd.Dir = dir
	cmd.Env = childEnvironment()
	p, err := process.Start(cmd, process.Options{
		Name: "initdb", LogFile: c.LogFile, User: maker, StopSignal: syscall.SIGTERM, Logger: c.Logger,
	})
	if err != nil {
		return err
	}
	if err := p.Err(); err != nil {
		return &process.ChildError{Name: "initdb", Err: err, LogTail: p.Tail()}
	}
	return nil
}
