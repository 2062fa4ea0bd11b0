// Package ledger defines the records of model calls: question, answer and cost. The types are plain, so that the translator that makes
// calls and the records that store them do not depend on each other.
//
// A call is recorded before its answer is used, and an identical call of the same tenant uses the recorded answer instead of a new one.
// One exception remains: if a process is killed while a call is in flight, from the request until the commit of its record, the call is
// repeated and paid for again.
package ledger

import (
	"crypto/sha256"
	"encoding/binary"
	"encoding/hex"
	"time"
)

// OutcomeOK is the outcome of a call that was answered. Any other outcome is the core.Code of its failure.
const OutcomeOK = "ok"

// Question is everything that determines an answer, and its tenant.
type Question struct {
	// Provider is the kind of provider, such as "openai".
	Provider string
	// Model is the model that is asked for.
	Model string
	// Params is the canonical JSON of the other parameters: endpoint, sampling, and the number of the sample.
	Params string
	// Prompt is the whole text sent.
	Prompt string
	// Tenant owns the answer: tenants never share one.
	Tenant string
}

// Key identifies the question: the SHA-256 of its fields, each preceded by its length, in lower-case hexadecimal.
func (q Question) Key() string {
	h := sha256.New()
	var length [8]byte
	for _, field := range []string{q.Provider, q.Model, q.Params, q.Prompt, q.Tenant} {
		binary.BigEndian.PutUint64(length[:], uint64(len(field)))
		h.Write(length[:])
		h.Write([]byte(field))
	}
	return hex.EncodeToString(h.Sum(nil))
}

// Answer is the answer of a provider, or its record.
type Answer struct {
	// Text is the unparsed reply.
	Text string
	// Model is the provider's own name of the model that answered; it may be longer than the requested one.
	Model string
	// FinishReason is "stop", "length" or "content_filter".
	FinishReason string
	InputTokens  int
	OutputTokens int
}

// Call is one attempt at a provider, successful or not.
type Call struct {
	// ID is a UUID that identifies the call, so that it has one record however often it is recorded; empty for a record that is never repeated.
	ID string
	// Key is Question.Key. It is unique among calls with OutcomeOK; failed calls repeat it.
	Key    string
	Tenant string
	TaskID string
	// Page is the index of the page in its chapter, from 0.
	Page     int
	Provider string
	// Model is the requested model.
	Model string
	// Params is Question.Params.
	Params string
	// TokensEstimated means that the provider reported no usage, and the tokens are counted from the texts.
	TokensEstimated bool
	StartedAt       time.Time
	Latency         time.Duration
	// CostMicros is the cost in millionths of the currency of the price table; 0 for a model that has no price.
	CostMicros int64
	// Outcome is OutcomeOK or the core.Code of the failure.
	Outcome string
	// Answer is zero when the call failed.
	Answer Answer
}

// Limits are an account's limits within any minute; 0 means no limit.
type Limits struct {
	Requests, Tokens int
}
