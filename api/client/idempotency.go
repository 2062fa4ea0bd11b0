package client

import (
	"crypto/sha256"
	"encoding/json"
	"fmt"
)

// KeyOf returns the idempotency key of a request for files whose names and contents have the given sum. The same input with the same
// choices gives the same key, so that an interrupted command continues its task. The attempt, from 0, distinguishes the request from
// earlier tasks that ended without success. Title and priority are not part of the key.
func (r Request) KeyOf(files [sha256.Size]byte, attempt int) string {
	contents := map[string][sha256.Size]byte{}
	for name, content := range r.Contents {
		contents[name] = sha256.Sum256(content)
	}
	b, err := json.Marshal([]any{r.Path, files, r.Fields, contents, attempt}) // maps are encoded in the order of their keys
	if err != nil {
		panic(err) // cannot fail: the values are texts and numbers
	}
	return fmt.Sprintf("cli-%x", sha256.Sum256(b))
}
