package api

import (
	"errors"
	"mime"
	"net/http"
	"slices"
	"strconv"

	"github.com/labstack/echo/v4"

	"plait/api/schema"
	"plait/internal/core"
	"plait/internal/records"
)

// createTask accepts a task of the kind. It answers 202 once the task is durable, and 200 when the idempotency key belongs to a task that
// was accepted before.
func (s *Server) createTask(k Kind) echo.HandlerFunc {
	return func(c echo.Context) error {
		key, err := idempotencyKey(c.Request().Header)
		if err != nil {
			return err
		}
		input, in, err := s.readRequest(c, k)
		if err != nil {
			return err
		}
		defer in.Close()
		input.Tenant, input.IdempotencyKey = tenantOf(c), key
		if err := input.Check(); err != nil {
			return err
		}
		ctx := c.Request().Context()
		hash := ""
		if len(in.remotes) > 0 {
			if hash, err = in.hash(k, input.CallbackURL); err != nil {
				return err
			}
			if task, found, err := s.Tasks.Repeated(ctx, input.Tenant, key, hash); err != nil {
				return err
			} else if found { // nothing is fetched again
				return s.answerAccepted(c, task, false)
			}
			if err := s.fetchRemotes(c, in); err != nil {
				return err
			}
			input.Files = in.files
		}
		plan, err := k.Plan(ctx, input)
		if err != nil {
			return err
		}
		plan.RequestHash = hash
		task, created, err := s.Tasks.Accept(ctx, plan)
		if plan.Close != nil {
			err = errors.Join(err, plan.Close())
		}
		if err != nil {
			return err
		}
		return s.answerAccepted(c, task, created)
	}
}

// estimateTask answers what the task of a request would take. Nothing is kept.
func (s *Server) estimateTask(k Kind) echo.HandlerFunc {
	return func(c echo.Context) error {
		input, in, err := s.readRequest(c, k)
		if err != nil {
			return err
		}
		defer in.Close()
		input.Tenant = tenantOf(c)
		if err := input.Check(); err != nil {
			return err
		}
		if len(in.remotes) > 0 {
			if err := s.fetchRemotes(c, in); err != nil {
				return err
			}
			input.Files = in.files
		}
		found, err := k.Estimate(c.Request().Context(), input)
		if err != nil {
			return err
		}
		return c.JSON(http.StatusOK, found)
	}
}

func (s *Server) answerAccepted(c echo.Context, t records.Task, created bool) error {
	c.Response().Header().Set(echo.HeaderLocation, taskPath(t.ID))
	if !created {
		v, err := s.viewTask(c.Request().Context(), t)
		if err != nil {
			return err
		}
		return c.JSON(http.StatusOK, v)
	}
	chargeShown(c, t.TokensCharged)
	// The task is accepted: from here on, read nothing more that could fail.
	v, err := s.describeTask(t, records.Progress{Total: t.TotalCount}, nil)
	if err != nil {
		return err
	}
	return c.JSON(http.StatusAccepted, v)
}

func (s *Server) readRequest(c echo.Context, k Kind) (Input, *spool, error) {
	kind, _, err := mime.ParseMediaType(c.Request().Header.Get(echo.HeaderContentType))
	if err == nil && kind == echo.MIMEMultipartForm {
		return s.readMultipart(c.Request(), k, s.maxBody(c))
	}
	if isJSONRequest(c) {
		return s.readJSON(c, k)
	}
	return Input{}, nil, withStatus(http.StatusUnsupportedMediaType,
		core.NewError(core.CodeInvalidInput, "the content type is neither multipart/form-data nor application/json in UTF-8"))
}

// inputOf converts the fields into an input; it checks the priority only if one was given.
func (s *Server) inputOf(in *spool) (i Input, err error) {
	i.Files, i.Texts, i.Contents = in.files, in.texts, in.contents
	i.Title = in.texts[schema.FieldTitle]
	delete(in.texts, schema.FieldTitle)
	if text, given := in.texts[schema.FieldCallbackURL]; given {
		delete(in.texts, schema.FieldCallbackURL)
		i.CallbackURL = text
		if err := s.checkWebhook(schema.FieldCallbackURL, text); err != nil {
			return i, err
		}
	}
	if text, given := in.texts[schema.FieldPriority]; given {
		delete(in.texts, schema.FieldPriority)
		if i.Priority, err = strconv.Atoi(text); err != nil || i.Priority == 0 {
			return i, core.Errorf(core.CodeInvalidInput, "priority %.20q is not a number from %d to %d", text, core.FirstPriority, core.LastPriority)
		}
	}
	return i, nil
}

// field returns the field of that name if requests of the kind may have it.
func (k Kind) field(name string) (Field, error) {
	switch name {
	case schema.FieldTitle, schema.FieldCallbackURL:
		return Field{Name: name}, nil
	case schema.FieldPriority:
		return Field{Name: name, Type: Number}, nil
	}
	if i := slices.IndexFunc(k.Fields, func(f Field) bool { return f.Name == name }); i >= 0 {
		return k.Fields[i], nil
	}
	return Field{}, core.Errorf(core.CodeInvalidInput, "field %q is not known", clip(name))
}
