package comicrecords_test

import (
	"context"
	"testing"

	"github.com/stretchr/testify/require"

	"plait/internal/comic"
	"plait/internal/core"
	comicrecords "plait/internal/records/comic"
)

func TestATranslationWaitsForThoseBefore(t *testing.T) {
	f := open(t)
	ctx := t.Context()
	task := f.running(3)
	order := func(page int) comicrecords.Order {
		t.Helper()
		order, err := f.TranslateOrder(ctx, task.Items[page])
		require.NoError(t, err)
		return order
	}
	require.Equal(t, []comicrecords.Order{comicrecords.TranslateReady, comicrecords.EarlierPending}, []comicrecords.Order{order(0), order(1)})
	first := runOf(task.Items[0], comic.StageTranslate, 1)
	f.Begin(first)
	require.Equal(t, []comicrecords.Order{comicrecords.TranslateReady, comicrecords.EarlierRunning, comicrecords.EarlierPending}, []comicrecords.Order{order(0), order(1), order(2)})
	require.NoError(t, f.EndStage(ctx, first, core.CodeTranslatorUnavailable, "busy", nil))
	require.Equal(t, comicrecords.EarlierPending, order(1), "it is to be tried again")
	first.Attempt = 2
	f.Begin(first)
	require.Equal(t, comicrecords.EarlierRunning, order(1))
	require.NoError(t, f.SaveTranslations(ctx, first, comic.TranslateOutput{Provider: "openai"}))
	require.Equal(t, comicrecords.TranslateReady, order(1))
	f.Begin(runOf(task.Items[1], comic.StageTranslate, 1))
	require.Equal(t, comicrecords.EarlierRunning, order(2))
	f.finish(task.Items[1])
	require.Equal(t, comicrecords.TranslateReady, order(2), "it has ended")
	_, err := f.SetPaused(ctx, tenant, task.ID, true)
	require.NoError(t, err)
	require.Equal(t, comicrecords.TaskPaused, order(2))
	canceled, cancel := context.WithCancel(ctx)
	cancel()
	_, err = f.TranslateOrder(canceled, task.Items[2])
	require.Error(t, err)
}
