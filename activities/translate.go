package activities

import (
	"context"
	"strconv"
	"time"

	"plait/internal/pipeline"
	"plait/internal/records"
	"plait/internal/translate"
)

// freshFor is how long it holds what the page said of its task when the step began.
const freshFor = 100 * time.Millisecond

// errPaused ends a step that would ask a model while its task pauses.
var errPaused = pipeline.NewError(pipeline.CodePaused, "the task pauses")

// translateSlots is the name of the slots that every process takes a translation's turn from.
const translateSlots = "translate"

// Translate turns the texts of a page into the target language, away from any device.
func (a *Activities) Translate(ctx context.Context, in pipeline.TranslateInput) (pipeline.TranslateOutput, error) {
	run := a.run(ctx, in.Page, pipeline.StageTranslate, pipeline.ModeSplit)
	run.Attempt += in.Attempts
	never := func(records.Page) (pipeline.TranslateOutput, bool) { return pipeline.TranslateOutput{}, false }
	return perform(ctx, a, run, never, func(ctx context.Context, page records.Page) (pipeline.TranslateOutput, error) {
		return a.translation(ctx, run, page, in)
	})
}

// translation is the recorded translation of a page, or else a new one, recorded before anything else happens.
func (a *Activities) translation(
	ctx context.Context, run records.StageRun, page records.Page, in pipeline.TranslateInput,
) (pipeline.TranslateOutput, error) {
	output, err := a.recordedTranslation(ctx, page, len(in.Regions))
	if err == nil && output.Translations == nil {
		if page.Paused {
			return pipeline.TranslateOutput{}, errPaused
		}
		if err := a.inTurn(ctx, in); err != nil {
			return pipeline.TranslateOutput{}, err
		}
		output, err = a.sharedTranslation(ctx, in)
	}
	if err != nil {
		return pipeline.TranslateOutput{}, err
	}
	return output, a.records.SaveTranslations(ctx, run, output)
}

// sharedTranslation is one of several attempts at the same page.
func (a *Activities) sharedTranslation(ctx context.Context, in pipeline.TranslateInput) (pipeline.TranslateOutput, error) {
	return a.shared(ctx, in.Page, "translate", func() (pipeline.TranslateOutput, error) { return a.newTranslation(ctx, in) })
}

// shared joins an attempt at the same work on a page that still waits for its model, when Temporal took this process
// for dead and gave it the page again. The work goes on under the first attempt; each leaves with its own
// context. Of two processes, the ledger keeps the second from paying for what the first has finished.
func (a *Activities) shared(
	ctx context.Context, page pipeline.PageRef, what string, work func() (pipeline.TranslateOutput, error),
) (pipeline.TranslateOutput, error) {
	shared := a.translating.DoChan(what+" "+pageKey(page), func() (any, error) {
		// A panic in a goroutine of its own would end the process.
		return guarded(work)
	})
	select {
	case <-ctx.Done():
		return pipeline.TranslateOutput{}, ctx.Err()
	case result := <-shared:
		output, _ := result.Val.(pipeline.TranslateOutput)
		return output, result.Err
	}
}

func (a *Activities) recordedTranslation(ctx context.Context, page records.Page, regions int) (pipeline.TranslateOutput, error) {
	if page.Provider == "" {
		return pipeline.TranslateOutput{}, nil
	}
	recorded, err := a.records.Translations(ctx, page.Ref.TaskID, page.Ref.Index)
	if err != nil || pipeline.CheckTranslations(regions, recorded) != nil {
		return pipeline.TranslateOutput{}, err
	}
	return pipeline.TranslateOutput{Translations: recorded, Provider: page.Provider, Model: page.Model, Reused: 1}, nil
}

func (a *Activities) newTranslation(ctx context.Context, in pipeline.TranslateInput) (pipeline.TranslateOutput, error) {
	if a.translators == nil {
		return pipeline.TranslateOutput{}, pipeline.NewError(pipeline.CodeTranslatorMissing, "this worker has no translator")
	}
	translator, err := a.translators(ctx, in.Options)
	if err != nil {
		return pipeline.TranslateOutput{}, err
	}
	request := translate.Request{Page: in.Page, From: in.FromLang, To: in.Options.To}
	if translator.Name() == pipeline.TranslatorScript {
		// A script is a look-up: there is no model to protect, and nothing to tell it of the pages before. What it says of
		// any region, a person has decided; of what a model would not be asked for, it need say nothing.
		request.Segments = a.segments(in.Regions)
		return answered(translator.Translate(ctx, request))
	}
	sense, err := a.senseOf(ctx, in.Page, in.Options.To, in.Regions)
	if err != nil {
		return pipeline.TranslateOutput{}, err
	}
	kept, rest, err := a.edited(ctx, in.Page, sense.Edits, in.Regions)
	if err != nil {
		return pipeline.TranslateOutput{}, err
	}
	asked, left := a.parted(rest)
	left = append(left, kept...)
	if request.Segments = a.segments(asked); len(asked) == 0 {
		return pipeline.TranslateOutput{Translations: left, Provider: translator.Name()}, nil
	}
	request.Done = pairsOf(kept, in.Regions)
	a.makeSense(&request, sense)
	output, err := a.modelTranslation(ctx, translator, request)
	output.Translations = append(output.Translations, left...)
	return output, err
}

