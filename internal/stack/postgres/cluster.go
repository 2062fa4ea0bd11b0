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

// ensureCluster makes the cluster in a folder of another name and renames it, so that a crash on the way leaves none.
func (c Config) ensureCluster(ctx context.Context) error {
	if _, err := os.Stat(filepath.Join(c.Place.cluster(), "PG_VERSION")); !errors.Is(err, fs.ErrNotExist) {
		return err
	}
	draft := filepath.Join(c.Place.Dir, "cluster.new")
	if err := os.RemoveAll(draft); err != nil {
		return err
	}
	if err := c.initdb(ctx, draft); err != nil {
		return err
	}
	return os.Rename(draft, c.Place.cluster())
}

func (c Config) initdb(ctx context.Context, draft string) error {
	password, err := c.passwordFile()
	if err != nil {
		return err
	}
	defer func() { _ = os.Remove(password) }()

	args := []string{
		"-D", draft, "--username=" + Superuser, "--pwfile=" + password, "--auth=scram-sha-256",
		"--encoding=UTF8", "--locale-provider=builtin", "--locale=C.UTF-8", "--no-instructions",
	}
	if c.Disposable {
		args = append(args, "--no-sync")
	}
	cmd := exec.CommandContext(ctx, filepath.Join(c.Tree, "bin", "initdb"), args...)
	cmd.Cancel = func() error { return cmd.Process.Signal(syscall.SIGTERM) } // it removes what it has made
	cmd.Dir = c.Place.Dir
	cmd.Env = childEnvironment()
	p, err := process.Start(cmd, process.Options{
		Name: "initdb", LogFile: c.LogFile, User: c.Place.User, StopSignal: syscall.SIGTERM, Logger: c.Logger,
	})
	if err != nil {
		return err
	}
	if err := p.Err(); err != nil {
		return &process.ChildError{Name: "initdb", Err: err, LogTail: p.Tail()}
	}
	return nil
}

// passwordFile writes the password where the server's user can read it; initdb takes it from nowhere else.
func (c Config) passwordFile() (string, error) {
	file := filepath.Join(c.Place.Dir, "password.initdb")
	if err := os.WriteFile(file, []byte(c.Password+"\n"), 0o600); err != nil {
		return "", err
	}
	if c.Place.User == nil {
		return file, nil
	}
	if err := os.Chown(file, int(c.Place.User.UID), int(c.Place.User.GID)); err != nil {
		return "", fmt.Errorf("give the password to the server's user: %w", err)
	}
	return file, nil
}
