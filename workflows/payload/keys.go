package payload

import (
	"crypto/aes"
	"crypto/cipher"
	"crypto/hkdf"
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
	// all are the keys themselves, in their order.
	all [][]byte
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
		k.all = append(k.all, key)
		if k.current == "" {
			k.current = id
		}
	}
	return k, nil
}

// Derive returns a key of 32 bytes for another purpose from each of the keys, in their order (HKDF, RFC 5869). It reveals nothing of them.
func (k *Keys) Derive(purpose string) [][]byte {
	derived := make([][]byte, len(k.all))
	for i, key := range k.all {
		derived[i], _ = hkdf.Key(sha256.New, key, nil, "plait "+purpose, keySize) // fails for longer keys only
	}
	return derived
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
