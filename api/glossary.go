package api

import (
	"context"
	"net/http"
	"slices"

	"github.com/labstack/echo/v4"

	"plait/api/schema"
	"plait/internal/core"
	"plait/internal/languages"
	"plait/internal/records"
	"plait/internal/translate/glossary"
)

const (
	glossaryPath = "/glossary"
	// maxGlossaryEdit is in bytes: [glossary.MaxChanges] changes of long texts.
	maxGlossaryEdit = 4 << 20
)

// Glossary is what the glossary of a kind's tasks needs to know of them.
type Glossary struct {
	// To returns the language that a task is translated into.
	To func(records.Task) (string, error)
	// Pairs reads the texts of a task with their translations so far, to suggest entries from.
	Pairs func(context.Context, records.Task) ([]glossary.Pair, error)
}

// routeGlossaries adds the glossaries of tasks, and of the tenant.
func (s *Server) routeGlossaries(group *echo.Group, task string, quick echo.MiddlewareFunc) {
	const ofTenant = "/glossaries/:to"
	read, edit := s.keyed(quick, allowQuery()), s.keyed(s.transfer, allowQuery())
	get(group, task+glossaryPath, s.withGlossary(s.sendGlossary), read...)
	group.PATCH(task+glossaryPath, s.withGlossary(s.editGlossary), edit...)
	get(group, task+glossaryPath+"/suggestions", s.suggestEntries, read...)
	get(group, ofTenant, s.withGlossary(s.sendGlossary), read...)
	group.PATCH(ofTenant, s.withGlossary(s.editGlossary), edit...)
}

// glossaryOf names a glossary: that of a task, or of all tasks where task is empty.
type glossaryOf struct{ tenant, task, to string }

// withGlossary finds the glossary that the path names.
func (s *Server) withGlossary(handle func(echo.Context, glossaryOf) error) echo.HandlerFunc {
	return func(c echo.Context) error {
		if c.Param("id") == "" {
			to, err := languages.ParseTarget(c.Param("to"))
			if err != nil {
				return err
			}
			return handle(c, glossaryOf{tenant: keyOf(c).Tenant, to: to})
		}
		t, _, to, err := s.translated(c)
		if err != nil {
			return err
		}
		return handle(c, glossaryOf{tenant: t.Tenant, task: t.ID, to: to})
	}
}

// translated finds the task of the path, which must be of a kind that has glossaries, and the language that it is translated into.
func (s *Server) translated(c echo.Context) (t records.Task, of *Glossary, to string, err error) {
	if t, err = s.task(c); err != nil {
		return t, nil, "", err
	}
	if of = s.kind(t.Kind).Glossary; of == nil {
		return t, nil, "", core.Errorf(core.CodeNotFound, "task %s translates nothing", t.ID)
	}
	to, err = of.To(t)
	return t, of, to, err
}

func (s *Server) sendGlossary(c echo.Context, g glossaryOf) error {
	found, err := s.Records.Glossaries(c.Request().Context(), g.tenant, g.task, g.to)
	if err != nil {
		return err
	}
	v := schema.Glossary{To: g.to, Entries: found.Own, TenantEntries: found.Tenant}
	if g.task == "" {
		v.Entries, v.TenantEntries = found.Tenant, nil
	}
	v.Entries = append([]glossary.Entry{}, v.Entries...) // an array in JSON, also without entries
	return c.JSON(http.StatusOK, v)
}

// editGlossary makes all changes of the request or, where somebody else has changed one of the entries, none.
func (s *Server) editGlossary(c echo.Context, g glossaryOf) error {
	var in schema.EditGlossary
	if err := decodeBody(c, maxGlossaryEdit, &in); err != nil {
		return err
	}
	if len(in.Changes) == 0 {
		return core.NewError(core.CodeInvalidInput, "field changes is missing or empty")
	}
	if err := s.Records.EditGlossary(c.Request().Context(), g.tenant, g.task, g.to, in.Changes); err != nil {
		return err
	}
	return s.sendGlossary(c, g)
}

// suggestEntries answers with entries made from the translations of a task so far, for terms that no glossary of the task has.
func (s *Server) suggestEntries(c echo.Context) error {
	t, of, to, err := s.translated(c)
	if err != nil {
		return err
	}
	ctx := c.Request().Context()
	known, err := s.Records.Glossary(ctx, t.Tenant, t.ID, to)
	if err != nil {
		return err
	}
	pairs, err := of.Pairs(ctx, t)
	if err != nil {
		return err
	}
	suggested := slices.DeleteFunc(glossary.Suggest(pairs), func(e glossary.Entry) bool {
		return slices.ContainsFunc(known, func(k glossary.Entry) bool { return k.Source == e.Source })
	})
	return c.JSON(http.StatusOK, schema.GlossarySuggestions{Entries: append([]glossary.Entry{}, suggested...)})
}
