package main

import (
	"bytes"
	"context"
	"errors"
	"log/slog"
	"slices"

	"plait/api/client"
	comicclient "plait/api/comic/client"
	"plait/api/schema"
	"plait/installation"
	"plait/internal/comic"
	"plait/internal/comic/batch"
	"plait/internal/core"
	"plait/internal/files"
	"plait/internal/translate"
	"plait/internal/translate/script"
	"plait/internal/translators"
)

// keepStages makes the steps of the pages of a task once more, here, from the pages and the texts of the task. Steps are pure
// functions of these, so what comes out is what the worker had, whatever host it runs on; workers keep, and store, no
// picture that nobody asks for. The last step is compared with the result of the page.
func (t *translation) keepStages(ctx context.Context, api *client.Client, task schema.Task) (err error) {
	var texts bytes.Buffer
	if err := (comicclient.Client{Client: api}).Script(ctx, task.ID, "json", &texts); err != nil {
		return err
	}
	file, err := script.Parse(texts.Bytes())
	if err != nil {
		return err
	}
	results := map[string]schema.Item{}
	for _, p := range task.Items {
		if p.Status == core.StatusSuccess {
			results[p.Name] = p
		}
	}
	in := files.List(t.args, installation.ArchiveLimits(&t.config.Config))
	defer in.Close()
	pages := slices.DeleteFunc(in.List, func(p files.Page) bool { return results[p.Name].Links == nil })
	w := &batch.Letterer{
		Options: comic.Options{From: t.request.From, To: t.request.To}, Pages: pages, Untranslated: translators.UntranslatedKinds(t.config.Translator),
		Script: translate.FromScript(file, slog.New(slog.DiscardHandler)),
		Check: func(ctx context.Context, i int, made []byte) error {
			return sameAsResult(ctx, api, task.ID, results[pages[i].Name], made)
		},
	}
	if w.Stages, err = stageFiles(t.config, files.NamesFor(pages), t.flags.stages); err != nil {
		return err
	}
	return runPages(t.command, t.config, pageFlags{}, pages, "kept in steps", w.Letter,
		func(string, batch.LetteredPage) string { return "" }, nil)
}

// sameAsResult compares what the steps ended in with the result of the page.
func sameAsResult(ctx context.Context, api *client.Client, task string, page schema.Item, made []byte) error {
	var result bytes.Buffer
	if err := api.ItemResult(ctx, task, page.Index, &result); err != nil {
		return err
	}
	if !bytes.Equal(made, result.Bytes()) {
		return errors.New("its steps were made by another engine than its result, and end in another picture")
	}
	return nil
}
