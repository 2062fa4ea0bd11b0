package comic_test

import (
	"context"
	"testing"

	"github.com/stretchr/testify/require"
	"go.temporal.io/sdk/activity"
	"go.temporal.io/sdk/temporal"

	"plait/internal/comic"
	"plait/internal/core"
)

// shortening has the host of every page tell that its text is too long, when it is asked, and a translator that answers so.
func shortening(t *testing.T, shorten func(comic.ShortenInput) (comic.ShortenOutput, error)) *stage {
	t.Helper()
	s := newStage(t, 1)
	s.render = func(in comic.RenderInput) (comic.PageOutput, error) {
		if in.AskShorter {
			return comic.PageOutput{Mode: comic.ModeSplit, TooLong: []comic.OverflowText{{Index: 0, Room: 5}}}, nil
		}
		return rendered(in.Page, comic.ModeSplit), nil
	}
	s.env.RegisterActivityWithOptions(func(ctx context.Context, in comic.ShortenInput) (comic.ShortenOutput, error) {
		s.note(ctx, in.Page.Index, in)
		return shorten(in)
	}, activity.RegisterOptions{Name: comic.StepShorten})
	return s
}

func shortText(comic.ShortenInput) (comic.ShortenOutput, error) {
	return comic.ShortenOutput{Translations: []core.Translation{{Index: 0, Text: "short"}}}, nil
}

func TestWhatIsTooLongIsAskedForOnce(t *testing.T) {
	t.Parallel()
	s := shortening(t, shortText)
	require.Equal(t, 1, s.chapter(chapterOf(1)).SuccessCount)
	asked := s.inputs(comic.StepShorten)
	require.Len(t, asked, 1)
	require.Equal(t, []comic.LongText{{
		OverflowText: comic.OverflowText{Index: 0, Room: 5}, Source: "テキスト0", Translation: translationsOf(0)[0].Text,
	}}, asked[0].(comic.ShortenInput).Texts)
	renders := s.inputs(comic.StepRender)
	require.Len(t, renders, 2)
	last := renders[1].(comic.RenderInput)
	require.Equal(t, []core.Translation{{Index: 0, Text: "short"}}, last.Translations)
	require.Equal(t, []int{0}, last.Shortened)
	require.Equal(t, "context-0", last.LeaseID)
}

// A page is not held up for want of a shorter text.
func TestAPageIsLetteredWithoutAShorterText(t *testing.T) {
	t.Parallel()
	for name, shorten := range map[string]func(comic.ShortenInput) (comic.ShortenOutput, error){
		"none": func(comic.ShortenInput) (comic.ShortenOutput, error) { return comic.ShortenOutput{}, nil },
		"down": func(comic.ShortenInput) (comic.ShortenOutput, error) {
			return comic.ShortenOutput{}, temporal.NewApplicationError("the model is away", string(core.CodeTranslatorUnavailable))
		},
	} {
		s := shortening(t, shorten)
		require.Equal(t, 1, s.chapter(chapterOf(1)).SuccessCount, name)
		renders := s.inputs(comic.StepRender)
		last := renders[len(renders)-1].(comic.RenderInput)
		require.Equal(t, translationsOf(0), last.Translations, name)
		require.Empty(t, last.Shortened, name)
	}
}

// A page whose context is lost is given what was asked for, and asks no second time; a script is never asked.
func TestShorterTextsAreTakenAlong(t *testing.T) {
	t.Parallel()
	s := shortening(t, shortText)
	answer := s.render
	s.render = func(in comic.RenderInput) (comic.PageOutput, error) {
		if in.AskShorter {
			return answer(in)
		}
		return comic.PageOutput{}, temporal.NewNonRetryableApplicationError("gone", string(core.CodeCacheMiss), nil)
	}
	require.Equal(t, 1, s.chapter(chapterOf(1)).Modes[comic.ModeFallback])
	page := s.inputs(comic.StepPage)[0].(comic.PageInput)
	require.Equal(t, []core.Translation{{Index: 0, Text: "short"}}, page.Translations)
	require.Equal(t, []int{0}, page.Shortened)
	require.False(t, page.AskShorter)

	s = shortening(t, shortText)
	in := chapterOf(1)
	in.Options = optionsWith(func(o *comic.Options) { o.Translator = core.TranslatorScript })
	require.Equal(t, 1, s.chapter(in).SuccessCount)
	require.Empty(t, s.inputs(comic.StepShorten))
}
