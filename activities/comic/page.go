package comic

import (
	"context"
	"maps"
	"slices"

	"plait/activities"
	"plait/internal/comic"
	"plait/internal/core"
	"plait/internal/lease"
	"plait/internal/memory"
	"plait/internal/records"
	comicrecords "plait/internal/records/comic"
	"plait/internal/translate/glossary"
)

// Page processes a whole page on this host: in mode unified, or after its detect context was lost. It leaves no context. The device
// is free while a translator is called.
func (a *Activities) Page(ctx context.Context, in comic.PageInput) (comic.PageOutput, error) {
	run := a.Run(ctx, in.Page, comic.StagePage, in.Mode)
	if in.Cause != "" && run.Attempt == in.Page.Attempts+1 {
		a.metrics.fellBack(in.Cause)
	}
	work := func(ctx context.Context, page comicrecords.Page) (comic.PageOutput, error) {
		if in.Translations == nil && page.Paused {
			return comic.PageOutput{}, errPaused
		}
		image, err := a.image(ctx, in.Page)
		if err != nil {
			return comic.PageOutput{}, err
		}
		terms, err := a.terms(ctx, in.Page, in.Options)
		if err != nil {
			return comic.PageOutput{}, err
		}
		w := &wholePage{a: a, run: run, in: in, image: image, terms: terms}
		defer func() { w.memory.Release() }()
		if in.Translations == nil {
			return w.translated(ctx, page)
		}
		return w.given(ctx, page)
	}
	step := activities.Step[comic.PageOutput]{Run: run, Urgent: in.Mode == comic.ModeFallback, Pays: true}
	return do(ctx, a, step, succeeded, work)
}

// wholePage is one run of the page step.
type wholePage struct {
	a       *Activities
	run     records.StageRun
	in      comic.PageInput
	image   []byte
	terms   []glossary.Entry
	context lease.Value
	// memory is the reservation for the context.
	memory *memory.Reservation
	found  comic.DetectOutput
	// lettering is set once the page was rendered, or its texts turned out to be too long.
	lettering *lettering
}

// given renders existing translations. One admission covers detection and lettering.
func (w *wholePage) given(ctx context.Context, page comicrecords.Page) (comic.PageOutput, error) {
	recorded, err := w.recorded(ctx)
	if err != nil {
		return comic.PageOutput{}, err
	}
	chosen, err := w.a.pages.Lettering(ctx, w.in.Page.TaskID, w.in.Page.Index)
	if err != nil {
		return comic.PageOutput{}, err
	}
	if w.memory, err = w.a.device.Reserve(ctx, w.image); err != nil {
		return comic.PageOutput{}, err
	}
	image, report, err := w.a.device.Take(ctx, w.run.Stage, w.image, func(decoded Decoded) (_ Lettered, err error) {
		if w.context, w.found, err = decoded.Detect(ctx, w.in.Options); err != nil {
			return nil, err
		}
		if !madeOf(w.in.Translations, recorded, w.found.Regions) {
			return nil, nil
		}
		if w.context, err = w.a.revised(w.context, chosen, len(w.found.Regions)); err != nil {
			return nil, err
		}
		w.lettering = w.newLettering(w.in.Translations)
		return w.lettering.draw(ctx, w.in.AskShorter)
	})
	if err != nil {
		return comic.PageOutput{}, err
	}
	if len(w.found.Regions) > 0 {
		w.memory.Keep(w.context.Bytes())
	}
	if w.lettering == nil {
		return w.reread(ctx, page, recorded)
	}
	w.lettering.image, w.lettering.report = image, report
	return w.settle(ctx)
}

// recorded returns the regions that the given translations belong to.
func (w *wholePage) recorded(ctx context.Context) ([]comicrecords.Region, error) {
	regions, err := w.a.pages.Regions(ctx, w.in.Page.TaskID, w.in.Page.Index)
	if err != nil || core.CheckTranslations(len(regions), w.in.Translations) != nil {
		return regions, err
	}
	if !slices.ContainsFunc(regions, func(r comicrecords.Region) bool { return r.Translation != "" }) {
		texts := core.TextsByRegion(w.in.Translations)
		for i := range regions {
			regions[i].Translation = texts[i]
		}
	}
	// Shorter texts are recorded only once a result shows them.
	for _, t := range shortened(w.in.Translations, w.in.Shortened) {
		regions[t.Index].Translation = t.Text
	}
	return regions, nil
}

// reread handles a host that reads the page differently from the one before: the new regions take the translations over, and only
// the rest is translated.
func (w *wholePage) reread(ctx context.Context, page comicrecords.Page, recorded []comicrecords.Region) (comic.PageOutput, error) {
	kept, rest := carryOver(dealtWith(recorded), w.found.Regions, true)
	w.a.log.Warn("this host reads the page differently", "page", w.in.Page.String(), "regions", len(w.found.Regions),
		"before", len(recorded), "untranslated", len(rest))
	all := comic.TranslateOutput{Provider: page.Provider, Model: page.Model}
	if len(rest) > 0 {
		var err error
		all, err = w.a.sharedTranslation(ctx, comic.TranslateInput{
			Page: w.in.Page, Options: w.in.Options, FromLang: w.found.FromLang, Regions: rest,
		})
		if err != nil {
			return comic.PageOutput{}, err
		}
	}
	all.Translations = slices.Concat(kept, all.Translations)
	// This comes last, because another attempt takes over what the records have.
	if err := w.a.pages.SaveDetect(ctx, w.run, w.found); err != nil {
		return comic.PageOutput{}, err
	}
	if len(w.found.Regions) == 0 {
		return w.withoutText(ctx)
	}
	if err := w.a.pages.SaveTranslations(ctx, w.run, all); err != nil {
		return comic.PageOutput{}, err
	}
	return w.letter(ctx, all.Translations)
}

