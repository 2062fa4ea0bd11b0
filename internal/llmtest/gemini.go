package llmtest

import (
	"encoding/json"
	"errors"
	"net/http"
	"strings"
)

type geminiProtocol struct{}

type geminiContent struct {
	Parts []struct {
		Text string `json:"text"`
	} `json:"parts"`
}

func (c geminiContent) text() string {
	var b strings.Builder
	for _, part := range c.Parts {
		b.WriteString(part.Text)
	}
	return b.String()
}

func (geminiProtocol) read(r *http.Request, body []byte) (Call, error) {
	var form struct {
		Contents          []geminiContent `json:"contents"`
		SystemInstruction geminiContent   `json:"systemInstruction"`
		GenerationConfig  struct {
			Temperature     *float64 `json:"temperature"`
			TopP            *float64 `json:"topP"`
			MaxOutputTokens int      `json:"maxOutputTokens"`
			Schema          any      `json:"responseJsonSchema"`
		} `json:"generationConfig"`
	}
	if err := json.Unmarshal(body, &form); err != nil {
		return Call{}, err
	}
	model, method, _ := strings.Cut(r.PathValue("action"), ":")
	stream := method == "streamGenerateContent"
	if !stream && method != "generateContent" || len(form.Contents) == 0 {
		return Call{}, errors.New("no method of that name or no contents")
	}
	call := Call{
		Protocol: "gemini", Model: model, Key: r.Header.Get("X-Goog-Api-Key"), Header: r.Header.Clone(),
		System: form.SystemInstruction.text(), User: form.Contents[len(form.Contents)-1].text(),
		Temperature: form.GenerationConfig.Temperature, TopP: form.GenerationConfig.TopP,
		MaxTokens: form.GenerationConfig.MaxOutputTokens, Stream: stream,
		Schema: form.GenerationConfig.Schema != nil,
	}
	call.Segments = segmentsOf(call.User)
	return call, nil
}

// geminiRefusesKey is Gemini's answer to a wrong key: 400, with the reason in the details.
const geminiRefusesKey = "API_KEY_INVALID"

func (geminiProtocol) failure(f failure) any {
	reason := f.code
	if f.code == "invalid_api_key" {
		reason = geminiRefusesKey
	}
	return map[string]any{"error": map[string]any{
		"code": f.status, "message": "the server quotes the request here", "status": "FAILED_PRECONDITION",
		"details": []map[string]any{{"@type": "type.googleapis.com/google.rpc.ErrorInfo", "reason": reason}},
	}}
}

var geminiReasons = map[finish]string{finishStop: "STOP", finishLength: "MAX_TOKENS", finishFilter: "SAFETY"}

func (geminiProtocol) completion(r *reply) any {
	candidate := map[string]any{"index": 0, "finishReason": geminiReasons[r.finish]}
	if r.finish != finishFilter {
		candidate["content"] = map[string]any{"role": "model", "parts": []map[string]any{
			{"text": "a thought that is no part of the answer", "thought": true}, {"text": r.content()},
		}}
	}
	answer := map[string]any{"candidates": []any{candidate}, "modelVersion": r.call.Model}
	if r.usage {
		answer["usageMetadata"] = geminiUsage(r)
	}
	return answer
}

func geminiUsage(r *reply) map[string]any {
	in, out := r.tokens()
	return map[string]any{"promptTokenCount": in, "candidatesTokenCount": out, "totalTokenCount": in + out}
}

// pieces are responses with a part of the answer each; the last one has the finish reason and the usage.
func (geminiProtocol) pieces(r *reply) [][]byte {
	parts := split(r.content())
	if r.finish == finishFilter {
		parts = []string{""}
	}
	var events [][]byte
	for i, part := range parts {
		candidate := map[string]any{"index": 0, "content": map[string]any{"role": "model", "parts": []map[string]any{{"text": part}}}}
		answer := map[string]any{"candidates": []any{candidate}, "modelVersion": r.call.Model}
		if i == len(parts)-1 {
			candidate["finishReason"] = geminiReasons[r.finish]
			if r.usage {
				answer["usageMetadata"] = geminiUsage(r)
			}
		}
		events = append(events, encode(answer))
	}
	return events
}
