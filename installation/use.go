package installation

import (
	"context"
	"errors"
	"log/slog"
	"time"

	"plait/internal/config"
	"plait/internal/stack"
)

// Use is one command's use of the installation of a data folder: a running one, or one that the command has started.
type Use struct {
	// Address is the base URL of the API, and Key a key for it.
	Address, Key string
	// Joined means that another process runs the installation.
	Joined bool
	// Failed receives the error of an installation that the command has started, when it ends by itself; nil when the command joined one.
	Failed  <-chan error
	started *Local
	release func()
}

// Open joins the installation that runs in the data folder, or starts one. It calls progress with the states of its parts.
func Open(
	ctx context.Context, l *config.Loaded, kinds Kinds, version string, log *slog.Logger, progress func(part, state string),
) (*Use, error) {
	p, release, err := JoinLocal(ctx, l.DataDir)
	if err == nil {
		return &Use{Address: p.API, Key: p.Key, Joined: true, release: release}, nil
	}
	if !errors.Is(err, stack.ErrNotRunning) {
		return nil, err
	}
	in, err := StartLocal(ctx, l, kinds, version, log, progress)
	if errors.Is(err, stack.ErrInUse) { // another command was faster
		return Open(ctx, l, kinds, version, log, progress)
	}
	if err != nil {
		return nil, err
	}
	return &Use{Address: in.Address, Key: in.Key, Failed: in.Failed, started: in}, nil
}

// Close ends the use. An installation that the command has started stops once no other command uses it, or at once when it has failed or
// ctx has ended.
func (u *Use) Close(ctx context.Context, failed bool, progress func(part, state string)) error {
	switch {
	case u.Joined:
		u.release()
		return nil
	case failed:
		return u.started.Stop()
	case ctx.Err() != nil: // interrupted: the other commands report that their stack is gone
		progress("stack", "stopping, running steps end first; Ctrl-C again ends at once")
		return u.started.Stop()
	}
	soon, cancel := context.WithTimeout(ctx, time.Second)
	err := u.started.WaitJoiners(soon)
	cancel()
	if err != nil {
		progress("stack", "waiting for other commands that use it")
		err = u.started.WaitJoiners(ctx)
	}
	if ctx.Err() != nil {
		err = nil
	}
	return errors.Join(err, u.started.Stop())
}
