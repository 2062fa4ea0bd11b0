package translate_test

import (
	"context"
	"errors"
	"sync"

	"plait/internal/translate/ledger"
)

// memory is a ledger for tests of this package: the first answer to a key stays.
type memory struct {
	mu      sync.Mutex
	answers map[string]ledger.Answer
	calls   []ledger.Call
	broken  bool
}

func (m *memory) LookupCall(_ context.Context, key string) (ledger.Answer, bool, error) {
	m.mu.Lock()
	defer m.mu.Unlock()
	answer, ok := m.answers[key]
	return answer, ok, nil
}

func (m *memory) RecordCall(ctx context.Context, call ledger.Call) error {
	m.mu.Lock()
	defer m.mu.Unlock()
	if m.broken {
		return errors.New("the ledger is out of reach")
	}
	if err := ctx.Err(); err != nil {
		return err
	}
	m.calls = append(m.calls, call)
	if _, known := m.answers[call.Key]; !known && call.Outcome == ledger.OutcomeOK {
		if m.answers == nil {
			m.answers = map[string]ledger.Answer{}
		}
		m.answers[call.Key] = call.Answer
	}
	return nil
}

func (m *memory) recorded() []ledger.Call {
	m.mu.Lock()
	defer m.mu.Unlock()
	return append([]ledger.Call(nil), m.calls...)
}
