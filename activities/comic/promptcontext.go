package comic

import (
	"context"

	"plait/internal/comic"
	"plait/internal/core"
	comicrecords "plait/internal/records/comic"
	"plait/internal/translate"
	"plait/internal/translate/glossary"
)

// castPages is how many pages back names and terms are looked for: most chapters as a whole.
const castPages = 40

// promptContextOf reads what a translator should know of a page beside its texts. All of it is the tenant's own, and the chapter's. Only a
// page that may name somebody is worth a look far back.
func (a *Activities) promptContextOf(ctx context.Context, p core.Item, to string, regions []comic.Region) (comicrecords.PromptContext, error) {
	texts := make([]string, len(regions))
	for i, r := range regions {
		texts[i] = r.Text
	}
	pages := max(a.contextPages, 0)
	if glossary.Mentions(texts) {
		pages = max(pages, castPages)
	}
	return a.pages.PromptContext(ctx, p, to, pages)
}

// addPromptContext gives a request the pages before it, what the chapter has called its names and terms so far, the glossary, and what the
// client has said of the chapter.
func (a *Activities) addPromptContext(request *translate.Request, found comicrecords.PromptContext) {
	before := found.Before
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
	request.Glossary, request.Synopsis = found.Glossary, found.Synopsis
}

func cast(pages []comicrecords.PageText, segments []translate.Segment) []glossary.Entry {
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
