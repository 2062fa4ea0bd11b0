package main

import (
	"context"
	"errors"
	"fmt"
	"os"
	"time"

	"plait/api/client"
	"plait/internal/config"
	"plait/internal/stack"
)

// connect gives a client of the API to use: a distant one, the installation that runs in the data folder, or one that
// it starts. failed tells when that installation ends by itself; stop ends what was started, once no other command
// uses it, or at once when it has failed.
func (t *translation) connect(ctx context.Context) (api *client.Client, failed <-chan error, stop func(failed bool) error, err error) {
	nothing := func(bool) error { return nil }
	if t.flags.server != "" {
		key := t.flags.key
		if key == "" {
			key = os.Getenv(config.EnvAPIKey)
		}
		if key == "" {
			return nil, nil, nothing, fmt.Errorf("--server needs an API key: set %s, or give --key; its operator makes one with plait keys create", config.EnvAPIKey)
		}
		api, err = client.New(t.flags.server, key)
		return api, nil, nothing, err
	}
	p, release, err := joinLocal(ctx, t.config.DataDir)
	if err == nil {
		api, err = client.New(p.API, p.Key)
		return api, nil, func(bool) error { release(); return nil }, err
	}
	if !errors.Is(err, stack.ErrNotRunning) {
		return nil, nil, nothing, err
	}
	log := logger(t.stderr, quiet(t.config.Log, t.config.Origin["log.level"] != "default"))
	in, err := startLocal(ctx, t.config, log, t.display.part)
	if errors.Is(err, stack.ErrInUse) { // another command was quicker
		return t.connect(ctx)
	}
	if err != nil {
		return nil, nil, nothing, err
	}
	if api, err = client.New(in.address, in.key); err != nil {
		return nil, nil, nothing, errors.Join(err, in.Stop())
	}
	return api, in.failed, func(failed bool) error {
		if failed {
			return in.Stop()
		}
		return t.leave(ctx, in)
	}, nil
}

// leave stops the installation that this command started, after the commands that joined it.
func (t *translation) leave(ctx context.Context, in *local) error {
	if ctx.Err() != nil { // interrupted: the others find their stack gone and say so
		t.display.part("stack", "stopping, running steps end first; Ctrl-C again ends at once")
		return in.Stop()
	}
	soon, cancel := context.WithTimeout(ctx, time.Second)
	err := in.stack.WaitJoiners(soon)
	cancel()
	if err != nil {
		t.display.part("stack", "waiting for other commands that use it")
		err = in.stack.WaitJoiners(ctx)
	}
	if ctx.Err() != nil {
		err = nil
	}
	return errors.Join(err, in.Stop())
}
