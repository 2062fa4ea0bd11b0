package hostapi

import (
	"context"
	"encoding/json"
	"errors"
	"net/http"
	"runtime/debug"
	"strconv"

	"plait/internal/core"
)

// statuses are those of the contract. A code that is missing here is a fault of the host.
var statuses = map[core.Code]int{
	core.CodeUnauthorized:          http.StatusUnauthorized,
	core.CodeNotReady:              http.StatusServiceUnavailable,
	core.CodeCacheMiss:             http.StatusNotFound,
	core.CodeTaskExpired:           http.StatusGone,
	core.CodeImageHashMismatch:     http.StatusUnprocessableEntity,
	core.CodeRenderInputInvalid:    http.StatusBadRequest,
	core.CodeInvalidInput:          http.StatusBadRequest,
	core.CodeUnknownLanguage:       http.StatusBadRequest,
	core.CodeInvalidImage:          http.StatusBadRequest,
	core.CodeImageTooLarge:         http.StatusRequestEntityTooLarge,
	core.CodeTooLarge:              http.StatusRequestEntityTooLarge,
	core.CodeRateLimited:           http.StatusTooManyRequests,
	core.CodeUnavailable:           http.StatusServiceUnavailable,
	core.CodeTranslatorMissing:     http.StatusServiceUnavailable,
	core.CodeTranslatorUnavailable: http.StatusServiceUnavailable,
	core.CodeTranslatorRateLimited: http.StatusTooManyRequests,
	core.CodeTranslatorRefused:     http.StatusBadGateway,
	core.CodeTranslationInvalid:    http.StatusBadGateway,
}

// refusal is the body of an answer that is not a page.
type refusal struct {
	Code    core.Code `json:"code"`
	Message string    `json:"message"`
}

// refuse answers with the error of a request, unless its caller has disconnected.
func (s *Server) refuse(c *call, err error) {
	err = plain(err)
	code := core.CodeOf(err)
	status, known := statuses[code]
	if !known {
		status = http.StatusInternalServerError
	}
	if status >= http.StatusInternalServerError && code != core.CodeNotReady {
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
	if err := json.NewEncoder(c.w).Encode(refusal{Code: code, Message: core.PublicMessage(err)}); err != nil {
		s.log.Debug("a refusal could not be sent", "stage", c.headers.stage, "error", err)
	}
}

// plain converts err into a core.Error; truncated bodies and exceeded times have codes too.
func plain(err error) error {
	var tooLarge *http.MaxBytesError
	switch {
	case errors.As(err, &tooLarge):
		return core.Errorf(core.CodeTooLarge, "the request has more than %d bytes", tooLarge.Limit)
	case errors.Is(err, context.DeadlineExceeded):
		return core.NewError(core.CodeUnavailable, "the request took too long")
	default:
		return err
	}
}

// retryAfter is in seconds: what the error specifies, or a short default.
func retryAfter(err error) int {
	var known *core.Error
	if errors.As(err, &known) && known.RetryAfter > 0 {
		return int(known.RetryAfter.Seconds()) + 1
	}
	return retryAfterNotReady
}

// recoverPanic turns a panic into an INTERNAL answer and a log line, so that one page cannot end the host.
func (s *Server) recoverPanic(c *call) {
	p := recover()
	if p == nil {
		return
	}
	s.log.Error("panic in a request of the host's API", "stage", c.headers.stage, "panic", p, "stack", string(debug.Stack()))
	s.refuse(c, core.NewError(core.CodeInternal, "internal error"))
}
