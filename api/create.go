package api

import (
	"mime"
	"net/http"
	"strconv"

	"github.com/labstack/echo/v4"

	"plait/api/schema"
	"plait/internal/core"
	"plait/internal/records"
	comicrecords "plait/internal/records/comic"
	comictasks "plait/tasks/comic"
)

// createTask accepts a chapter. It answers 202 once the task is durable, and 200 when the idempotency key names a task
// that was accepted before.
func (s *Server) createTask(c echo.Context) error {
	key, err := idempotencyKey(c.Request().Header)
	if err != nil {
		return err
	}
	request, in, err := s.readRequest(c)
	if err != nil {
		return err
	}
	defer in.Close()
	request.Tenant, request.IdempotencyKey = tenantOf(c), key
	ctx := c.Request().Context()
	task, created, err := s.Tasks.Accept(ctx, request)
	if err != nil {
		return err
	}
	c.Response().Header().Set(echo.HeaderLocation, taskPath(task.ID))
	if created {
		// Nothing is asked any more that could fail: the task is accepted.
		view, err := viewTask(task, records.Progress{Total: task.TotalCount}, comicrecords.Counts{})
		if err != nil {
			return err
		}
		return c.JSON(http.StatusAccepted, view)
	}
	view, err := s.viewTask(ctx, task)
	if err != nil {
		return err
	}
	return c.JSON(http.StatusOK, view)
}

func (s *Server) readRequest(c echo.Context) (comictasks.Request, *spool, error) {
	kind, _, err := mime.ParseMediaType(c.Request().Header.Get(echo.HeaderContentType))
	if err == nil && kind == echo.MIMEMultipartForm {
		return s.readMultipart(c.Request())
	}
	if isJSONRequest(c) {
		return s.readJSON(c)
	}
	return comictasks.Request{}, nil, withStatus(http.StatusUnsupportedMediaType,
		core.NewError(core.CodeInvalidInput, "the content type is neither multipart/form-data nor application/json in UTF-8"))
}

func (s *Server) readMultipart(req *http.Request) (comictasks.Request, *spool, error) {
	in, err := s.readForm(req)
	if err != nil {
		return comictasks.Request{}, nil, err
	}
	f, priority := in.fields, 0
	if text, given := f[schema.FieldPriority]; given {
		if priority, err = strconv.Atoi(text); err != nil || priority == 0 {
			in.Close()
			return comictasks.Request{}, nil, noPriority(text)
		}
	}
	return comictasks.Request{
		Title: f[schema.FieldTitle], From: f[schema.FieldFrom], To: f[schema.FieldTo], Mode: f[schema.FieldMode],
		Translator: f[schema.FieldTranslator], Files: in.files, Script: in.script, Glossary: in.glossary, Synopsis: f[schema.FieldSynopsis],
		Priority: priority,
	}, in, nil
}

func (s *Server) readJSON(c echo.Context) (comictasks.Request, *spool, error) {
	var body schema.CreateTask
	if err := decodeJSON(c.Request().Body, maxJSON, &body); err != nil {
		return comictasks.Request{}, nil, err
	}
	priority := 0
	if body.Priority != nil {
		if priority = *body.Priority; priority == 0 {
			return comictasks.Request{}, nil, noPriority("0")
		}
	}
	if len(body.Files) > s.Config.MaxPages {
		return comictasks.Request{}, nil, core.Errorf(core.CodeTooLarge, "more than %d files", s.Config.MaxPages)
	}
	in, err := s.fetchBlobs(c, body)
	if err != nil {
		return comictasks.Request{}, nil, err
	}
	return comictasks.Request{
		Title: body.Title, From: body.From, To: body.To, Mode: string(body.Mode), Translator: body.Translator,
		Files: in.files, Script: in.script, Glossary: body.Glossary, Synopsis: body.Synopsis,
		Priority: priority,
	}, in, nil
}

// noPriority refuses what tasks would take for none given, or what is no number.
func noPriority(text string) error {
	return core.Errorf(core.CodeInvalidInput, "priority %.20q is not a number from %d to %d", text, core.FirstPriority, core.LastPriority)
}
