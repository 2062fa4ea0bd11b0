package api

import (
	"errors"
	"net/http"

	"github.com/labstack/echo/v4"
)

// getResult streams the result of a task.
func (s *Server) getResult(c echo.Context) error {
	t, err := s.task(c)
	if err != nil {
		return err
	}
	d, err := s.kind(t.Kind).Describe(t)
	if err != nil {
		return err
	}
	attach(c, t, d.ResultType, d.ResultSuffix)
	c.Response().Header().Set(headerAcceptRanges, "none") // it is packed while it is sent
	if c.Request().Method != http.MethodHead {
		return s.Tasks.WriteResult(c.Request().Context(), c.Response(), t.Tenant, t.ID)
	}
	err = s.Tasks.WriteResult(c.Request().Context(), noBody{}, t.Tenant, t.ID)
	if !errors.Is(err, errNoBody) {
		return err
	}
	c.Response().WriteHeader(http.StatusOK)
	return nil
}

var errNoBody = errors.New("the method is HEAD")

// noBody fails the first write.
type noBody struct{}

func (noBody) Write([]byte) (int, error) { return 0, errNoBody }
