package llmtest

import (
	"encoding/json"
	"errors"
	"net/http"
)

// anthropicProtocol is the messages protocol, without streaming.
type anthropicProtocol struct{}

type anthropicText struct {
	Text string `json:"text"`
}

func (anthropicProtocol) read(r *http.Request, body []byte) (Call, error) {
	var form struct {
		Model       string          `json:"model"`
		MaxTokens   int             `json:"max_tokens"`
		Temperature *float64        `json:"temperature"`
		TopP        *float64        `json:"top_p"`
		System      []anthropicText `json:"system"`
		Messages    []struct {
			Role    string          `json:"role"`
			Content []anthropicText `json:"content"`
		} `json:"messages"`
	}
	if err := json.Unmarshal(body, &form); err != nil {
		return Call{}, err
	}
	if form.Model == "" || form.MaxTokens == 0 || len(form.Messages) == 0 || r.Header.Get("Anthropic-Version") == "" {
		return Call{}, errors.New("no model, no bound, no messages or no version")
	}
	call := Call{
		Protocol: "anthropic", Model: form.Model, Key: r.Header.Get("X-Api-Key"), Header: r.Header.Clone(),
		Temperature: form.Temperature, TopP: form.TopP, MaxTokens: form.MaxTokens, MaxTokensField: "max_tokens",
	}
	for _, block := range form.System {
		call.System += block.Text
	}
	for _, block := range form.Messages[len(form.Messages)-1].Content {
		call.User += block.Text
	}
	call.Segments = segmentsOf(call.User)
	return call, nil
}

func (anthropicProtocol) failure(f failure) any {
	kind := f.code
	if kind == "" {
		kind = "api_error"
	}
	message := "the server quotes the request here"
	if f.param != "" {
		kind, message = "invalid_request_error", f.param+" is not supported by this model"
	}
	return map[string]any{"type": "error", "error": map[string]any{"type": kind, "message": message}}
}

func (anthropicProtocol) completion(r *reply) any {
	reason := map[finish]string{finishStop: "end_turn", finishLength: "max_tokens", finishFilter: "refusal"}[r.finish]
	answer := map[string]any{
		"id": "msg_test", "type": "message", "role": "assistant", "model": r.call.Model, "stop_reason": reason, "stop_sequence": nil,
		"content": []map[string]any{{"type": "text", "text": r.content()}},
	}
	if r.usage {
		in, out := r.tokens()
		answer["usage"] = map[string]any{"input_tokens": in, "output_tokens": out}
	}
	return answer
}

func (p anthropicProtocol) pieces(r *reply) [][]byte { return [][]byte{encode(p.completion(r))} }
