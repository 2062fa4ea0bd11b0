package api

import (
	"net/http"
	"net/url"
	"slices"
	"strings"

	"github.com/labstack/echo/v4"

	"plait/api/schema"
	"plait/internal/core"
)

// allowQuery refuses query parameters that the resource does not know, and repeated ones.
func allowQuery(names ...string) echo.MiddlewareFunc {
	return func(next echo.HandlerFunc) echo.HandlerFunc {
		return func(c echo.Context) error {
			values, err := url.ParseQuery(c.Request().URL.RawQuery)
			if err != nil {
				return core.Wrap(core.CodeInvalidInput, err, "the query cannot be read")
			}
			for name, given := range values {
				if !slices.Contains(names, name) {
					return core.Errorf(core.CodeInvalidInput, "query parameter %q is not known", clip(name))
				}
				if len(given) > 1 {
					return core.Errorf(core.CodeInvalidInput, "query parameter %s is given twice", name)
				}
			}
			return next(c)
		}
	}
}

// maxIdempotencyKey is in bytes.
const maxIdempotencyKey = 255

// checkIdempotencyKey accepts printable ASCII.
func checkIdempotencyKey(key string) error {
	if len(key) > maxIdempotencyKey {
		return core.Errorf(core.CodeInvalidInput, "the idempotency key has more than %d bytes", maxIdempotencyKey)
	}
	if key == "" || strings.IndexFunc(key, func(r rune) bool { return r < ' ' || r > '~' }) >= 0 {
		return core.NewError(core.CodeInvalidInput, "the idempotency key is empty, or has other characters than printable ASCII")
	}
	return nil
}

// idempotencyKey returns the idempotency key of the request, or "".
func idempotencyKey(h http.Header) (string, error) {
	keys := h.Values(schema.HeaderIdempotencyKey)
	switch len(keys) {
	case 0:
		return "", nil
	case 1:
		return keys[0], checkIdempotencyKey(keys[0])
	default:
		return "", core.NewError(core.CodeInvalidInput, "the header "+schema.HeaderIdempotencyKey+" is given twice")
	}
}

// taskID returns the id in the path. An id with an invalid form is answered as not found, without a query to the database.
func taskID(c echo.Context) (string, error) {
	id := c.Param("id")
	if !plainWord(id) {
		return "", core.Errorf(core.CodeNotFound, "there is no task %q", clip(id))
	}
	return id, nil
}

// clip shortens a text of the client for an error message.
func clip(s string) string {
	const most = 80
	s = strings.ToValidUTF8(s, "�")
	if r := []rune(s); len(r) > most {
		return string(r[:most]) + "…"
	}
	return s
}
