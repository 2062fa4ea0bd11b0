package api

import (
	"context"
	"net/http"
	"net/url"
	"strings"
	"time"

	"github.com/labstack/echo/v4"

	"plait/api/schema"
	"plait/internal/core"
	"plait/internal/records"
)

const (
	sessionPath = "/session"
	signInPath  = "/sign-in"
	// signInToken is the query parameter of a link that signs in once.
	signInToken = "token"

	// sessionCookie is the cookie that holds the secret of a session.
	sessionCookie   = "plait-session"
	sessionLifetime = 30 * 24 * time.Hour
	// maxSignIn bounds the body of a sign-in, in bytes.
	maxSignIn = 4 << 10
)

// crossOriginRequests finds requests that pages of other origins send with the cookie of a session.
var crossOriginRequests = http.NewCrossOriginProtection()

// routeSession adds the sign-in of browsers: with a key, or by a link that works once.
func (s *Server) routeSession(group *echo.Group, quick echo.MiddlewareFunc) {
	get(group, sessionPath, s.getSession, s.admit, quick, allowQuery())
	group.POST(sessionPath, s.signIn, s.admit, s.transfer, allowQuery())
	group.DELETE(sessionPath, s.signOut, s.keyed(quick, allowQuery())...)
	get(s.echo, signInPath, s.signInByLink, s.admit, quick, allowQuery(signInToken))
}

// SignInURL returns a link that signs a browser in once, on behalf of a key; base is http://host:port of the API.
func SignInURL(base, secret string) string {
	return base + signInPath + "?" + url.Values{signInToken: {secret}}.Encode()
}

func (s *Server) viewSession(k records.Key) schema.Session {
	v := schema.Session{Tenant: k.Tenant, KeyName: k.Name, Scope: string(k.Scope), KeyExpiresAt: k.ExpiresAt}
	if s.TemporalUI != nil {
		v.TemporalUI = s.TemporalUI(k)
	}
	return v
}

// getSession answers on whose behalf the client acts. A browser that is not signed in gets an answer without a body instead of an error,
// which it would log.
func (s *Server) getSession(c echo.Context) error {
	found, err := s.find(c)
	if core.CodeOf(err) == core.CodeUnauthorized && c.Request().Header.Get(echo.HeaderAuthorization) == "" {
		return c.NoContent(http.StatusNoContent)
	}
	if err == nil {
		err = admitted(c, found)
	}
	if err != nil {
		return err
	}
	return c.JSON(http.StatusOK, s.viewSession(found.Key))
}

// signIn begins a session on behalf of the key in the body.
func (s *Server) signIn(c echo.Context) error {
	if err := crossOriginRequests.Check(c.Request()); err != nil {
		return core.NewError(core.CodeForbidden, "a page of another origin cannot sign in")
	}
	var in schema.SignIn
	if err := decodeBody(c, maxSignIn, &in); err != nil {
		return err
	}
	found, err := s.lookUp(c, func(ctx context.Context) (records.Admission, error) {
		return s.Records.Admit(ctx, strings.TrimSpace(in.Key))
	})
	if err != nil {
		return err
	}
	if err := s.openSession(c, found.ID); err != nil {
		return err
	}
	return c.JSON(http.StatusOK, s.viewSession(found.Key))
}

// signInByLink begins a session by a link, and leads to the page, which says when the link was used already. HEAD uses no link up.
func (s *Server) signInByLink(c echo.Context) error {
	if c.Request().Method == http.MethodHead {
		return c.Redirect(http.StatusSeeOther, "/")
	}
	key, err := s.Records.UseSignInLink(c.Request().Context(), c.QueryParam(signInToken))
	switch {
	case core.CodeOf(err) == core.CodeUnauthorized:
		return c.Redirect(http.StatusSeeOther, "/#/sign-in/used")
	case err != nil:
		return err
	}
	if err := s.openSession(c, key); err != nil {
		return err
	}
	return c.Redirect(http.StatusSeeOther, "/")
}

func (s *Server) openSession(c echo.Context, key int64) error {
	secret, err := s.Records.OpenSession(c.Request().Context(), key, sessionLifetime)
	if err == nil {
		s.setCookie(c, secret, sessionLifetime)
	}
	return err
}

// signOut ends the session of the browser. A request with a key has none, and nothing changes.
func (s *Server) signOut(c echo.Context) error {
	if cookie, err := c.Cookie(sessionCookie); err == nil {
		if err := s.Records.EndSession(c.Request().Context(), cookie.Value); err != nil {
			return err
		}
	}
	s.setCookie(c, "", -time.Second)
	return c.NoContent(http.StatusNoContent)
}

func (s *Server) setCookie(c echo.Context, secret string, lifetime time.Duration) {
	c.SetCookie(&http.Cookie{ //nolint:gosec // G124: Secure wherever the client comes by TLS
		Name: sessionCookie, Value: secret, Path: "/", MaxAge: int(lifetime.Seconds()), HttpOnly: true,
		Secure: s.schemeOf(c.Request()) == "https", SameSite: http.SameSiteStrictMode,
	})
}

// sessionOf finds the session of a request without a key. A browser sends its cookie along with requests that pages of other origins make,
// so that those that change something are refused.
func (s *Server) sessionOf(c echo.Context) (records.Admission, error) {
	cookie, err := c.Cookie(sessionCookie)
	if err != nil || cookie.Value == "" {
		return records.Admission{}, core.NewError(core.CodeUnauthorized, "the header Authorization: Bearer KEY is missing")
	}
	if err := crossOriginRequests.Check(c.Request()); err != nil {
		return records.Admission{}, core.NewError(core.CodeForbidden, "a page of another origin cannot act for this session")
	}
	found, err := s.lookUp(c, func(ctx context.Context) (records.Admission, error) { return s.Records.AdmitSession(ctx, cookie.Value) })
	if core.CodeOf(err) == core.CodeUnauthorized {
		return found, core.NewError(core.CodeUnauthorized, "the session has ended; sign in again")
	}
	return found, err
}
