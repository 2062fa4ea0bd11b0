package core

import (
	"encoding/hex"
	"strings"
)

// BlobRef names the content of a blob: "sha256:" and 64 lower-case hexadecimal digits.
type BlobRef string

const blobPrefix = "sha256:"

// ParseBlobRef checks the form of s. It fails with CodeInvalidInput.
func ParseBlobRef(s string) (BlobRef, error) {
	digits, found := strings.CutPrefix(s, blobPrefix)
	if !found || len(digits) != 64 || strings.ToLower(digits) != digits {
		return "", NewError(CodeInvalidInput, "a blob is named sha256: followed by 64 lower-case hexadecimal digits")
	}
	if _, err := hex.DecodeString(digits); err != nil {
		return "", NewError(CodeInvalidInput, "a blob is named sha256: followed by 64 lower-case hexadecimal digits")
	}
	return BlobRef(s), nil
}

// NewBlobRef names the content whose SHA-256 is sum.
func NewBlobRef(sum [32]byte) BlobRef { return BlobRef(blobPrefix + hex.EncodeToString(sum[:])) }

// Hex is the digest without its prefix.
func (r BlobRef) Hex() string { return strings.TrimPrefix(string(r), blobPrefix) }
