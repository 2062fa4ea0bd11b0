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

// Postgres restarts while a model answers: the session of the slot ends, and the answer, which is paid for, is recorded.
func TestAModelCallOutlivesItsSlot(t *testing.T) {
	t.Parallel()
	r := newRig(t)
	server := llmtest.New(t, llmtest.WithFaults(llmtest.Hang()))
	r.deps.TranslateSlots = 2
	steps := comicsteps.New(r.translatingBy(server))
	p := r.page([]byte("page\nおはよう"))
	found := r.detect(p)
	process := r.process(steps)
	process.SetWorkerOptions(worker.Options{BackgroundActivityContext: t.Context()})
	ended := make(chan error, 1)
	go func() {
		_, err := call[comic.TranslateOutput](process, comic.StepTranslate, translateInput(p, found))
		ended <- err
	}()
	require.NoError(t, server.WaitInFlight(t.Context(), 1))

	conn, err := pgx.Connect(t.Context(), r.url)
	require.NoError(t, err)
	defer func() { _ = conn.Close(context.WithoutCancel(t.Context())) }()
	var gone int
	// The wait is for the end of the session.
	err = conn.QueryRow(t.Context(), `SELECT count(pg_terminate_backend(pid, 10000)) FROM
		(SELECT DISTINCT pid FROM pg_locks JOIN pg_database AS d ON d.oid = database
		WHERE locktype = 'advisory' AND datname = current_database()) AS holders`).Scan(&gone)
	require.NoError(t, err)
	require.Positive(t, gone)
	// Another page takes a slot and is answered: the loss had its time to reach the first one.
	other := r.page([]byte("page\nこんばんは"))
	otherFound := r.detect(other)
	second := r.process(steps)
	second.SetWorkerOptions(worker.Options{BackgroundActivityContext: t.Context()})
	_, err = call[comic.TranslateOutput](second, comic.StepTranslate, translateInput(other, otherFound))
	require.NoError(t, err)

	server.Release()
	require.NoError(t, await(t, ended, "the step whose slot was lost"))
	require.Equal(t, 2, server.CallCount(), "one call a page")
}

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
	steps := comicsteps.New(r.translatingBy(server))

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

// translatingBy are the dependencies of a rig whose translator asks that server.
func (r *rig) translatingBy(server *llmtest.Server) comicsteps.Deps {
	r.t.Helper()
	translator, err := translate.New(translate.Config{
		Provider: provider.Config{Kind: provider.OpenAI, BaseURL: server.OpenAIURL(), Model: server.Model()},
	}, r.deps.Records, slog.New(slog.DiscardHandler))
	require.NoError(r.t, err)
	r.deps.Translators = func(context.Context, comic.Options) (translate.Translator, error) { return translator, nil }
	return r.deps
}
