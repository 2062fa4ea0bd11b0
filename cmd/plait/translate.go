package main

import (
	"context"
	"errors"
	"fmt"
	"os"
	"slices"
	"time"

	"github.com/spf13/cobra"
	"golang.org/x/term"

	"plait/api/client"
	"plait/api/schema"
	"plait/internal/comic"
	"plait/internal/config"
	"plait/internal/core"
	"plait/internal/files"
	"plait/internal/languages"
)

// translateFlags are the choices of `plait translate`.
type translateFlags struct {
	from, to, mode, translator string
	out, folder, script        string
	stages                     string
	priority                   int
	asJSON, again              bool
	serverFlags
	senseFlags
}

func newTranslate(a *app) *cobra.Command {
	f := &translateFlags{}
	c := &cobra.Command{
		Use:   "translate INPUT... --to LANG",
		Short: "Translate a chapter: a CBZ or ZIP, a folder, or images",
		Long: `Translate a chapter and write it in its own form: a CBZ or ZIP becomes a CBZ, a folder or images become a folder.

Without --server everything runs on this machine: the command starts the embedded stack of the data folder, or joins
the one that runs there. A run that was interrupted, by Ctrl-C or worse, is taken up by the same command; no finished
step is done twice. After a run that ended with failed pages, it does those once more. Translations come from the
configured translator (see "plait config", translator.*), or with --script from a file that "plait export" wrote and a
person filled in.

With --glossary names and terms are called as that file says, before what "plait glossary set" keeps for all chapters;
"plait glossary suggest TASK" writes such a file from a chapter that is done. With --synopsis a model is told what the chapter is about.

With --stages every step of a page 01.jpg is kept in that folder as well, made once more on this machine: 01.regions.png,
the page with its regions marked; 01.mask.png, what was removed; 01.erased.png, the page without it; 01.result.jpg.

Exit status: 0 done, 1 failed, 2 wrong usage, 3 some pages failed, 4 no translator, 130 interrupted.`,
		Example: `  plait translate book.cbz --from ja --to en
  plait translate pages/ --to de -o pages.de/
  plait translate book.cbz --to en --glossary names.csv --synopsis @about.txt
  plait translate 01.png 02.png --from ja --to en --script script.en.json`,
		Args: func(c *cobra.Command, args []string) error {
			if len(args) == 0 {
				return usageError(c, errors.New("name a CBZ, a folder or images to translate"))
			}
			return nil
		},
		RunE: func(c *cobra.Command, args []string) error {
			l, err := a.load()
			if err != nil {
				return err
			}
			return f.run(c, l, args)
		},
	}
	c.Flags().StringVar(&f.from, "from", languages.Auto, "language of the pages, or auto")
	c.Flags().StringVar(&f.to, "to", "", "language to translate into (required)")
	c.Flags().StringVar(&f.mode, "mode", string(comic.ModeSplit), "split or unified")
	c.Flags().StringVar(&f.translator, "translator", "", "translator by name (default: the configured one)")
	c.Flags().StringVarP(&f.out, "out", "o", "", "result: a .cbz or .zip file, or a folder (default: beside the input)")
	c.Flags().StringVar(&f.folder, "folder", "", "write the pages into this folder as well")
	c.Flags().StringVar(&f.stages, "stages", "", "keep every step's picture in this folder")
	c.Flags().StringVar(&f.script, "script", "", "take the translations from this file, JSON or CSV")
	f.serverFlags.add(c)
	f.senseFlags.add(c)
	c.Flags().IntVar(&f.priority, "priority", core.DefaultPriority, "which tasks go first where they queue: 1 to 5, 1 does")
	c.Flags().BoolVar(&f.asJSON, "json", false, "print one JSON line an event")
	c.Flags().BoolVar(&f.again, "again", false, "begin anew although the same run has ended before")
	return c
}

// translation is one run of the command.
type translation struct {
	access
	flags   *translateFlags
	command *cobra.Command
	args    []string
	chapter *files.Upload
	request client.Request
	target  files.Result
}

func (f *translateFlags) run(c *cobra.Command, l *config.Loaded, args []string) error {
	t, err := f.prepare(c, l, args)
	if err != nil {
		return err
	}
	return t.use(c.Context(), "The same command goes on from here.", func(ctx context.Context, api *client.Client) error {
		task, err := t.follow(ctx, api)
		if err != nil {
			return err
		}
		return t.deliver(ctx, api, task)
	})
}

