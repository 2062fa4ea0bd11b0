package payload

import (
	"crypto/aes"
	"crypto/cipher"
	"crypto/rand"
	"crypto/sha256"
	"encoding/base64"
	"encoding/hex"
	"errors"
	"fmt"
	"strings"
)

// keySize is the size of an AES-256 key in bytes.
const keySize = 32

// Keys are the keys of an installation. The first one encrypts; all of them decrypt.
type Keys struct {
	current string
	byID    map[string]cipher.AEAD
}

// NewKey generates a key in the form that [ParseKeys] reads.
func NewKey() string {
	key := make([]byte, keySize)
	_, _ = rand.Read(key) // never fails
	return base64.StdEncoding.EncodeToString(key)
}

// ParseKeys parses keys of 32 bytes in base64, separated by commas. Its errors contain nothing of the text.
func ParseKeys(text string) (*Keys, error) {
	k := &Keys{byID: map[string]cipher.AEAD{}}
	for i, part := range strings.Split(text, ",") {
		key, err := base64.StdEncoding.DecodeString(strings.TrimSpace(part))
		if err != nil || len(key) != keySize {
			return nil, fmt.Errorf("key %d is not base64 of %d bytes, as `openssl rand -base64 %d` makes it", i+1, keySize, keySize)
		}
		aead, err := newAEAD(key)
		if err != nil {
			return nil, err
		}
		id := keyID(key)
		k.byID[id] = aead
		if k.current == "" {
			k.current = id
		}
	}
	return k, nil
}

func newAEAD(key []byte) (cipher.AEAD, error) {
	block, err := aes.NewCipher(key)
	if err != nil {
		return nil, err
	}
	return cipher.NewGCMWithRandomNonce(block)
}

// keyID identifies a key without revealing it.
func keyID(key []byte) string {
	sum := sha256.Sum256(append([]byte("plait payload key\x00"), key...))
	return hex.EncodeToString(sum[:8])
}

// errUndecryptable means that a payload's key is unknown, or that the payload was modified.
var errUndecryptable = errors.New("payload cannot be decrypted")
