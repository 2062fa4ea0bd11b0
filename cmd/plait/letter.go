package main

import (
	"fmt"

	"github.com/spf13/cobra"

	"plait/api/client/progress"
	comicclient "plait/api/comic/client"
	"plait/installation"
	"plait/internal/comic"
	"plait/internal/comic/batch"
	"plait/internal/config"
	"plait/internal/files"
	"plait/internal/translate"
	"plait/internal/translate/glossary"
	"plait/internal/translate/script"
	"plait/internal/translators"
)

// letterFlags are the choices of `plait letter`.
type letterFlags struct {
	pageFlags
	to, script, glossary, out, stages string
	sounds                            comic.SoundMode
	strict, fast                      bool
}

func newLetter(a *app) *cobra.Command {
	f := &letterFlags{}
	c := &cobra.Command{
		Use:   "letter PAGE... --script FILE --to LANG -o DIR",
		Short: "Letter pages from a script: images, folders, CBZ or ZIP files",
		Long: `Find the text of pages, remove what a script translates, letter the translations in its place, and write the pages into a folder
under their own names and in their own formats. The command needs no server and no database. Its pages are the same as those of "plait
translate" with the same script and glossary.

The script is JSON or CSV, as "plait export" writes it. A text that it does not contain stays as drawn, with a warning; with --strict its
page fails. A page that it does not contain fails. Characters that no font contains are left out, with a warning.

--glossary names terms that are not divided between lines.

With --stages every step of a page 01.jpg is kept in that folder: 01.regions.png, the page with its regions marked; 01.mask.png,
what was removed; 01.erased.png, the page without it; 01.result.jpg. A page without translations has no mask and no erased page.

Exit status: 0 done, 1 failed, 2 wrong usage, 3 some pages failed, 130 interrupted.`,
		Example: `  plait letter page.png --script texts.csv --to en -o lettered/
  plait letter book.cbz --script script.json --from ja --to en -o lettered/ --stages stages/`,
		Args: somePages("letter"),
		RunE: a.configured(f.run),
	}
	f.add(c)
	c.Flags().Var(targetLanguage(&f.to), "to", "language of the translations, such as en (required)")
	c.Flags().StringVar(&f.script, "script", "", "file of the translations, JSON or CSV (required)")
	c.Flags().BoolVar(&f.strict, "strict", false, "fail a page with a text that the script does not contain")
	c.Flags().Var(soundMode(&f.sounds), "sounds", soundsHelp)
	c.Flags().BoolVar(&f.fast, "fast", false, fastHelp)
	c.Flags().StringVar(&f.glossary, "glossary", "", "file of names and terms, CSV, TSV or JSON")
	c.Flags().StringVarP(&f.out, "out", "o", "", "folder for the lettered pages (required)")
	c.Flags().StringVar(&f.stages, "stages", "", "folder for pictures of every step")
	return c
}

func (f *letterFlags) run(c *cobra.Command, l *config.Loaded, args []string) error {
	if err := demand(c, "script", "to", "out"); err != nil {
		return err
	}
	file, _, err := readScript(f.script)
	if err != nil {
		return err
	}
	in := files.List(args, installation.ArchiveLimits(&l.Config))
	defer in.Close()
	w := &batch.Letterer{
		Options: comic.Options{From: f.From, To: f.to, Sounds: f.sounds, Fast: f.fast}, Pages: in.List,
		Untranslated: f.sounds.Untranslated(translators.UntranslatedKinds(l.Translator)),
		Script:       translate.FromScript(file, f.strict, installation.NewLogger(c.ErrOrStderr(), l.Log)),
	}
	if f.glossary != "" {
		if _, w.Glossary, err = files.Parse(f.glossary, glossary.MaxBytes, glossary.Parse); err != nil {
			return err
		}
	}
	names := files.NamesFor(in.List)
	if w.Files, err = names.In("-o", f.out, files.OwnEnding); err != nil {
		return err
	}
	if f.stages != "" {
		if w.Stages, err = batch.NewStageFiles(names, "--stages", f.stages); err != nil {
			return err
		}
	}
	return runPages(c, l, f.pageFlags, in.List, "lettered", w.Letter, func(page string, done batch.LetteredPage) string {
		if done.Unknown > 0 {
			fmt.Fprintf(c.ErrOrStderr(), "plait: %s: %s left as drawn: the script has no translation\n", page, progress.Count(done.Unknown, "text"))
		}
		if done.Missing != "" {
			fmt.Fprintln(c.ErrOrStderr(), "plait: "+comicclient.LeftOut(page, done.Missing))
		}
		return fmt.Sprintf("%s: %s lettered → %s\n", page, progress.Count(done.Regions, "region"), done.File)
	}, nil)
}

// readScript is the script of a file, parsed and as it is.
func readScript(path string) (*script.File, []byte, error) {
	content, parsed, err := files.Parse(path, script.MaxBytes, script.Parse)
	return parsed, content, err
}
