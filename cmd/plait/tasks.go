package main

import (
	"context"
	"errors"
	"fmt"
	"strconv"
	"strings"
	"time"

	"github.com/spf13/cobra"

	"plait/api/client"
	"plait/api/client/progress"
	"plait/api/schema"
	"plait/internal/config"
	"plait/internal/core"
	"plait/internal/files"
)

// taskCommand is a command on one task, whatever its kind.
type taskCommand struct {
	server, out string
	// format is another form of the result, for the file of out.
	format  string
	asJSON  bool
	command *cobra.Command
	// resume is what a person who interrupts the command is told.
	resume string
	// watches tells that the output is the course of the task; that of other commands is an answer alone.
	watches bool
	run     func(ctx context.Context, s *session, api *client.Client, id string) error
}

// new finishes a command: its one argument is the id of a task or the beginning of one.
func (t *taskCommand) new(a *app) *cobra.Command {
	c := t.command
	c.Args = oneArgument("TASK")
	if t.resume == "" {
		t.resume = "Nothing was changed."
	}
	addServer(c, &t.server)
	c.RunE = a.configured(func(c *cobra.Command, l *config.Loaded, args []string) error {
		display := progress.NewLines(c.ErrOrStderr(), nil)
		if t.watches {
			display = progress.New(c.OutOrStdout(), t.asJSON, kinds.Progress())
		}
		s := newSession(c, l, t.server, display)
		return s.use(t.resume, func(ctx context.Context, api *client.Client) error {
			id, err := api.Resolve(ctx, args[0])
			if err != nil {
				return err
			}
			return t.run(ctx, s, api, id)
		})
	})
	return c
}

// place is the result that -o names, for a task of the kind.
func (t *taskCommand) place(kind core.Kind) (files.Result, error) {
	if t.format != "" {
		r := files.Result{File: t.out}
		return r, r.Check(nil)
	}
	r, err := kinds.Of(kind).Result(t.out)
	if err != nil {
		return r, usageError(t.command, err)
	}
	return r, r.Check(nil)
}

// newTaskCommands are the commands on one task.
func newTaskCommands(a *app) []*cobra.Command {
	return []*cobra.Command{
		newGet(a), newLink(a), newWatch(a), newRetry(a), newCancel(a), newDelete(a),
		newChange(a, &cobra.Command{
			Use: "pause TASK", Short: "Pause a task: it begins no further item and no model call",
			Long: `Pause a task: it begins no further item and no model call until "plait resume". What has begun ends. A pause outlives
workers and servers.`,
		}, (*client.Client).Pause),
		newChange(a, &cobra.Command{Use: "resume TASK", Short: "Resume a paused task"}, (*client.Client).Resume),
	}
}

// newEnding makes c a command that sees a task to its end, and then writes its result.
func newEnding(
	a *app, c *cobra.Command, resume string, end func(context.Context, *session, *client.Client, schema.Task) (schema.Task, error),
) *cobra.Command {
	return endingOf(a, &taskCommand{command: c, resume: resume}, end)
}

func endingOf(
	a *app, t *taskCommand, end func(context.Context, *session, *client.Client, schema.Task) (schema.Task, error),
) *cobra.Command {
	t.watches = true
	t.run = func(ctx context.Context, s *session, api *client.Client, id string) error {
		task, err := api.Task(ctx, id)
		if err != nil {
			return err
		}
		out, err := t.place(task.Kind)
		if err != nil {
			return err
		}
		if task, err = end(ctx, s, api, task); err != nil {
			return err
		}
		s.format = t.format
		return s.conclude(ctx, api, task, out)
	}
	t.command.Flags().StringVarP(&t.out, "out", "o", "", "where to write the result: a .cbz or .zip file, or a folder (default: where it was written before)")
	t.command.Flags().BoolVar(&t.asJSON, "json", false, "print one JSON line an event")
	return t.new(a)
}

