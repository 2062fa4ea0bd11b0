package temporalui

import (
	"crypto/rand"
	"net/http"
	"sync"
	"time"
)

const (
	cookieName = "plait-temporal-ui"

	sessionLifetime = 12 * time.Hour
	maxSessions     = 64
	// A revoked key ends its sessions within this time.
	recheckAfter = time.Minute

	tokenLifetime = 24 * time.Hour
	maxTokens     = 16
)

// session is the session of a browser that has signed in.
type session struct {
	key     string // revoking it ends the session
	expires time.Time
	checked time.Time
}

// expiring is a bounded map from secrets to values. When it is full, the entry that expires first makes room for a new one.
type expiring[T any] struct {
	mu      sync.Mutex
	entries map[string]T
}

type (
	sessions struct{ expiring[session] }
	tokens   struct{ expiring[token] }
)

// token is a one-time sign-in on behalf of a key.
type token struct {
	key     string
	expires time.Time
}

func (s session) end() time.Time { return s.expires }
func (t token) end() time.Time   { return t.expires }

// add stores v under a new secret.
func add[T interface{ end() time.Time }](e *expiring[T], v T, most int) (secret string) {
	e.mu.Lock()
	defer e.mu.Unlock()
	if e.entries == nil {
		e.entries = map[string]T{}
	}
	for len(e.entries) >= most {
		first := ""
		for name, entry := range e.entries {
			if first == "" || entry.end().Before(e.entries[first].end()) {
				first = name
			}
		}
		delete(e.entries, first)
	}
	secret = rand.Text()
	e.entries[secret] = v
	return secret
}

// find returns an entry that has not expired.
func find[T interface{ end() time.Time }](e *expiring[T], secret string) (T, bool) {
	e.mu.Lock()
	defer e.mu.Unlock()
	v, ok := e.entries[secret]
	if ok && time.Now().After(v.end()) {
		delete(e.entries, secret)
		ok = false
	}
	return v, ok
}

func (e *expiring[T]) remove(secret string) (T, bool) {
	e.mu.Lock()
	defer e.mu.Unlock()
	v, ok := e.entries[secret]
	delete(e.entries, secret)
	return v, ok
}

// touch records that a session's key was checked, unless the session has ended meanwhile.
func (s *sessions) touch(secret string) {
	s.mu.Lock()
	defer s.mu.Unlock()
	if v, ok := s.entries[secret]; ok {
		v.checked = time.Now()
		s.entries[secret] = v
	}
}

func setCookie(w http.ResponseWriter, secret string, lifetime time.Duration) {
	http.SetCookie(w, &http.Cookie{ //nolint:gosec // G124: plain HTTP on loopback; a proxy with TLS may stand before it
		Name: cookieName, Value: secret, Path: "/", MaxAge: int(lifetime.Seconds()), HttpOnly: true, SameSite: http.SameSiteStrictMode,
	})
}

// withoutSession removes the session cookie from a request to the UI, which does not need it.
func withoutSession(r *http.Request) {
	cookies := r.Cookies()
	r.Header.Del("Cookie")
	for _, c := range cookies {
		if c.Name != cookieName {
			r.AddCookie(c)
		}
	}
}
