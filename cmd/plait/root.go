package main

import (
	"errors"
	"fmt"
	"os"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"

	"plait/internal/config"
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
	root.RunE = func(c *cobra.Command, _ []string) error { return c.Help() }
	root.AddCommand(
		newTranslate(a), newVideo(a), newSubmit(a), newRead(a), newErase(a), newLetter(a), newExport(a), newEdit(a), newTasks(a), newUp(a), newAPI(a), newWorker(a), newMigrate(a), newKeys(a), newTenants(a), newTiers(a), newAudit(a), newWebhooks(a), newHosts(a), newTop(a), newCosts(a), newDoctor(a), newConfig(a), newEstimate(a), newGlossary(a), newDev(), newVersion(),
	)
	root.AddCommand(newTaskCommands(a)...)
	checkArguments(root)
	return root
}

// checkArguments makes what cobra says of the arguments of c, and of the commands below it, an error of usage.
func checkArguments(c *cobra.Command) {
	if check := c.Args; check != nil {
		c.Args = func(c *cobra.Command, args []string) error {
			if err := check(c, args); err != nil {
				return usageError(c, err)
			}
			return nil
		}
	}
	for _, sub := range c.Commands() {
		checkArguments(sub)
	}
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
