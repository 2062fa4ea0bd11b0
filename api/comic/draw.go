package comicapi

import (
	"net/http"

	"plait/api"
	comicschema "plait/api/comic/schema"
	"plait/internal/comic"
	"plait/internal/core"
	comicrecords "plait/internal/records/comic"
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

// splitRegion divides a region. It answers 202 once that is durable, before the page is rendered again.
func (c chapters) splitRegion(call *api.Call) error {
	page, err := call.ItemIndex()
	if err != nil {
		return err
	}
	var body struct {
		comicschema.SplitRegion
		// Pointers distinguish missing fields.
		Index    *int    `json:"region_index"`
		Expected *string `json:"expected"`
	}
	if err := call.DecodeJSON(maxEdit, &body); err != nil {
		return err
	}
	if body.Index == nil || body.Expected == nil || body.At == nil && body.TranslationAt == nil {
		return core.NewError(core.CodeInvalidInput, "give region_index, expected, and at or translation_at")
	}
	second, err := c.service.Split(call.Request().Context(), call.Task, page, call.Key.Name, comicrecords.RegionSplit{
		Index: *body.Index, At: body.At, TranslationAt: body.TranslationAt, Expected: *body.Expected,
	})
	if err != nil {
		return err
	}
	return call.JSON(http.StatusAccepted, comicschema.DrawnRegion{Index: second})
}
