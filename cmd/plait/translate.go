package main

import (
	"context"
	"errors"
	"io"
	"time"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"

	"plait/api/client"
	"plait/api/client/progress"
	comicclient "plait/api/comic/client"
	"plait/api/schema"
	"plait/installation"
	comicinstallation "plait/installation/comic"
	"plait/internal/comic"
	"plait/internal/comic/batch"
	"plait/internal/config"
	"plait/internal/core"
	"plait/internal/files"
	"plait/internal/languages"
)

// readingOrder and soundMode make the flags --order and --sounds.
func readingOrder(order *comic.ReadingOrder) pflag.Value {
	return reading(order, "string", languages.Auto, comic.ParseReadingOrder)
}

func soundMode(mode *comic.SoundMode) pflag.Value {
	return reading(mode, "string", string(*mode), comic.ParseSoundMode)
}

// soundsHelp is the help of --sounds.
const soundsHelp = "what becomes of drawn sound effects: replace, annotate or keep (default: replace those that have a translation)"

// fastHelp is the help of --fast.
const fastHelp = "read pages with smaller models, in a third of the time; they miss and misread more"

// translateFlags are the choices of `plait translate`.
type translateFlags struct {
	creationFlags
	from, to, mode, translator  string
	out, folder, script, stages string
	strict                      bool
	sounds                      comic.SoundMode
	fast                        bool
	promptContextFlags
	documentFlags
}

func newTranslate(a *app) *cobra.Command {
	f := &translateFlags{}
	c := &cobra.Command{
		Use:   "translate INPUT... --to LANG",
		Short: "Translate a chapter (a CBZ or ZIP, a folder, or images) or a PDF",
		Long: `Translate a chapter or a document and write the result in the form of the input: a CBZ or ZIP becomes a CBZ, a folder or images
become a folder, a PDF becomes a PDF with the same layout, and a ZIP of two with --output both. Flags "of a PDF" are for documents
alone; --folder, --stages, --script, --strict, --sounds and --fast are for chapters alone.

Without --server everything runs on this machine: the command starts the embedded stack of the data folder, or joins the one that
runs there. The same command continues an interrupted run, repeats no finished step, and retries failed pages. Translations come from
the configured translator (see "plait config", translator.*), or with --script from a file that "plait export" wrote and a person
filled in.

--glossary names the terms of this task; they take precedence over those of "plait glossary set". "plait glossary suggest TASK"
writes such a file from a finished chapter. --synopsis tells the model what the chapter or the document is about.

With --stages every step of a page 01.jpg is kept in that folder: 01.regions.png, the page with its regions marked; 01.mask.png,
what was removed; 01.erased.png, the page without it; 01.result.jpg.

Exit status: 0 done, 1 failed, 2 wrong usage, 3 some pages failed, 4 no translator, 130 interrupted.`,
		Example: `  plait translate book.cbz --from ja --to en
  plait translate pages/ --to de -o pages.de/
  plait translate paper.pdf --to zh --output both --pages 1-12
  plait translate book.cbz --to en --glossary names.csv --synopsis @about.txt
  plait translate 01.png 02.png --from ja --to en --script script.en.json`,
		Args: somePages("translate"),
		RunE: a.configured(f.run),
	}
	c.Flags().Var(sourceLanguage(&f.from), "from", "language of the pages, or auto")
	c.Flags().Var(targetLanguage(&f.to), "to", "language to translate into, such as en (required)")
	c.Flags().StringVar(&f.mode, "mode", string(comic.ModeSplit), "split or unified; for a PDF, concurrent (its default) or serial")
	c.Flags().StringVar(&f.translator, "translator", "", "translator by name (default: the configured one)")
	c.Flags().StringVarP(&f.out, "out", "o", "", "result: a .cbz or .zip file, a folder, or the image of one page; for a PDF, a .pdf or .zip file (default: beside the input)")
	c.Flags().StringVar(&f.folder, "folder", "", "also write the pages into this folder")
	c.Flags().StringVar(&f.stages, "stages", "", "keep the picture of every step in this folder")
	c.Flags().StringVar(&f.script, "script", "", "take the translations from this file, JSON or CSV")
	c.Flags().BoolVar(&f.strict, "strict", false, "fail a page with a text that the script does not contain (default: leave the text as drawn)")
	c.Flags().Var(soundMode(&f.sounds), "sounds", soundsHelp)
	c.Flags().BoolVar(&f.fast, "fast", false, fastHelp)
	f.creationFlags.add(c)
	f.promptContextFlags.add(c)
	f.documentFlags.add(c)
	return c
}

// translation is one run of the command.
type translation struct {
	*session
	flags   *translateFlags
	args    []string
	chapter *files.Upload
	request comicclient.Request
	target  files.Result
	// before is when the task ended, where an earlier run of the command made it and it is done.
	before *time.Time
}

