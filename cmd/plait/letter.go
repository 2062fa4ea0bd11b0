package main

import (
	"context"
	"errors"
	"slices"

	"github.com/spf13/cobra"

	"plait/internal/comic"
	"plait/internal/comic/engine"
	"plait/internal/config"
	"plait/internal/core"
	"plait/internal/languages"
	"plait/internal/translate"
	"plait/internal/translate/glossary"
	"plait/internal/translators"
)

// letterFlags are the choices of `plait letter`.
type letterFlags struct {
	pageFlags
	to, script, glossary, out, stages string
}

func newLetter(a *app) *cobra.Command {
	f := &letterFlags{}
	c := &cobra.Command{
		Use:   "letter PAGE... --script FILE --to LANG -o DIR",
		Short: "Letter pages from a script: images, folders, CBZ or ZIP files",
		Long: `Find the text of pages, remove what a script translates, letter the translation in its place, and write each page under
its name and in its format into a folder. Needs no server and no database; the pages are those that "plait translate"
makes of the same script and glossary.

The script is JSON or CSV, as "plait export" and a person made it. A page of which it does not know a text fails alone;
drawn sounds and page numbers that it does not know stay as they are drawn. Characters that no font has are left out, and
named.

With --stages every step of a page 01.jpg is kept in that folder as well: 01.regions.png, the page with its regions
marked; 01.mask.png, what was removed; 01.erased.png, the page without it; 01.result.jpg. Where nothing is translated,
there is no mask and nothing erased.

Exit status: 0 done, 1 failed, 2 wrong usage, 3 some pages failed, 130 interrupted.`,
		Example: `  plait letter page.png --script texts.csv --to en -o lettered/
  plait letter book.cbz --script script.json --from ja --to en -o lettered/ --stages stages/`,
		Args: somePages("letter"),
		RunE: a.configured(f.run),
	}
	f.add(c)
	c.Flags().StringVar(&f.to, "to", "", "language of the translations, such as en")
	c.Flags().StringVar(&f.script, "script", "", "file of the translations, JSON or CSV")
	c.Flags().StringVar(&f.glossary, "glossary", "", "file of names and terms, CSV, TSV or JSON, that no line parts")
	c.Flags().StringVarP(&f.out, "out", "o", "", "folder of the lettered pages")
	c.Flags().StringVar(&f.stages, "stages", "", "keep every step's picture in this folder")
	return c
}

func (f *letterFlags) run(c *cobra.Command, l *config.Loaded, args []string) (err error) {
	if err := f.check(c); err != nil {
		return err
	}
	w := &letterer{options: comic.Options{From: f.from, To: f.to}, untranslated: translators.UntranslatedKinds(l.Translator)}
	file, _, err := readScript(f.script)
	if err != nil {
		return err
	}
	if f.glossary != "" {
		if _, w.terms, err = readGlossary(f.glossary); err != nil {
			return err
		}
	}
	w.script = translate.FromScript(file, logger(c.ErrOrStderr(), l.Log))
	inputs := openInputs(args, archiveLimits(l))
	defer inputs.Close()
	w.pages = inputs.pages
	outputs := inputs.outputs()
	if w.files, err = outputs.files("-o", f.out, ownEnding); err != nil {
		return err
	}
	if f.stages != "" {
		if w.stages, err = newStageFiles(outputs, f.stages, l); err != nil {
			return err
		}
	}
	return makeFiles(c, l, f.pageFlags, inputs.pages, w.files, "lettered", w.letter)
}

func (f *letterFlags) check(c *cobra.Command) (err error) {
	switch {
	case f.script == "":
		return usageError(c, errors.New("--script is missing: the file of the translations"))
	case f.to == "":
		return usageError(c, errors.New("--to is missing: the language of the translations, such as --to en"))
	case f.out == "":
		return usageError(c, errors.New("-o is missing: the folder of the lettered pages"))
	}
	if f.to, err = languages.ParseTarget(f.to); err != nil {
		return usageError(c, err)
	}
	return f.pageFlags.check(c)
}

// letterer letters pages from a script.
type letterer struct {
	options comic.Options
	script  translate.Translator
	// untranslated are the kinds of regions that stay as they are drawn where the script does not know them.
	untranslated comic.RegionKinds
	// terms are kept whole.
	terms []glossary.Entry
	pages []inputPage
	// files and stages are where the pages and their steps are kept; nil keeps none.
	files  []string
	stages *stageFiles
}

// letter letters page i, and says of how many regions, and which characters it had to leave out.
func (w *letterer) letter(ctx context.Context, e *pageEngine, i int, page []byte, made *madePage) error {
	c, found, err := e.Detect(ctx, page, w.options)
	if err != nil {
		return err
	}
	var look func(*engine.Erased) error
	if w.stages != nil {
		if err := writeOverlay(ctx, w.stages.regions[i], c, w.stages.fonts); err != nil {
			return err
		}
		look = func(erased *engine.Erased) error {
			return errors.Join(writePNG(w.stages.masks[i], erased.Mask()), writePNG(w.stages.erased[i], erased.Image))
		}
	}
	translations, err := w.translate(ctx, w.pages[i].name, found)
	if err != nil {
		return err
	}
	result, report, err := e.RenderInStages(ctx, c, translations, look)
	if err != nil {
		return err
	}
	if w.stages != nil {
		if err := writeResult(w.stages.results[i], result); err != nil {
			return err
		}
	}
	if w.files != nil {
		if err := writeResult(w.files[i], result); err != nil {
			return err
		}
	}
	empty := func(t core.Translation) bool { return t.Text == "" }
	made.regions, made.missing = len(slices.DeleteFunc(translations, empty)), report.Missing
	return nil
}

// translate looks the regions of a page up in the script.
func (w *letterer) translate(ctx context.Context, page string, found comic.DetectOutput) ([]core.Translation, error) {
	request := translate.Request{Page: core.Item{Name: page}, From: found.FromLang, To: w.options.To}
	for _, r := range found.Regions {
		request.Segments = append(request.Segments, translate.Segment{Index: r.Index, Text: r.Text, Optional: w.untranslated.Have(r)})
	}
	answer, err := w.script.Translate(ctx, request)
	return glossary.Mark(w.terms, answer.Translations), err
}