func newGet(a *app) *cobra.Command {
	t := &taskCommand{command: &cobra.Command{
		Use: "get TASK -o PATH", Short: "Write the result of a task",
		Long: `Write the result of a task that has ended. Without -o it is written where it was written before.

--format writes the result of a chapter in another form to the file of -o: cbz; zip, which has the same files in one folder; or ora, which
has each page in the layers Original, Erased and Lettering, as an OpenRaster file for painting programs. Those of several pages are in a ZIP.`,
		Example: `  plait get 01a1ff10 -o book.en.cbz
  plait get 01a1ff10 --format ora -o book.layers.zip`,
	}}
	t.command.PreRunE = func(c *cobra.Command, _ []string) error {
		if t.format != "" && t.out == "" {
			return usageError(c, errors.New("--format needs a file to write: -o PATH"))
		}
		return nil
	}
	t.command.Flags().Var(choice(&t.format, "cbz", "zip", "ora"), "format", "another form of the result of a chapter: cbz, zip or ora")
	return endingOf(a, t, func(_ context.Context, _ *session, _ *client.Client, task schema.Task) (schema.Task, error) {
		if !task.Status.Ended() {
			return task, core.Errorf(core.CodeConflict, "the task is %s; plait watch %s shows it to its end", task.Status, task.ID)
		}
		return task, nil
	})
}

func newLink(a *app) *cobra.Command {
	var item int
	var file schema.CreateLink
	var expires time.Duration
	t := &taskCommand{command: &cobra.Command{
		Use: "link TASK", Short: "Print a link to the result of a task, for somebody without a key",
		Long: `Print a link to the result of a task, or with --item to a file of one of its items. Whoever has the link can fetch this one file
until the link expires. Revoking the key that created the link ends it sooner.`,
		Example: "  plait link 01a1ff10 --expires 2h",
	}}
	t.run = func(ctx context.Context, _ *session, api *client.Client, id string) error {
		if t.command.Flags().Changed("item") {
			file.Item = &item
		}
		seconds := int64(expires / time.Second)
		file.ExpiresIn = &seconds
		link, err := api.Link(ctx, id, file)
		if err != nil {
			return err
		}
		_, err = fmt.Fprintln(t.command.OutOrStdout(), link.URL)
		return err
	}
	t.command.Flags().IntVar(&item, "item", 0, "index of an item, from 0 (default: the result of the task)")
	t.command.Flags().StringVar(&file.File, "file", schema.FileResult, "result, or input with --item")
	t.command.Flags().DurationVar(&expires, "expires", 24*time.Hour, "time until the link expires, at most 168h")
	return t.new(a)
}

func newWatch(a *app) *cobra.Command {
	return newEnding(a, &cobra.Command{
		Use: "watch TASK", Short: "Watch a task to its end, and write its result", Example: "  plait watch 01a1ff10 -o book.en.cbz",
	},
		"The task goes on while a stack runs.",
		func(ctx context.Context, s *session, api *client.Client, task schema.Task) (schema.Task, error) {
			return s.watch(ctx, api, task)
		})
}

func newRetry(a *app) *cobra.Command {
	return newEnding(a, &cobra.Command{
		Use: "retry TASK", Short: "Retry the failed items of a task",
		Long: `Retry the failed items of a task, watch them to their end, and write the result. Items that succeeded stay as they are, and
nothing that was paid for is paid for again. TASK is the id that "plait translate" ends with, or the beginning of it.

Exit status: 0 done, 1 failed, 2 wrong usage, 3 some items failed, 130 interrupted.`,
		Example: "  plait retry 0b7ad2a6 -o book.en.cbz",
	}, "The same command goes on from here.",
		func(ctx context.Context, s *session, api *client.Client, task schema.Task) (schema.Task, error) {
			task, err := api.Retry(ctx, task.ID)
			if err != nil {
				return task, err
			}
			return s.watch(ctx, api, task)
		})
}

func newCancel(a *app) *cobra.Command {
	return newChange(a, &cobra.Command{
		Use: "cancel TASK", Short: "Cancel a task that has not ended",
		Long: `Cancel a task that has not ended, and wait until it has. Its model calls and its steps on devices end at once; items that are
done stay in the records, and what was paid for is not paid for again by a later task.`,
	}, func(api *client.Client, ctx context.Context, id string) (schema.Task, error) {
		task, err := api.Cancel(ctx, id)
		if err != nil {
			return task, err
		}
		return api.Watch(ctx, task, func(schema.Task) {})
	})
}

