package comicapi

import (
	"net/http"

	"plait/api"
	comicschema "plait/api/comic/schema"
	"plait/internal/comic"
	"plait/internal/core"
)

// maxDraw bounds a request in bytes.
const maxDraw = 4 << 10

// drawRegion adds a region that a person drew. It answers 202 once the region is durable, before its text is read.
func (c chapters) drawRegion(call *api.Call) error {
	page, err := call.ItemIndex()
	if err != nil {
		return err
	}
	var body comicschema.DrawRegion
	if err := call.DecodeJSON(maxDraw, &body); err != nil {
		return err
	}
	if body.Area == (comic.Area{}) {
		return core.NewError(core.CodeInvalidInput, "field area is missing or empty")
	}
	if err := (comic.OverrideEdit{Area: &body.Area}).Check(); err != nil {
		return err
	}
	p, err := c.service.Draw(call.Request().Context(), call.Task, page, body.Area)
	if err != nil {
		return err
	}
	return call.JSON(http.StatusAccepted, comicschema.DrawnRegion{Index: p.Regions - 1})
}
