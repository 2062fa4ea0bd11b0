package core

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"time"
)

// Code identifies a kind of failure. The set is closed, so that clients can rely on it. Each code has one retry rule.
type Code string

// Errors in the request of a client.
const (
	CodeInvalidInput    Code = "INVALID_INPUT"     // a field is missing, unknown or out of range
	CodeUnknownLanguage Code = "UNKNOWN_LANGUAGE"  // not a language tag that Plait reads or letters
	CodeUnknownModel    Code = "UNKNOWN_MODEL"     // no model of that name makes videos
	CodeInvalidImage    Code = "INVALID_IMAGE"     // not an image, truncated, or in an unsupported format
	CodeImageTooLarge   Code = "IMAGE_TOO_LARGE"   // more pixels than allowed
	CodeInvalidArchive  Code = "INVALID_ARCHIVE"   // not a ZIP, unsafe names, a ZIP bomb, no pages
	CodeInvalidScript   Code = "INVALID_SCRIPT"    // a script of translations that cannot be read
	CodeInvalidDocument Code = "INVALID_DOCUMENT"  // not a PDF file, damaged, or a page that cannot be drawn
	CodeInvalidVideo    Code = "INVALID_VIDEO"     // not a video, damaged, or in a format that is not read
	CodePassword        Code = "PASSWORD_REQUIRED" // an encrypted document without its password, or with another one
	CodeTooLarge        Code = "TOO_LARGE"         // more bytes or pages than allowed
	CodeUnauthorized    Code = "UNAUTHORIZED"      // no valid key or token
	CodeForbidden       Code = "FORBIDDEN"         // the scope of the key does not allow it
	CodeNotFound        Code = "NOT_FOUND"         // it does not exist for this tenant
	CodeConflict        Code = "CONFLICT"          // not possible in the current state
	CodeRateLimited     Code = "RATE_LIMITED"      // too many requests; try again later
)

// Errors of the split contract, about detect contexts and render inputs.
const (
	CodeNotReady           Code = "NOT_READY"
	CodeCacheMiss          Code = "CACHE_MISS"
	CodeTaskExpired        Code = "TASK_EXPIRED"
	CodeImageHashMismatch  Code = "IMAGE_HASH_MISMATCH"
	CodeRenderInputInvalid Code = "RENDER_INPUT_INVALID"
)

// Errors of translators.
const (
	CodeTranslatorMissing     Code = "TRANSLATOR_MISSING"      // none configured, or none with this name
	CodeTranslatorRefused     Code = "TRANSLATOR_REFUSED"      // the provider refuses the key, the model or the content
	CodeTranslatorRateLimited Code = "TRANSLATOR_RATE_LIMITED" // the provider asks to wait
	CodeTranslatorUnavailable Code = "TRANSLATOR_UNAVAILABLE"  // time-out, 5xx, no connection
	CodeTranslationInvalid    Code = "TRANSLATION_INVALID"     // no answer was valid, even after repeated requests
	CodeScriptIncomplete      Code = "SCRIPT_INCOMPLETE"       // the script has no translation for a region
)

// Errors of engines that make videos.
const (
	CodeEngineRefused     Code = "ENGINE_REFUSED"     // the engine refuses the request or its content
	CodeEngineUnavailable Code = "ENGINE_UNAVAILABLE" // time-out, 5xx, no connection, or too many requests
)

// Internal errors.
const (
	CodeModelMissing Code = "MODEL_MISSING" // a model, font or program is missing or not the one in the manifest
	CodeDevice       Code = "DEVICE_FAILED" // inference failed on the device
	CodeBlobMissing  Code = "BLOB_MISSING"  // a referenced blob does not exist
	CodeBlobCorrupt  Code = "BLOB_CORRUPT"  // the content of a blob does not match its SHA-256
	CodeUnavailable  Code = "UNAVAILABLE"   // the database, Temporal or the blob store cannot be reached
	CodeStorageFull  Code = "STORAGE_FULL"  // a disk of the installation has too little free space
	CodeHostLost     Code = "HOST_LOST"     // the host of a detect context does not answer
	CodeTerminated   Code = "TERMINATED"    // an operator terminated the workflow
	CodeCanceled     Code = "CANCELED"      // the client or a shutdown canceled
	CodeOutOfTurn    Code = "OUT_OF_TURN"   // an earlier page of the chapter comes first: the workflow repeats the step after it
	CodePaused       Code = "PAUSED"        // the task is paused: its workflow repeats the step when the task resumes
	CodeInternal     Code = "INTERNAL"      // a bug in Plait
)

// Retry is a retry rule: what the caller of a failed step may do.
type Retry int

// The retry rules.
const (
	// RetryNever means that the same step with the same input would fail again.
	RetryNever Retry = iota
	// RetryBackoff means to try again after a growing delay, or after the error's RetryAfter if it is set.
	RetryBackoff
	// RetryFallback means that the step cannot succeed, but the workflow has another way that can.
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
	CodeEngineUnavailable:     RetryBackoff,
	CodeDevice:                RetryBackoff,
	CodeUnavailable:           RetryBackoff,
	CodeStorageFull:           RetryBackoff,
	CodeInternal:              RetryBackoff,
}

// Codes returns the codes with an explicit entry for the rule, sorted. Codes without an entry, which are never retried, are not among
// them.
func Codes(rule Retry) (codes []Code) {
	for code, r := range retryRules {
		if r == rule {
			codes = append(codes, code)
		}
	}
	slices.Sort(codes)
	return codes
}

// RetryRule returns the retry rule of the code. It is RetryNever for a code without an entry.
func (c Code) RetryRule() Retry { return retryRules[c] }

// Error is a failure with a code.
type Error struct {
	Code Code
	// Message is one sentence that a client may read. It names what failed, and contains no key, path or page text.
	Message string
	// RetryAfter is how long the other side asked to wait; zero if it did not ask.
	RetryAfter time.Duration
	cause      error
}

// NewError returns an Error without a cause.
func NewError(code Code, message string) *Error { return &Error{Code: code, Message: message} }

// Errorf returns an Error with a formatted message. The operand of %w becomes the cause, and its text is part of the message. Use [Wrap]
// for a cause whose text a client must not see.
func Errorf(code Code, format string, args ...any) *Error {
	err := fmt.Errorf(format, args...)
	return &Error{Code: code, Message: err.Error(), cause: errors.Unwrap(err)}
}

// Wrap returns an Error with a public message and a cause that appears only in logs.
func Wrap(code Code, cause error, message string) *Error {
	return &Error{Code: code, Message: message, cause: cause}
}

// WithRetryAfter returns a copy of e with this RetryAfter.
func (e *Error) WithRetryAfter(d time.Duration) *Error {
	c := *e
	c.RetryAfter = d
	return &c
}

// Error returns the code, message and cause, for logs. Clients get [PublicMessage].
func (e *Error) Error() string {
	if e.cause == nil {
		return string(e.Code) + ": " + e.Message
	}
	return string(e.Code) + ": " + e.Message + ": " + e.cause.Error()
}

// Unwrap returns the cause, or nil.
func (e *Error) Unwrap() error { return e.cause }

// Is reports whether target is an Error with the same code, so that errors.Is(err, NewError(code, "")) tests for a code.
func (e *Error) Is(target error) bool {
	t, ok := target.(*Error)
	return ok && t.Code == e.Code
}

// CodeOf returns the code of the first Error in err's chain, CodeCanceled for a canceled or expired context, CodeInternal for any other
// error, and "" for nil.
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

// PublicMessage returns the message of the first Error in err's chain, and a generic message for any other error.
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
