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

// listTasks answers with the tenant's tasks, newest first and without their items.
func (s *Server) listTasks(c echo.Context) error {
	found, next, err := s.findTasks(c)
	if err != nil {
		return err
	}
	list, err := s.viewTasks(c.Request().Context(), found)
	if err != nil {
		return err
	}
	return c.JSON(http.StatusOK, schema.TaskList{Tasks: list, Next: next})
}

func (s *Server) findTasks(c echo.Context) ([]records.Task, string, error) {
	if given := c.QueryParams(); given.Has("idempotency_key") {
		if len(given) > 1 {
			return nil, "", core.NewError(core.CodeInvalidInput, "idempotency_key cannot be combined with other parameters: it names one task")
		}
		return s.findByKey(c, given.Get("idempotency_key"))
	}
	limit, err := listLimit(c.QueryParam("limit"))
	if err != nil {
		return nil, "", err
	}
	status := core.Status(c.QueryParam("status"))
	if status != "" {
		if status, err = core.OneOf("status", status, core.TaskStatuses()...); err != nil {
			return nil, "", err
		}
	}
	after, err := records.ParseCursor(c.QueryParam("after"))
	if err != nil {
		return nil, "", err
	}
	filter := records.TaskFilter{Status: status, Kind: core.Kind(c.QueryParam("kind"))}
	if filter.Kind != "" && s.kind(filter.Kind).Path == "" {
		return nil, "", core.Errorf(core.CodeInvalidInput, "kind %q is not known", clip(string(filter.Kind)))
	}
	found, next, err := s.Records.ListTasks(c.Request().Context(), tenantOf(c), filter, limit, after)
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

// task reads the task of the path.
func (s *Server) task(c echo.Context) (records.Task, error) {
	id, err := taskID(c)
	if err != nil {
		return records.Task{}, err
	}
	return s.Records.Task(c.Request().Context(), tenantOf(c), id)
}

// getTask answers with a task and its items. It reads the items after the task, so that the items of an ended task have ended.
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
	if v.Items, err = s.viewItems(ctx, t); err != nil {
		return err
	}
	return c.JSON(http.StatusOK, v)
}

// deleteTask cancels a running task (202: it ends soon) and deletes an ended one (204). A task that ends in between is a CONFLICT, so that
// a client that wanted to cancel does not lose the result.
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
