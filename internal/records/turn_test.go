package records_test

import (
	"context"
	"testing"

	"github.com/stretchr/testify/require"

	"plait/internal/comic"
	"plait/internal/core"
	"plait/internal/records"
)

func TestATranslationWaitsForThoseBefore(t *testing.T) {
	f := open(t)
	ctx := t.Context()
	task := f.running(3)
	turn := func(page int) records.Turn {
		t.Helper()
		turn, err := f.TranslateTurn(ctx, task.Pages[page])
		require.NoError(t, err)
		return turn
	}
	require.Equal(t, []records.Turn{records.TurnCome, records.TurnFar}, []records.Turn{turn(0), turn(1)})
	first := runOf(task.Pages[0], comic.StageTranslate, 1)
	f.begin(first)
	require.Equal(t, []records.Turn{records.TurnCome, records.TurnNear, records.TurnFar}, []records.Turn{turn(0), turn(1), turn(2)})
	require.NoError(t, f.EndStage(ctx, first, core.CodeTranslatorUnavailable, "busy", nil))
	require.Equal(t, records.TurnFar, turn(1), "it is to be tried again")
	first.Attempt = 2
	f.begin(first)
	require.Equal(t, records.TurnNear, turn(1))
	require.NoError(t, f.SaveTranslations(ctx, first, comic.TranslateOutput{Provider: "openai"}))
	require.Equal(t, records.TurnCome, turn(1))
	f.begin(runOf(task.Pages[1], comic.StageTranslate, 1))
	require.Equal(t, records.TurnNear, turn(2))
	f.finish(task.Pages[1])
	require.Equal(t, records.TurnCome, turn(2), "it has ended")
	_, err := f.SetPaused(ctx, tenant, task.ID, true)
	require.NoError(t, err)
	require.Equal(t, records.TurnPaused, turn(2))
	canceled, cancel := context.WithCancel(ctx)
	cancel()
	_, err = f.TranslateTurn(canceled, task.Pages[2])
	require.Error(t, err)
}