// parted are the regions that a model is asked for, and the rest as they are drawn: of a kind that is not translated.
func (a *Activities) parted(regions []pipeline.Region) (asked []pipeline.Region, left []pipeline.Translation) {
	for _, r := range regions {
		if a.untranslatedKinds.Have(r) {
			left = append(left, pipeline.Translation{Index: r.Index})
			continue
		}
		asked = append(asked, r)
	}
	return asked, left
}

// modelTranslation asks a model, under a slot.
func (a *Activities) modelTranslation(
	ctx context.Context, translator translate.Translator, request translate.Request,
) (pipeline.TranslateOutput, error) {
	return a.inSlot(ctx, request.Page, func(ctx context.Context) (pipeline.TranslateOutput, error) {
		estimated := estimate(translator, request)
		started := time.Now()
		output, err := answered(translator.Translate(ctx, request))
		output.Estimated = estimated()
		output.Elapsed = pipeline.ElapsedMS{"total": time.Since(started).Milliseconds()}
		return output, err
	})
}

// inSlot waits for a translate slot and works under it. A worker that stops ends the waiting, not the work.
func (a *Activities) inSlot(
	ctx context.Context, page pipeline.PageRef, work func(context.Context) (pipeline.TranslateOutput, error),
) (pipeline.TranslateOutput, error) {
	defer noteWaiting(ctx)()
	waiting, done := untilStop(ctx)
	defer done()
	asked := time.Now()
	waited := span(ctx, "wait for a translate slot")
	slot, err := a.translateSlot(waiting, page)
	waited()
	if err != nil {
		if waiting.Err() != nil {
			err = context.Cause(waiting)
		}
		return pipeline.TranslateOutput{}, err
	}
	defer slot.Release()
	waitedFor := time.Since(asked)
	a.metrics.slotWaited(waitedFor)
	if waitedFor > freshFor {
		if err := a.records.CheckPaused(ctx, page.TaskID); err != nil {
			return pipeline.TranslateOutput{}, err
		}
	}
	held, release := context.WithCancelCause(ctx)
	defer release(nil)
	lost := context.AfterFunc(slot.Context(), func() { release(context.Cause(slot.Context())) })
	defer lost()
	output, err := work(held)
	if err != nil && held.Err() != nil && ctx.Err() == nil {
		err = context.Cause(held)
	}
	return output, err
}

// translateSlot is a slot for the page, which one attempt has at a time: one that Temporal has given up may wait for its model
// still, and another would pay for the same answer. A page that stands in no record is nobody else's.
func (a *Activities) translateSlot(ctx context.Context, page pipeline.PageRef) (*records.Slot, error) {
	if page.TaskID == "" {
		return a.records.AcquireSlot(ctx, translateSlots, a.translateSlots)
	}
	return a.records.AcquireSlotFor(ctx, translateSlots, a.translateSlots, pageKey(page))
}

// pageKey tells a page from every other while it is worked on.
func pageKey(page pipeline.PageRef) string { return page.TaskID + "/" + strconv.Itoa(page.Index) }

// estimate counts what the request should take while the model answers: counting takes some milliseconds.
func estimate(translator translate.Translator, request translate.Request) (wait func() *pipeline.Usage) {
	estimator, ok := translator.(translate.Estimator)
	if !ok {
		return func() *pipeline.Usage { return nil }
	}
	counted := make(chan pipeline.Usage, 1)
	go func() { counted <- estimator.Estimate(request) }()
	return func() *pipeline.Usage {
		u := <-counted
		return &u
	}
}

func (a *Activities) segments(regions []pipeline.Region) []translate.Segment {
	texts := make([]translate.Segment, len(regions))
	for i, region := range regions {
		texts[i] = translate.Segment{Index: region.Index, Text: region.Text, Optional: a.untranslatedKinds.Have(region)}
	}
	return texts
}

func answered(r translate.Result, err error) (pipeline.TranslateOutput, error) {
	return pipeline.TranslateOutput{
		Translations: r.Translations, Provider: r.Provider, Model: r.Model, Paid: r.Paid, Reused: r.Reused,
	}, err
}
