package main

import (
	"context"
	"crypto/sha256"
	"errors"
	"fmt"
	"slices"
	"strings"
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

// submitFlags are the choices of `plait submit`.
type submitFlags struct {
	server, title, out string
	fields             map[string]string
	priority           int
	asJSON, again      bool
}

func newSubmit(a *app) *cobra.Command {
	f := &submitFlags{}
	c := &cobra.Command{
		Use:   "submit KIND FILE...",
		Short: "Start a task of any kind, watch it, and write its result",
		Long: `Start a task of any kind, watch it to its end, and write its result to the file that -o names. Each --set gives one field of the
request, as the API describes it. The same command continues an interrupted task and retries failed items.

Exit status: 0 done, 1 failed, 2 wrong usage, 3 some items failed, 130 interrupted.`,
		Example: "  plait submit comic book.cbz --set to=en -o book.en.cbz",
		Args:    cobra.MinimumNArgs(2),
		RunE:    a.configured(f.run),
	}
	addServer(c, &f.server)
	c.Flags().StringToStringVar(&f.fields, "set", nil, "a field of the request, FIELD=VALUE; repeatable")
	c.Flags().StringVar(&f.title, "title", "", "title of the task (default: the name of the file)")
	c.Flags().IntVar(&f.priority, "priority", core.DefaultPriority, "priority 1 (highest) to 5")
	c.Flags().StringVarP(&f.out, "out", "o", "", "where to write the result")
	c.Flags().BoolVar(&f.asJSON, "json", false, "print one JSON line an event")
	c.Flags().BoolVar(&f.again, "again", false, "start a new task even if the same one has ended before")
	return c
}

func (f *submitFlags) run(c *cobra.Command, l *config.Loaded, args []string) error {
	i := slices.IndexFunc(kinds, func(k installation.Kind) bool { return string(k.Name) == args[0] })
	if i < 0 {
		var names []string
		for _, k := range kinds {
			names = append(names, string(k.Name))
		}
		return usageError(c, fmt.Errorf("kind %q is none of %s", args[0], strings.Join(names, ", ")))
	}
	if f.priority < core.FirstPriority || f.priority > core.LastPriority {
		return usageError(c, fmt.Errorf("--priority %d is not from %d to %d", f.priority, core.FirstPriority, core.LastPriority))
	}
	out, err := kinds[i].Result(f.out)
	if err == nil {
		err = out.Check(args[1:])
	}
	if err != nil {
		return err
	}
	uploads, sum, err := files.OpenFiles(args[1:])
	if err != nil {
		return err
	}
	request := client.Request{
		Path: kinds[i].Path, Title: f.title, Priority: f.priority, Fields: f.fields, Files: clientFiles(uploads),
	}
	s := newSession(c, l, f.server, newDisplay(c, f.asJSON))
	return s.use("The same command continues the task.", func(ctx context.Context, api *client.Client) error {
		task, _, err := s.submit(ctx, api, request, sum, f.again)
		if err != nil {
			return err
		}
		if task, err = s.watch(ctx, api, task); err != nil {
			return err
		}
		return s.conclude(ctx, api, task, out)
	})
}

// maxAttempts bounds how often one input may have failed before a person has to look.
const maxAttempts = 1000

// submit gives the task of a request for files of that sum: the one that an earlier run of the command made, whose failed items are
// retried when it has ended without success, or a new one. Before is when the task was made, where it had succeeded before.
func (s *session) submit(
	ctx context.Context, api *client.Client, r client.Request, sum [sha256.Size]byte, again bool,
) (task schema.Task, before *time.Time, err error) {
	for attempt := range maxAttempts {
		r.IdempotencyKey = r.KeyOf(sum, attempt)
		found, err := api.Find(ctx, r.IdempotencyKey)
		if core.CodeOf(err) == core.CodeNotFound {
			task, err = api.Create(ctx, r)
			return task, nil, err
		}
		if err != nil {
			return found, nil, err
		}
		made := found.CreatedAt.Local().Format(time.DateTime)
		switch {
		case !found.Status.Ended():
			s.display.Note("Continuing the task of " + made + ".")
			return found, nil, nil
		case again:
		case found.Status == core.StatusSuccess:
			return found, &found.CreatedAt, nil
		case (found.Status == core.StatusPartial || found.Status == core.StatusError) && found.FilesRemovedAt == nil:
			s.display.Note("Retrying what failed on " + made + ": " +
				progress.Count(found.FailedCount, kinds.Progress().Noun(found)) + "; --again starts a new task.")
			task, err = api.Retry(ctx, found.ID)
			return task, nil, err
		}
	}
	return task, nil, errors.New("this input has failed " + fmt.Sprint(maxAttempts) + " times with these choices")
}

func clientFiles(pages []files.Page) []client.File {
	list := make([]client.File, len(pages))
	for i, p := range pages {
		list[i] = client.File{Name: p.Name, Open: p.Open}
	}
	return list
}
