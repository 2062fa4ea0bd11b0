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

// Shorten requests shorter translations, once, of texts that do not fit into their regions. Only the model call is recorded: a later
// attempt, or a repetition of the whole page, uses the recorded answer.
func (a *Activities) Shorten(ctx context.Context, in comic.ShortenInput) (comic.ShortenOutput, error) {
	ctx, leave := activities.Heartbeat(ctx, true)
	defer leave()
	texts, err := activities.Guarded(func() ([]core.Translation, error) { return a.shorter(ctx, in) })
	if err != nil {
		err = a.Unrecorded(ctx, in.Page, comic.StepShorten, false, err)
	}
	return comic.ShortenOutput{Translations: texts}, err
}

// shorter calls the translator under a slot, if it supports such requests.
func (a *Activities) shorter(ctx context.Context, in comic.ShortenInput) ([]core.Translation, error) {
	if a.translators == nil {
		return nil, nil
	}
	translator, err := a.translators(ctx, in.Options)
	if err != nil {
		return nil, err
	}
	shortener, ok := translator.(translate.Shortener)
	if !ok {
		return nil, nil
	}
	told, err := a.pages.PromptContext(ctx, in.Page, in.Options.To, 0)
	if err != nil {
		return nil, err
	}
	request := translate.ShortenRequest{Page: in.Page, From: in.FromLang, To: in.Options.To, Glossary: told.Glossary}
	for _, t := range in.Texts {
		if decided(t, told.Edits) {
			continue
		}
		request.Texts = append(request.Texts, translate.LongText{
			Segment: translate.Segment{Index: t.Index, Text: t.Source}, Translation: t.Translation, Room: t.Room,
		})
	}
	if len(request.Texts) == 0 {
		return nil, nil
	}
	if err := a.Records.CheckPaused(ctx, in.Page.TaskID); err != nil {
		return nil, err
	}
	output, err := a.shared(ctx, in.Page, "shorten", func() (comic.TranslateOutput, error) {
		return activities.InSlot(ctx, a.Host, a.slots, in.Page, func(ctx context.Context, slot *activities.ItemSlot) (comic.TranslateOutput, error) {
			request.Slot = slot
			return answered(shortener.Shorten(ctx, request))
		})
	})
	return output.Translations, err
}

// decided reports whether a person has written the translation.
func decided(t comic.LongText, edits []comicrecords.Region) bool {
	return slices.ContainsFunc(edits, func(e comicrecords.Region) bool { return e.Source == t.Source && e.Translation == t.Translation })
}

// shortened returns the translations of the given regions.
func shortened(translations []core.Translation, indices []int) []core.Translation {
	return slices.DeleteFunc(slices.Clone(translations), func(t core.Translation) bool { return !slices.Contains(indices, t.Index) })
}
