package comic

import (
	"context"
	"time"

	"plait/activities"
	"plait/internal/comic"
	"plait/internal/core"
	"plait/internal/records"
	comicrecords "plait/internal/records/comic"
	"plait/internal/translate"
)

// errPaused ends a step that would ask a model while its task pauses.
var errPaused = core.NewError(core.CodePaused, "the task pauses")

// Translate turns the texts of a page into the target language, away from any device.
func (a *Activities) Translate(ctx context.Context, in comic.TranslateInput) (comic.TranslateOutput, error) {
	run := a.Run(ctx, in.Page, comic.StageTranslate, comic.ModeSplit)
	run.Attempt += in.Attempts
	never := func(comicrecords.Page) (comic.TranslateOutput, bool) { return comic.TranslateOutput{}, false }
	work := func(ctx context.Context, page comicrecords.Page) (comic.TranslateOutput, error) {
		return a.translation(ctx, run, page, in)
	}
	step := activities.Step[comic.TranslateOutput]{Run: run, Urgent: in.Prefetch, Pays: true}
	return do(ctx, a, step, never, work)
}

// TranslateStandalone translates a page that stands in no record: that of a caller without Temporal. It takes its turn among
// the translate slots, and its model calls are recorded and reused as all others are; there are no pages before it.
func (a *Activities) TranslateStandalone(ctx context.Context, in comic.TranslateInput) (comic.TranslateOutput, error) {
	return activities.Guarded(func() (comic.TranslateOutput, error) { return a.newTranslation(ctx, in) })
}

// translation is the recorded translation of a page, or else a new one, recorded before anything else happens.
func (a *Activities) translation(
	ctx context.Context, run records.StageRun, page comicrecords.Page, in comic.TranslateInput,
) (comic.TranslateOutput, error) {
	output, err := a.recordedTranslation(ctx, page, len(in.Regions))
	if err == nil && output.Translations == nil {
		if page.Paused {
			return comic.TranslateOutput{}, errPaused
		}
		if err := a.afterEarlier(ctx, in); err != nil {
			return comic.TranslateOutput{}, err
		}
		output, err = a.sharedTranslation(ctx, in)
	}
	if err != nil {
		return comic.TranslateOutput{}, err
	}
	return output, a.pages.SaveTranslations(ctx, run, output)
}

// sharedTranslation is one of several attempts at the same page.
func (a *Activities) sharedTranslation(ctx context.Context, in comic.TranslateInput) (comic.TranslateOutput, error) {
	return a.shared(ctx, in.Page, "translate", func() (comic.TranslateOutput, error) { return a.newTranslation(ctx, in) })
}

// shared joins an attempt at the same work on a page that still waits for its model, when Temporal took this process
// for dead and gave it the page again. The work goes on under the first attempt; each leaves with its own
// context. Of two processes, the ledger keeps the second from paying for what the first has finished.
func (a *Activities) shared(
	ctx context.Context, page core.Item, what string, work func() (comic.TranslateOutput, error),
) (comic.TranslateOutput, error) {
	shared := a.translating.DoChan(what+" "+activities.KeyOf(page), func() (any, error) {
		// A panic in a goroutine of its own would end the process.
		return activities.Guarded(work)
	})
	select {
	case <-ctx.Done():
		return comic.TranslateOutput{}, ctx.Err()
	case result := <-shared:
		output, _ := result.Val.(comic.TranslateOutput)
		return output, result.Err
	}
}

func (a *Activities) recordedTranslation(ctx context.Context, page comicrecords.Page, regions int) (comic.TranslateOutput, error) {
	if page.Provider == "" {
		return comic.TranslateOutput{}, nil
	}
	recorded, err := a.pages.Translations(ctx, page.Ref.TaskID, page.Ref.Index)
	if err != nil || core.CheckTranslations(regions, recorded) != nil {
		return comic.TranslateOutput{}, err
	}
	return comic.TranslateOutput{Translations: recorded, Provider: page.Provider, Model: page.Model, Reused: 1}, nil
}

func (a *Activities) newTranslation(ctx context.Context, in comic.TranslateInput) (comic.TranslateOutput, error) {
	if a.translators == nil {
		return comic.TranslateOutput{}, core.NewError(core.CodeTranslatorMissing, "this worker has no translator")
	}
	translator, err := a.translators(ctx, in.Options)
	if err != nil {
		return comic.TranslateOutput{}, err
	}
	request := translate.Request{Page: in.Page, From: in.FromLang, To: in.Options.To}
	if translator.Name() == core.TranslatorScript {
		// A script is a look-up: there is no model to protect, and nothing to tell it of the pages before. What it says of
		// any region, a person has decided; of what a model would not be asked for, it need say nothing.
		request.Segments = a.segments(in.Regions)
		return answered(translator.Translate(ctx, request))
	}
	told, err := a.promptContextOf(ctx, in.Page, in.Options.To, in.Regions)
	if err != nil {
		return comic.TranslateOutput{}, err
	}
	kept, rest, err := a.edited(ctx, in.Page, told.Edits, in.Regions)
	if err != nil {
		return comic.TranslateOutput{}, err
	}
	asked, left := a.parted(rest)
	left = append(left, kept...)
	if request.Segments = a.segments(asked); len(asked) == 0 {
		return comic.TranslateOutput{Translations: left, Provider: translator.Name()}, nil
	}
	request.Done = pairsOf(kept, in.Regions)
	a.addPromptContext(&request, told)
	output, err := a.modelTranslation(ctx, translator, request)
	output.Translations = append(output.Translations, left...)
	return output, err
}

// parted are the regions that a model is asked for, and the rest as they are drawn: of a kind that is not translated.
func (a *Activities) parted(regions []comic.Region) (asked []comic.Region, left []core.Translation) {
	for _, r := range regions {
		if a.untranslatedKinds.Have(r) {
			left = append(left, core.Translation{Index: r.Index})
			continue
		}
		asked = append(asked, r)
	}
	return asked, left
}

// modelTranslation asks a model, under a slot.
func (a *Activities) modelTranslation(
	ctx context.Context, translator translate.Translator, request translate.Request,
) (comic.TranslateOutput, error) {
	return activities.InSlot(ctx, a.Host, a.slots, request.Page, func(ctx context.Context, slot *activities.ItemSlot) (comic.TranslateOutput, error) {
		request.Slot = slot
		estimated := estimate(translator, request)
		started := time.Now()
		output, err := answered(translator.Translate(ctx, request))
		output.Estimated = estimated()
		output.Elapsed = core.ElapsedMS{"total": time.Since(started).Milliseconds()}
		return output, err
	})
}

// estimate counts what the request should take while the model answers: counting takes some milliseconds.
func estimate(translator translate.Translator, request translate.Request) (wait func() *core.Usage) {
	estimator, ok := translator.(translate.Estimator)
	if !ok {
		return func() *core.Usage { return nil }
	}
	counted := make(chan core.Usage, 1)
	go func() { counted <- estimator.Estimate(request) }()
	return func() *core.Usage {
		u := <-counted
		return &u
	}
}

func (a *Activities) segments(regions []comic.Region) []translate.Segment {
	texts := make([]translate.Segment, len(regions))
	for i, region := range regions {
		texts[i] = translate.Segment{Index: region.Index, Text: region.Text, Optional: a.untranslatedKinds.Have(region)}
	}
	return texts
}

func answered(r translate.Result, err error) (comic.TranslateOutput, error) {
	return comic.TranslateOutput{
		Translations: r.Translations, Provider: r.Provider, Model: r.Model, Paid: r.Paid, Reused: r.Reused,
	}, err
}
