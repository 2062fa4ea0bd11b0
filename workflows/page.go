package workflows

import (
	"errors"

	"go.temporal.io/sdk/temporal"
	"go.temporal.io/sdk/workflow"

	"plait/internal/comic"
	"plait/internal/core"
)

// pageRun takes one page its way, for a chapter and for a task of one image alike.
type pageRun struct {
	page    core.Item
	options comic.Options
	tracker *tracker
	gate    *gate
	pacer   *pacer
	turn    turn
	// near is passed on when the turn of the page has come, and its translation is asked for.
	near turn
	// found is passed on when the first try to detect the page is over.
	found turn
}

// run ends the page: with a result, or with a failure that is recorded. It returns ok == false when the task was
// canceled first, and then nothing is recorded: the end of the task settles the pages that it leaves.
func (r *pageRun) run(ctx workflow.Context) (result comic.PageResult, ok bool) {
	defer r.turn.pass()
	defer r.near.pass()
	defer r.found.pass()
	output, err := r.way(ctx)
	result = comic.PageResult{Index: r.page.Index}
	if err == nil {
		result.Output = &output
	} else {
		if ctx.Err() != nil { // however the step ended, by now no step could record it
			return result, false
		}
		failure := failureOf(err)
		result.Failure = &failure
		r.recordFailure(ctx, failure)
	}
	r.tracker.end(ctx, result)
	return result, true
}

func (r *pageRun) way(ctx workflow.Context) (comic.PageOutput, error) {
	if r.options.Mode == comic.ModeUnified {
		return r.unified(ctx)
	}
	return r.split(ctx)
}

func (r *pageRun) unified(ctx workflow.Context) (comic.PageOutput, error) {
	var output comic.PageOutput
	err := r.step(ctx, comic.StagePage, pageOptions(), comic.StepPage, comic.PageInput{
		Page: r.page, Options: r.options, Mode: comic.ModeUnified, AskShorter: r.asksShorter(),
	}, &output)
	return output, err
}

func (r *pageRun) split(ctx workflow.Context) (comic.PageOutput, error) {
	found, err := r.detect(ctx)
	if err != nil {
		return comic.PageOutput{}, err
	}
	if len(found.Regions) == 0 {
		return comic.PageOutput{
			Result: r.page.Blob, Mode: comic.ModeSplit, NoChangeReason: comic.NoText, Elapsed: found.Elapsed,
		}, nil
	}
	translations, err := r.translate(ctx, found)
	if err != nil {
		r.drop(ctx, found)
		return comic.PageOutput{}, err
	}
	return r.render(ctx, found, translations)
}

// translate asks for the translations of a page in its turn or, where that is worth it, once before: that one waits for its turn
// within the step. Whatever comes between is mended in the turn of the page.
func (r *pageRun) translate(ctx workflow.Context, found comic.DetectOutput) ([]core.Translation, error) {
	r.tracker.enter(ctx, r.page, comic.StageTranslate, true)
	if err := r.near.wait(ctx); err != nil {
		return nil, err
	}
	in := comic.TranslateInput{Page: r.page, Options: r.options, FromLang: found.FromLang, Regions: textsOf(found.Regions)}
	in.Ahead = r.pacer.asksAhead() && !r.turn.come()
	translated, err := r.askTranslation(ctx, in)
	if in.Ahead && err != nil && (mayMend(err) || failureOf(err).Code == core.CodeOutOfTurn) {
		r.tracker.enter(ctx, r.page, comic.StageTranslate, true)
		in.Ahead, in.Attempts = false, 1
		translated, err = r.askTranslation(ctx, in)
	}
	// The next page may be translated while this one is rendered.
	r.turn.pass()
	r.pacer.turn(workflow.Now(ctx))
	return translated.Translations, err
}

