package ranks

import (
	"encoding/json"
	"fmt"
	"time"

	"plait/internal/core"
)

// verb is what a message says.
type verb string

const (
	// From a rank to the leader.
	verbJoin   verb = "join"   // rank
	verbReady  verb = "ready"  // key, nanoseconds, size; or code and text
	verbResult verb = "result" // seq, meta, and a payload; or code and text
	// From the leader to a rank.
	verbWelcome verb = "welcome" // seq of the first request that will be applied, ranks
	verbOffer   verb = "offer"   // key, decoder, size, and a payload
	verbDrop    verb = "drop"    // key
	verbApply   verb = "apply"   // seq, meta, keys; or code and text
	verbCancel  verb = "cancel"  // seq
)

// message is the head of what ranks send each other.
type message struct {
	Verb    verb            `json:"verb"`
	Rank    int             `json:"rank,omitempty"`
	Ranks   int             `json:"ranks,omitempty"`
	Seq     uint64          `json:"seq,omitempty"`
	Key     string          `json:"key,omitempty"`
	Keys    []string        `json:"keys,omitempty"`
	Decoder string          `json:"decoder,omitempty"`
	Size    int64           `json:"size,omitempty"`
	Took    time.Duration   `json:"took,omitempty"`
	Meta    json.RawMessage `json:"meta,omitempty"`
	Code    core.Code       `json:"code,omitempty"`
	Text    string          `json:"text,omitempty"`
}

// encode returns the head. Meta that is no JSON makes a message of the error.
func (m message) encode() []byte {
	b, err := json.Marshal(m)
	if err != nil {
		m.Meta, m.Code, m.Text = nil, core.CodeInternal, "the answer of a rank is no JSON"
		b, _ = json.Marshal(m) // only Meta can fail
	}
	return b
}

// decodeMessage reads a head. Errors: CodeUnavailable.
func decodeMessage(head []byte) (message, error) {
	var m message
	if err := json.Unmarshal(head, &m); err != nil {
		return m, core.Errorf(core.CodeUnavailable, "a rank sent a message that cannot be read: %w", err)
	}
	return m, nil
}

// err returns the error that a message has, or nil.
func (m message) err() error {
	if m.Code == "" {
		return nil
	}
	return core.NewError(m.Code, m.Text)
}

// fail puts an error into a message.
func (m message) fail(err error) message {
	if err != nil {
		m.Code, m.Text = core.CodeOf(err), fmt.Sprint(err)
	}
	return m
}
