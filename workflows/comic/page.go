package comic

import (
	"go.temporal.io/sdk/workflow"

	"plait/internal/comic"
	"plait/internal/core"
	"plait/workflows"
)

// pageRun is the run of one page.
type pageRun struct {
	*workflows.ItemRun
	options  comic.Options
	prefetch *prefetch
	// turn, near and found are the page's turns in the orders of its chapter.
	turn, near, found workflows.Turn
}

// run is the process of a page.
func (r *pageRun) run(ctx workflow.Context) (core.Mode, error) {
	defer r.turn.Pass()
	defer r.near.Pass()
	defer r.found.Pass()
	if r.options.Mode == comic.ModeUnified {
		return comic.ModeUnified, r.whole(ctx, comic.StagePage, comic.PageInput{
			Page: r.Item, Options: r.options, Mode: comic.ModeUnified, AskShorter: r.asksShorter(),
		})
	}
	return r.split(ctx)
}

// whole processes all stages of a page on one host.
func (r *pageRun) whole(ctx workflow.Context, stage core.Stage, in comic.PageInput) error {
	var output comic.PageOutput
	step := workflows.Step{Stage: stage, Name: comic.StepPage, Options: workflows.DeviceAndModelStep(QueuePage)}
	return r.Step(ctx, step, in, &output)
}

func (r *pageRun) split(ctx workflow.Context) (core.Mode, error) {
	found, err := r.detect(ctx)
	if err != nil || len(found.Regions) == 0 {
		return comic.ModeSplit, err
	}
	translations, err := r.translate(ctx, found)
	if err != nil {
		r.ReleaseLease(ctx, found.Lease)
		return comic.ModeSplit, err
	}
	return r.render(ctx, found, translations)
}

// translate translates a page in its turn. If prefetching is worthwhile, it first tries once before the turn, and that step waits for the
// turn itself. A failure of this try is repaired in the page's turn.
func (r *pageRun) translate(ctx workflow.Context, found comic.DetectOutput) ([]core.Translation, error) {
	r.WaitFor(ctx, comic.StageTranslate)
	if err := r.near.Wait(ctx); err != nil {
		return nil, err
	}
	in := comic.TranslateInput{Page: r.Item, Options: r.options, FromLang: found.FromLang, Regions: textsOf(found.Regions)}
	in.Prefetch = r.prefetch.prefetchesTranslation() && !r.turn.Come()
	translated, err := r.askTranslation(ctx, in)
	if in.Prefetch && err != nil && (workflows.IsTransient(err) || workflows.FailureOf(err).Code == core.CodeOutOfTurn) {
		r.WaitFor(ctx, comic.StageTranslate)
		in.Prefetch, in.Attempts = false, 1
		translated, err = r.askTranslation(ctx, in)
	}
	// The next page may be translated while this one is rendered.
	r.turn.Pass()
	r.prefetch.turn(workflow.Now(ctx))
	return translated.Translations, err
}

// askTranslation runs the translate step when the page's turn has come, or before.
func (r *pageRun) askTranslation(ctx workflow.Context, in comic.TranslateInput) (translated comic.TranslateOutput, err error) {
	step := workflows.Step{Stage: comic.StageTranslate, Name: comic.StepTranslate, Options: translatePrefetchOptions()}
	if !in.Prefetch {
		step.Options = workflows.ModelStep(QueueTranslate)
		if err := r.turn.Wait(ctx); err != nil {
			return translated, err
		}
	}
	if err := r.WaitWhilePaused(ctx); err != nil {
		return translated, err
	}
	r.near.PassAfter(&r.turn)
	asked, pauses := workflow.Now(ctx), r.Pauses()
	err = r.Step(ctx, step, in, &translated)
	if err == nil && r.Pauses() == pauses { // time in a pause does not count as translation time
		r.prefetch.translated(asked, workflow.Now(ctx))
	}
	return translated, err
}

// render finishes the page on the host of its lease, or repeats the whole page elsewhere when the lease is lost.
func (r *pageRun) render(ctx workflow.Context, found comic.DetectOutput, translations []core.Translation) (core.Mode, error) {
	in := comic.RenderInput{
		Page: r.Item, Options: r.options, LeaseID: found.LeaseID, ImageHash: found.ImageHash, Translations: translations,
		AskShorter: r.asksShorter(),
	}
	output, err := r.onHost(ctx, found, in)
	if err == nil && len(output.TooLong) > 0 {
		r.shorten(ctx, found, &in, output.TooLong)
		_, err = r.onHost(ctx, found, in)
	}
	switch {
	case err == nil:
		return comic.ModeSplit, nil
	case !workflows.IsLeaseLost(err):
		r.ReleaseLease(ctx, found.Lease)
		return comic.ModeSplit, err
	}
	cause := workflows.FailureOf(err).Code
	workflow.GetLogger(ctx).Warn("lease lost, the page is done again as a whole", "page", r.Index, "cause", cause)
	return comic.ModeFallback, r.whole(ctx, comic.StageFallback, comic.PageInput{
		Page: r.Item, Options: r.options, Mode: comic.ModeFallback, Translations: in.Translations, Cause: cause,
		AskShorter: in.AskShorter, Shortened: in.Shortened,
	})
}

// onHost renders the page on the host of its lease.
func (r *pageRun) onHost(ctx workflow.Context, found comic.DetectOutput, in comic.RenderInput) (output comic.PageOutput, err error) {
	step := workflows.Step{Stage: comic.StageRender, Name: comic.StepRender, Options: workflows.HostStep(found.Lease)}
	err = r.Step(ctx, step, in, &output)
	return output, err
}

// asksShorter reports whether the translator can produce shorter texts; a script cannot.
func (r *pageRun) asksShorter() bool { return r.options.Translator != core.TranslatorScript }

// shorten asks once for shorter texts of those that are too long, while the host keeps the lease, and puts them into the input of the
// render. Without shorter texts the page is lettered unchanged.
func (r *pageRun) shorten(ctx workflow.Context, found comic.DetectOutput, in *comic.RenderInput, tooLong []comic.OverflowText) {
	in.AskShorter = false
	asked := comic.ShortenInput{
		Page: r.Item, Options: r.options, FromLang: found.FromLang,
		Texts: comic.LongTexts(tooLong, found.Regions, in.Translations),
	}
	var shorter comic.ShortenOutput
	step := workflows.Step{Stage: comic.StageRender, Name: comic.StepShorten, Options: shortenOptions()}
	if err := r.Step(ctx, step, asked, &shorter); err != nil {
		workflow.GetLogger(ctx).Warn("no shorter texts", "page", r.Index, "error", err)
		return
	}
	in.Translations, in.Shortened = comic.Shorten(in.Translations, shorter.Translations)
}

// textsOf keeps only the fields of regions that a translator reads: outlines and colors would only enlarge the history.
func textsOf(regions []comic.Region) []comic.Region {
	texts := make([]comic.Region, len(regions))
	for i, region := range regions {
		texts[i] = comic.Region{
			Index: region.Index, Text: region.Text, Kind: region.Kind,
			SourceLang: region.SourceLang, TargetLang: region.TargetLang,
		}
	}
	return texts
}
