// Package translatetest is a translator without a model, for tests of the callers of translators.
package translatetest

import (
	"context"
	"slices"
	"sync"

	"plait/internal/core"
	"plait/internal/translate"
)

// Bracketed returns the translation of a text by a [Model].
func Bracketed(text string) string { return "[" + text + "]" }

// Model answers with the texts in brackets, and records its requests. Its zero value is ready to use; it is safe for concurrent use.
type Model struct {
	// Before, when not nil, is called with each request. The call returns its error.
	Before func(context.Context, translate.Request) error
	// Refused is a text that the model leaves untranslated.
	Refused string

	mu            sync.Mutex
	requests      []translate.Request
	shortened     []translate.ShortenRequest
	running, most int
}

// Translate answers one request.
func (m *Model) Translate(ctx context.Context, r translate.Request) (translate.Result, error) {
	defer m.enter(r)()
	if m.Before != nil {
		if err := m.Before(ctx, r); err != nil {
			return translate.Result{}, err
		}
	}
	result := translate.Result{Provider: m.Name(), Model: "square", Paid: 1}
	for _, s := range r.Segments {
		t := core.Translation{Index: s.Index, Text: Bracketed(s.Text)}
		if m.Refused != "" && s.Text == m.Refused {
			t = core.Translation{Index: s.Index, Untranslated: core.UntranslatedRefused}
		}
		result.Translations = append(result.Translations, t)
	}
	return result, nil
}

// Shorten cuts every text to its room, within the brackets.
func (m *Model) Shorten(_ context.Context, r translate.ShortenRequest) (translate.Result, error) {
	m.mu.Lock()
	m.shortened = append(m.shortened, r)
	m.mu.Unlock()
	result := translate.Result{Provider: m.Name(), Model: "square", Paid: 1}
	for _, t := range r.Texts {
		source := []rune(t.Text)
		result.Translations = append(result.Translations, core.Translation{
			Index: t.Index, Text: Bracketed(string(source[:min(len(source), max(t.Room-2, 0))])),
		})
	}
	return result, nil
}

// Alternatives puts the text into more and more brackets, until n of them are not known.
func (m *Model) Alternatives(_ context.Context, r translate.Request, n int, known []string) (translate.Result, error) {
	defer m.enter(r)()
	result := translate.Result{Provider: m.Name(), Model: "square", Paid: 1}
	for text := Bracketed(r.Segments[0].Text); len(result.Translations) < n; text = Bracketed(text) {
		if !slices.Contains(known, text) {
			result.Translations = append(result.Translations, core.Translation{Index: r.Segments[0].Index, Text: text})
		}
	}
	return result, nil
}

// Shortened returns the requests for shorter texts so far, in order.
func (m *Model) Shortened() []translate.ShortenRequest {
	m.mu.Lock()
	defer m.mu.Unlock()
	return slices.Clone(m.shortened)
}

// Name is "bracket".
func (m *Model) Name() string { return "bracket" }

// Check always succeeds.
func (m *Model) Check(context.Context) (translate.Health, error) { return translate.Health{}, nil }

// Requests returns the requests so far, in order.
func (m *Model) Requests() []translate.Request {
	m.mu.Lock()
	defer m.mu.Unlock()
	return slices.Clone(m.requests)
}

// Calls returns the number of requests so far.
func (m *Model) Calls() int { return len(m.Requests()) }

// Segments returns the total number of texts in the requests so far.
func (m *Model) Segments() (n int) {
	for _, r := range m.Requests() {
		n += len(r.Segments)
	}
	return n
}

// Pages returns the pages of the requests so far, in order.
func (m *Model) Pages() (pages []int) {
	for _, r := range m.Requests() {
		pages = append(pages, r.Page.Index)
	}
	return pages
}

// MostAtOnce returns the largest number of concurrent requests.
func (m *Model) MostAtOnce() int {
	m.mu.Lock()
	defer m.mu.Unlock()
	return m.most
}

func (m *Model) enter(r translate.Request) (leave func()) {
	m.mu.Lock()
	defer m.mu.Unlock()
	m.requests = append(m.requests, r)
	m.running++
	m.most = max(m.most, m.running)
	return func() {
		m.mu.Lock()
		defer m.mu.Unlock()
		m.running--
	}
}
