package provider

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"net/http"
	"strings"
	"unicode/utf8"

	"plait/internal/core"
	"plait/internal/languages"
)

const (
	// deepLTexts is the largest number of texts in one call.
	deepLTexts = 50
	// deepLModel is the model's name in the records; DeepL itself chooses the model.
	deepLModel = "deepl"
	// deepLQuota is the HTTP status for an account whose quota of characters is used up.
	deepLQuota = 456
	// freeKey is the suffix of keys of DeepL's free plan, which has a separate address.
	freeKey = ":fx"
)

// deepL implements DeepL's translation protocol (POST /v2/translate). It is not a chat: it accepts the segments of a prompt one by one,
// with context, but without instructions or temperature. Its usage is in characters of the source, which are recorded as input tokens.
type deepL struct{ *caller }

// Complete makes one call for every 50 segments.
func (d *deepL) Complete(ctx context.Context, p Prompt) (Completion, error) {
	return d.call(ctx, func(ctx context.Context) (Completion, error) {
		c := Completion{FinishReason: FinishStop, Model: deepLModel}
		var lines []string
		for len(p.Segments) > 0 {
			part := p.Segments[:min(len(p.Segments), deepLTexts)]
			p.Segments = p.Segments[len(part):]
			texts, err := d.translate(ctx, p, part)
			if err != nil {
				return Completion{}, err
			}
			for i, text := range texts {
				c.InputTokens += utf8.RuneCountInString(part[i])
				lines = append(lines, fmt.Sprintf("<|%d|>%s", len(lines)+1, strings.Join(strings.Fields(text), " ")))
			}
		}
		c.Text = strings.Join(lines, "\n")
		return c, nil
	})
}

func (d *deepL) translate(ctx context.Context, p Prompt, texts []string) ([]string, error) {
	body, err := json.Marshal(struct {
		Text           []string `json:"text"`
		SourceLang     string   `json:"source_lang,omitempty"`
		TargetLang     string   `json:"target_lang"`
		Context        string   `json:"context,omitempty"`
		SplitSentences string   `json:"split_sentences"`
	}{texts, deepLSource(p.From), deepLTarget(p.To), p.Context, "0"})
	if err != nil {
		return nil, err
	}
	request, err := http.NewRequestWithContext(ctx, http.MethodPost, strings.TrimRight(d.config.BaseURL, "/")+"/v2/translate", bytes.NewReader(body))
	if err != nil {
		return nil, err
	}
	request.Header.Set("Content-Type", "application/json")
	request.Header.Set("Authorization", "DeepL-Auth-Key "+d.config.Key)
	response, err := d.http.Do(request)
	if err != nil {
		return nil, err
	}
	defer func() { _ = response.Body.Close() }()
	var form struct {
		Translations []struct{ Text string }
	}
	if err := json.NewDecoder(response.Body).Decode(&form); err != nil {
		var known *core.Error
		if errors.As(err, &known) {
			return nil, known
		}
		return nil, err
	}
	if len(form.Translations) != len(texts) {
		return nil, core.Errorf(core.CodeTranslatorUnavailable, "deepl returned %d translations for %d texts", len(form.Translations), len(texts))
	}
	translated := make([]string, len(texts))
	for i, t := range form.Translations {
		translated[i] = t.Text
	}
	return translated, nil
}

// deepLSource converts a tag into DeepL's name of a source language: without a script or a region; empty lets DeepL detect it.
func deepLSource(tag string) string {
	base, _, _ := strings.Cut(tag, "-")
	if base == languages.Auto {
		return ""
	}
	return strings.ToUpper(base)
}

// deepLTargets are the target languages whose name at DeepL is not just the first part of the tag.
var deepLTargets = map[string]string{"en": "EN-US", "pt": "PT-BR", "zh": "ZH-HANS"}

func deepLTarget(tag string) string {
	switch upper := strings.ToUpper(tag); upper {
	case "EN-GB", "EN-US", "PT-BR", "PT-PT", "ZH-HANS", "ZH-HANT":
		return upper
	}
	base, _, _ := strings.Cut(strings.ToLower(tag), "-")
	if named, ok := deepLTargets[base]; ok {
		return named
	}
	return strings.ToUpper(base)
}
