package api

import (
	"context"
	"encoding/json"
	"errors"
	"mime"
	"net/http"
	"os"
	"strconv"
	"strings"

	"github.com/labstack/echo/v4"

	"plait/api/schema"
	"plait/internal/core"
)

// statuses maps codes to HTTP statuses; no other place does. A code that is missing here is a fault of the server, such as a blob that a
// row names but that does not exist.
var statuses = map[core.Code]int{
	core.CodeInvalidInput:      http.StatusBadRequest,
	core.CodeUnknownLanguage:   http.StatusBadRequest,
	core.CodeUnknownModel:      http.StatusNotFound,
	core.CodeInvalidImage:      http.StatusUnprocessableEntity,
	core.CodeImageTooLarge:     http.StatusUnprocessableEntity,
	core.CodeInvalidArchive:    http.StatusUnprocessableEntity,
	core.CodeInvalidDocument:   http.StatusUnprocessableEntity,
	core.CodeInvalidVideo:      http.StatusUnprocessableEntity,
	core.CodePassword:          http.StatusUnprocessableEntity,
	core.CodeInvalidScript:     http.StatusUnprocessableEntity,
	core.CodeTooLarge:          http.StatusRequestEntityTooLarge,
	core.CodeUnauthorized:      http.StatusUnauthorized,
	core.CodeForbidden:         http.StatusForbidden,
	core.CodeNotFound:          http.StatusNotFound,
	core.CodeConflict:          http.StatusConflict,
	core.CodeTranslatorMissing: http.StatusConflict,
	core.CodeRateLimited:       http.StatusTooManyRequests,
	core.CodeUnavailable:       http.StatusServiceUnavailable,
	core.CodeStorageFull:       http.StatusInsufficientStorage,
}

// statusError is an error with a status more specific than its code has.
type statusError struct {
	status int
	error
}

func withStatus(status int, err error) error { return &statusError{status, err} }

func (e *statusError) Unwrap() error { return e.error }

// answerError writes the error of a handler. Any error but a core.Error becomes INTERNAL without details; the details go to the log.
func (s *Server) answerError(err error, c echo.Context) {
	known := knownError(err)
	status := statusOf(err, known.Code)
	if status >= http.StatusInternalServerError {
		s.Log.Error("request failed", "request_id", requestIDOf(c), "code", string(known.Code), "error", err)
	}
	if status == http.StatusTooManyRequests {
		s.metrics.refused(err)
	}
	h := c.Response().Header()
	for _, name := range []string{echo.HeaderContentType, echo.HeaderContentDisposition, echo.HeaderContentLength, "ETag"} {
		h.Del(name) // headers of the intended answer
	}
	h.Set(echo.HeaderCacheControl, "no-store")
	if status == http.StatusUnauthorized {
		h.Set(echo.HeaderWWWAuthenticate, `Bearer realm="plait"`)
	}
	if wait := retryAfter(known, status); wait > 0 {
		h.Set(echo.HeaderRetryAfter, strconv.Itoa(wait))
	}
	e := schema.Error{Code: codeFor(c, known.Code, status), Message: known.Message, RequestID: requestIDOf(c)}
	if h.Add(echo.HeaderVary, echo.HeaderAccept); wantsProblem(c.Request().Header.Values(echo.HeaderAccept)) {
		s.sendError(c, status, mimeProblem, schema.Problem{Type: "about:blank", Title: http.StatusText(status), Status: status, Detail: e.Message, Error: e})
		return
	}
	s.sendError(c, status, echo.MIMEApplicationJSON, e)
}

// mimeProblem is the media type of RFC 9457.
const mimeProblem = "application/problem+json"

// wantsProblem reports whether an Accept header names [mimeProblem] itself.
func wantsProblem(accept []string) bool {
	for part := range strings.SplitSeq(strings.Join(accept, ","), ",") {
		kind, params, err := mime.ParseMediaType(part)
		quality, given := params["q"]
		if err == nil && kind == mimeProblem && (!given || strings.Trim(quality, "0.") != "") {
			return true
		}
	}
	return false
}

func (s *Server) sendError(c echo.Context, status int, mediaType string, body any) {
	b, err := json.Marshal(body)
	h, left := c.Response().Header(), bodyLeft(c)
	if left {
		h.Set(echo.HeaderConnection, "close") // or net/http would read the rest of the body before it answers
	}
	h.Set(echo.HeaderContentLength, strconv.Itoa(len(b)))
	if err == nil {
		err = c.Blob(status, mediaType, b)
	}
	if err == nil && left {
		err = linger(c)
	}
	if err != nil {
		s.Log.Debug("the error could not be sent, or its client went on sending", "request_id", requestIDOf(c), "error", err)
	}
}

// knownError converts err into the error that the client gets.
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

// defaultRetryAfter is in seconds: a short wait, when the server is full or not ready.
const defaultRetryAfter = 2

// retryAfter is in seconds: what the error specifies, or the default.
func retryAfter(err *core.Error, status int) int {
	if err.RetryAfter > 0 {
		return wholeSeconds(err.RetryAfter)
	}
	if status == http.StatusTooManyRequests || status == http.StatusServiceUnavailable {
		return defaultRetryAfter
	}
	return 0
}

// unavailable wraps err as UNAVAILABLE unless it already is; nil stays nil.
func unavailable(err error, message string) error {
	if err == nil || core.CodeOf(err) == core.CodeUnavailable {
		return err
	}
	return core.Wrap(core.CodeUnavailable, err, message)
}
