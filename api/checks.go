package api

import (
	"context"
	"fmt"
	"net/http"
	"slices"
	"time"

	"github.com/labstack/echo/v4"

	"plait/api/schema"
	"plait/internal/core"
)

const (
	checksPath = adminPath + "/checks"
	// checkTimeout bounds a check with the wait for another one. A check by itself takes a minute at most.
	checkTimeout = 150 * time.Second
)

// routeChecks adds the checks of the parts of the installation.
func (s *Server) routeChecks(group *echo.Group, quick echo.MiddlewareFunc) {
	get(group, checksPath, func(c echo.Context) error {
		return c.JSON(http.StatusOK, schema.CheckList{Parts: append([]string{}, s.Checks...)})
	}, s.keyed(quick, allowQuery())...)
	get(group, checksPath+"/:part", s.getCheck, s.keyed(allowQuery())...)
}

// getCheck checks a part of the installation, from the machine of this process. Checks load models and measure disks, so that one is under
// way at a time.
func (s *Server) getCheck(c echo.Context) error {
	part := c.Param("part")
	if !slices.Contains(s.Checks, part) {
		return core.Errorf(core.CodeNotFound, "there is no check of %q", clip(part))
	}
	control := http.NewResponseController(c.Response())
	// The server has deadlines for requests, which this one would not meet.
	if err := control.SetReadDeadline(time.Time{}); err != nil {
		return fmt.Errorf("wait for a check: %w", err)
	}
	if err := control.SetWriteDeadline(time.Now().Add(checkTimeout + answerTime)); err != nil {
		return fmt.Errorf("wait for a check: %w", err)
	}
	ctx, cancel := context.WithTimeout(c.Request().Context(), checkTimeout)
	defer cancel()
	select {
	case s.checking <- struct{}{}:
		defer func() { <-s.checking }()
	case <-ctx.Done():
		return core.NewError(core.CodeRateLimited, "other checks are under way; try again in a moment")
	}
	found, err := s.Check(ctx, part)
	if err != nil {
		return err
	}
	return c.JSON(http.StatusOK, found)
}
