package api_test

import (
	"context"
	"net/http"

	"github.com/jackc/pgx/v5"
	"github.com/stretchr/testify/require"

	"plait/activities/comic/enginetest"
	comicschema "plait/api/comic/schema"
	"plait/api/schema"
	"plait/internal/core"
)

func (c caller) ask(path, what string) answer {
	c.t.Helper()
	return c.do(http.MethodPost, path+"/"+what, nil)
}

func retryFailed(w *world, c caller) {
	t := c.t
	path := c.post(toEnglish(image("1.png", page(t, "はい")), image("2.png", page(t, "shut:retry")))).is(http.StatusAccepted).header.Get("Location")
	task := c.untilEnded(path)
	require.Equal(t, core.StatusPartial, task.Status)
	first := c.get(task.Pages[0].Links["result"]).is(http.StatusOK)

	again := c.ask(path, "retry").is(http.StatusAccepted).task()
	require.Equal(t, []int{1, 1, 0}, []int{again.RetryCount, again.SuccessCount, again.FailedCount})
	require.Nil(t, again.EndedAt)
	task = c.untilEnded(path)
	require.Equal(t, []any{core.StatusPartial, 1, 1}, []any{task.Status, task.SuccessCount, task.FailedCount})

	close(w.engine.gates.gate("retry"))
	c.ask(path, "retry").is(http.StatusAccepted)
	task = c.untilEnded(path)
	require.Equal(t, []any{core.StatusSuccess, 2, 0, 2}, []any{task.Status, task.SuccessCount, task.FailedCount, task.RetryCount})
	require.Nil(t, task.Pages[1].Failure)
	require.Equal(t, first.header.Get("ETag"), c.get(task.Pages[0].Links["result"]).header.Get("ETag"))
	require.Equal(t, "shut:retry -> [shut:retry]\n", enginetest.TextOf(c.get(task.Pages[1].Links["result"]).is(http.StatusOK).body))
	require.Equal(t, comicschema.TaskDetails{Detected: 2, Translated: 2}, task.Details)
	require.Equal(t, schema.Progress{Done: 2, Total: 2, ElapsedMS: task.Progress.ElapsedMS}, task.Progress)

	c.ask(path, "retry").refused(http.StatusConflict, core.CodeConflict, "no item of task")
	c.caller("retry_stranger").ask(path, "retry").refused(http.StatusNotFound, core.CodeNotFound, "there is no task")
	c.get(path + "/retry").is(http.StatusMethodNotAllowed)
	filesNoLongerKept(c, path)
}

// filesNoLongerKept is what a client sees of a task whose files retention took.
func filesNoLongerKept(c caller, path string) {
	t := c.t
	conn, err := pgx.Connect(t.Context(), c.url)
	require.NoError(t, err)
	defer func() { _ = conn.Close(context.Background()) }()
	_, err = conn.Exec(t.Context(), `UPDATE task SET files_removed_at = now() WHERE tenant = $1`, c.tenant)
	require.NoError(t, err)
	task := c.get(path).is(http.StatusOK).task()
	require.NotNil(t, task.FilesRemovedAt)
	require.NotContains(t, task.Links, "result")
	require.Equal(t, map[string]string{"self": task.Pages[0].Links["self"]}, task.Pages[0].Links)
	for _, gone := range []string{"/result", "/items/0/result", "/items/0/input"} {
		c.get(path+gone).refused(http.StatusNotFound, core.CodeNotFound, "no longer kept")
	}
	require.NotEmpty(t, c.get(task.Links["script"]).is(http.StatusOK).body, "the texts stay")
}

func pauseAndResume(w *world, c caller) {
	t := c.t
	path := c.post(toEnglish(field("mode", "unified"), image("1.png", page(t, "late gate:pause")), image("2.png", page(t, "gate:resume")))).is(http.StatusAccepted).header.Get("Location")
	c.until(path, func(chapter) bool { return w.engine.gates.holds("pause") })
	c.ask(path, "retry").refused(http.StatusConflict, core.CodeConflict, "has not ended")
	for range 2 {
		require.Equal(t, core.StatusPaused, c.ask(path, "pause").is(http.StatusAccepted).task().Status)
	}
	close(w.engine.gates.gate("pause"))
	task := c.until(path, func(t chapter) bool { return t.Progress.Done == 1 })
	require.Equal(t, core.StatusPaused, task.Status, "what was begun ends")
	require.Nil(t, task.Progress.EstimatedMS)
	require.Equal(t, core.StatusQueued, task.Pages[1].Status)
	var list schema.TaskList
	c.get(tasksRoute + "?status=paused").is(http.StatusOK).into(&list)
	require.Len(t, list.Tasks, 1)
	for range 2 {
		c.ask(path, "resume").is(http.StatusAccepted)
	}
	close(w.engine.gates.gate("resume"))
	require.Equal(t, core.StatusSuccess, c.untilEnded(path).Status)
	for _, what := range []string{"pause", "resume", "cancel"} {
		c.ask(path, what).refused(http.StatusConflict, core.CodeConflict, "has ended")
	}

	// A task that pauses is canceled as any other.
	path = c.post(toEnglish(image("1.png", page(t, "gate:pause and cancel")))).is(http.StatusAccepted).header.Get("Location")
	c.ask(path, "pause").is(http.StatusAccepted)
	require.NotNil(t, c.ask(path, "cancel").is(http.StatusAccepted).task().CancelRequestedAt)
	require.Equal(t, core.StatusCanceled, c.untilEnded(path).Status)
}
