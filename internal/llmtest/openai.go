package llmtest

import (
	"encoding/json"
	"errors"
	"net/http"
	"strings"
)

type openAIProtocol struct{}

func (openAIProtocol) read(r *http.Request, body []byte) (Call, error) {
	var form struct {
		Model    string `json:"model"`
		Messages []struct {
			Role    string `json:"role"`
			Content string `json:"content"`
		} `json:"messages"`
		Temperature         *float64 `json:"temperature"`
		TopP                *float64 `json:"top_p"`
		MaxTokens           int      `json:"max_tokens"`
		MaxCompletionTokens int      `json:"max_completion_tokens"`
		Stream              bool     `json:"stream"`
		ResponseFormat      struct {
			Type string `json:"type"`
		} `json:"response_format"`
	}
	if err := json.Unmarshal(body, &form); err != nil {
		return Call{}, err
	}
	if form.Model == "" || len(form.Messages) == 0 {
		return Call{}, errors.New("no model or no messages")
	}
	call := Call{
		Protocol: "openai", Model: form.Model, Header: r.Header.Clone(),
		Key:         strings.TrimPrefix(r.Header.Get("Authorization"), "Bearer "),
		Temperature: form.Temperature, TopP: form.TopP, Stream: form.Stream,
		Schema: form.ResponseFormat.Type == "json_schema",
	}
	switch {
	case form.MaxTokens > 0:
		call.MaxTokens, call.MaxTokensField = form.MaxTokens, "max_tokens"
	case form.MaxCompletionTokens > 0:
		call.MaxTokens, call.MaxTokensField = form.MaxCompletionTokens, "max_completion_tokens"
	}
	for _, m := range form.Messages {
		switch m.Role {
		case "system", "developer":
			call.System = m.Content
		case "user":
			call.User = m.Content
		}
	}
	call.Segments = segmentsOf(call.User)
	return call, nil
}

func (openAIProtocol) failure(f failure) any {
	return map[string]any{"error": map[string]any{
		"message": "the server quotes the request here", "type": "invalid_request_error", "code": f.code, "param": f.param,
	}}
}

var openAIReasons = map[finish]string{finishStop: "stop", finishLength: "length", finishFilter: "content_filter"}

func (openAIProtocol) completion(r *reply) any {
	answer := map[string]any{
		"id": "chatcmpl-test", "object": "chat.completion", "created": 0, "model": r.call.Model,
		"choices": []map[string]any{{
			"index": 0, "finish_reason": openAIReasons[r.finish],
			"message": map[string]any{"role": "assistant", "content": r.content()},
		}},
	}
	if r.usage {
		answer["usage"] = openAIUsage(r)
	}
	return answer
}

func openAIUsage(r *reply) map[string]any {
	in, out := r.tokens()
	return map[string]any{"prompt_tokens": in, "completion_tokens": out, "total_tokens": in + out}
}

// pieces are chunks of the answer, one that ends it, one of the usage, and the end of the stream.
func (openAIProtocol) pieces(r *reply) [][]byte {
	chunk := func(choices ...map[string]any) map[string]any {
		return map[string]any{
			"id": "chatcmpl-test", "object": "chat.completion.chunk", "created": 0, "model": r.call.Model,
			"choices": append([]map[string]any{}, choices...),
		}
	}
	var events [][]byte
	for _, part := range split(r.content()) {
		events = append(events, encode(chunk(map[string]any{"index": 0, "delta": map[string]any{"content": part}})))
	}
	events = append(events, encode(chunk(map[string]any{"index": 0, "delta": map[string]any{}, "finish_reason": openAIReasons[r.finish]})))
	if r.usage {
		usage := chunk()
		usage["usage"] = openAIUsage(r)
		events = append(events, encode(usage))
	}
	return append(events, []byte("[DONE]"))
}
