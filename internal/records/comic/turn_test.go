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
	turn := func(page int) comicrecords.Turn {
		t.Helper()
		turn, err := f.TranslateTurn(ctx, task.Items[page])
		require.NoError(t, err)
		return turn
	}
	require.Equal(t, []comicrecords.Turn{comicrecords.TurnCome, comicrecords.TurnFar}, []comicrecords.Turn{turn(0), turn(1)})
	first := runOf(task.Items[0], comic.StageTranslate, 1)
	f.begin(first)
	require.Equal(t, []comicrecords.Turn{comicrecords.TurnCome, comicrecords.TurnNear, comicrecords.TurnFar}, []comicrecords.Turn{turn(0), turn(1), turn(2)})
	require.NoError(t, f.EndStage(ctx, first, core.CodeTranslatorUnavailable, "busy", nil))
	require.Equal(t, comicrecords.TurnFar, turn(1), "it is to be tried again")
	first.Attempt = 2
	f.begin(first)
	require.Equal(t, comicrecords.TurnNear, turn(1))
	require.NoError(t, f.SaveTranslations(ctx, first, comic.TranslateOutput{Provider: "openai"}))
	require.Equal(t, comicrecords.TurnCome, turn(1))
	f.begin(runOf(task.Items[1], comic.StageTranslate, 1))
	require.Equal(t, comicrecords.TurnNear, turn(2))
	f.finish(task.Items[1])
	require.Equal(t, comicrecords.TurnCome, turn(2), "it has ended")
	_, err := f.SetPaused(ctx, tenant, task.ID, true)
	require.NoError(t, err)
	require.Equal(t, comicrecords.TurnPaused, turn(2))
	canceled, cancel := context.WithCancel(ctx)
	cancel()
	_, err = f.TranslateTurn(canceled, task.Items[2])
	require.Error(t, err)
}
