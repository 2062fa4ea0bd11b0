package main

import (
	"context"
	"fmt"

	"github.com/spf13/cobra"

	"plait/api/client"
	"plait/api/schema"
	"plait/internal/config"
	"plait/internal/files"
)

// retryFlags are the choices of `plait retry`.
type retryFlags struct {
	serverFlags
	out    string
	asJSON bool
}

func newRetry(a *app) *cobra.Command {
	f := &retryFlags{}
	c := &cobra.Command{
		Use:   "retry TASK",
		Short: "Do the failed pages of a task once more",
		Long: `Do the failed pages of a task once more, and watch them to their end. Pages that succeeded stay as they are, and nothing
that was paid for is paid for again. TASK is the id that "plait translate" ends with.

Exit status: 0 done, 1 failed, 2 wrong usage, 3 some pages failed, 130 interrupted.`,
		Example: "  plait retry 0b7ad2a6-6b0a-4a0c-9a52-0c5a4f6f8d11 -o book.en.cbz",
		Args:    oneTask,
		RunE:    a.configured(f.run),
	}
	f.add(c)
	c.Flags().StringVarP(&f.out, "out", "o", "", "write the chapter: a .cbz or .zip file, or a folder")
	c.Flags().BoolVar(&f.asJSON, "json", false, "print one JSON line an event")
	return c
}

// oneTask is the argument of commands about a task.
func oneTask(_ *cobra.Command, args []string) error {
	if len(args) != 1 {
		return fmt.Errorf("name one task, not %d", len(args))
	}
	return nil
}

// oneArgument is oneTask for something else, called by name.
func oneArgument(name string) cobra.PositionalArgs {
	return func(_ *cobra.Command, args []string) error {
		if len(args) != 1 {
			return fmt.Errorf("name one %s, not %d", name, len(args))
		}
		return nil
	}
}

func (f *retryFlags) run(c *cobra.Command, l *config.Loaded, args []string) error {
	t, err := files.ResultOf(f.out)
	if err != nil {
		return usageError(c, err)
	}
	if err := t.Check(nil); err != nil {
		return err
	}
	a := &access{serverFlags: f.serverFlags, config: l, display: newDisplay(c, f.asJSON), stderr: c.ErrOrStderr()}
	return a.use(c.Context(), "The same command goes on from here.", func(ctx context.Context, api *client.Client) error {
		task, err := api.Retry(ctx, args[0])
		if err != nil {
			return err
		}
		if task, err = a.watch(ctx, api, task); err != nil {
			return err
		}
		if task.SuccessCount > 0 && t != (files.Result{}) {
			if err := a.fetch(ctx, api, task.ID, t); err != nil {
				return err
			}
		}
		return a.conclude(task, t)
	})
}

// conclude says how a task ended, and where its result is.
func (a *access) conclude(task schema.Task, t files.Result) error {
	lines := []string{fmt.Sprintf("%d of %s succeeded", task.SuccessCount, count(task.TotalCount, "page"))}
	if task.SuccessCount > 0 {
		lines = append(lines, t.Lines()...)
	}
	a.display.end(lines...)
	switch {
	case task.FailedCount == 0:
		return nil
	case task.SuccessCount == 0:
		return fmt.Errorf("no page succeeded: %s", firstFailure(task))
	default:
		return &exitError{status: exitPartial}
	}
}
