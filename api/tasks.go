package api

import (
	"net/http"
	"strconv"

	"github.com/labstack/echo/v4"

	"plait/api/schema"
	"plait/internal/core"
	"plait/internal/records"
)

const (
	defaultLimit = 50
	maxLimit     = 200
)

// listTasks is the tenant's tasks, the newest first, without their pages.
func (s *Server) listTasks(c echo.Context) error {
	found, next, err := s.findTasks(c)
	if err != nil {
		return err
	}
	ids := make([]string, len(found))
	for i, t := range found {
		ids[i] = t.ID
	}
	progress, err := s.Records.Progresses(c.Request().Context(), ids)
	if err != nil {
		return err
	}
	counts, err := s.chapters().Counts(c.Request().Context(), ids...)
	if err != nil {
		return err
	}
	list := schema.TaskList{Tasks: make([]schema.Task, 0, len(found)), Next: next}
	for _, t := range found {
		if p, there := progress[t.ID]; there { // or deleted a moment ago
			view, err := viewTask(t, p, counts[t.ID])
			if err != nil {
				return err
			}
			list.Tasks = append(list.Tasks, view)
		}
	}
	return c.JSON(http.StatusOK, list)
}

func (s *Server) findTasks(c echo.Context) ([]records.Task, string, error) {
	if given := c.QueryParams(); given.Has("idempotency_key") {
		if len(given) > 1 {
			return nil, "", core.NewError(core.CodeInvalidInput, "idempotency_key stands alone: it names one task")
		}
		return s.findByKey(c, given.Get("idempotency_key"))
	}
	limit, err := listLimit(c.QueryParam("limit"))
	if err != nil {
		return nil, "", err
	}
	status := core.Status(c.QueryParam("status"))
	switch status {
	case "", core.StatusQueued, core.StatusRunning, core.StatusPaused,
		core.StatusSuccess, core.StatusPartial, core.StatusError, core.StatusCanceled:
	default:
		return nil, "", core.Errorf(core.CodeInvalidInput, "status is queued, running, paused, success, partial, error or canceled, not %q", status)
	}
	after, err := records.ParseCursor(c.QueryParam("after"))
	if err != nil {
		return nil, "", err
	}
	found, next, err := s.Records.ListTasks(c.Request().Context(), tenantOf(c), status, limit, after)
	return found, next.String(), err
}

func (s *Server) findByKey(c echo.Context, key string) ([]records.Task, string, error) {
	if err := checkIdempotencyKey(key); err != nil {
		return nil, "", err
	}
	t, err := s.Records.TaskByKey(c.Request().Context(), tenantOf(c), key)
	if core.CodeOf(err) == core.CodeNotFound {
		return nil, "", nil
	}
	return []records.Task{t}, "", err
}

func listLimit(text string) (int, error) {
	if text == "" {
		return defaultLimit, nil
	}
	limit, err := strconv.Atoi(text)
	if err != nil || limit < 1 || limit > maxLimit {
		return 0, core.Errorf(core.CodeInvalidInput, "limit is a number from 1 to %d", maxLimit)
	}
	return limit, nil
}

// task reads the task that the path names.
func (s *Server) task(c echo.Context) (records.Task, error) {
	id, err := taskID(c)
	if err != nil {
		return records.Task{}, err
	}
	return s.Records.Task(c.Request().Context(), tenantOf(c), id)
}

// getTask is a task with its pages. They are read after the task, so that those of an ended task have ended.
func (s *Server) getTask(c echo.Context) error {
	t, err := s.task(c)
	if err != nil {
		return err
	}
	ctx := c.Request().Context()
	v, err := s.viewTask(ctx, t)
	if err != nil {
		return err
	}
	pages, err := s.chapters().Pages(ctx, t.ID)
	if err != nil {
		return err
	}
	v.Pages = make([]schema.Page, len(pages))
	for i, p := range pages {
		v.Pages[i] = viewPage(t.ID, p)
	}
	return c.JSON(http.StatusOK, v)
}

// deleteTask cancels a task that runs (202: it ends soon) and deletes one that has ended (204). A task that ends in
// between is a CONFLICT: whoever meant to cancel must not lose the result.
func (s *Server) deleteTask(c echo.Context) error {
	t, err := s.task(c)
	if err != nil {
		return err
	}
	ctx := c.Request().Context()
	if t.Status.Ended() {
		if err := s.Tasks.Delete(ctx, t.Tenant, t.ID); err != nil {
			return err
		}
		return c.NoContent(http.StatusNoContent)
	}
	if t, err = s.Tasks.Cancel(ctx, t.Tenant, t.ID); err != nil {
		return err
	}
	v, err := s.viewTask(ctx, t)
	if err != nil {
		return err
	}
	return c.JSON(http.StatusAccepted, v)
}
