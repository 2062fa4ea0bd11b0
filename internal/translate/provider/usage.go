package provider

import (
	"bytes"
	"encoding/json"
	"io"
	"net/http"
	"strings"
)

// readUsage removes implausible counts from the usage in the body of a completion. A server that counts wrongly must not cost a paid
// answer: the clients refuse a whole body because of one number that is out of range.
func readUsage(response *http.Response) error {
	body, err := io.ReadAll(response.Body)
	if err != nil {
		return err
	}
	body = withPossibleUsage(body)
	response.Body = io.NopCloser(bytes.NewReader(body))
	response.ContentLength = int64(len(body))
	return nil
}

// withPossibleUsage returns a body unchanged that is not a JSON object or has no usage.
func withPossibleUsage(body []byte) []byte {
	var fields map[string]json.RawMessage
	if json.Unmarshal(body, &fields) != nil {
		return body
	}
	changed := false
	for name, value := range fields {
		// The clients match names without regard to case.
		if strings.EqualFold(name, "usage") || strings.EqualFold(name, "usageMetadata") {
			fields[name], changed = possibleUsage(value), true
		}
	}
	if !changed {
		return body
	}
	rewritten, err := json.Marshal(fields)
	if err != nil {
		return body
	}
	return rewritten
}

// possibleUsage returns the counts of a usage, each 0..MaxUsageTokens. One implausible count makes all of them doubtful: the usage is then
// dropped, as if the server had reported none.
func possibleUsage(usage json.RawMessage) json.RawMessage {
	const none = "{}"
	var fields map[string]json.RawMessage
	if json.Unmarshal(usage, &fields) != nil {
		return json.RawMessage(none)
	}
	counts := map[string]int{}
	for name, value := range fields {
		var number float64
		if !countsTokens(name) || json.Unmarshal(value, &number) != nil {
			continue // times, prices and details, which are not used
		}
		if number < 0 || number > MaxUsageTokens {
			return json.RawMessage(none)
		}
		counts[name] = int(number)
	}
	encoded, err := json.Marshal(counts)
	if err != nil {
		return json.RawMessage(none)
	}
	return encoded
}

// countsTokens reports whether a field of a usage is a count: "completion_tokens" or "candidatesTokenCount".
func countsTokens(name string) bool {
	name = strings.ToLower(name)
	return strings.HasSuffix(name, "tokens") || strings.HasSuffix(name, "tokencount")
}
