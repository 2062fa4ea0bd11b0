package comicapi

import (
	"net/http"

	"plait/api"
	comicschema "plait/api/comic/schema"
	"plait/api/schema"
	"plait/internal/comic"
	"plait/internal/core"
)

// defaultAlternatives is how many translations a request without a count asks for.
const defaultAlternatives = 3

// askAlternatives has a model asked for other translations of a region. It answers 202 once the request is durable, before the model is asked.
func (c chapters) askAlternatives(call *api.Call) error {
	page, err := call.ItemIndex()
	if err != nil {
		return err
	}
	var body struct {
		comicschema.AskAlternatives
		// Pointers distinguish missing fields.
		Index *int `json:"region_index"`
		Count *int `json:"count"`
	}
	if err := call.DecodeJSON(maxDraw, &body); err != nil {
		return err
	}
	count := defaultAlternatives
	if body.Count != nil {
		count = *body.Count
	}
	switch {
	case body.Index == nil:
		return core.NewError(core.CodeInvalidInput, "field region_index is missing")
	case count < 1 || count > comic.MaxAlternatives:
		return core.Errorf(core.CodeInvalidInput, "count is %d; it must be from 1 to %d", count, comic.MaxAlternatives)
	}
	if err := c.service.Alternatives(call.Request().Context(), call.Task, page, *body.Index, count); err != nil {
		return err
	}
	return call.NoContent(http.StatusAccepted)
}

func viewAlternatives(a *comic.Alternatives) *comicschema.Alternatives {
	if a == nil {
		return nil
	}
	v := &comicschema.Alternatives{Request: a.Request, Texts: a.Texts}
	if a.Failure != nil {
		v.Failure = &schema.Failure{Stage: a.Failure.Stage, Code: a.Failure.Code, Message: a.Failure.Message}
	}
	return v
}
