package translate

import (
	"context"
	"slices"
	"strings"

	"plait/internal/core"
	"plait/internal/translate/provider"
)

// Alternator gives other translations of a text. Translators by language models are alternators.
type Alternator interface {
	// Alternatives asks the model once for n other translations of the only segment of a request, none of them among known. The call is
	// recorded and looked up like every other call. Each translation of the result has the index of the segment. There may be fewer than n,
	// as unacceptable and equal ones are left out. It fails as Translate does, with TRANSLATION_INVALID when none is left, and with
	// TRANSLATOR_MISSING for a model that only translates.
	Alternatives(ctx context.Context, r Request, n int, known []string) (Result, error)
}

// alternativesHeat makes the call as warm as that for a text whose translations were unacceptable twice: cold models repeat themselves.
const alternativesHeat = 2

// Alternatives asks the first model for the segment n times at once.
func (m *model) Alternatives(ctx context.Context, r Request, n int, known []string) (Result, error) {
	result := Result{Provider: m.Name(), Model: m.first.Model()}
	if m.first.Name() == provider.DeepL {
		return result, core.NewError(core.CodeTranslatorMissing, "the configured translator is no language model")
	}
	asked := r.Segments[0]
	r.Segments = slices.Repeat(r.Segments[:1], n)
	j := newJob(m, r)
	j.orderDoubted = true // texts of one source have no order
	for _, text := range known {
		if text != "" {
			j.page.known = append(j.page.known, flatten(text))
		}
	}
	chunk := slices.Clone(j.pending)
	if len(chunk) > 0 {
		answer, err := m.ask(ctx, m.first, j, chunk, sample{temperature: m.config.temperature(alternativesHeat)}, &result)
		if err != nil {
			return Result{}, err
		}
		j.take(chunk, answer)
	}
	seen := map[string]bool{"": true}
	for _, text := range known {
		seen[strings.TrimSpace(text)] = true
	}
	for _, text := range j.translations {
		if !seen[text] {
			seen[text] = true
			result.Translations = append(result.Translations, core.Translation{Index: asked.Index, Text: text})
		}
	}
	if len(result.Translations) == 0 {
		return Result{}, core.NewError(core.CodeTranslationInvalid, "the model gave no other translation")
	}
	return result, nil
}

// writeKnown writes that the following segments are one text, and how it is translated already.
func (p page) writeKnown(b *strings.Builder) {
	if len(p.known) == 0 {
		return
	}
	b.WriteString("All of the following segments are the same text. It is translated as:\n")
	for _, text := range p.known {
		b.WriteString(text + "\n")
	}
	b.WriteString("\nTranslate every segment otherwise: say the same in other words than these and than each other.\n")
}
