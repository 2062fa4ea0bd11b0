package main

import (
	"context"
	"fmt"
	"io"
	"strings"
	"text/tabwriter"
	"time"

	"github.com/spf13/cobra"

	"plait/api/client"
	"plait/api/schema"
	"plait/internal/config"
	"plait/internal/core"
)

// tasksFlags are the choices of `plait tasks`.
type tasksFlags struct {
	serverFlags
	status string
	limit  int
	asJSON bool
}

func newTasks(a *app) *cobra.Command {
	f := &tasksFlags{}
	c := &cobra.Command{
		Use:   "tasks",
		Short: "List the tasks, the newest first",
		Long: `List the tasks of the key's tenant, the newest first: how each stands, and how many of its pages are done.

A task ends as success, partial, error or canceled; until then it is queued, running or paused.`,
		Example: "  plait tasks --status error",
		Args:    cobra.NoArgs,
		RunE:    a.configured(f.run),
	}
	f.add(c)
	c.Flags().StringVar(&f.status, "status", "", "only those of this status")
	c.Flags().IntVarP(&f.limit, "limit", "n", 20, "how many at the most; 0 is all")
	c.Flags().BoolVar(&f.asJSON, "json", false, "one JSON object a task, as the API has it")
	return c
}

func (f *tasksFlags) run(c *cobra.Command, l *config.Loaded, _ []string) error {
	if f.limit < 0 {
		return usageError(c, fmt.Errorf("--limit %d is less than nothing", f.limit))
	}
	a := &access{serverFlags: f.serverFlags, config: l, display: newPlainDisplay(c.ErrOrStderr()), stderr: c.ErrOrStderr()}
	return a.use(c.Context(), "Nothing was changed.", func(ctx context.Context, api *client.Client) error {
		show := printTasks
		if f.asJSON {
			show = encodeTasks
		}
		return show(c.OutOrStdout(), func(each func(schema.Task) error) error {
			return api.Tasks(ctx, core.Status(f.status), f.limit, each)
		})
	})
}

// encodeTasks prints tasks as they come.
func encodeTasks(out io.Writer, list func(func(schema.Task) error) error) error {
	e := lineEncoder(out)
	return list(func(t schema.Task) error { return e.Encode(t) })
}

func printTasks(out io.Writer, list func(func(schema.Task) error) error) error {
	w := tabwriter.NewWriter(out, 0, 0, 2, ' ', 0)
	fmt.Fprintln(w, "TASK\tSTATUS\tPAGES\tFAILED\tLANGUAGES\tCREATED\tTITLE")
	err := list(func(t schema.Task) error {
		_, err := fmt.Fprintf(w, "%s\t%s\t%d/%d\t%d\t%s → %s\t%s\t%s\n", t.ID, t.Status, t.Progress.Done, t.TotalCount, t.FailedCount,
			t.From, t.To, t.CreatedAt.Local().Format(time.DateTime), core.Printable(strings.Join(strings.Fields(t.Title), " ")))
		return err
	})
	if err != nil {
		return err
	}
	return w.Flush()
}

func newCancel(a *app) *cobra.Command {
	return newChange(a, &cobra.Command{
		Use:   "cancel TASK",
		Short: "Cancel a task that has not ended",
		Long: `Cancel a task that has not ended. Its model calls and its steps on devices end at once; pages that are done stay in the records,
and what was paid for is not paid for again by a later task. One that has ended stays as it is.`,
	}, (*client.Client).Cancel)
}
