package temporalui

import (
	_ "embed"
	"errors"
	"html/template"
	"net/http"
	"strings"
	"time"
)

//go:embed signin.html
var signInPage string

var signInForm = template.Must(template.New("sign-in").Parse(signInPage))

// Token makes a one-time token that signs in for key, for an address such as /sign-in?token=….
func (s *Server) Token(key string) string {
	return add(&s.tokens.expiring, token{key: key, expires: time.Now().Add(tokenLifetime)}, maxTokens)
}

// SignInURL is the address that signs a browser in once for key; base is http://host:port of the server.
func (s *Server) SignInURL(base, key string) string {
	return base + signInPath + "?token=" + s.Token(key)
}

// signedIn admits requests with a session. It redirects a browser that opens a page to the form.
func (s *Server) signedIn(next http.Handler) http.Handler {
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if s.hasSession(r) {
			next.ServeHTTP(w, r)
			return
		}
		if r.Method == http.MethodGet && strings.Contains(r.Header.Get("Accept"), "text/html") {
			http.Redirect(w, r, signInPath, http.StatusSeeOther)
			return
		}
		http.Error(w, "sign in at "+signInPath, http.StatusUnauthorized)
	})
}

func (s *Server) hasSession(r *http.Request) bool {
	cookie, err := r.Cookie(cookieName)
	if err != nil {
		return false
	}
	found, ok := find(&s.sessions.expiring, cookie.Value)
	if !ok {
		return false
	}
	if time.Since(found.checked) < recheckAfter {
		return true
	}
	switch err := s.config.Authenticate(r.Context(), found.key); {
	case errors.Is(err, ErrDenied):
		s.sessions.remove(cookie.Value)
		return false
	case err != nil: // the database is unavailable: the session continues when it is back
		return false
	}
	s.sessions.touch(cookie.Value)
	return true
}

func (s *Server) showSignIn(w http.ResponseWriter, r *http.Request) {
	secret := r.URL.Query().Get("token")
	if secret == "" {
		showForm(w, http.StatusOK, "")
		return
	}
	if _, ok := find(&s.tokens.expiring, secret); ok {
		if used, ok := s.tokens.remove(secret); ok {
			s.begin(w, r, used.key)
			return
		}
	}
	showForm(w, http.StatusUnauthorized, "This link was used already, or has expired. Sign in with an API key.")
}

func (s *Server) signIn(w http.ResponseWriter, r *http.Request) {
	r.Body = http.MaxBytesReader(w, r.Body, maxFormBytes)
	if err := r.ParseForm(); err != nil {
		showForm(w, http.StatusBadRequest, "The form cannot be read.")
		return
	}
	s.begin(w, r, strings.TrimSpace(r.PostForm.Get("key")))
}

// begin starts a session on behalf of key, if the key has access.
func (s *Server) begin(w http.ResponseWriter, r *http.Request, key string) {
	switch err := s.config.Authenticate(r.Context(), key); {
	case errors.Is(err, ErrDenied):
		showForm(w, http.StatusUnauthorized, "This key is wrong or revoked, or may not see the Temporal UI.")
		return
	case err != nil:
		s.config.Log.WarnContext(r.Context(), "cannot check a key for the Temporal UI", "error", err)
		showForm(w, http.StatusServiceUnavailable, "The key cannot be checked now. Try again.")
		return
	}
	now := time.Now()
	setCookie(w, add(&s.sessions.expiring, session{key: key, expires: now.Add(sessionLifetime), checked: now}, maxSessions), sessionLifetime)
	http.Redirect(w, r, "/", http.StatusSeeOther)
}

func (s *Server) signOut(w http.ResponseWriter, r *http.Request) {
	if cookie, err := r.Cookie(cookieName); err == nil {
		s.sessions.remove(cookie.Value)
	}
	setCookie(w, "", -time.Second)
	http.Redirect(w, r, signInPath, http.StatusSeeOther)
}

func showForm(w http.ResponseWriter, status int, problem string) {
	header := w.Header()
	header.Set("Content-Type", "text/html; charset=utf-8")
	header.Set("Cache-Control", "no-store")
	header.Set("Content-Security-Policy", "default-src 'none'; style-src 'unsafe-inline'; form-action 'self'; frame-ancestors 'none'")
	w.WriteHeader(status)
	_ = signInForm.Execute(w, problem) // the browser may have disconnected
}