func (f *translateFlags) run(c *cobra.Command, l *config.Loaded, args []string) error {
	if err := demand(c, "to"); err != nil {
		return err
	}
	if len(args) == 1 && files.IsDocument(args[0]) {
		return f.runDocument(c, l, args[0])
	}
	if err := refuse(c, documentOnly, "a chapter"); err != nil {
		return err
	}
	t, err := f.prepare(c, l, args)
	if err != nil {
		return err
	}
	return t.use("The same command goes on from here.", func(ctx context.Context, api *client.Client) error {
		task, err := t.task(ctx, api)
		if err != nil {
			return err
		}
		if task, err = t.watch(ctx, api, task); err != nil {
			return err
		}
		return t.deliver(ctx, api, task)
	})
}

// prepare checks everything that can be checked before anything starts.
func (f *translateFlags) prepare(c *cobra.Command, l *config.Loaded, args []string) (*translation, error) {
	mode, err := core.OneOf("", core.Mode(f.mode), comic.ModeSplit, comic.ModeUnified)
	if err != nil {
		return nil, wrongValue(c, "mode", err)
	}
	t := &translation{session: newSession(c, l, f.server, progress.New(c.OutOrStdout(), f.asJSON, kinds.Progress())), flags: f, args: args}
	if t.chapter, err = files.OpenUpload(args); err != nil {
		return nil, err
	}
	t.request = comicclient.Request{From: f.from, To: f.to, Mode: mode, Title: t.chapter.Title, Translator: f.translator, Files: client.FilesOf(t.chapter.Files), Priority: f.priority, Sounds: f.sounds,
		Fast: f.fast, CallbackURL: f.callback}
	if f.script != "" {
		if _, t.request.Script, err = readScript(f.script); err != nil {
			return nil, err
		}
		t.request.Translator, t.request.Strict = core.TranslatorScript, f.strict
	} else if f.strict {
		return nil, usageError(c, errors.New("--strict needs --script"))
	}
	if t.request.Glossary, t.request.Synopsis, err = f.told(); err != nil {
		return nil, err
	}
	if f.stages != "" {
		if err := files.CheckFolder(f.stages); err != nil {
			return nil, err
		}
	}
	if t.target, err = files.ResultFor(t.chapter, f.to, f.out, f.folder); err != nil {
		return nil, usageError(c, err)
	}
	return t, t.target.Check(args)
}

// task returns the task of this run.
func (t *translation) task(ctx context.Context, api *client.Client) (schema.Task, error) {
	task, err := t.submit(ctx, api, t.request.Request(), t.chapter.Sum, t.flags.again)
	t.before = task.Done
	return task.Task, t.chapter.Blame(err)
}

// deliver writes what a task has made, and says where.
func (t *translation) deliver(ctx context.Context, api *client.Client, task schema.Task) error {
	if why := comicclient.NoTranslator(task); why != "" {
		return t.saveScript(ctx, api, task, why)
	}
	if t.before != nil {
		lines, err := t.renew(ctx, api, task.ID, t.target)
		if err != nil {
			return err
		}
		t.display.End(append([]string{"Translated before, on " + t.before.Local().Format(time.DateTime) + "; --again starts a new task."},
			append(lines, "task "+task.ID)...)...)
		return nil
	}
	if t.flags.stages != "" && task.SuccessCount > 0 {
		if err := t.keepStages(ctx, api, task); err != nil {
			return err
		}
	}
	return t.conclude(ctx, api, task, t.target)
}

// keepStages keeps the pictures of every step.
func (t *translation) keepStages(ctx context.Context, api *client.Client, task schema.Task) error {
	in := files.List(t.args, installation.ArchiveLimits(&t.config.Config))
	defer in.Close()
	o := comic.Options{From: t.request.From, To: t.request.To, Sounds: t.request.Sounds, Fast: t.request.Fast}
	w, err := comicinstallation.StagesOf(ctx, t.config, comicclient.Client{Client: api}, task, o, in.List, t.flags.stages)
	if err != nil {
		return err
	}
	return runPages(t.command, t.config, pageFlags{}, w.Pages, "kept in steps", w.Letter, func(string, batch.LetteredPage) string { return "" }, nil)
}

// saveScript writes what was read, as a script to fill in, when there is nobody to translate it, and names what to do.
func (t *translation) saveScript(ctx context.Context, api *client.Client, task schema.Task, why string) error {
	path := t.target.Beside(".script.json")
	// A script from an earlier run may contain hours of somebody's work.
	if err := files.WriteNew(path, func(w io.Writer) error { return comicclient.Client{Client: api}.Script(ctx, task.ID, "json", w) }); err != nil {
		return err
	}
	t.display.End(append(comicclient.NoTranslatorAdvice(task, why, path), "task "+task.ID)...)
	return &exitError{status: exitNoTranslator}
}
