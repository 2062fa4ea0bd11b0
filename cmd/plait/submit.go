package main

import (
	"context"
	"crypto/sha256"
	"errors"
	"time"

	"github.com/spf13/cobra"

	"plait/api/client"
	"plait/api/client/progress"
	"plait/api/schema"
	"plait/internal/config"
	"plait/internal/core"
	"plait/internal/files"
)

// creationFlags are the choices of every command that creates a task.
type creationFlags struct {
	server        string
	priority      int
	asJSON, again bool
	// callback is told of the end of the task; it may be empty.
	callback string
}

func (f *creationFlags) add(c *cobra.Command) {
	addServer(c, &f.server)
	f.priority = core.DefaultPriority
	c.Flags().Var(upTo(&f.priority, core.LastPriority), "priority", "priority 1 (highest) to 5")
	c.Flags().BoolVar(&f.asJSON, "json", false, "print one JSON line an event")
	c.Flags().StringVar(&f.callback, "callback-url", "", "URL that the server tells of the end of the task")
	c.Flags().BoolVar(&f.again, "again", false, "start a new task even if the same one has ended before")
}

// submitFlags are the choices of `plait submit`.
type submitFlags struct {
	creationFlags
	title, out string
	fields     map[string]string
	urls       []string
}

func newSubmit(a *app) *cobra.Command {
	f := &submitFlags{}
	c := &cobra.Command{
		Use:   "submit KIND [FILE...]",
		Short: "Start a task of any kind, watch it, and write its result",
		Long: `Start a task of any kind, watch it to its end, and write its result to the file that -o names. Each --set gives one field of the
request, as the API describes it. Each --url names a file that the server fetches, in addition to local files. The same command continues an interrupted task and retries failed items.

Exit status: 0 done, 1 failed, 2 wrong usage, 3 some items failed, 130 interrupted.`,
		Example: "  plait submit comic book.cbz --set to=en -o book.en.cbz",
		Args: func(_ *cobra.Command, args []string) error {
			switch {
			case len(args) == 0:
				return errors.New("name a kind and the files for it")
			case len(args) == 1 && len(f.urls) == 0:
				return errors.New("name a file, or give --url")
			}
			return nil
		},
		RunE: a.configured(f.run),
	}
	f.add(c)
	c.Flags().StringToStringVar(&f.fields, "set", nil, "a field of the request, FIELD=VALUE; repeatable")
	c.Flags().StringArrayVar(&f.urls, "url", nil, "URL of a file that the server fetches; repeatable")
	c.Flags().StringVar(&f.title, "title", "", "title of the task (default: the name of the file)")
	c.Flags().StringVarP(&f.out, "out", "o", "", "where to write the result")
	return c
}

func (f *submitFlags) run(c *cobra.Command, l *config.Loaded, args []string) error {
	kind, err := kinds.Find(args[0])
	if err != nil {
		return usageError(c, err)
	}
	out, err := kind.Result(f.out)
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
		Path: kind.Path, Title: f.title, Priority: f.priority, Fields: f.fields, CallbackURL: f.callback, Files: client.FilesOf(uploads), URLs: f.urls,
	}
	s := newSession(c, l, f.server, progress.New(c.OutOrStdout(), f.asJSON, kinds.Progress()))
	return s.make("The same command continues the task.", out, func(ctx context.Context, api *client.Client) (schema.Task, error) {
		submitted, err := s.submit(ctx, api, request, sum, f.again)
		return submitted.Task, err
	})
}

// submit gives the task of a request for files of that sum, and says what an earlier run of the command has to do with it.
func (s *session) submit(ctx context.Context, api *client.Client, r client.Request, sum [sha256.Size]byte, again bool) (client.Submitted, error) {
	task, err := api.Submit(ctx, r, sum, again)
	made := task.CreatedAt.Local().Format(time.DateTime)
	switch {
	case err != nil:
	case task.Continued:
		s.display.Note("Continuing the task of " + made + ".")
	case task.Retried:
		s.display.Note("Retrying what failed in the task of " + made + ": " +
			progress.Count(task.Failed, kinds.Progress().Noun(task.Task)) + "; --again starts a new task.")
	}
	return task, err
}