// askTranslation asks for the translation of a page when its turn has come, or before.
func (r *pageRun) askTranslation(ctx workflow.Context, in comic.TranslateInput) (translated comic.TranslateOutput, err error) {
	options := aheadOptions()
	if !in.Ahead {
		options = translateOptions()
		if err := r.turn.wait(ctx); err != nil {
			return translated, err
		}
	}
	if err := r.gate.wait(ctx); err != nil {
		return translated, err
	}
	r.near.passAfter(&r.turn)
	asked, held := workflow.Now(ctx), r.gate.held
	err = r.step(ctx, comic.StageTranslate, options, comic.StepTranslate, in, &translated)
	if err == nil && r.gate.held == held { // a pause is no time that a translation takes
		r.pacer.translated(asked, workflow.Now(ctx))
	}
	return translated, err
}

// render finishes the page on the host of its detect context, or anew as a whole when that context is lost.
func (r *pageRun) render(
	ctx workflow.Context, found comic.DetectOutput, translations []core.Translation,
) (comic.PageOutput, error) {
	in := comic.RenderInput{
		Page: r.page, Options: r.options, ContextID: found.ContextID, ImageHash: found.ImageHash, Translations: translations,
		AskShorter: r.asksShorter(),
	}
	output, err := r.onHost(ctx, found, in)
	if err == nil && len(output.TooLong) > 0 {
		r.shorten(ctx, found, &in, output.TooLong)
		output, err = r.onHost(ctx, found, in)
	}
	if err == nil {
		return output, nil
	}
	if failureOf(err).Code.RetryRule() != core.RetryFallback {
		r.drop(ctx, found)
		return output, err
	}
	cause := failureOf(err).Code
	workflow.GetLogger(ctx).Warn("detect context lost, the page is done again as a whole", "page", r.page.Index, "cause", cause)
	err = r.step(ctx, comic.StageFallback, pageOptions(), comic.StepPage, comic.PageInput{
		Page: r.page, Options: r.options, Mode: comic.ModeFallback, Translations: in.Translations, Cause: cause,
		AskShorter: in.AskShorter, Shortened: in.Shortened,
	}, &output)
	return output, err
}

// onHost renders the page where its detect context is.
func (r *pageRun) onHost(ctx workflow.Context, found comic.DetectOutput, in comic.RenderInput) (output comic.PageOutput, err error) {
	err = r.step(ctx, comic.StageRender, renderOptions(found), comic.StepRender, in, &output)
	return output, err
}

// step runs one activity under the name of its stage, and says so to whoever watches. One that would ask a model while the
// task pauses is run again when it goes on.
func (r *pageRun) step(
	ctx workflow.Context, stage core.Stage, options workflow.ActivityOptions, name string, input, output any,
) error {
	r.tracker.enter(ctx, r.page, stage, false)
	options.Summary = stepSummary(r.page, r.tracker.total, stage)
	for {
		known := r.gate.Revision
		err := workflow.ExecuteActivity(workflow.WithActivityOptions(ctx, options), name, input).Get(ctx, output)
		if err == nil {
			return nil
		}
		failed := &stageError{stage: stage, err: err}
		if failureOf(failed).Code != core.CodePaused {
			return failed
		}
		r.gate.hold(ctx, known)
		if err := r.gate.wait(ctx); err != nil {
			return &stageError{stage: stage, err: err}
		}
	}
}

// recordFailure does not fail the task: a page row that cannot be written is settled when the task ends.
func (r *pageRun) recordFailure(ctx workflow.Context, failure core.Failure) {
	mode := r.options.Mode
	if failure.Stage == comic.StageFallback {
		mode = comic.ModeFallback
	}
	options := recordOptions()
	options.Summary = stepSummary(r.page, r.tracker.total, failure.Stage)
	err := workflow.ExecuteActivity(workflow.WithActivityOptions(ctx, options), core.StepRecordFailure,
		core.RecordFailureInput{Item: r.page, Mode: mode, Failure: failure}).Get(ctx, nil)
	var canceled *temporal.CanceledError
	if err != nil && !errors.As(err, &canceled) {
		workflow.GetLogger(ctx).Error("the failure of a page is not recorded", "page", r.page.Index, "error", err)
	}
}

// textsOf keeps of each region what a translator reads: outlines and colors would only swell the history.
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
