package videoapi

import (
	"net/http"

	"plait/internal/core"
)

// The words of the contract for errors. docs/video.md lists them.
const (
	codeInvalidAPIKey    = "InvalidApiKey"
	codeAccessDenied     = "AccessDenied"
	codeInvalidParameter = "InvalidParameter"
	codeDataInspection   = "InvalidParameter.DataInspection"
	codeModelNotFound    = "ModelNotFound"
	codeTooLarge         = "RequestTooLarge"
	codeNotFound         = "NotFound"
	codeConflict         = "Conflict"
	codeThrottled        = "Throttling.RateQuota"
	codeUnavailable      = "ServiceUnavailable"
	codeInternal         = "InternalError"
)

// words are the words of codes that no status tells.
var words = map[core.Code]string{
	core.CodeInvalidImage:  codeDataInspection,
	core.CodeImageTooLarge: codeDataInspection,
	core.CodeInvalidVideo:  codeDataInspection,
	core.CodeUnknownModel:  codeModelNotFound,
}

// ofStatus are the words of the others.
var ofStatus = map[int]string{
	http.StatusBadRequest:            codeInvalidParameter,
	http.StatusUnauthorized:          codeInvalidAPIKey,
	http.StatusForbidden:             codeAccessDenied,
	http.StatusNotFound:              codeNotFound,
	http.StatusRequestTimeout:        codeInvalidParameter,
	http.StatusConflict:              codeConflict,
	http.StatusRequestEntityTooLarge: codeTooLarge,
	http.StatusUnsupportedMediaType:  codeInvalidParameter,
	http.StatusUnprocessableEntity:   codeInvalidParameter,
	http.StatusTooManyRequests:       codeThrottled,
	http.StatusServiceUnavailable:    codeUnavailable,
	http.StatusInsufficientStorage:   codeUnavailable,
}

// word returns the contract's word for an error.
func word(code core.Code, status int) string {
	if w, found := words[code]; found {
		return w
	}
	if w, found := ofStatus[status]; found {
		return w
	}
	return codeInternal
}

// failures are the words for what a video failed of.
var failures = map[core.Code]string{
	core.CodeInvalidImage:  codeDataInspection,
	core.CodeInvalidVideo:  codeDataInspection,
	core.CodeTooLarge:      codeDataInspection,
	core.CodeInvalidInput:  codeInvalidParameter,
	core.CodeUnknownModel:  codeModelNotFound,
	core.CodeModelMissing:  codeUnavailable,
	core.CodeUnavailable:   codeUnavailable,
	core.CodeEngineRefused: codeDataInspection,
}

func failureWord(code core.Code) string {
	if w, found := failures[code]; found {
		return w
	}
	return codeInternal
}
