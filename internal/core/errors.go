package core

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"time"
)

// Code names a kind of failure. The set is closed: a client may rely on it, and each code has one retry rule.
type Code string

// What a client did.
const (
	CodeInvalidInput    Code = "INVALID_INPUT"    // a field is missing, unknown or out of range
	CodeUnknownLanguage Code = "UNKNOWN_LANGUAGE" // not a language tag that Plait reads or letters
	CodeInvalidImage    Code = "INVALID_IMAGE"    // not an image, truncated, or of an unread format
	CodeImageTooLarge   Code = "IMAGE_TOO_LARGE"  // more pixels than allowed
	CodeInvalidArchive  Code = "INVALID_ARCHIVE"  // not a ZIP, unsafe names, a bomb, no pages
	CodeInvalidScript   Code = "INVALID_SCRIPT"   // a script of translations that cannot be read
	CodeTooLarge        Code = "TOO_LARGE"        // more bytes or pages than allowed
	CodeUnauthorized    Code = "UNAUTHORIZED"     // no valid key or token
	CodeForbidden       Code = "FORBIDDEN"        // the scope of the key does not allow it
	CodeNotFound        Code = "NOT_FOUND"        // no such thing for this tenant
	CodeConflict        Code = "CONFLICT"         // not possible in the present state
	CodeRateLimited     Code = "RATE_LIMITED"     // too much at once; try again later
)

// What the split contract knows of detect contexts and render inputs.
const (
	CodeNotReady           Code = "NOT_READY"
	CodeCacheMiss          Code = "CACHE_MISS"
	CodeTaskExpired        Code = "TASK_EXPIRED"
	CodeImageHashMismatch  Code = "IMAGE_HASH_MISMATCH"
	CodeRenderInputInvalid Code = "RENDER_INPUT_INVALID"
)

// What may go wrong with a translator.
const (
	CodeTranslatorMissing     Code = "TRANSLATOR_MISSING"      // none configured, or none of that name
	CodeTranslatorRefused     Code = "TRANSLATOR_REFUSED"      // the provider refuses the key, the model or the content
	CodeTranslatorRateLimited Code = "TRANSLATOR_RATE_LIMITED" // the provider asks to wait
	CodeTranslatorUnavailable Code = "TRANSLATOR_UNAVAILABLE"  // time-out, 5xx, no connection
	CodeTranslationInvalid    Code = "TRANSLATION_INVALID"     // the answers, asked for again and again, do not hold what was asked
	CodeScriptIncomplete      Code = "SCRIPT_INCOMPLETE"       // the script has no translation for a region
)

// What may go wrong inside.
const (
	CodeModelMissing Code = "MODEL_MISSING" // a model or font is absent or not the one of the manifest
	CodeDevice       Code = "DEVICE_FAILED" // inference failed on the device
	CodeBlobMissing  Code = "BLOB_MISSING"  // a blob that a row names is not there
	CodeBlobCorrupt  Code = "BLOB_CORRUPT"  // a blob whose bytes do not have its name
	CodeUnavailable  Code = "UNAVAILABLE"   // database, Temporal or blob store out of reach
	CodeStorageFull  Code = "STORAGE_FULL"  // a disk of the installation has too little room
	CodeHostLost     Code = "HOST_LOST"     // the host of a detect context does not answer
	CodeTerminated   Code = "TERMINATED"    // an operator terminated the workflow
	CodeCanceled     Code = "CANCELED"      // the client or a shutdown canceled
	CodeOutOfTurn    Code = "OUT_OF_TURN"   // an earlier page of the chapter comes first: the workflow asks again after it
	CodePaused       Code = "PAUSED"        // the task pauses: its workflow asks again once it goes on
	CodeInternal     Code = "INTERNAL"      // a fault of Plait itself
)

// Retry is what a caller of a failed step may do.
type Retry int

// The retry rules.
const (
	// RetryNever: the same step with the same input fails again.
	RetryNever Retry = iota
	// RetryBackoff: try again after a growing delay, or after RetryAfter when the error has one.
	RetryBackoff
	// RetryFallback: the step cannot succeed, but the compensating branch can.
	RetryFallback
)

var retryRules = map[Code]Retry{
	CodeRateLimited:           RetryBackoff,
	CodeNotReady:              RetryBackoff,
	CodeCacheMiss:             RetryFallback,
	CodeTaskExpired:           RetryFallback,
	CodeImageHashMismatch:     RetryFallback,
	CodeHostLost:              RetryFallback,
	CodeTranslatorRateLimited: RetryBackoff,
	CodeTranslatorUnavailable: RetryBackoff,
	CodeDevice:                RetryBackoff,
	CodeUnavailable:           RetryBackoff,
	CodeStorageFull:           RetryBackoff,
	CodeInternal:              RetryBackoff,
}

// Codes are those that have an entry for the rule, in their order.
func Codes(rule Retry) (codes []Code) {
	for code, r := range retryRules {
		if r == rule {
			codes = append(codes, code)
		}
	}
	slices.Sort(codes)
	return codes
}

// RetryRule is the rule of the code; a code without an entry is never retried.
func (c Code) RetryRule() Retry { return retryRules[c] }

// Error is a failure of a known kind.
type Error struct {
	Code Code
	// Message is one sentence that a client may read: it names the thing, and holds no key, path or page text.
	Message string
	// RetryAfter is how long the other side asked to wait; zero when it said nothing.
	RetryAfter time.Duration
	cause      error
}

// NewError makes an Error without a cause.
func NewError(code Code, message string) *Error { return &Error{Code: code, Message: message} }

// Errorf makes an Error with a formatted message. A %w operand becomes the cause, and its text part of the message:
// use it for causes whose text a client may read, and [Wrap] for others.
func Errorf(code Code, format string, args ...any) *Error {
	err := fmt.Errorf(format, args...)
	return &Error{Code: code, Message: err.Error(), cause: errors.Unwrap(err)}
}

// Wrap makes an Error with a public message and a cause that only logs show.
func Wrap(code Code, cause error, message string) *Error {
	return &Error{Code: code, Message: message, cause: cause}
}

// WithRetryAfter is a copy of e that asks to wait d.
func (e *Error) WithRetryAfter(d time.Duration) *Error {
	c := *e
	c.RetryAfter = d
	return &c
}

// Error is for logs: code, message and cause.
func (e *Error) Error() string {
	if e.cause == nil {
		return string(e.Code) + ": " + e.Message
	}
	return string(e.Code) + ": " + e.Message + ": " + e.cause.Error()
}

// Unwrap is the cause.
func (e *Error) Unwrap() error { return e.cause }

// Is matches any Error of the same code, so that errors.Is(err, NewError(code, "")) asks for a code.
func (e *Error) Is(target error) bool {
	t, ok := target.(*Error)
	return ok && t.Code == e.Code
}

// CodeOf is the code of the first Error in err's chain, CodeCanceled for a canceled or expired context, and
// CodeInternal for anything else. It is empty for nil.
func CodeOf(err error) Code {
	var e *Error
	switch {
	case err == nil:
		return ""
	case errors.As(err, &e):
		return e.Code
	case errors.Is(err, context.Canceled), errors.Is(err, context.DeadlineExceeded):
		return CodeCanceled
	default:
		return CodeInternal
	}
}

// PublicMessage is the sentence of the first Error in err's chain, and a general one for anything else.
func PublicMessage(err error) string {
	var e *Error
	switch {
	case errors.As(err, &e):
		return e.Message
	case CodeOf(err) == CodeCanceled:
		return "canceled"
	default:
		return "internal error"
	}
}
