package hostapi

import (
	"context"
	"encoding/json"
	"errors"
	"net/http"
	"runtime/debug"
	"strconv"

	"plait/internal/pipeline"
)

// statuses are those of the contract. A code that is not here is a fault of the host.
var statuses = map[pipeline.Code]int{
	pipeline.CodeUnauthorized:          http.StatusUnauthorized,
	pipeline.CodeNotReady:              http.StatusServiceUnavailable,
	pipeline.CodeCacheMiss:             http.StatusNotFound,
	pipeline.CodeTaskExpired:           http.StatusGone,
	pipeline.CodeImageHashMismatch:     http.StatusUnprocessableEntity,
	pipeline.CodeRenderInputInvalid:    http.StatusBadRequest,
	pipeline.CodeInvalidInput:          http.StatusBadRequest,
	pipeline.CodeUnknownLanguage:       http.StatusBadRequest,
	pipeline.CodeInvalidImage:          http.StatusBadRequest,
	pipeline.CodeImageTooLarge:         http.StatusRequestEntityTooLarge,
	pipeline.CodeTooLarge:              http.StatusRequestEntityTooLarge,
	pipeline.CodeRateLimited:           http.StatusTooManyRequests,
	pipeline.CodeUnavailable:           http.StatusServiceUnavailable,
	pipeline.CodeTranslatorMissing:     http.StatusServiceUnavailable,
	pipeline.CodeTranslatorUnavailable: http.StatusServiceUnavailable,
	pipeline.CodeTranslatorRateLimited: http.StatusTooManyRequests,
	pipeline.CodeTranslatorRefused:     http.StatusBadGateway,
	pipeline.CodeTranslationInvalid:    http.StatusBadGateway,
}

// refusal is the body of an answer that is no page.
type refusal struct {
	Code    pipeline.Code `json:"code"`
	Message string        `json:"message"`
}

// refuse answers with the error of a request, unless its caller has left.
func (s *Server) refuse(c *call, err error) {
	err = plain(err)
	code := pipeline.CodeOf(err)
	status, known := statuses[code]
	if !known {
		status = http.StatusInternalServerError
	}
	if status >= http.StatusInternalServerError && code != pipeline.CodeNotReady {
		s.log.Error("a request of the host's API failed", "stage", c.headers.stage, "code", code, "error", err)
	}
	h := c.w.Header()
	c.headers.write(h, true)
	h.Set("Content-Type", "application/json")
	h.Set("Cache-Control", "no-store")
	if status == http.StatusServiceUnavailable || status == http.StatusTooManyRequests {
		h.Set("Retry-After", strconv.Itoa(retryAfter(err)))
	}
	c.w.WriteHeader(status)
	if err := json.NewEncoder(c.w).Encode(refusal{Code: code, Message: pipeline.PublicMessage(err)}); err != nil {
		s.log.Debug("a refusal could not be sent", "stage", c.headers.stage, "error", err)
	}
}

// plain is err as a pipeline.Error: the ends of bodies and of time have codes too.
func plain(err error) error {
	var tooLarge *http.MaxBytesError
	switch {
	case errors.As(err, &tooLarge):
		return pipeline.Errorf(pipeline.CodeTooLarge, "the request has more than %d bytes", tooLarge.Limit)
	case errors.Is(err, context.DeadlineExceeded):
		return pipeline.NewError(pipeline.CodeUnavailable, "the request took too long")
	default:
		return err
	}
}

// retryAfter is in seconds: what the other side asked for, or a moment.
func retryAfter(err error) int {
	var known *pipeline.Error
	if errors.As(err, &known) && known.RetryAfter > 0 {
		return int(known.RetryAfter.Seconds()) + 1
	}
	return retryAfterNotReady
}

// recoverPanic turns a panic into an INTERNAL answer and a log line: one bad page does not end the host.
func (s *Server) recoverPanic(c *call) {
	p := recover()
	if p == nil {
		return
	}
	s.log.Error("panic in a request of the host's API", "stage", c.headers.stage, "panic", p, "stack", string(debug.Stack()))
	s.refuse(c, pipeline.NewError(pipeline.CodeInternal, "internal error"))
}
