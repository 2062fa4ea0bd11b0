package main

import (
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"time"

	"github.com/spf13/cobra"

	"plait/api/client"
	"plait/installation"
	"plait/internal/config"
	"plait/internal/stack"
)

// serverFlags say whose API a command uses.
type serverFlags struct{ server string }

func (f *serverFlags) add(c *cobra.Command) {
	c.Flags().StringVar(&f.server, "server", "", "use the API at this address, with the key in "+config.EnvAPIKey+", instead of the embedded stack")
}

// access is how a command comes by an API.
type access struct {
	serverFlags
	config  *config.Loaded
	display display
	stderr  io.Writer
}

// use calls work with a client of the API, and stops afterwards what it started for that. resume is what a person who
// interrupts the command is told.
func (a *access) use(ctx context.Context, resume string, work func(context.Context, *client.Client) error) error {
	api, wait, stop, err := a.connect(ctx)
	if err != nil {
		return a.interrupted(err, resume)
	}
	ctx, cancel := context.WithCancelCause(ctx)
	go func() {
		select {
		case err := <-wait:
			cancel(err)
		case <-ctx.Done():
		}
	}()
	err = work(ctx, api)
	if cause := context.Cause(ctx); cause != nil && err != nil {
		err = cause
	}
	err = a.interrupted(err, resume)
	failed := context.Cause(ctx) != nil && !errors.Is(context.Cause(ctx), errInterrupted)
	cancel(nil)
	return errors.Join(err, stop(failed))
}

// interrupted is err, and says where an interrupted command goes on.
func (a *access) interrupted(err error, resume string) error {
	if !errors.Is(err, errInterrupted) {
		return err
	}
	a.display.end("Interrupted. " + resume)
	return &exitError{status: exitInterrupted}
}

// connect gives a client of the API to use: a distant one, the installation that runs in the data folder, or one that
// it starts. failed tells when that installation ends by itself; stop ends what was started, once no other command
// uses it, or at once when it has failed.
func (a *access) connect(ctx context.Context) (api *client.Client, failed <-chan error, stop func(failed bool) error, err error) {
	nothing := func(bool) error { return nil }
	if a.server != "" {
		key := os.Getenv(config.EnvAPIKey)
		if key == "" {
			return nil, nil, nothing, fmt.Errorf("--server needs an API key: set %s; its operator makes one with plait keys create", config.EnvAPIKey)
		}
		api, err = client.New(a.server, key)
		return api, nil, nothing, err
	}
	p, release, err := installation.JoinLocal(ctx, a.config.DataDir)
	if err == nil {
		api, err = client.New(p.API, p.Key)
		return api, nil, func(bool) error { release(); return nil }, err
	}
	if !errors.Is(err, stack.ErrNotRunning) {
		return nil, nil, nothing, err
	}
	log := logger(a.stderr, quiet(a.config.Log, a.config.Origin["log.level"] != "default"))
	in, err := installation.StartLocal(ctx, a.config, readVersion().Version, log, a.display.part)
	if errors.Is(err, stack.ErrInUse) { // another command was quicker
		return a.connect(ctx)
	}
	if err != nil {
		return nil, nil, nothing, err
	}
	if api, err = client.New(in.Address, in.Key); err != nil {
		return nil, nil, nothing, errors.Join(err, in.Stop())
	}
	return api, in.Failed, func(failed bool) error {
		if failed {
			return in.Stop()
		}
		return a.leave(ctx, in)
	}, nil
}

// leave stops the installation that this command started, after the commands that joined it.
func (a *access) leave(ctx context.Context, in *installation.Local) error {
	if ctx.Err() != nil { // interrupted: the others find their stack gone and say so
		a.display.part("stack", "stopping, running steps end first; Ctrl-C again ends at once")
		return in.Stop()
	}
	soon, cancel := context.WithTimeout(ctx, time.Second)
	err := in.WaitJoiners(soon)
	cancel()
	if err != nil {
		a.display.part("stack", "waiting for other commands that use it")
		err = in.WaitJoiners(ctx)
	}
	if ctx.Err() != nil {
		err = nil
	}
	return errors.Join(err, in.Stop())
}
