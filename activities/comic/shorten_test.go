package comic_test

import (
	"context"
	"log/slog"
	"testing"

	"github.com/stretchr/testify/require"

	comicsteps "plait/activities/comic"
	"plait/activities/comic/enginetest"
	"plait/internal/comic"
	"plait/internal/core"
	"plait/internal/llmtest"
	comicrecords "plait/internal/records/comic"
	"plait/internal/translate"
	"plait/internal/translate/provider"
)

// lines are those of a page whose second translation does not fit.
var lines = map[string]string{"はい": "Yes.", "遅刻だぞ": "You are very late today."}

const (
	roomOfLines = 14
	shortLines  = "はい -> Yes.\n遅刻だぞ -> You are very\n"
)

// talking is a rig whose pages are translated by a model server, and whose texts have little room.
func talking(t *testing.T) (*rig, *llmtest.Server) {
	t.Helper()
	r := newRig(t)
	r.engine.Room = roomOfLines
	server := llmtest.New(t, llmtest.WithTable(lines))
	model, err := translate.New(translate.Config{Provider: provider.Config{
		Kind: provider.OpenAI, BaseURL: server.OpenAIURL(), Model: server.Model(),
	}}, r.records, slog.New(slog.DiscardHandler))
	require.NoError(t, err)
	r.env = r.process(comicsteps.New(comicsteps.Deps{
		Host:        r.host(),
		Engine:      comicsteps.EngineOf(r.engine),
		Translators: func(context.Context, comic.Options) (translate.Translator, error) { return model, nil },
	}))
	return r, server
}

// A render that is to ask leaves no page where a text is too long, and its context stays for the one with the shorter text.
// The same texts give the same bytes in every mode, and are paid for once.
func TestATextThatDoesNotFitIsAskedForAgainShorter(t *testing.T) {
	t.Parallel()
	r, server := talking(t)
	image := enginetest.Page("はい", "遅刻だぞ")
	p := r.page(image)
	found := r.detect(p)
	said := r.translate(p, found).Translations
	in := renderInput(p, found, said)
	in.AskShorter = true
	out, err := call[comic.PageOutput](r.env, comic.StepRender, in)
	require.NoError(t, err)
	require.Empty(t, out.Result)
	require.Equal(t, []comic.OverflowText{{Index: 1, Room: roomOfLines}}, out.TooLong)
	require.Equal(t, core.StatusRunning, r.row(p).Status)

	asked := comic.ShortenInput{Page: p, Options: options, FromLang: "ja", Texts: []comic.LongText{
		{OverflowText: out.TooLong[0], Source: "遅刻だぞ", Translation: said[1].Text},
	}}
	for range 2 { // an attempt whose end was lost is made again
		shorter, err := call[comic.ShortenOutput](r.env, comic.StepShorten, asked)
		require.NoError(t, err)
		require.Equal(t, []core.Translation{{Index: 1, Text: "You are very"}}, shorter.Translations)
	}
	require.Equal(t, 2, server.CallCount(), "one for the page, one for what does not fit")

	in.AskShorter, in.Shortened = false, []int{1}
	in.Translations = []core.Translation{said[0], {Index: 1, Text: "You are very"}}
	out, err = call[comic.PageOutput](r.env, comic.StepRender, in)
	require.NoError(t, err)
	require.Equal(t, shortLines, r.bytes(out.Result))
	require.Equal(t, 1, r.engine.Erased(), "the page was erased to tell what fits")
	require.Empty(t, out.Overflow)
	require.Equal(t, "You are very", r.regions(p)[1].Translation)

	for name, whole := range map[string]comic.PageInput{
		"unified":  {Mode: comic.ModeUnified},
		"fallback": {Mode: comic.ModeFallback, Translations: said, Cause: core.CodeCacheMiss},
	} {
		whole.Page, whole.Options, whole.AskShorter = r.page(image), options, true
		r.translate(whole.Page, r.detect(whole.Page))
		page, err := call[comic.PageOutput](r.env, comic.StepPage, whole)
		require.NoError(t, err, name)
		require.Equal(t, out.Result, page.Result, name)
		require.Equal(t, []core.Translation{{Index: 1, Text: "You are very"}}, page.Shortened, name)
		require.Equal(t, "You are very", r.regions(whole.Page)[1].Translation, name)
	}
	require.Equal(t, 2, server.CallCount())
}

// What is still too long is lettered as it is, and marked; so is a page for which nobody can be asked.
func TestATextThatStaysTooLongIsMarked(t *testing.T) {
	t.Parallel()
	for name, fault := range map[string]llmtest.Fault{
		"longer": llmtest.Say(1, "You are very late today, again!"), "refused": llmtest.RefuseInWords(), "gone": llmtest.Status(400),
	} {
		r, server := talking(t)
		p := r.page(enginetest.Page("遅刻だぞ"))
		server.Next(llmtest.Honest(), fault)
		out, err := call[comic.PageOutput](r.env, comic.StepPage, comic.PageInput{Page: p, Options: options, Mode: comic.ModeUnified, AskShorter: true})
		require.NoError(t, err, name)
		require.Equal(t, "遅刻だぞ -> You are very late today.\n", r.bytes(out.Result), name)
		require.Equal(t, []int{0}, out.Overflow, name)
		require.True(t, r.regions(p)[0].Overflow, name)
		require.Equal(t, 2, server.CallCount(), name)
	}
}

// What a person wrote is not shortened by a model.
func TestAnEditIsNotShortened(t *testing.T) {
	t.Parallel()
	r, server := talking(t)
	image := enginetest.Page("はい")
	p := r.page(image)
	whole := comic.PageInput{Page: p, Options: options, Mode: comic.ModeUnified, AskShorter: true}
	_, err := call[comic.PageOutput](r.env, comic.StepPage, whole)
	require.NoError(t, err)
	_, err = r.records.EditPage(t.Context(), p.Tenant, p.TaskID, p.Index, "me", []comicrecords.RegionEdit{{Text: new("Yes, and I mean that.")}})
	require.NoError(t, err)
	whole.Page = r.page(image)
	out, err := call[comic.PageOutput](r.env, comic.StepPage, whole)
	require.NoError(t, err)
	require.Equal(t, []int{0}, out.Overflow)
	require.Equal(t, 1, server.CallCount())
}

// Later pages are told what was said first: one that is translated again asks what it asked before.
func TestLaterPagesAreToldTheLongerText(t *testing.T) {
	t.Parallel()
	r, server := talking(t)
	chapter := r.chapterOf([]string{"遅刻だぞ", "はい"})
	_, err := call[comic.PageOutput](r.env, comic.StepPage, comic.PageInput{
		Page: chapter[0], Options: options, Mode: comic.ModeUnified, AskShorter: true,
	})
	require.NoError(t, err)
	r.translate(chapter[1], r.detect(chapter[1]))
	calls := server.Calls()
	require.Contains(t, calls[len(calls)-1].User, "遅刻だぞ => You are very late today.")
}

func (r *rig) regions(p core.Item) []comicrecords.Region {
	r.t.Helper()
	list, err := r.records.Regions(r.t.Context(), p.TaskID, p.Index)
	require.NoError(r.t, err)
	return list
}
