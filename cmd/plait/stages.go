package main

import (
	"bytes"
	"context"
	"errors"
	"os"
	"slices"

	"plait/api/client"
	"plait/api/schema"
	"plait/internal/comic"
	"plait/internal/comic/overlay"
	"plait/internal/config"
	"plait/internal/core"
	"plait/internal/translate"
	"plait/internal/translate/script"
	"plait/internal/translators"
)

// stageFiles are where the steps of each page are kept.
type stageFiles struct {
	regions, masks, erased, results []string
	fonts                           *overlay.Fonts
}

func newStageFiles(o *outputs, dir string, l *config.Loaded) (s *stageFiles, err error) {
	s = &stageFiles{}
	if s.fonts, err = overlayFonts(l); err != nil {
		return nil, err
	}
	for _, step := range []struct {
		files  *[]string
		ending func(inputPage) string
	}{
		{&s.regions, ending(".regions.png")},
		{&s.masks, ending(".mask.png")},
		{&s.erased, ending(".erased.png")},
		{&s.results, func(p inputPage) string { return ".result" + ownEnding(p) }},
	} {
		if *step.files, err = o.files("--stages", dir, step.ending); err != nil {
			return nil, err
		}
	}
	return s, nil
}

// keepStages makes the steps of the pages of a task once more, here, from the pages and the texts of the task. Steps are pure
// functions of these, so what comes out is what the worker had, whatever host it runs on; workers keep, and store, no
// picture that nobody asks for. The last step is compared with the result of the page.
func (t *translation) keepStages(ctx context.Context, api *client.Client, task schema.Task) (err error) {
	var texts bytes.Buffer
	if err := api.Script(ctx, task.ID, "json", &texts); err != nil {
		return err
	}
	file, err := script.Parse(texts.Bytes())
	if err != nil {
		return err
	}
	results := map[string]schema.Page{}
	for _, p := range task.Pages {
		if p.Status == core.StatusSuccess {
			results[p.Name] = p
		}
	}
	inputs := openInputs(t.args, archiveLimits(t.config))
	defer inputs.Close()
	inputs.pages = slices.DeleteFunc(inputs.pages, func(p inputPage) bool { return results[p.name].Links == nil })
	own := *t.config // the engine settles its slots in it
	w := &letterer{
		options: comic.Options{From: task.From, To: task.To}, pages: inputs.pages, untranslated: translators.UntranslatedKinds(own.Translator),
		script: translate.FromScript(file, logger(t.stderr, quiet(own.Log, false))),
	}
	if w.stages, err = newStageFiles(inputs.outputs(), t.flags.stages, &own); err != nil {
		return err
	}
	e, err := openPageEngine(ctx, &own, pageFlags{}, len(w.pages))
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, e.Close()) }()
	failed := failures{errs: t.stderr}
	err = eachPage(ctx, w.pages, e.slots, func(ctx context.Context, i int) madePage {
		made := madePage{page: w.pages[i].name}
		made.err = e.withPage(ctx, w.pages[i], func(b []byte) error {
			if err := w.letter(ctx, e, i, b, &made); err != nil {
				return err
			}
			return sameAsResult(ctx, api, task.ID, results[made.page], w.stages.results[i])
		})
		return made
	}, func(made madePage) error {
		if made.err == nil {
			return nil
		}
		return failed.add(made.page, made.err)
	})
	if err != nil {
		return err
	}
	return failed.status(len(w.pages), "kept in steps")
}

// sameAsResult compares what the steps ended in with the result of the page.
func sameAsResult(ctx context.Context, api *client.Client, task string, page schema.Page, file string) error {
	var result bytes.Buffer
	if err := api.Image(ctx, task, page.Index, &result); err != nil {
		return err
	}
	made, err := os.ReadFile(file)
	if err == nil && !bytes.Equal(made, result.Bytes()) {
		return errors.New("its steps were made by another engine than its result, and end in another picture")
	}
	return err
}
