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
	"plait/internal/pipeline"
)

// statuses is the one place where a code becomes an HTTP status. A code that is not here is a fault of the server: a
// blob that a row names and that is not there is one.
var statuses = map[pipeline.Code]int{
	pipeline.CodeInvalidInput:    http.StatusBadRequest,
	pipeline.CodeUnknownLanguage: http.StatusBadRequest,
	pipeline.CodeInvalidImage:    http.StatusUnprocessableEntity,
	pipeline.CodeImageTooLarge:   http.StatusUnprocessableEntity,
	pipeline.CodeInvalidArchive:  http.StatusUnprocessableEntity,
	pipeline.CodeInvalidScript:   http.StatusUnprocessableEntity,
	pipeline.CodeTooLarge:        http.StatusRequestEntityTooLarge,
	pipeline.CodeUnauthorized:    http.StatusUnauthorized,
	pipeline.CodeNotFound:        http.StatusNotFound,
	pipeline.CodeConflict:        http.StatusConflict,
	pipeline.CodeRateLimited:     http.StatusTooManyRequests,
	pipeline.CodeUnavailable:     http.StatusServiceUnavailable,
}

// statusError is an error whose status says more than its code: HTTP's set of statuses is finer in places.
type statusError struct {
	status int
	error
}

func withStatus(status int, err error) error { return &statusError{status, err} }

func (e *statusError) Unwrap() error { return e.error }

// answerError writes the error of a handler. Anything but a pipeline.Error is an INTERNAL without details: those are for
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
func knownError(err error) *pipeline.Error {
	var known *pipeline.Error
	var tooLarge *http.MaxBytesError
	var ofRouter *echo.HTTPError
	switch {
	case errors.As(err, &known):
		return known
	case errors.As(err, &tooLarge):
		return pipeline.Errorf(pipeline.CodeTooLarge, "the request has more than %d bytes", tooLarge.Limit)
	case errors.As(err, &ofRouter) && ofRouter.Code == http.StatusMethodNotAllowed:
		return pipeline.NewError(pipeline.CodeInvalidInput, "the resource does not know this method")
	case errors.As(err, &ofRouter) && ofRouter.Code == http.StatusNotFound:
		return pipeline.NewError(pipeline.CodeNotFound, "no such resource")
	case errors.Is(err, context.DeadlineExceeded), errors.Is(err, os.ErrDeadlineExceeded):
		return pipeline.NewError(pipeline.CodeUnavailable, "the request took too long")
	default:
		return pipeline.NewError(pipeline.CodeInternal, "internal error")
	}
}

func statusOf(err error, code pipeline.Code) int {
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
func retryAfter(err *pipeline.Error, status int) int {
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
	if err == nil || pipeline.CodeOf(err) == pipeline.CodeUnavailable {
		return err
	}
	return pipeline.Wrap(pipeline.CodeUnavailable, err, message)
}
