package comic

import (
	"context"
	"slices"

	"plait/activities"
	"plait/internal/comic"
	"plait/internal/core"
	comicrecords "plait/internal/records/comic"
	"plait/internal/translate"
)

// Alternatives asks a model for other translations of a region, with the rest of the page and the pages before it as context. The call is
// recorded: a later attempt uses the recorded answer.
func (a *Activities) Alternatives(ctx context.Context, in comic.AlternativesInput) (comic.AlternativesOutput, error) {
	ctx, leave := activities.Heartbeat(ctx, true)
	defer leave()
	output, err := activities.Guarded(func() (comic.AlternativesOutput, error) { return a.alternatives(ctx, in) })
	if err != nil {
		err = a.Unrecorded(ctx, in.Page, comic.StepAlternatives, false, err)
	}
	return output, err
}

// NoAlternatives records why a model gave no other translations.
func (a *Activities) NoAlternatives(ctx context.Context, in comic.NoAlternativesInput) error {
	return a.RecordFailed(ctx, a.pages.SaveAlternatives(ctx, in.AlternativesInput, nil, &in.Failure))
}

func (a *Activities) alternatives(ctx context.Context, in comic.AlternativesInput) (out comic.AlternativesOutput, err error) {
	translator, err := a.modelOf(ctx, in.Options)
	if err != nil {
		return out, err
	}
	model, ok := translator.(translate.Alternator)
	if !ok {
		return out, core.NewError(core.CodeTranslatorMissing, "the configured translator is no language model")
	}
	page, err := a.pages.Regions(ctx, in.Page.TaskID, in.Page.Index)
	if err != nil {
		return out, err
	}
	at := slices.IndexFunc(page, func(r comicrecords.Region) bool { return r.Index == in.Region })
	if at < 0 || page[at].Source == "" {
		return out, core.Errorf(core.CodeNotFound, "there is no text %d on the page", in.Region)
	}
	region := comic.Region{Index: in.Region, Text: page[at].Source, Kind: page[at].Kind}
	request, err := a.requestOnPage(ctx, in.Page, in.Options, []comic.Region{region})
	if err != nil {
		return out, err
	}
	answer, err := activities.InSlot(ctx, a.Host, a.slots, in.Page, func(ctx context.Context, slot *activities.ItemSlot) (translate.Result, error) {
		request.Slot = slot
		return model.Alternatives(ctx, request, in.Count, in.Known)
	})
	if err != nil {
		return out, err
	}
	texts := make([]string, len(answer.Translations))
	for i, t := range answer.Translations {
		texts[i] = t.Text
	}
	return comic.AlternativesOutput{Count: len(texts)}, a.pages.SaveAlternatives(ctx, in, texts, nil)
}
