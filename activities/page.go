package activities

import (
	"context"
	"maps"

	"plait/internal/ctxcache"
	"plait/internal/pipeline"
	"plait/internal/records"
)

// Page takes a whole page on this host: in mode unified, or after its detect context was lost. It leaves no context.
// The device is free while a translator is asked.
func (a *Activities) Page(ctx context.Context, in pipeline.PageInput) (pipeline.PageOutput, error) {
	run := a.run(ctx, in.Page, pipeline.StagePage, in.Mode)
	if in.Cause != "" && run.Attempt == 1 {
		a.metrics.fellBack(in.Cause)
	}
	return perform(ctx, a, run, succeeded, func(ctx context.Context, page records.Page) (pipeline.PageOutput, error) {
		image, err := a.image(ctx, in.Page)
		if err != nil {
			return pipeline.PageOutput{}, err
		}
		w := &wholePage{a: a, run: run, in: in, image: image}
		if in.Translations == nil {
			return w.translated(ctx, page)
		}
		return w.given(ctx)
	})
}

// wholePage is one run of the page step.
type wholePage struct {
	a       *Activities
	run     records.StageRun
	in      pipeline.PageInput
	image   []byte
	context ctxcache.Context
	found   pipeline.DetectOutput
	output  []byte
	elapsed pipeline.ElapsedMS
}

// given letters translations that were already made: one hold of the device for both halves. Regions are not recorded
// again, for they are those that the translations were made of.
func (w *wholePage) given(ctx context.Context) (pipeline.PageOutput, error) {
	err := w.a.device.hold(ctx, w.run.Stage, func() error {
		if err := w.detect(ctx); err != nil {
			return err
		}
		return w.render(ctx, w.in.Translations)
	})
	if err != nil {
		return pipeline.PageOutput{}, err
	}
	return w.finish(ctx)
}

// translated asks for translations between the halves.
func (w *wholePage) translated(ctx context.Context, page records.Page) (pipeline.PageOutput, error) {
	if err := w.a.device.hold(ctx, w.run.Stage, func() error { return w.detect(ctx) }); err != nil {
		return pipeline.PageOutput{}, err
	}
	if err := w.a.records.SaveDetect(ctx, w.run, w.found); err != nil {
		return pipeline.PageOutput{}, err
	}
	if len(w.found.Regions) == 0 {
		output := withoutText(w.in.Page, w.run.Mode, w.found)
		return output, w.a.records.FinishPage(ctx, w.run, output)
	}
	translation, err := w.a.translation(ctx, w.run, page, pipeline.TranslateInput{
		Page: w.in.Page, Options: w.in.Options, FromLang: w.found.FromLang, Regions: w.found.Regions,
	})
	if err != nil {
		return pipeline.PageOutput{}, err
	}
	err = w.a.device.hold(ctx, w.run.Stage, func() error { return w.render(ctx, translation.Translations) })
	if err != nil {
		return pipeline.PageOutput{}, err
	}
	return w.finish(ctx)
}

func (w *wholePage) detect(ctx context.Context) (err error) {
	w.context, w.found, err = w.a.engine.Detect(ctx, w.image, w.in.Options)
	w.found.ImageHash = w.in.Page.Blob
	return err
}

func (w *wholePage) render(ctx context.Context, translations []pipeline.Translation) (err error) {
	if err := pipeline.CheckTranslations(len(w.found.Regions), translations); err != nil {
		return err
	}
	w.output, w.elapsed, err = w.a.engine.Render(ctx, w.context, translations)
	return err
}

// finish tells the halves apart as the split contract does: "context" is all of detect, "render" all of render.
func (w *wholePage) finish(ctx context.Context) (pipeline.PageOutput, error) {
	elapsed := maps.Clone(w.found.Elapsed)
	if elapsed == nil {
		elapsed = make(pipeline.ElapsedMS)
	}
	maps.Copy(elapsed, w.elapsed)
	elapsed["context"], elapsed["render"] = w.found.Elapsed["total"], w.elapsed["total"]
	elapsed["total"] = elapsed["context"] + elapsed["render"]
	return w.a.finish(ctx, w.run, w.output, pipeline.PageOutput{Regions: len(w.found.Regions), Elapsed: elapsed})
}
