package activities

import (
	"context"

	"plait/internal/records"
	"plait/internal/translate"
	"plait/internal/translate/glossary"
)

// castPages is how many pages back names and terms are looked for: most chapters as a whole.
const castPages = 40

// makeSense gives a request what a translator should know beside the page: the pages before it, what the chapter has called
// its names and terms so far, and the glossary. All of it is the tenant's own, and the chapter's.
func (a *Activities) makeSense(ctx context.Context, request *translate.Request) error {
	p := request.Page
	before, err := a.records.PreviousPages(ctx, p.TaskID, p.Index, max(castPages, a.contextPages))
	if err != nil {
		return err
	}
	request.Cast = cast(before, request.Segments)
	if kept := max(a.contextPages, 0); len(before) > kept {
		before = before[len(before)-kept:]
	}
	for _, page := range before {
		text := translate.PageText{Name: page.Name}
		for _, pair := range page.Pairs {
			text.Pairs = append(text.Pairs, translate.Pair(pair))
		}
		request.Context = append(request.Context, text)
	}
	request.Glossary, err = a.records.Glossary(ctx, p.Tenant, p.TaskID, request.To)
	return err
}

func cast(pages []records.PageText, segments []translate.Segment) []glossary.Entry {
	texts := make([]string, len(segments))
	for i, s := range segments {
		texts[i] = s.Text
	}
	var pairs []glossary.Pair
	for _, page := range pages {
		for _, pair := range page.Pairs {
			pairs = append(pairs, glossary.Pair(pair))
		}
	}
	return glossary.Called(pairs, texts)
}
