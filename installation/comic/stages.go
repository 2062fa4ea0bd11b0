package comicinstallation

import (
	"bytes"
	"context"
	"errors"
	"log/slog"
	"slices"

	comicclient "plait/api/comic/client"
	"plait/api/schema"
	"plait/internal/comic"
	"plait/internal/comic/batch"
	"plait/internal/config"
	"plait/internal/core"
	"plait/internal/files"
	"plait/internal/translate"
	"plait/internal/translate/script"
	"plait/internal/translators"
)

// StagesOf repeats the steps of a task's pages on this machine, from the pages and texts of the task, and writes an image of each step to
// the folder. Steps are pure functions of these inputs, so the images equal those in the worker. Workers store no intermediate images by
// themselves. The last step of each page is compared with its result.
func StagesOf(
	ctx context.Context, l *config.Loaded, api comicclient.Client, task schema.Task, o comic.Options, pages []files.Page, folder string,
) (*batch.Letterer, error) {
	var texts bytes.Buffer
	if err := api.Script(ctx, task.ID, "json", &texts); err != nil {
		return nil, err
	}
	file, err := script.Parse(texts.Bytes())
	if err != nil {
		return nil, err
	}
	results := map[string]schema.Item{}
	for _, i := range task.Items {
		if i.Status == core.StatusSuccess {
			results[i.Name] = i
		}
	}
	pages = slices.DeleteFunc(pages, func(p files.Page) bool { return results[p.Name].Links == nil })
	w := &batch.Letterer{
		Options: o, Pages: pages, Untranslated: o.Sounds.Untranslated(translators.UntranslatedKinds(l.Translator)),
		Script: translate.FromScript(file, false, slog.New(slog.DiscardHandler)),
		Check: func(ctx context.Context, i int, made []byte) error {
			return sameAsResult(ctx, api, task.ID, results[pages[i].Name].Index, made)
		},
	}
	w.Stages, err = batch.NewStageFiles(files.NamesFor(pages), "--stages", folder)
	return w, err
}

// sameAsResult compares the output of the last step with the result of the page.
func sameAsResult(ctx context.Context, api comicclient.Client, task string, page int, made []byte) error {
	var result bytes.Buffer
	if err := api.ItemResult(ctx, task, page, &result); err != nil {
		return err
	}
	if !bytes.Equal(made, result.Bytes()) {
		return errors.New("the steps ran on another engine than the result, and end in a different image")
	}
	return nil
}