// translated translates the page between its halves.
func (w *wholePage) translated(ctx context.Context, page comicrecords.Page) (comic.PageOutput, error) {
	left, found, err := w.a.device.Detect(ctx, w.run.Stage, w.image, w.in.Options)
	if err != nil {
		return comic.PageOutput{}, err
	}
	w.context, w.memory, w.found = left.Value, left.Memory, found
	if err := w.a.pages.SaveDetect(ctx, w.run, w.found); err != nil {
		return comic.PageOutput{}, err
	}
	if len(w.found.Regions) == 0 {
		return w.withoutText(ctx)
	}
	translation, err := w.a.translation(ctx, w.run, page, comic.TranslateInput{
		Page: w.in.Page, Options: w.in.Options, FromLang: w.found.FromLang, Regions: w.found.Regions,
	})
	if err != nil {
		return comic.PageOutput{}, err
	}
	return w.letter(ctx, translation.Translations)
}

func (w *wholePage) withoutText(ctx context.Context) (comic.PageOutput, error) {
	output := withoutText(w.in.Page, w.run.Mode, w.found)
	return output, w.a.pages.FinishPage(ctx, w.run, output)
}

// letter is the second half, with an admission of its own.
func (w *wholePage) letter(ctx context.Context, translations []core.Translation) (comic.PageOutput, error) {
	if err := core.CheckTranslations(len(w.found.Regions), translations); err != nil {
		return comic.PageOutput{}, err
	}
	chosen, err := w.a.pages.Lettering(ctx, w.in.Page.TaskID, w.in.Page.Index)
	if err != nil {
		return comic.PageOutput{}, err
	}
	if w.context, err = w.a.revised(w.context, chosen, len(w.found.Regions)); err != nil {
		return comic.PageOutput{}, err
	}
	w.lettering = w.newLettering(translations)
	if err := w.lettering.do(ctx, w.a.device, w.run.Stage, w.in.AskShorter); err != nil {
		return comic.PageOutput{}, err
	}
	return w.settle(ctx)
}

func (w *wholePage) newLettering(translations []core.Translation) *lettering {
	return &lettering{engine: w.a.engine, context: w.context, translations: translations, terms: w.terms}
}

// settle ends the page. When texts are too long, it first asks for shorter ones, without holding the device.
func (w *wholePage) settle(ctx context.Context) (comic.PageOutput, error) {
	l := w.lettering
	changed := shortened(l.translations, w.in.Shortened)
	if len(l.tooLong) > 0 {
		var err error
		if changed, err = w.shorten(ctx); err != nil {
			return comic.PageOutput{}, err
		}
		l.translations, _ = comic.Shorten(l.translations, changed)
		if err := l.do(ctx, w.a.device, w.run.Stage, false); err != nil {
			return comic.PageOutput{}, err
		}
	}
	return w.finish(ctx, changed)
}

// shorten replaces texts that are too long where a translator gives shorter ones. An error is logged: the page is rendered with the
// long texts.
func (w *wholePage) shorten(ctx context.Context) ([]core.Translation, error) {
	texts, err := w.a.shorter(ctx, comic.ShortenInput{
		Page: w.in.Page, Options: w.in.Options, FromLang: w.found.FromLang,
		Texts: comic.LongTexts(w.lettering.tooLong, w.found.Regions, w.lettering.translations),
	})
	if err != nil && ctx.Err() == nil && core.CodeOf(err) != core.CodePaused {
		w.a.log.Warn("no shorter texts", "page", w.in.Page.String(), "code", string(core.CodeOf(err)), "error", err)
		return nil, nil
	}
	return texts, err
}

// finish ends the page with its result. Elapsed is split as in the split contract: "context" is all of detect, "render" all of
// render.
func (w *wholePage) finish(ctx context.Context, changed []core.Translation) (comic.PageOutput, error) {
	report := w.lettering.report
	w.a.noteMissing(w.in.Page, report)
	elapsed := core.ElapsedMS{}
	maps.Copy(elapsed, w.found.Elapsed)
	maps.Copy(elapsed, report.Elapsed)
	elapsed["context"], elapsed["render"] = w.found.Elapsed["total"], report.Elapsed["total"]
	elapsed["total"] = elapsed["context"] + elapsed["render"]
	return w.a.finish(ctx, w.run, w.lettering, comic.PageOutput{
		Regions: len(w.found.Regions), Overflow: report.Overflow, Annotated: report.Annotated, Missing: report.Missing,
		Shortened: changed, Elapsed: elapsed,
	})
}
