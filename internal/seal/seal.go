// Package seal encrypts secrets that the database keeps. AES-256 in Galois/Counter Mode with a random nonce also protects them against
// changes, and binds each to its owner.
package seal

import (
	"crypto/aes"
	"crypto/cipher"
	"errors"
	"fmt"
)

// Box encrypts and decrypts. It is safe for concurrent use.
type Box struct {
	// keys decrypt; the first one also encrypts.
	keys []cipher.AEAD
}

// New makes a box with keys of 32 bytes, of which there is at least one. The first one encrypts, and all decrypt.
func New(keys [][]byte) (*Box, error) {
	b := &Box{}
	for _, key := range keys {
		block, err := aes.NewCipher(key)
		if err != nil {
			return nil, fmt.Errorf("make a box for secrets: %w", err)
		}
		aead, err := cipher.NewGCMWithRandomNonce(block)
		if err != nil {
			return nil, fmt.Errorf("make a box for secrets: %w", err)
		}
		b.keys = append(b.keys, aead)
	}
	if len(b.keys) == 0 {
		return nil, errors.New("a box for secrets needs a key")
	}
	return b, nil
}

// Seal encrypts a secret. Only Open with the same owner decrypts it.
func (b *Box) Seal(secret []byte, owner string) []byte {
	return b.keys[0].Seal(nil, nil, secret, []byte(owner)) //nolint:gosec // G407: the cipher makes a random nonce
}

// errSealed is not about which of key, owner and content is wrong.
var errSealed = errors.New("a secret of the database cannot be decrypted: its key is not among temporal.payload_keys")

// Open decrypts what Seal encrypted. It fails when no key fits, for another owner, and for what was changed.
func (b *Box) Open(sealed []byte, owner string) ([]byte, error) {
	secret, _, err := b.open(sealed, owner)
	return secret, err
}

// open also returns the place of the key that fits.
func (b *Box) open(sealed []byte, owner string) (secret []byte, key int, err error) {
	for i, aead := range b.keys {
		if secret, err := aead.Open(nil, nil, sealed, []byte(owner)); err == nil {
			return secret, i, nil
		}
	}
	return nil, 0, errSealed
}

// Reseal encrypts with the first key what another key encrypted. Changed is false for what the first key encrypted, which is returned as
// it is. It fails as Open.
func (b *Box) Reseal(sealed []byte, owner string) (resealed []byte, changed bool, err error) {
	secret, key, err := b.open(sealed, owner)
	if err != nil || key == 0 {
		return sealed, false, err
	}
	return b.Seal(secret, owner), true, nil
}
