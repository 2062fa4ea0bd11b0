package api

import (
	"context"
	"encoding/json"
	"errors"
	"math"
	"net/http"
	"os"
	"strconv"

	"github.com/labstack/echo/v4"

	"plait/api/schema"
	"plait/internal/core"
)

// statuses is the one place where a code becomes an HTTP status. A code that is not here is a fault of the server: a
// blob that a row names and that is not there is one.
var statuses = map[core.Code]int{
	core.CodeInvalidInput:    http.StatusBadRequest,
	core.CodeUnknownLanguage: http.StatusBadRequest,
	core.CodeInvalidImage:    http.StatusUnprocessableEntity,
	core.CodeImageTooLarge:   http.StatusUnprocessableEntity,
	core.CodeInvalidArchive:  http.StatusUnprocessableEntity,
	core.CodeInvalidScript:   http.StatusUnprocessableEntity,
	core.CodeTooLarge:        http.StatusRequestEntityTooLarge,
	core.CodeUnauthorized:    http.StatusUnauthorized,
	core.CodeForbidden:       http.StatusForbidden,
	core.CodeNotFound:        http.StatusNotFound,
	core.CodeConflict:        http.StatusConflict,
	core.CodeRateLimited:     http.StatusTooManyRequests,
	core.CodeUnavailable:     http.StatusServiceUnavailable,
	core.CodeStorageFull:     http.StatusInsufficientStorage,
}

// statusError is an error whose status says more than its code: HTTP's set of statuses is finer in places.
type statusError struct {
	status int
	error
}

func withStatus(status int, err error) error { return &statusError{status, err} }

func (e *statusError) Unwrap() error { return e.error }

// answerError writes the error of a handler. Anything but a core.Error is an INTERNAL without details: those are for
// the log.
func (s *Server) answerError(err error, c echo.Context) {
	known := knownError(err)
	status := statusOf(err, known.Code)
	if status >= http.StatusInternalServerError {
		s.Log.Error("request failed", "request_id", requestIDOf(c), "code", string(known.Code), "error", err)
	}
	h := c.Response().Header()
	for _, name := range []string{echo.HeaderContentType, echo.HeaderContentDisposition, echo.HeaderContentLength, "ETag"} {
		h.Del(name) // of the answer that it was to be
	}
	h.Set(echo.HeaderCacheControl, "no-store")
	if status == http.StatusUnauthorized {
		h.Set(echo.HeaderWWWAuthenticate, `Bearer realm="plait"`)
	}
	if wait := retryAfter(known, status); wait > 0 {
		h.Set(echo.HeaderRetryAfter, strconv.Itoa(wait))
	}
	s.sendError(c, status, schema.Error{Code: known.Code, Message: known.Message, RequestID: requestIDOf(c)})
}

func (s *Server) sendError(c echo.Context, status int, e schema.Error) {
	b, err := json.Marshal(e)
	h, left := c.Response().Header(), bodyLeft(c)
	if left {
		h.Set(echo.HeaderConnection, "close") // or the server would wait for the rest of the body before it answers
	}
	h.Set(echo.HeaderContentLength, strconv.Itoa(len(b)))
	if err == nil {
		err = c.JSONBlob(status, b)
	}
	if err == nil && left {
		err = linger(c)
	}
	if err != nil {
		s.Log.Debug("the error could not be sent, or its client went on sending", "request_id", requestIDOf(c), "error", err)
	}
}

// knownError is err as a client may read it.
func knownError(err error) *core.Error {
	var known *core.Error
	var tooLarge *http.MaxBytesError
	var ofRouter *echo.HTTPError
	switch {
	case isDiskFull(err):
		return core.NewError(core.CodeStorageFull, "the server has no room for this; try again later")
	case errors.As(err, &known):
		return known
	case errors.As(err, &tooLarge):
		return core.Errorf(core.CodeTooLarge, "the request has more than %d bytes", tooLarge.Limit)
	case errors.As(err, &ofRouter) && ofRouter.Code == http.StatusMethodNotAllowed:
		return core.NewError(core.CodeInvalidInput, "the resource does not know this method")
	case errors.As(err, &ofRouter) && ofRouter.Code == http.StatusNotFound:
		return core.NewError(core.CodeNotFound, "no such resource")
	case errors.Is(err, context.DeadlineExceeded), errors.Is(err, os.ErrDeadlineExceeded):
		return core.NewError(core.CodeUnavailable, "the request took too long")
	default:
		return core.NewError(core.CodeInternal, "internal error")
	}
}

func statusOf(err error, code core.Code) int {
	var finer *statusError
	var ofRouter *echo.HTTPError
	if errors.As(err, &finer) {
		return finer.status
	}
	if errors.As(err, &ofRouter) && ofRouter.Code == http.StatusMethodNotAllowed {
		return ofRouter.Code
	}
	if status, known := statuses[code]; known {
		return status
	}
	return http.StatusInternalServerError
}

// defaultRetryAfter is in seconds: a moment, when the server is full or not ready.
const defaultRetryAfter = 2

// retryAfter is in seconds: what the error asks for, or a moment.
func retryAfter(err *core.Error, status int) int {
	if err.RetryAfter > 0 {
		return int(math.Ceil(err.RetryAfter.Seconds()))
	}
	if status == http.StatusTooManyRequests || status == http.StatusServiceUnavailable {
		return defaultRetryAfter
	}
	return 0
}

// unavailable is err as UNAVAILABLE, unless it says so already; nil stays nil.
func unavailable(err error, message string) error {
	if err == nil || core.CodeOf(err) == core.CodeUnavailable {
		return err
	}
	return core.Wrap(core.CodeUnavailable, err, message)
}
