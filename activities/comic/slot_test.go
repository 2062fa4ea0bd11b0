package comic_test

import (
	"context"
	"log/slog"
	"testing"

	"github.com/jackc/pgx/v5"
	"github.com/stretchr/testify/require"
	"go.temporal.io/sdk/worker"

	comicsteps "plait/activities/comic"
	"plait/internal/comic"
	"plait/internal/llmtest"
	"plait/internal/records"
	"plait/internal/translate"
	"plait/internal/translate/provider"
)

// The record of an answer that cannot be written keeps nobody else from the model, and is written when it can be.
func TestAnAnswerThatWaitsForItsRecordHoldsNoSlot(t *testing.T) {
	t.Parallel()
	r := newRig(t)
	var err error
	r.deps.Records, err = records.Open(t.Context(), r.url+"&statement_timeout=300", records.Options{Slots: 1})
	require.NoError(t, err)
	t.Cleanup(r.deps.Records.Close)
	asked := make(chan struct{}, 10)
	server := llmtest.New(t, llmtest.WithTranslate(func(source string) string {
		asked <- struct{}{}
		return llmtest.Mark(source)
	}))
	translator, err := translate.New(translate.Config{
		Provider: provider.Config{Kind: provider.OpenAI, BaseURL: server.OpenAIURL(), Model: server.Model()},
	}, r.deps.Records, slog.New(slog.DiscardHandler))
	require.NoError(t, err)
	r.deps.Translators = func(context.Context, comic.Options) (translate.Translator, error) { return translator, nil }
	steps := comicsteps.New(r.deps)

	blocker, err := pgx.Connect(t.Context(), r.url)
	require.NoError(t, err)
	defer func() { _ = blocker.Close(context.WithoutCancel(t.Context())) }()
	_, err = blocker.Exec(t.Context(), `BEGIN; LOCK TABLE model_call IN EXCLUSIVE MODE`)
	require.NoError(t, err)
	ended := make(chan error, 2)
	for _, text := range []string{"おはよう", "こんばんは"} {
		p := r.page([]byte("page\n" + text))
		found := r.detect(p)
		process := r.process(steps)
		process.SetWorkerOptions(worker.Options{BackgroundActivityContext: t.Context()})
		go func() {
			_, err := call[comic.TranslateOutput](process, comic.StepTranslate, translateInput(p, found))
			ended <- err
		}()
		await(t, asked, "the model call, while no answer can be recorded")
	}
	_, err = blocker.Exec(t.Context(), `ROLLBACK`)
	require.NoError(t, err)
	for range 2 {
		require.NoError(t, await(t, ended, "a step"))
	}
	require.Equal(t, 2, server.CallCount(), "nothing is paid for again")
}
