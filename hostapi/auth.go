package hostapi

import (
	"crypto/sha256"
	"crypto/subtle"
	"net/http"
)

// TokenHeader carries the secret that host and callers share.
const TokenHeader = "X-Internal-Token"

// authorized compares digests, in a time that tells neither the token nor its length.
func (s *Server) authorized(r *http.Request) bool {
	given := sha256.Sum256([]byte(r.Header.Get(TokenHeader)))
	return subtle.ConstantTimeCompare(given[:], s.token[:]) == 1
}
