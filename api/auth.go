package api

import (
	"context"
	"net/http"
	"strings"
	"time"

	"github.com/labstack/echo/v4"

	"plait/internal/core"
	"plait/internal/records"
)

const (
	contextKey = "key"
	// lookupWait is how long a request waits for its turn to have its key looked up.
	lookupWait = 2 * time.Second
)

// authenticate demands a bearer key and remembers whose it is. Nothing of the body is read before.
func (s *Server) authenticate(next echo.HandlerFunc) echo.HandlerFunc {
	return func(c echo.Context) error {
		scheme, plain, _ := strings.Cut(c.Request().Header.Get(echo.HeaderAuthorization), " ")
		plain = strings.TrimSpace(plain)
		if !strings.EqualFold(scheme, "bearer") || plain == "" {
			return core.NewError(core.CodeUnauthorized, "the header Authorization: Bearer KEY is missing")
		}
		key, err := s.lookUp(c.Request().Context(), plain)
		if err != nil {
			return err
		}
		if need := scopeFor(c.Request().Method); !key.Scope.Includes(need) {
			return core.Errorf(core.CodeForbidden, "the key has the scope %s; this needs %s", key.Scope, need)
		}
		c.Set(contextKey, key)
		return next(c)
	}
}

// scopeFor is the scope that a request of the method needs: a request that is safe only reads (RFC 9110, 9.2.1).
func scopeFor(method string) records.Scope {
	if method == http.MethodGet || method == http.MethodHead {
		return records.ScopeRead
	}
	return records.ScopeWrite
}

func (s *Server) lookUp(ctx context.Context, plain string) (records.Key, error) {
	ctx, cancel := context.WithTimeout(ctx, s.Config.RequestTimeout)
	defer cancel()
	select {
	case s.lookups <- struct{}{}:
		defer func() { <-s.lookups }()
	case <-ctx.Done():
		return records.Key{}, ctx.Err()
	case <-time.After(lookupWait):
		return records.Key{}, core.NewError(core.CodeRateLimited, "too many requests at once; try again in a moment")
	}
	return s.Records.Authenticate(ctx, plain)
}

// tenantOf is the tenant of an authenticated request.
func tenantOf(c echo.Context) string { return keyOf(c).Tenant }

// keyOf is the key of an authenticated request.
func keyOf(c echo.Context) records.Key { return c.Get(contextKey).(records.Key) }
