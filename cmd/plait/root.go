package main

import (
	"context"
	"errors"
	"fmt"
	"os"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"

	"plait/api/client"
	"plait/api/client/progress"
	"plait/installation"
	"plait/internal/config"
	"plait/internal/records"
)

// app is what the flags of the root say, for every subcommand.
type app struct {
	file  string
	flags *pflag.FlagSet
}

func newRoot() *cobra.Command {
	a := &app{}
	root := &cobra.Command{
		Use:   "plait",
		Short: "Durable pipelines for translating comics and documents",
		Long: `Plait translates comics and PDF documents durably: pages go in, translated pages come out, and a crash of anything loses nothing.

  plait translate book.cbz --from ja --to en    translates a chapter and writes book.en.cbz
  plait translate paper.pdf --to zh             translates a document and writes paper.zh.pdf
  plait up                                      keeps the API, the workers and their servers running

Every setting that "plait config" lists is a flag, an environment variable and a key of the settings file. A secret is
no flag: other users of a machine can read the flags of its processes.`,
		SilenceUsage:      true,
		SilenceErrors:     true,
		CompletionOptions: cobra.CompletionOptions{HiddenDefaultCmd: true},
	}
	a.flags = root.PersistentFlags()
	a.flags.StringVar(&a.file, "config", "", "settings file (default: "+config.DefaultFile+" if it is there)")
	config.AddFlags(a.flags)
	root.SetFlagErrorFunc(flagError)
	root.SuggestionsMinimumDistance = 2
	root.Args = func(c *cobra.Command, args []string) error {
		if len(args) == 0 {
			return nil
		}
		text := fmt.Sprintf("unknown command %q", args[0])
		if near := c.SuggestionsFor(args[0]); len(near) > 0 {
			text += fmt.Sprintf(", did you mean %s?", near[0])
		}
		return usageError(c, errors.New(text))
	}
	for _, s := range []struct {
		title    string
		commands []*cobra.Command
	}{
		{"Translate and make:", []*cobra.Command{newTranslate(a), newEstimate(a), newVideo(a), newSubmit(a), newGlossary(a)}},
		{"Work on pages without a server:", []*cobra.Command{newRead(a), newErase(a), newLetter(a)}},
		{"Follow and change tasks:", append([]*cobra.Command{newTasks(a), newExport(a), newEdit(a)}, newTaskCommands(a)...)},
		{"Run an installation:", []*cobra.Command{newUp(a), newAPI(a), newWorker(a), newMigrate(a), newDoctor(a), newConfig(a), newVersion(), newDev()}},
		{"Operate it:", []*cobra.Command{newTop(a), newHosts(a), newCosts(a), newKeys(a), newTenants(a), newTiers(a), newWebhooks(a), newAudit(a)}},
	} {
		root.AddGroup(&cobra.Group{ID: s.title, Title: s.title})
		for _, c := range s.commands {
			c.GroupID = s.title
			root.AddCommand(c)
		}
	}
	complete(root)
	return root
}

// complete gives c and the commands below it what most of them have: a command takes no arguments unless it says which, one that only
// holds others prints its help, and what cobra says of arguments is an error of usage.
func complete(c *cobra.Command) {
	check := c.Args
	if check == nil {
		check = cobra.NoArgs
	}
	c.Args = func(c *cobra.Command, args []string) error {
		if err := check(c, args); err != nil {
			return usageError(c, err)
		}
		return nil
	}
	if c.RunE == nil {
		c.RunE = func(c *cobra.Command, _ []string) error { return c.Help() }
	}
	for _, sub := range c.Commands() {
		complete(sub)
	}
}

// group makes c a command that only holds others.
func group(c *cobra.Command, subs ...*cobra.Command) *cobra.Command {
	c.AddCommand(subs...)
	return c
}

// load reads the configuration from all its sources.
func (a *app) load() (*config.Loaded, error) {
	l, err := config.Load(config.Sources{Flags: config.GivenFlags(a.flags), Environ: os.Environ(), File: a.file})
	if err != nil {
		return nil, &exitError{status: exitUsage, err: err}
	}
	return l, nil
}

// configured makes a command of what runs with the configuration.
func (a *app) configured(run func(*cobra.Command, *config.Loaded, []string) error) func(*cobra.Command, []string) error {
	return func(c *cobra.Command, args []string) error {
		l, err := a.load()
		if err != nil {
			return err
		}
		return run(c, l, args)
	}
}

// oneArgument is the argument of a command on one thing, such as TASK.
func oneArgument(name string) cobra.PositionalArgs {
	return func(_ *cobra.Command, args []string) error {
		if len(args) != 1 {
			return fmt.Errorf("name one %s, not %d", name, len(args))
		}
		return nil
	}
}

// withRecords calls work with the configuration and the database of the installation.
func withRecords(a *app, c *cobra.Command, work func(context.Context, *config.Loaded, *records.Store) error) error {
	l, err := a.load()
	if err != nil {
		return err
	}
	ctx := installation.WithActor(c.Context(), c.CommandPath())
	return installation.WithRecords(ctx, l, func(s *records.Store) error { return work(ctx, l, s) })
}

// onRecords makes c a command that works with the database of the installation.
func onRecords(a *app, c *cobra.Command, work func(context.Context, *records.Store, []string) error) *cobra.Command {
	c.RunE = func(c *cobra.Command, args []string) error {
		return withRecords(a, c, func(ctx context.Context, _ *config.Loaded, s *records.Store) error { return work(ctx, s, args) })
	}
	return c
}

// onAPI makes c a command that asks an API.
func onAPI(a *app, c *cobra.Command, work func(context.Context, *client.Client, []string) error) *cobra.Command {
	var server string
	addServer(c, &server)
	c.RunE = a.configured(func(c *cobra.Command, l *config.Loaded, args []string) error {
		s := newSession(c, l, server, progress.NewLines(c.ErrOrStderr(), nil))
		return s.use("Nothing was changed.", func(ctx context.Context, api *client.Client) error { return work(ctx, api, args) })
	})
	return c
}
