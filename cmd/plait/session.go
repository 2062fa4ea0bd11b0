package main

import (
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"slices"
	"time"

	"github.com/spf13/cobra"

	"plait/api/client"
	"plait/api/client/progress"
	"plait/api/schema"
	"plait/installation"
	"plait/internal/config"
	"plait/internal/core"
	"plait/internal/files"
)

// takenWithin is how soon a task begins where a host is ready: its models are loaded by then.
const takenWithin = 15 * time.Second

// session is one command's use of an API: a distant one, the installation that runs in the data folder, or one that it starts.
type session struct {
	command *cobra.Command
	config  *config.Loaded
	display progress.Display
	server  string
	// format is another form in which results are fetched; they are then not written there again by later commands.
	format string
	// joined tells that another process runs the installation.
	joined bool
}

func newSession(c *cobra.Command, l *config.Loaded, server string, d progress.Display) *session {
	return &session{command: c, config: l, server: server, display: d}
}

// addServer adds the flag that says whose API a command uses.
func addServer(c *cobra.Command, server *string) {
	c.Flags().StringVar(server, "server", "", "use the API at this address, with the key in "+config.EnvAPIKey+", instead of the embedded stack")
}

// use calls work with a client of the API, and stops afterwards what it started for that. resume is what a person who interrupts the
// command is told.
func (s *session) use(resume string, work func(context.Context, *client.Client) error) error {
	api, failed, stop, err := s.connect(s.command.Context())
	if err != nil {
		return s.interrupted(err, resume)
	}
	ctx, cancel := context.WithCancelCause(s.command.Context())
	go func() {
		select {
		case err := <-failed:
			cancel(err)
		case <-ctx.Done():
		}
	}()
	err = work(ctx, api)
	cause := context.Cause(ctx)
	if told := (*exitError)(nil); cause != nil && err != nil && !errors.As(err, &told) {
		err = cause
	}
	err = s.interrupted(err, resume)
	cancel(nil)
	return errors.Join(err, stop(cause != nil && !errors.Is(cause, errInterrupted)))
}

// interrupted is err, and says where an interrupted command goes on.
func (s *session) interrupted(err error, resume string) error {
	if !errors.Is(err, errInterrupted) {
		return err
	}
	s.display.End("Interrupted. " + resume)
	return &exitError{status: exitInterrupted}
}

// connect gives a client of the API to use. failed tells when an installation that it started ends by itself; stop ends the use.
func (s *session) connect(ctx context.Context) (api *client.Client, failed <-chan error, stop func(failed bool) error, err error) {
	if s.server != "" {
		s.joined = true
		key := os.Getenv(config.EnvAPIKey)
		if key == "" {
			return nil, nil, nil, usageError(s.command, fmt.Errorf("--server needs an API key: set %s; its operator makes one with plait keys create", config.EnvAPIKey))
		}
		if api, err = client.New(s.server, key); err != nil {
			err = usageError(s.command, err)
		}
		return api, nil, func(bool) error { return nil }, err
	}
	use, err := installation.Open(ctx, s.config, kinds, readVersion().Version, installation.NewSessionLogger(s.command.ErrOrStderr(), s.config), s.display.Part)
	if err != nil {
		return nil, nil, nil, err
	}
	s.joined = use.Joined
	stop = func(failed bool) error { return use.Close(ctx, failed, s.display.Part) }
	if api, err = client.New(use.Address, use.Key); err != nil {
		return nil, nil, nil, errors.Join(err, stop(true))
	}
	return api, use.Failed, stop, nil
}

// make gives a task, watches it to its end, and writes its result to out.
func (s *session) make(resume string, out files.Result, create func(context.Context, *client.Client) (schema.Task, error)) error {
	return s.use(resume, func(ctx context.Context, api *client.Client) error {
		task, err := create(ctx, api)
		if err != nil {
			return err
		}
		if task, err = s.watch(ctx, api, task); err != nil {
			return err
		}
		if advice := progress.NoTranslatorAdvice(task); advice != nil {
			s.display.End(append(advice, "task "+task.ID)...)
			return &exitError{status: exitNoTranslator}
		}
		return s.conclude(ctx, api, task, out)
	})
}

// watch shows a task until it has ended. An interruption says what becomes of the task.
func (s *session) watch(ctx context.Context, api *client.Client, task schema.Task) (schema.Task, error) {
	began, told := time.Now(), false
	last, err := api.Watch(ctx, task, func(t schema.Task) {
		s.display.Task(t)
		if !told && progress.Waits(t) && time.Since(began) > takenWithin {
			told = true
			s.display.Note(`Nothing has begun yet: every host has other work, or none is ready. "plait hosts" lists them.`)
		}
	})
	if errors.Is(err, errInterrupted) && s.joined {
		s.display.End(fmt.Sprintf("Interrupted. The task goes on in the running stack: plait watch %s shows it, plait cancel %s ends it.", task.ID, task.ID))
		return last, &exitError{status: exitInterrupted}
	}
	return last, err
}

// renew writes a result to where out says, or to where it was written before. Where neither is known it says how to fetch it.
func (s *session) renew(ctx context.Context, api *client.Client, task string, out files.Result) ([]string, error) {
	limits := installation.ArchiveLimits(&s.config.Config)
	if s.format != "" {
		return out.Lines(), out.Write(ctx, task, limits, func(w io.Writer) error { return api.ResultAs(ctx, task, s.format, w) })
	}
	out, err := files.Renew(ctx, filepath.Join(s.config.DataDir, "results"), task, out, limits, func(w io.Writer) error { return api.Result(ctx, task, w) })
	if err == nil && out == (files.Result{}) {
		return []string{"The result is not written here: plait get " + task + " -o PATH writes it."}, nil
	}
	return out.Lines(), err
}

// conclude fetches what a task that has ended made, and says how it ended and where the result is.
func (s *session) conclude(ctx context.Context, api *client.Client, task schema.Task, out files.Result) error {
	id := "task " + task.ID
	switch {
	case task.Status == core.StatusCanceled:
		s.display.End("The task was canceled.", id)
		return &exitError{status: exitFailed}
	case task.SuccessCount == 0:
		s.display.End(id)
		return fmt.Errorf("no %s succeeded: %s", kinds.Progress().Noun(task), progress.FirstFailure(task))
	}
	lines, err := s.renew(ctx, api, task.ID, out)
	if err != nil {
		return err
	}
	report, err := kinds.Progress().Report(ctx, api.Get, task)
	if err != nil {
		return err
	}
	s.display.End(slices.Concat(kinds.Progress().Summary(task), report, lines, []string{id})...)
	if task.FailedCount > 0 {
		return &exitError{status: exitPartial}
	}
	return nil
}