// prepare checks everything that can be checked before anything starts.
func (f *translateFlags) prepare(c *cobra.Command, l *config.Loaded, args []string) (*translation, error) {
	if f.to == "" {
		return nil, usageError(c, errors.New("--to is missing: the language to translate into, such as --to en"))
	}
	from, err := languages.ParseSource(f.from)
	if err != nil {
		return nil, usageError(c, err)
	}
	to, err := languages.ParseTarget(f.to)
	if err != nil {
		return nil, usageError(c, err)
	}
	mode := core.Mode(f.mode)
	if mode != comic.ModeSplit && mode != comic.ModeUnified {
		return nil, usageError(c, fmt.Errorf("--mode %q is not split or unified", f.mode))
	}
	if f.priority < core.FirstPriority || f.priority > core.LastPriority {
		return nil, usageError(c, fmt.Errorf("--priority %d is not from %d to %d", f.priority, core.FirstPriority, core.LastPriority))
	}
	t := &translation{
		access: access{serverFlags: f.serverFlags, config: l, display: newDisplay(c, f.asJSON), stderr: c.ErrOrStderr()}, flags: f, command: c, args: args,
	}
	if t.chapter, err = files.OpenUpload(args); err != nil {
		return nil, err
	}
	t.request = client.Request{From: from, To: to, Mode: mode, Title: t.chapter.Title, Translator: f.translator, Files: clientFiles(t.chapter.Files), Priority: f.priority}
	if f.script != "" {
		if _, t.request.Script, err = readScript(f.script); err != nil {
			return nil, err
		}
		t.request.Translator = core.TranslatorScript
	}
	if t.request.Glossary, _, err = f.terms(); err != nil {
		return nil, err
	}
	if t.request.Synopsis, err = f.story(); err != nil {
		return nil, err
	}
	if f.stages != "" {
		if err := files.CheckFolder(f.stages); err != nil {
			return nil, err
		}
	}
	if t.target, err = files.ResultFor(t.chapter, to, f.out, f.folder); err != nil {
		return nil, usageError(c, err)
	}
	return t, t.target.Check(args)
}

func newDisplay(c *cobra.Command, asJSON bool) display {
	out := c.OutOrStdout()
	file, isFile := out.(*os.File)
	switch {
	case asJSON:
		return newJSONDisplay(out)
	case isFile && term.IsTerminal(int(file.Fd())):
		return newBarDisplay(out)
	default:
		return newPlainDisplay(out)
	}
}

// follow makes the task, or finds the one that an earlier run of the same command made, and watches it to its end.
func (t *translation) follow(ctx context.Context, api *client.Client) (schema.Task, error) {
	task, err := t.task(ctx, api)
	if err != nil {
		return task, err
	}
	return t.watch(ctx, api, task)
}

// create makes the task. What is wrong with the content of an archive is said with its name: the server knows none.
func (t *translation) create(ctx context.Context, api *client.Client) (schema.Task, error) {
	task, err := api.Create(ctx, t.request)
	ofContent := []core.Code{core.CodeInvalidArchive, core.CodeInvalidImage, core.CodeImageTooLarge, core.CodeTooLarge}
	if t.chapter.Archive && slices.Contains(ofContent, core.CodeOf(err)) {
		err = files.In(t.args[0], err)
	}
	return task, err
}

// maxAttempts bounds how often one input may have failed before a person has to look.
const maxAttempts = 1000

// task is the task of this very run, whose failed pages are done once more when it has ended without success; or a new one.
func (t *translation) task(ctx context.Context, api *client.Client) (schema.Task, error) {
	for attempt := range maxAttempts {
		t.request.IdempotencyKey = t.request.KeyOf(t.chapter.Sum, attempt)
		found, err := api.Find(ctx, t.request.IdempotencyKey)
		if core.CodeOf(err) == core.CodeNotFound {
			return t.create(ctx, api)
		}
		if err != nil {
			return found, err
		}
		switch {
		case !found.Status.Ended():
			t.display.note("Going on with the task of " + found.CreatedAt.Local().Format(time.DateTime) + ".")
			return found, nil
		case found.Status == core.StatusSuccess && !t.flags.again:
			t.display.note("Translated before, on " + found.CreatedAt.Local().Format(time.DateTime) + "; --again begins anew.")
			return found, nil
		case (found.Status == core.StatusPartial || found.Status == core.StatusError) && found.FilesRemovedAt == nil && !t.flags.again:
			t.display.note("Doing once more what failed on " + found.CreatedAt.Local().Format(time.DateTime) + ": " + count(found.FailedCount, "page") + "; --again begins anew.")
			return api.Retry(ctx, found.ID)
		}
	}
	return schema.Task{}, fmt.Errorf("this input has failed %d times with these choices", maxAttempts)
}

func clientFiles(pages []files.Page) []client.File {
	list := make([]client.File, len(pages))
	for i, p := range pages {
		list[i] = client.File{Name: p.Name, Open: p.Open}
	}
	return list
}
