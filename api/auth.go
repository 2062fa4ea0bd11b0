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
	// lookupWait is the longest time that a request waits for a free slot to look up its key.
	lookupWait = 2 * time.Second
)

// authenticate requires a bearer key and stores it in the context. It runs before any of the body is read.
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
		holdPlace(c.Request().Context())
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

// tenantOf returns the tenant of an authenticated request.
func tenantOf(c echo.Context) string { return keyOf(c).Tenant }

// keyOf returns the key of an authenticated request.
func keyOf(c echo.Context) records.Key { return c.Get(contextKey).(records.Key) }
