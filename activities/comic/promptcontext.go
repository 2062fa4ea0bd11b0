package comic

import (
	"context"

	"plait/internal/comic"
	"plait/internal/core"
	comicrecords "plait/internal/records/comic"
	"plait/internal/translate"
	"plait/internal/translate/glossary"
)

// castPages is how many previous pages are searched for names and terms; most chapters are shorter.
const castPages = 40

// promptContextOf reads what a translator gets of a page besides its texts: data of the tenant and the chapter. Only a page that may
// contain names is worth reading castPages.
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

// addPromptContext adds to a request the previous pages, the names and terms of the chapter, the glossary, and the synopsis of the
// client.
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
