package provider

import (
	"encoding/json"
	"errors"
	"net/http"
	"slices"
	"strconv"
	"strings"
	"time"

	"plait/internal/core"
)

// maxRetryAfter bounds the wait that a provider may request; daily quotas request hours, and are tried again hourly.
const maxRetryAfter = time.Hour

// unsupportedError is the cause of a refusal because of a parameter that the model does not support.
type unsupportedError struct{ parameter string }

func (u unsupportedError) Error() string { return "unsupported parameter " + u.parameter }

// details are the evaluated parts of an error's body. The message is not shown: it may quote the key or the page.
type details struct {
	codes     []string
	parameter string
	// flagged means that a moderation in front of the model has stopped the prompt, as OpenRouter's does with status 403.
	flagged    bool
	retryDelay time.Duration
}

// failure maps an HTTP answer other than 2xx to an error.
func failure(c Config, status int, header http.Header, body []byte, now time.Time) *core.Error {
	d := parseDetails(body)
	wait := retryAfter(header.Get("Retry-After"), now)
	if wait == 0 {
		wait = min(d.retryDelay, maxRetryAfter)
	}
	refused := func(what string) *core.Error {
		return core.Errorf(core.CodeTranslatorRefused, "%s %s (HTTP %d)", c.Kind, what, status)
	}
	switch {
	case d.flagged || d.has("content_filter", "content_policy_violation", "ResponsibleAIPolicyViolation"):
		return core.Wrap(core.CodeTranslatorRefused, errContent, c.Kind+" refuses the content of the page")
	case status == http.StatusUnauthorized || status == http.StatusForbidden || d.has("API_KEY_INVALID"):
		return refused("refuses the key")
	case status == http.StatusPaymentRequired || c.Kind == DeepL && status == deepLQuota || d.has("insufficient_quota", "billing_hard_limit_reached"):
		return refused("has no credit left for this key")
	case status == http.StatusTooManyRequests:
		return core.Errorf(core.CodeTranslatorRateLimited, "%s asks to wait (HTTP 429)", c.Kind).WithRetryAfter(wait)
	case status == http.StatusNotFound:
		return refused("does not know the model " + strconv.Quote(c.Model) + " or the address")
	case status == http.StatusRequestTimeout, status == http.StatusConflict, status == http.StatusTooEarly, status >= 500:
		return core.Errorf(core.CodeTranslatorUnavailable, "%s is not available (HTTP %d)", c.Kind, status).WithRetryAfter(wait)
	case status >= 300 && status < 400:
		return refused("redirects elsewhere; set the final address")
	case d.has("context_length_exceeded"):
		return refused("reports that the page is too long for the model " + strconv.Quote(c.Model))
	case d.parameter != "":
		return core.Wrap(core.CodeTranslatorRefused, unsupportedError{d.parameter}, c.Kind+" does not support one of the parameters")
	default:
		return refused("does not accept the request")
	}
}

// errContent is the cause of an error with which a provider's filter stops a prompt.
var errContent = errors.New("content filter")

func (d details) has(codes ...string) bool {
	return slices.ContainsFunc(codes, func(code string) bool { return slices.Contains(d.codes, code) })
}

// parseDetails reads the error bodies of OpenAI ("code", "type", "param"), of OpenRouter ("metadata") and of Google ("status", and the
// details ErrorInfo and RetryInfo). Bodies in other forms give empty details.
func parseDetails(body []byte) details {
	var form struct {
		Error struct {
			Code    any    `json:"code"`
			Message string `json:"message"`
			Type    string `json:"type"`
			Param   string `json:"param"`
			Status  string `json:"status"`
			// Metadata contains the reasons of a moderation.
			Metadata struct {
				Reasons []string `json:"reasons"`
			} `json:"metadata"`
			Details []struct {
				Reason     string `json:"reason"`
				RetryDelay string `json:"retryDelay"`
			} `json:"details"`
		} `json:"error"`
	}
	// When a field has another type, the others are still decoded, so the error is ignored.
	_ = json.Unmarshal(body, &form)
	e := form.Error
	d := details{codes: []string{e.Type, e.Status}, flagged: len(e.Metadata.Reasons) > 0}
	if code, ok := e.Code.(string); ok {
		d.codes = append(d.codes, code)
		if strings.HasPrefix(code, "unsupported_") {
			d.parameter = e.Param
		}
	}
	if e.Type == "invalid_request_error" && d.parameter == "" && strings.Contains(e.Message, "temperature") {
		d.parameter = "temperature" // Anthropic names it only in its message
	}
	for _, detail := range e.Details {
		d.codes = append(d.codes, detail.Reason)
		if delay, err := time.ParseDuration(detail.RetryDelay); err == nil && delay > 0 {
			d.retryDelay = delay
		}
	}
	return d
}

// retryAfter parses a Retry-After header: seconds, also with a fraction, or an HTTP date (RFC 9110 10.2.3). It is 0 for anything else, and
// at most maxRetryAfter.
func retryAfter(value string, now time.Time) time.Duration {
	value = strings.TrimSpace(value)
	if seconds, err := strconv.ParseFloat(value, 64); err == nil {
		if seconds > 0 {
			return time.Duration(min(seconds, maxRetryAfter.Seconds()) * float64(time.Second))
		}
		return 0
	}
	at, err := http.ParseTime(value)
	if err != nil || !at.After(now) {
		return 0
	}
	return min(at.Sub(now), maxRetryAfter)
}
