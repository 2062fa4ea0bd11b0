package api

import (
	"net/http"

	"github.com/labstack/echo/v4"

	"plait/api/schema"
	"plait/internal/languages"
)

// getCapabilities answers with what a client needs to know before it creates a task.
func (s *Server) getCapabilities(c echo.Context) error {
	v := schema.Capabilities{
		Version: s.Version, From: languages.Sources(), To: languages.Targets(),
		Limits: schema.CapabilityLimits{MaxBody: s.maxBody(c), MaxPages: s.Config.MaxPages},
	}
	for _, k := range s.Kinds {
		v.Kinds = append(v.Kinds, schema.CapableKind{Name: k.Name, Path: v1 + k.Path, Estimate: k.Estimate != nil || k.Contract != nil && k.Contract.Estimates, Models: k.Models})
	}
	if s.Translator != nil {
		var err error
		if v.Translator, err = s.Translator(c.Request().Context()); err != nil {
			return err
		}
	}
	return c.JSON(http.StatusOK, v)
}
