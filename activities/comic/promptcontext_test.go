package comic_test

import (
	"testing"

	"github.com/stretchr/testify/require"

	"plait/activities/comic/enginetest"
	"plait/internal/comic"
	"plait/internal/translate/glossary"
)

// A model is told what the pages before said, what the chapter called its names so far, and the glossary.
func TestATranslatorIsToldWhatTheChapterSaidBefore(t *testing.T) {
	t.Parallel()
	r := newRig(t)
	entries := []glossary.Entry{{Source: "太郎", Target: "Taro"}}
	require.NoError(t, r.records.SetGlossary(t.Context(), "tenant", "", "en", entries))
	require.NoError(t, r.records.SetGlossary(t.Context(), "another", "", "en", []glossary.Entry{{Source: "太郎", Target: "Tarou"}}))
	chapter := r.chapter(6)
	for _, p := range chapter {
		found := r.detect(p)
		r.translate(p, found)
	}
	requests := r.model.Requests()
	require.Len(t, requests, 6)
	require.Empty(t, requests[0].Context)
	require.Equal(t, entries, requests[0].Glossary)
	last := requests[5]
	require.Equal(t, []string{"002.png", "003.png", "004.png"}, []string{last.Context[0].Name, last.Context[1].Name, last.Context[2].Name})
	require.Len(t, last.Context[0].Pairs, 12)

	// Another chapter of the tenant knows nothing of this one.
	p := r.page(twoLines)
	r.translate(p, r.detect(p))
	requests = r.model.Requests()
	require.Empty(t, requests[6].Context)
	require.Empty(t, requests[6].Cast)
}

// What a name was called on pages further back than the context still stands in the cast.
func TestTheCastIsThatOfTheWholeChapter(t *testing.T) {
	t.Parallel()
	r := newRig(t)
	names := []string{"アリスだ Alice", "アリスか Alice", "犬", "猫", "鳥", "アリス！"}
	for _, p := range r.chapterOf(names) {
		r.translate(p, r.detect(p))
	}
	last := r.model.Requests()[5]
	require.Len(t, last.Context, 3)
	require.Equal(t, []glossary.Entry{{Source: "アリス", Target: "Alice", PartOfSpeech: "name"}}, last.Cast)
}

// Lettering is told which terms of the glossary stand in a translation, whichever way the page goes.
func TestLetteringIsToldTheTerms(t *testing.T) {
	t.Parallel()
	r := newRig(t)
	require.NoError(t, r.records.SetGlossary(t.Context(), "tenant", "", "en", []glossary.Entry{{Source: "太郎", Keep: true}, {Source: "犬", Target: "Rex"}}))
	image := enginetest.Page("太郎だ", "犬だ")
	p := r.page(image)
	found := r.detect(p)
	split, err := call[comic.PageOutput](r.env, comic.StepRender, renderInput(p, found, r.translate(p, found).Translations))
	require.NoError(t, err)
	require.Equal(t, "太郎だ -> [<太郎>だ]\n犬だ -> [犬だ]\n", r.bytes(split.Result))
	whole, err := call[comic.PageOutput](r.env, comic.StepPage, comic.PageInput{Page: r.page(image), Options: options, Mode: comic.ModeUnified})
	require.NoError(t, err)
	require.Equal(t, split.Result, whole.Result)
}
