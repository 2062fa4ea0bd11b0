package api

import (
	"context"
	"net/http"

	"github.com/labstack/echo/v4"

	"plait/internal/records"
)

// change handles a request that changes the course of a task. It answers 202 with the changed task once the change is durable.
func (s *Server) change(
	do func(ctx context.Context, tenant, id string) (records.Task, error),
) echo.HandlerFunc {
	return func(c echo.Context) error {
		id, err := taskID(c)
		if err != nil {
			return err
		}
		ctx := c.Request().Context()
		t, err := do(ctx, tenantOf(c), id)
		if err != nil {
			return err
		}
		v, err := s.viewTask(ctx, t)
		if err != nil {
			return err
		}
		return c.JSON(http.StatusAccepted, v)
	}
}
