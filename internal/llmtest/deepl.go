package llmtest

import (
	"encoding/json"
	"errors"
	"net/http"
	"strings"
)

// DeepLModel is the model that a server must offer to answer DeepL's protocol, which does not name models.
const DeepLModel = "deepl"

// deepLProtocol is DeepL's translation of texts: they become the segments, and the target language becomes System.
type deepLProtocol struct{}

func (deepLProtocol) read(r *http.Request, body []byte) (Call, error) {
	var form struct {
		Text       []string `json:"text"`
		TargetLang string   `json:"target_lang"`
		Context    string   `json:"context"`
	}
	if err := json.Unmarshal(body, &form); err != nil {
		return Call{}, err
	}
	if len(form.Text) == 0 || len(form.Text) > 50 || form.TargetLang == "" {
		return Call{}, errors.New("no texts, too many, or no target language")
	}
	return Call{
		Protocol: "deepl", Model: DeepLModel, Header: r.Header.Clone(),
		Key:    strings.TrimPrefix(r.Header.Get("Authorization"), "DeepL-Auth-Key "),
		System: form.TargetLang, User: form.Context, Segments: form.Text,
	}, nil
}

func (deepLProtocol) failure(failure) any {
	return map[string]any{"message": "the server quotes the request here"}
}

func (deepLProtocol) completion(r *reply) any {
	translations := []map[string]any{}
	for _, l := range r.lines {
		translations = append(translations, map[string]any{"detected_source_language": "JA", "text": l.text})
	}
	return map[string]any{"translations": translations}
}

func (p deepLProtocol) pieces(r *reply) [][]byte { return [][]byte{encode(p.completion(r))} }
