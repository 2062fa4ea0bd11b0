package comicrecords_test

import (
	"context"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"plait/internal/comic"
	"plait/internal/core"
	comicrecords "plait/internal/records/comic"
	"plait/internal/records/recordstest"
)

// A page that waits has left detect; one that ended, or is processed again as a whole, has left both stages.
func TestPagesAreCountedByTheStagesThatTheyLeft(t *testing.T) {
	f := open(t)
	ctx := t.Context()
	task, other := f.running(4), f.running(1)
	f.finish(task.Items[0])
	f.Begin(runOf(task.Items[1], comic.StageDetect, 1))
	for _, page := range task.Items[2:] {
		run := runOf(page, comic.StageDetect, 1)
		f.Begin(run)
		require.NoError(t, f.SaveDetect(ctx, run, comic.DetectOutput{Regions: regions("はい")}))
	}
	translate := runOf(task.Items[3], comic.StageTranslate, 1)
	f.Begin(translate)
	require.NoError(t, f.SaveTranslations(ctx, translate, translated("Yes")))
	f.Begin(fallbackOf(task.Items[3]))

	counts, err := f.Counts(ctx, task.ID, other.ID, "absent")
	require.NoError(t, err)
	require.Equal(t, map[string]comicrecords.Counts{task.ID: {Detected: 3, Translated: 2}, other.ID: {}}, counts)
	require.NoError(t, f.FinishPage(ctx, fallbackOf(task.Items[3]), resultOf(task.Items[3], comic.ModeFallback)))
	result, err := f.FinishTask(ctx, core.FinishTaskInput{TaskID: task.ID, Canceled: true})
	require.NoError(t, err)
	require.Equal(t, map[core.Mode]int{comic.ModeSplit: 1, comic.ModeFallback: 1}, result.Modes)
	require.Equal(t, comicrecords.Counts{Detected: 4, Translated: 4, Fallbacks: 1}, f.counts(task.ID))
	require.Equal(t, comic.StageDetect, f.page(task.Items[1]).Failure.Stage)
}

// Whoever listens is told of translations: the page after them may be waiting.
func TestTranslationsAreNotified(t *testing.T) {
	f := open(t)
	ctx, cancel := context.WithTimeout(t.Context(), 30*time.Second)
	defer cancel()
	page := f.running(1).Items[0]
	run := runOf(page, comic.StageTranslate, 1)
	f.Begin(run)
	require.NoError(t, f.SaveDetect(ctx, run, comic.DetectOutput{Regions: regions("はい")}))
	conn := recordstest.Connect(t, f.URL)
	defer conn.Close(context.WithoutCancel(ctx))
	_, err := conn.Exec(ctx, `LISTEN plait_progress`)
	require.NoError(t, err)
	require.NoError(t, f.SaveTranslations(ctx, run, translated("Yes")))
	notification, err := conn.WaitForNotification(ctx)
	require.NoError(t, err)
	require.Equal(t, page.TaskID, notification.Payload)
}
