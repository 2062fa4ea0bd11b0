package comic

import (
	"context"

	"plait/activities"
	"plait/internal/comic"
	"plait/internal/core"
	"plait/internal/lease"
	comicrecords "plait/internal/records/comic"
	"plait/internal/translate"
)

// readDrawn reads the text of the regions that people drew and nobody has read yet, while the device is held. It returns the context with
// them, or c if there are none.
func (r *editRun) readDrawn(ctx context.Context, c lease.Value) (lease.Value, error) {
	r.read = nil
	for i, region := range r.regions {
		if region.Reading != comic.ReadingRunning || region.Absent() {
			continue
		}
		x0, y0, x1, y1 := region.Bounds()
		read, err := r.a.engine.ReadArea(ctx, c, comic.Area{x0, y0, x1, y1}, r.from)
		if err != nil {
			return nil, err
		}
		read.Index, read.TargetLang, read.Override, read.Reading = region.Index, r.in.Options.To, region.Override, comic.ReadingDone
		r.read = append(r.read, read)
		if read.Override.Kind != "" {
			read.Kind = read.Override.Kind
		}
		r.regions[i] = read
	}
	if len(r.read) == 0 {
		return c, nil
	}
	return r.a.engine.Revise(c, r.regions)
}

// saveReadings records what was read. A run that ends before that reads it again.
func (r *editRun) saveReadings(ctx context.Context) error {
	if len(r.read) == 0 {
		return nil
	}
	return r.a.pages.SaveReadings(ctx, r.in.Page, r.read)
}

// TranslateDrawn translates the regions that people drew on a page, with the rest of the page and the pages before it as context. Without
// a model they stay as drawn, for a person to translate. The call is recorded: a later attempt uses the recorded answer.
func (a *Activities) TranslateDrawn(ctx context.Context, in comic.TranslateDrawnInput) (comic.TranslateDrawnOutput, error) {
	ctx, leave := activities.Heartbeat(ctx, true)
	defer leave()
	output, err := activities.Guarded(func() (comic.TranslateDrawnOutput, error) { return a.translateDrawn(ctx, in) })
	if err != nil {
		err = a.Unrecorded(ctx, in.Page, comic.StepTranslateDrawn, false, err)
	}
	return output, err
}

func (a *Activities) translateDrawn(ctx context.Context, in comic.TranslateDrawnInput) (out comic.TranslateDrawnOutput, err error) {
	waiting, err := a.pages.Untranslated(ctx, in.Page)
	if err != nil || len(waiting) == 0 {
		return out, err
	}
	all, err := a.drawnTranslation(ctx, in, waiting)
	if core.CodeOf(err) == core.CodeTranslatorMissing {
		a.log.Info("no model translates the regions that a person drew", "page", in.Page.String(), "error", err)
		err = nil
	}
	if err != nil {
		return out, err
	}
	texts := core.TextsByRegion(all.Translations)
	for _, r := range waiting {
		if _, has := texts[r.Index]; !has {
			all.Translations = append(all.Translations, core.Translation{Index: r.Index})
		}
		if texts[r.Index] == "" {
			out.Untranslated++
		} else {
			out.Translated++
		}
	}
	return out, a.pages.SaveDrawn(ctx, in.Page, all)
}

// drawnTranslation asks the model of the task, or that of the installation for a task with a script.
func (a *Activities) drawnTranslation(ctx context.Context, in comic.TranslateDrawnInput, waiting []comic.Region) (comic.TranslateOutput, error) {
	translator, err := a.modelOf(ctx, in.Options)
	if err != nil {
		return comic.TranslateOutput{}, err
	}
	request, err := a.requestOnPage(ctx, in.Page, in.Options, waiting)
	if err != nil {
		return comic.TranslateOutput{}, err
	}
	return a.modelTranslation(ctx, translator, request)
}

// modelOf returns the model of a task, or that of the installation for a task that a script translates. It fails with
// CodeTranslatorMissing.
func (a *Activities) modelOf(ctx context.Context, o comic.Options) (translate.Translator, error) {
	if a.translators == nil {
		return nil, core.NewError(core.CodeTranslatorMissing, "this worker has no translator")
	}
	if o.Translator == core.TranslatorScript {
		o.Translator = ""
	}
	return a.translators(ctx, o)
}

// requestOnPage is a request for some regions of a page that is translated otherwise.
func (a *Activities) requestOnPage(ctx context.Context, page core.Item, o comic.Options, asked []comic.Region) (translate.Request, error) {
	p, err := a.pages.Page(ctx, page.TaskID, page.Index)
	if err != nil {
		return translate.Request{}, err
	}
	others, err := a.pages.Regions(ctx, page.TaskID, page.Index)
	if err != nil {
		return translate.Request{}, err
	}
	told, err := a.promptContextOf(ctx, page, o.To, asked)
	if err != nil {
		return translate.Request{}, err
	}
	request := translate.Request{Page: page, From: p.FromLang, To: o.To, Segments: a.segments(o, asked)}
	request.Done = donePairs(others, asked)
	keepEmphasis(&request)
	a.addPromptContext(&request, told)
	return request, nil
}

// donePairs are the texts of a page besides some of its regions.
func donePairs(page []comicrecords.Region, besides []comic.Region) (pairs []translate.Pair) {
	asked := map[int]bool{}
	for _, r := range besides {
		asked[r.Index] = true
	}
	for _, r := range page {
		if r.Translation != "" && !asked[r.Index] && !r.Absent() {
			pairs = append(pairs, translate.Pair{Source: r.Source, Translation: r.Translation})
		}
	}
	return pairs
}
