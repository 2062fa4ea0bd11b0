package translators

import (
	"context"
	"fmt"
	"strings"
	"time"

	"plait/internal/comic"
	"plait/internal/config"
	"plait/internal/core"
	"plait/internal/languages"
	"plait/internal/translate/glossary"
)

// What is assumed of a page that nobody has read. It was chosen for the 22 pages of three comics, in up to four languages each, which differ
// much: their medians and means are 6.5 and 10 texts a page, with 160 and 445 letters in English, and 98 and 361 characters in Japanese.
const (
	assumedRegions    = 8
	assumedCharacters = 20
	assumedLetters    = 35
)

// Unread describes a chapter whose pages are only counted.
type Unread struct {
	Pages int
	// From and To are languages; From may be auto, which is taken for Japanese.
	From, To string
	// Translator is the name of a configured provider; empty is the default.
	Translator string
	Glossary   []glossary.Entry
	Synopsis   string
}

// Estimate estimates the translation of the chapter from its number of pages, without a model call. It fails with [ErrNone].
func (u Unread) Estimate(ctx context.Context, c *config.Config) (Estimate, error) {
	own := *c
	if u.Translator != "" && u.Translator != own.Translator.Provider {
		own.Translator.Provider, own.Translator.Model = u.Translator, "" // the configured model belongs to the configured provider
	}
	e, err := NewEstimation(ctx, &own)
	if err != nil {
		return Estimate{}, err
	}
	e.To, e.Glossary, e.Synopsis = u.To, u.Glossary, u.Synopsis
	page := assumedPage(u.From)
	// Once a page has all pages before it as context that a page can have, the next one takes as much.
	read := min(u.Pages, e.contextPages+1)
	for i := range read {
		e.Add(fmt.Sprintf("%03d.png", i+1), page)
	}
	if rest := u.Pages - read - 1; rest >= 0 {
		before := e.usage
		e.Add(fmt.Sprintf("%03d.png", u.Pages), page)
		last := e.usage
		e.usage = last.Plus(core.Usage{
			Calls: rest * (last.Calls - before.Calls), InputTokens: rest * (last.InputTokens - before.InputTokens),
			OutputTokens: rest * (last.OutputTokens - before.OutputTokens), CostMicros: int64(rest) * (last.CostMicros - before.CostMicros),
		})
		e.pages, e.regions = u.Pages, u.Pages*len(page.Regions)
	}
	e.began = time.Now() // nothing was read
	return e.Total(), nil
}

func assumedPage(from string) (page comic.DetectOutput) {
	page.FromLang = from
	text := strings.Repeat("word ", assumedLetters/len("word "))
	if from == languages.Auto {
		page.FromLang = "ja"
	}
	if languages.IsCJK(page.FromLang) {
		text = strings.Repeat("文字", assumedCharacters/2)
	}
	for i := range assumedRegions {
		page.Regions = append(page.Regions, comic.Region{Index: i, Text: text, Kind: comic.KindDialogue})
	}
	return page
}