func newDelete(a *app) *cobra.Command {
	t := &taskCommand{resume: "Nothing was deleted.", command: &cobra.Command{
		Use: "delete TASK", Short: "Delete a task that has ended, with its files and its result",
		Long: `Delete a task that has ended, with its files, its result and its rows. Recorded model calls stay, so that a later task does
not pay for them again. A task that has not ended is refused: cancel it first.`,
	}}
	t.run = func(ctx context.Context, _ *session, api *client.Client, id string) error {
		if err := api.Delete(ctx, id); err != nil {
			return err
		}
		_, err := fmt.Fprintf(t.command.OutOrStdout(), "task %s: deleted\n", id)
		return err
	}
	return t.new(a)
}

// newChange makes c a command that changes the course of a task.
func newChange(a *app, c *cobra.Command, change func(*client.Client, context.Context, string) (schema.Task, error)) *cobra.Command {
	t := &taskCommand{command: c}
	t.run = func(ctx context.Context, _ *session, api *client.Client, id string) error {
		task, err := change(api, ctx, id)
		if err != nil {
			return err
		}
		_, err = fmt.Fprintf(c.OutOrStdout(), "task %s: %s, %d of %d done\n", task.ID, task.Status, task.Progress.Done, task.TotalCount)
		return err
	}
	return t.new(a)
}

func newTasks(a *app) *cobra.Command {
	var filter client.Filter
	var limit int
	var asJSON bool
	c := &cobra.Command{
		Use:   "tasks",
		Short: "List the tasks, the newest first",
		Long: `List the tasks of the key's tenant, the newest first, each with its status and how many of its items are done. A queued
task has its place in the queue, and the minutes and seconds until it will start once that can be estimated.

A task ends as success, partial, error or canceled; until then it is queued, running or paused.`,
		Example: "  plait tasks --status error",
		PreRunE: func(c *cobra.Command, _ []string) error {
			if limit < 0 {
				return usageError(c, fmt.Errorf("--limit %d is negative", limit))
			}
			return nil
		},
	}
	c.Flags().Var(choice(&filter.Status, core.TaskStatuses()...), "status", "only tasks of this status")
	c.Flags().StringVar((*string)(&filter.Kind), "kind", "", "only tasks of this kind")
	c.Flags().IntVarP(&limit, "limit", "n", 20, "number of tasks at most; 0 is all")
	c.Flags().BoolVar(&asJSON, "json", false, "print one JSON object a task, as in the API")
	return onAPI(a, c, func(ctx context.Context, api *client.Client, _ []string) error {
		return taskTable.stream(c.OutOrStdout(), asJSON, func(each func(schema.Task) error) error { return api.Tasks(ctx, filter, limit, each) })
	})
}

var taskTable = table[schema.Task]{"TASK\tKIND\tSTATUS\tDONE\tFAILED\tQUEUE\tABOUT\tCREATED\tTITLE", func(t schema.Task) string {
	return fmt.Sprintf("%s\t%s\t%s\t%d/%d\t%d\t%s\t%s\t%s\t%s", t.ID, t.Kind, t.Status, t.Progress.Done, t.TotalCount, t.FailedCount,
		placeInQueue(t.Progress), kinds.Progress().Heading(t), t.CreatedAt.Local().Format(time.DateTime), core.Printable(strings.Join(strings.Fields(t.Title), " ")))
}}

// placeInQueue is empty for a task that is not queued.
func placeInQueue(p schema.Progress) string {
	switch {
	case p.QueuePosition == 0:
		return ""
	case p.EstimatedStart == nil:
		return strconv.Itoa(p.QueuePosition)
	default:
		return fmt.Sprintf("%d, in %s", p.QueuePosition, progress.Clock(max(time.Until(*p.EstimatedStart), 0)))
	}
}
