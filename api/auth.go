package api

import (
	"context"
	"fmt"
	"net/http"
	"strings"
	"time"

	"github.com/labstack/echo/v4"

	"plait/internal/core"
	"plait/internal/records"
)

const contextKey = "admission"

// authenticate requires a bearer key, or the session of a browser, and stores the key in the context. It runs before any of the body is
// read.
func (s *Server) authenticate(next echo.HandlerFunc) echo.HandlerFunc {
	return func(c echo.Context) error {
		found, err := s.find(c)
		if err != nil {
			return err
		}
		if err := admitted(c, found); err != nil {
			return err
		}
		return s.withinShare(c, next)
	}
}

func newShares(c Config) *tenantSlots {
	if c.MaxRequestsPerTenant == 0 {
		return nil
	}
	return &tenantSlots{most: c.MaxRequestsPerTenant, refusal: "too many requests of this tenant are under way; try again in a moment"}
}

// withinShare calls next unless the tenant of an authenticated request has as many under way as it may. Such a request keeps its connection
// until it has been answered, and a client can take its answer slowly: without a bound, one tenant could hold all connections.
func (s *Server) withinShare(c echo.Context, next echo.HandlerFunc) error {
	if s.shares == nil {
		return next(c)
	}
	leave, err := s.shares.take(c.Request().Context(), tenantOf(c))
	if err != nil {
		return err
	}
	defer leave()
	return next(c)
}

// find finds the key of a request by its header, or by the session of the browser.
func (s *Server) find(c echo.Context) (records.Admission, error) {
	if c.Request().Header.Get(echo.HeaderAuthorization) == "" {
		return s.sessionOf(c)
	}
	return s.keyOfRequest(c)
}

// keyOfRequest finds the bearer key of a request.
func (s *Server) keyOfRequest(c echo.Context) (records.Admission, error) {
	scheme, plain, _ := strings.Cut(c.Request().Header.Get(echo.HeaderAuthorization), " ")
	plain = strings.TrimSpace(plain)
	if !strings.EqualFold(scheme, "bearer") || plain == "" {
		return records.Admission{}, core.NewError(core.CodeUnauthorized, "the header Authorization: Bearer KEY is missing")
	}
	return s.lookUp(c, func(ctx context.Context) (records.Admission, error) { return s.Records.Admit(ctx, plain) })
}

// admitted stores the key of a request in its context, unless its tenant has used up a rate or its scope does not suffice.
func admitted(c echo.Context, found records.Admission) error {
	c.Set(contextKey, found)
	showRates(c.Response().Header(), found.Rates)
	if found.Requests != nil {
		if err := found.Requests.Refusal(); err != nil {
			return err
		}
	}
	if need := scopeFor(c); !found.Scope.Includes(need) {
		return core.Errorf(core.CodeForbidden, "the key has the scope %s; this needs %s", found.Scope, need)
	}
	actor := records.Actor{Name: fmt.Sprintf("key %d of tenant %s", found.ID, found.Tenant), Address: c.RealIP()}
	c.SetRequest(c.Request().WithContext(records.WithActor(c.Request().Context(), actor)))
	holdPlace(c.Request().Context())
	return nil
}

// scopeFor is the scope that a request needs: what concerns all tenants needs admin, and of the rest a request that is safe only reads
// (RFC 9110, 9.2.1). Who has the secret of webhooks can make messages that look like those of Plait, so that reading it needs write.
func scopeFor(c echo.Context) records.Scope {
	switch method := c.Request().Method; {
	case strings.HasPrefix(c.Path(), v1+adminPath+"/"):
		return records.ScopeAdmin
	case c.Path() == v1+webhookSecretPath:
		return records.ScopeWrite
	case c.Path() == v1+sessionPath, method == http.MethodGet, method == http.MethodHead:
		return records.ScopeRead
	default:
		return records.ScopeWrite
	}
}

// lookUp finds the key of a request with admit, which charges the tenant one request.
func (s *Server) lookUp(c echo.Context, admit func(context.Context) (records.Admission, error)) (records.Admission, error) {
	ctx, cancel := context.WithTimeout(c.Request().Context(), s.Config.RequestTimeout)
	defer cancel()
	select {
	case s.lookups <- struct{}{}:
		defer func() { <-s.lookups }()
	case <-ctx.Done():
		return records.Admission{}, ctx.Err()
	case <-time.After(s.Config.AdmissionTimeout):
		return records.Admission{}, core.NewError(core.CodeRateLimited, "too many requests at once; try again in a moment")
	}
	return admit(ctx)
}

// tenantOf returns the tenant of an authenticated request.
func tenantOf(c echo.Context) string { return keyOf(c).Tenant }

// keyOf returns the key of an authenticated request.
func keyOf(c echo.Context) records.Key { return admissionOf(c).Key }

// admissionOf returns the key of an authenticated request, with the limits of its tenant.
func admissionOf(c echo.Context) records.Admission { return c.Get(contextKey).(records.Admission) }
