package client

import (
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"fmt"
)

// KeyOf is the idempotency key of a request for files whose names and contents have that sum: the same input with the same choices
// is the same task, so that repeating an interrupted command goes on with it. The attempt, from 0, tells it from earlier tasks that
// ended without success.
func (r Request) KeyOf(files [sha256.Size]byte, attempt int) string {
	digest := func(b []byte) string { return fmt.Sprintf("%x", sha256.Sum256(b)) }
	b, err := json.Marshal([]any{
		hex.EncodeToString(files[:]), r.From, r.To, r.Mode, r.Translator, digest(r.Script), digest(r.Glossary), r.Synopsis, attempt,
	})
	if err != nil {
		panic(err) // strings and a number
	}
	return "cli-" + digest(b)
}
