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
		Temperature: form.Temperature, TopP: form.TopP,
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

func (openAIProtocol) completion(r *reply) any {
	reason := map[finish]string{finishStop: "stop", finishLength: "length", finishFilter: "content_filter"}[r.finish]
	answer := map[string]any{
		"id": "chatcmpl-test", "object": "chat.completion", "created": 0, "model": r.call.Model,
		"choices": []map[string]any{{
			"index": 0, "finish_reason": reason,
			"message": map[string]any{"role": "assistant", "content": r.content()},
		}},
	}
	if r.usage {
		in, out := r.tokens()
		answer["usage"] = map[string]any{"prompt_tokens": in, "completion_tokens": out, "total_tokens": in + out}
	}
	return answer
}
