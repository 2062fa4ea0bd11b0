package core

import (
	"encoding/hex"
	"strings"
)

// BlobRef identifies a blob by its content: "sha256:" and 64 lower-case hexadecimal digits.
type BlobRef string

const blobPrefix = "sha256:"

// ParseBlobRef converts s to a BlobRef. It fails with CodeInvalidInput if s does not have the form of one.
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

// NewBlobRef returns the reference of the content with this SHA-256.
func NewBlobRef(sum [32]byte) BlobRef { return BlobRef(blobPrefix + hex.EncodeToString(sum[:])) }

// Hex returns the 64 hexadecimal digits of the reference.
func (r BlobRef) Hex() string { return strings.TrimPrefix(string(r), blobPrefix) }
