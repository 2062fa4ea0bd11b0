package api

import (
	"mime"
	"net/http"
	"strings"

	"github.com/labstack/echo/v4"

	"plait/internal/core"
	"plait/internal/records"
)

// Routes adds resources of a kind's tasks, below its path. Before it calls a handler, the server authenticates, finds the task, and bounds
// time and body.
type Routes struct {
	server *Server
	group  *echo.Group
	kind   Kind
}

// Call is a request for a resource of a task.
type Call struct {
	echo.Context
	Task records.Task
	// Key is the key of the request.
	Key    records.Key
	server *Server
}

// Get adds a readable resource at {path of the kind}/{id}{path}, with the names of its query parameters.
func (r Routes) Get(path string, handle func(*Call) error, query ...string) {
	get(r.group, r.kind.Path+"/:id"+path, r.handler(handle), r.middleware(query)...)
}

// Patch adds a handler that changes a resource. The path may contain the index of an item, as :item.
func (r Routes) Patch(path string, handle func(*Call) error) {
	r.group.PATCH(r.kind.Path+"/:id"+path, r.handler(handle), r.middleware(nil)...)
}

// Post adds a handler that creates something and takes an idempotency key. The path may contain the index of an item, as :item.
func (r Routes) Post(path string, handle func(*Call) error) {
	r.group.POST(r.kind.Path+"/:id"+path, r.handler(handle), r.server.once(shortBody, r.middleware(nil))...)
}

func (r Routes) middleware(query []string) []echo.MiddlewareFunc {
	return r.server.keyed(r.server.transfer, allowQuery(query...))
}

func (r Routes) handler(handle func(*Call) error) echo.HandlerFunc {
	return func(c echo.Context) error {
		t, err := r.server.task(c)
		if err == nil && t.Kind != r.kind.Name {
			err = core.Errorf(core.CodeNotFound, "there is no task %q of this kind", t.ID)
		}
		if err != nil {
			return err
		}
		return handle(&Call{Context: c, Task: t, Key: keyOf(c), server: r.server})
	}
}

// ItemIndex returns the index of the item in the path. It fails with NOT_FOUND.
func (c *Call) ItemIndex() (int, error) { return itemIndex(c, c.Task.TotalCount) }

// DecodeJSON reads a body of one JSON object into a value. It fails with INVALID_INPUT for another content type, unknown fields and
// repeated fields, and with TOO_LARGE for more than most bytes.
func (c *Call) DecodeJSON(most int64, into any) error { return decodeBody(c, most, into) }

func decodeBody(c echo.Context, most int64, into any) error {
	if !isJSONRequest(c) {
		return withStatus(http.StatusUnsupportedMediaType,
			core.NewError(core.CodeInvalidInput, "the content type is not application/json in UTF-8"))
	}
	return decodeJSON(c.Request().Body, most, into)
}

// AnswerItem answers with an item and all its details.
func (c *Call) AnswerItem(status int, i records.Item) error {
	v, err := c.server.viewItem(c.Request().Context(), c.Task, i)
	if err != nil {
		return err
	}
	return c.JSON(status, v)
}

// Attach makes the answer a download. Its file name is the title of the task and the suffix.
func (c *Call) Attach(contentType, suffix string) { attach(c, c.Task, contentType, suffix) }

func attach(c echo.Context, t records.Task, contentType, suffix string) {
	h := c.Response().Header()
	h.Set(echo.HeaderContentType, contentType)
	h.Set(echo.HeaderContentDisposition, disposition("attachment", fileName(t, suffix)))
}

// isJSONRequest reports whether the body is JSON in UTF-8, by its content type.
func isJSONRequest(c echo.Context) bool {
	kind, params, err := mime.ParseMediaType(c.Request().Header.Get(echo.HeaderContentType))
	charset := params["charset"]
	return err == nil && kind == echo.MIMEApplicationJSON && (charset == "" || strings.EqualFold(charset, "utf-8"))
}
