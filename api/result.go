package api

import (
	"errors"
	"maps"
	"net/http"
	"slices"
	"strings"

	"github.com/labstack/echo/v4"

	"plait/internal/core"
)

// resultFormat is the query parameter that chooses the form of a result.
const resultFormat = "format"

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
	format := Format{Type: d.ResultType, Suffix: d.ResultSuffix}
	name := c.QueryParam(resultFormat)
	if c.QueryParams().Has(resultFormat) {
		var found bool
		if format, found = d.Formats[name]; !found {
			return core.Errorf(core.CodeInvalidInput, "query parameter format of a result of kind %s is none of: %s", t.Kind,
				strings.Join(slices.Sorted(maps.Keys(d.Formats)), ", "))
		}
	}
	attach(c, t, format.Type, format.Suffix)
	c.Response().Header().Set(headerAcceptRanges, "none") // it is packed while it is sent
	if c.Request().Method != http.MethodHead {
		return s.Tasks.WriteResultAs(c.Request().Context(), c.Response(), t.Tenant, t.ID, name)
	}
	err = s.Tasks.WriteResultAs(c.Request().Context(), noBody{}, t.Tenant, t.ID, name)
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
