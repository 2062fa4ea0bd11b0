package client

import (
	"crypto/sha256"
	"encoding/json"
	"fmt"
)

// KeyOf returns the idempotency key of a request for files whose names and contents have the given sum. The same input with the same
// choices gives the same key, so that an interrupted command continues its task. The attempt, from 0, distinguishes the request from
// earlier tasks that ended without success. URLs, and the callback URL, are part of the key, and what they lead to is not. Title and priority are not either.
func (r Request) KeyOf(files [sha256.Size]byte, attempt int) string {
	contents := map[string][sha256.Size]byte{}
	for name, content := range r.Contents {
		contents[name] = sha256.Sum256(content)
	}
	parts := []any{r.Path, files, r.Fields, contents, attempt} // maps are encoded in the order of their keys
	if len(r.URLs) > 0 {
		parts = append(parts, r.URLs)
	}
	if r.CallbackURL != "" {
		parts = append(parts, map[string]string{"callback_url": r.CallbackURL})
	}
	b, err := json.Marshal(parts)
	if err != nil {
		panic(err) // cannot fail: the values are texts and numbers
	}
	return fmt.Sprintf("cli-%x", sha256.Sum256(b))
}
