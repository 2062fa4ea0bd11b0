package comic

import (
	"context"
	"slices"
	"time"

	"plait/activities"
	"plait/internal/comic"
	"plait/internal/core"
	"plait/internal/records"
	comicrecords "plait/internal/records/comic"
	"plait/internal/translate"
	"plait/internal/translate/emphasis"
)

// errPaused is the error of a step that would call a model while its task is paused.
var errPaused = core.NewError(core.CodePaused, "the task is paused")

// Translate translates the texts of a page. It needs no device.
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

// TranslateStandalone translates a page without a record: that of a caller without Temporal. It uses the translate slots, and its
// model calls are recorded and reused like all others. It sends no previous pages.
func (a *Activities) TranslateStandalone(ctx context.Context, in comic.TranslateInput) (comic.TranslateOutput, error) {
	return activities.Guarded(func() (comic.TranslateOutput, error) { return a.newTranslation(ctx, in) })
}

// translation returns the recorded translation of a page, or makes and records one.
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

// sharedTranslation is a translation that several attempts at one page wait for.
func (a *Activities) sharedTranslation(ctx context.Context, in comic.TranslateInput) (comic.TranslateOutput, error) {
	return a.shared(ctx, in.Page, "translate", func() (comic.TranslateOutput, error) { return a.newTranslation(ctx, in) })
}

// shared joins the attempt of this process at the same translation, if one still waits for its model. Temporal starts a second
// attempt when it takes this process for dead. The work goes on with the first attempt, and each waits with its own context. Across
// processes, the ledger keeps a second attempt from paying for a recorded answer.
func (a *Activities) shared(
	ctx context.Context, page core.Item, what string, work func() (comic.TranslateOutput, error),
) (comic.TranslateOutput, error) {
	shared := a.translating.DoChan(what+" "+activities.KeyOf(page), func() (any, error) {
		// An unrecovered panic in this goroutine would end the process.
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
		// A script is a look-up and needs neither a slot nor previous pages. A person has decided what it says of each region, and
		// it may leave out the kinds that are not translated.
		request.Segments = a.segments(in.Options, in.Regions)
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
	asked, left := a.parted(in.Options, rest)
	left = append(left, kept...)
	if request.Segments = a.segments(in.Options, asked); len(asked) == 0 {
		return comic.TranslateOutput{Translations: left, Provider: translator.Name()}, nil
	}
	request.Done = pairsOf(kept, in.Regions)
	keepEmphasis(&request)
	a.addPromptContext(&request, told)
	output, err := a.modelTranslation(ctx, translator, request)
	output.Translations = append(output.Translations, left...)
	return output, err
}

// parted returns the regions to translate, and the others, whose kinds are not translated, as they are drawn.
func (a *Activities) parted(o comic.Options, regions []comic.Region) (asked []comic.Region, left []core.Translation) {
	untranslated := o.Sounds.Untranslated(a.untranslatedKinds)
	for _, r := range regions {
		if untranslated.Have(r) {
			left = append(left, core.Translation{Index: r.Index})
			continue
		}
		asked = append(asked, r)
	}
	return asked, left
}

// modelTranslation calls a model under a slot.
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

// estimate counts the tokens of the request while the model answers, because counting takes some milliseconds.
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

func (a *Activities) segments(o comic.Options, regions []comic.Region) []translate.Segment {
	untranslated := o.Sounds.Untranslated(a.untranslatedKinds)
	texts := make([]translate.Segment, len(regions))
	for i, region := range regions {
		texts[i] = translate.Segment{Index: region.Index, Text: region.Tagged(), Optional: untranslated.Have(region)}
	}
	return texts
}

// keepEmphasis asks for the tags of the sources in the translations. A translation without them is as good, and one with tags that are not
// in pairs loses them.
func keepEmphasis(request *translate.Request) {
	if slices.ContainsFunc(request.Segments, func(s translate.Segment) bool { return emphasis.Has(s.Text) }) {
		request.Rules = append(request.Rules, emphasis.Rule)
	}
	request.Examine = func(_ int, text string) (string, bool) {
		text = emphasis.Tidy(text)
		return text, text != ""
	}
}

func answered(r translate.Result, err error) (comic.TranslateOutput, error) {
	return comic.TranslateOutput{
		Translations: r.Translations, Provider: r.Provider, Model: r.Model, Paid: r.Paid, Reused: r.Reused,
	}, err
}
