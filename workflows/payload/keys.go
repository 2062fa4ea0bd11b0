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

// keySize is that of AES-256, in bytes.
const keySize = 32

// Keys are the keys of an installation. The first one encrypts, and each of them decrypts.
type Keys struct {
	current string
	byID    map[string]cipher.AEAD
}

// NewKey makes a key, as [ParseKeys] reads it.
func NewKey() string {
	key := make([]byte, keySize)
	_, _ = rand.Read(key) // never fails
	return base64.StdEncoding.EncodeToString(key)
}

// ParseKeys reads keys of 32 bytes in base64, separated by commas. An error repeats nothing of the text.
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

// keyID names a key without telling anything of it.
func keyID(key []byte) string {
	sum := sha256.Sum256(append([]byte("plait payload key\x00"), key...))
	return hex.EncodeToString(sum[:8])
}

// errUndecryptable is said of a payload whose key is not among the keys, or that was changed.
var errUndecryptable = errors.New("payload cannot be decrypted")
