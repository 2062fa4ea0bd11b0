package translate

import (
	"context"
	"encoding/json"
	"fmt"
	"strings"
	"unicode/utf8"

	"plait/internal/core"
	"plait/internal/translate/ledger"
	"plait/internal/translate/provider"
)

// Writer writes texts by instructions. Translators by language models are writers.
type Writer interface {
	// Write asks the model once, in a call that is recorded and looked up like every other call. It fails as Translate does, with
	// TRANSLATION_INVALID for an answer that is empty, too long or refused, and with TRANSLATOR_MISSING for a model that only translates.
	Write(ctx context.Context, r WriteRequest) (string, error)
}

// WriteRequest is a request for a text.
type WriteRequest struct {
	// Page is the item that the text is for. Its tenant owns the answer.
	Page core.Item
	// System are the instructions, and User is what they are about.
	System, User string
	// Most is the largest number of characters of the text.
	Most int
	// Slot is as in Request.
	Slot Slot
}

// Write asks the first model.
func (m *model) Write(ctx context.Context, r WriteRequest) (string, error) {
	if m.first.Name() == provider.DeepL {
		return "", core.NewError(core.CodeTranslatorMissing, "the configured translator is no language model")
	}
	prompt := provider.Prompt{
		System: r.System, User: r.User, Temperature: m.config.temperature(0), TopP: m.config.TopP, MaxTokens: m.config.MaxTokens,
	}
	encoded, err := json.Marshal(params{
		Endpoint: m.first.Endpoint(), Temperature: prompt.Temperature, TopP: prompt.TopP, MaxTokens: prompt.MaxTokens,
	})
	if err != nil {
		return "", fmt.Errorf("encode the parameters of a model call: %w", err)
	}
	question := ledger.Question{
		Provider: m.first.Name(), Model: m.first.Model(), Params: string(encoded), Prompt: r.System + "\x00" + r.User, Tenant: r.Page.Tenant,
	}
	answer, reused, err := m.ledger.LookupCall(ctx, question.Key())
	if err != nil {
		return "", fmt.Errorf("look up a model call: %w", err)
	}
	if !reused {
		answer, err = m.call(ctx, m.first, r.Slot, prompt, ledger.Call{
			Key: question.Key(), Tenant: question.Tenant, TaskID: r.Page.TaskID, Page: r.Page.Index,
			Provider: question.Provider, Model: question.Model, Params: question.Params,
		})
		if err != nil {
			return "", err
		}
	}
	return written(answer, r.Most)
}

// written returns the text of an answer without the thoughts of the model and the quotes around it.
func written(answer ledger.Answer, most int) (string, error) {
	text := strings.Trim(strings.Join(strings.Fields(stripReasoning(answer.Text)), " "), `"“”`)
	if answer.FinishReason == string(provider.FinishRefused) || text == "" || utf8.RuneCountInString(text) > most {
		return "", core.NewError(core.CodeTranslationInvalid, "the model wrote no text of the length that was asked for")
	}
	return text, nil
}
