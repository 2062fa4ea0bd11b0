package api

import (
	"context"
	"crypto/hmac"
	"crypto/sha256"
	"encoding/base64"
	"fmt"
	"net/http"
	"net/url"
	"strconv"
	"strings"
	"time"

	"github.com/labstack/echo/v4"

	"plait/api/schema"
	"plait/internal/core"
	"plait/internal/records"
)

const (
	// defaultLinkLifetime and maxLinkLifetime bound how long a signed link works. The maximum is that of Amazon S3.
	defaultLinkLifetime = 24 * time.Hour
	maxLinkLifetime     = 7 * 24 * time.Hour
	// maxCreateLink is in bytes.
	maxCreateLink = 4 << 10
)

// The query parameters of a signed link.
const (
	linkKey       = "key"
	linkExpires   = "expires"
	linkSignature = "signature"
)

// createLink answers with a link to a file of a task that needs no key. The link works until it expires, and no longer than the key that
// made it.
func (s *Server) createLink(c echo.Context) error {
	t, err := s.task(c)
	if err != nil {
		return err
	}
	var in schema.CreateLink
	if err := decodeBody(c, maxCreateLink, &in); err != nil {
		return err
	}
	path, err := linkPath(t, in)
	if err != nil {
		return err
	}
	lifetime := defaultLinkLifetime
	if in.ExpiresIn != nil {
		if *in.ExpiresIn < 1 || *in.ExpiresIn > int64(maxLinkLifetime/time.Second) {
			return core.Errorf(core.CodeInvalidInput, "expires_in is a number of seconds from 1 to %d", maxLinkLifetime/time.Second)
		}
		lifetime = time.Duration(*in.ExpiresIn) * time.Second
	}
	return c.JSON(http.StatusCreated, s.signedLink(c, path, time.Now().Add(lifetime)))
}

// signedLink returns a link to the file at a path that needs no key. It works until then, and no longer than the key of the request.
func (s *Server) signedLink(c echo.Context, path string, until time.Time) schema.Link {
	key, expires := keyOf(c), until.Truncate(time.Second)
	if key.ExpiresAt != nil && key.ExpiresAt.Before(expires) {
		expires = key.ExpiresAt.Truncate(time.Second)
	}
	query := url.Values{linkKey: {strconv.FormatInt(key.ID, 10)}, linkExpires: {strconv.FormatInt(expires.Unix(), 10)}}
	query.Set(linkSignature, base64.RawURLEncoding.EncodeToString(signLink(s.LinkKeys[0], path, query)))
	return schema.Link{URL: s.publicURL(c) + path + "?" + query.Encode(), ExpiresAt: expires.UTC()}
}

// linkPath returns the path of the file that the request names.
func linkPath(t records.Task, in schema.CreateLink) (string, error) {
	switch {
	case in.Item == nil && in.File != "" && in.File != schema.FileResult:
		return "", core.Errorf(core.CodeInvalidInput, "file %q is that of no task: without item it is %s", clip(in.File), schema.FileResult)
	case in.Item == nil:
		return taskPath(t.ID) + "/" + schema.FileResult, nil
	case *in.Item < 0 || *in.Item >= t.TotalCount:
		return "", core.Errorf(core.CodeInvalidInput, "item %d does not exist: the task has items 0 to %d", *in.Item, t.TotalCount-1)
	case in.File == "" || in.File == schema.FileResult:
		return itemPath(t.ID, *in.Item) + "/" + schema.FileResult, nil
	case in.File == schema.FileInput:
		return itemPath(t.ID, *in.Item) + "/" + schema.FileInput, nil
	default:
		return "", core.Errorf(core.CodeInvalidInput, "file %q is neither %s nor %s", clip(in.File), schema.FileResult, schema.FileInput)
	}
}

// signLink returns the HMAC-SHA256 of what a link allows. Another form of a result than the one that was shared may contain more, such as the
// pages as they were uploaded: a format is part of what is signed.
func signLink(key []byte, path string, query url.Values) []byte {
	mac := hmac.New(sha256.New, key)
	fmt.Fprintf(mac, "%s\n%s\n%s", path, query.Get(linkKey), query.Get(linkExpires))
	if query.Has(resultFormat) {
		fmt.Fprintf(mac, "\n%s", query.Get(resultFormat))
	}
	return mac.Sum(nil)
}

// authenticateDownload accepts a signed link in place of a key.
func (s *Server) authenticateDownload(next echo.HandlerFunc) echo.HandlerFunc {
	withKey := s.authenticate(next)
	return func(c echo.Context) error {
		query := c.QueryParams()
		if !query.Has(linkSignature) {
			return withKey(c)
		}
		key, err := s.keyOfLink(c.Request().Context(), c.Request().URL.EscapedPath(), query)
		if err != nil {
			return err
		}
		if err := admitted(c, key); err != nil {
			return err
		}
		// Whoever got the link may show the file on a page of another origin.
		c.Response().Header().Set("Cross-Origin-Resource-Policy", "cross-origin")
		return s.withinShare(c, next)
	}
}

// keyOfLink returns the key that made a link, and charges its tenant one request. It fails with UNAUTHORIZED when the signature is wrong,
// or when the link or its key is no longer valid.
func (s *Server) keyOfLink(ctx context.Context, path string, query url.Values) (records.Admission, error) {
	refused := core.NewError(core.CodeUnauthorized, "the link is wrong, has expired, or its key has been revoked")
	expires, err := strconv.ParseInt(query.Get(linkExpires), 10, 64)
	if err != nil || !s.isSigned(path, query) || time.Now().Unix() >= expires {
		return records.Admission{}, refused
	}
	id, err := strconv.ParseInt(query.Get(linkKey), 10, 64)
	if err != nil {
		return records.Admission{}, refused
	}
	ctx, cancel := context.WithTimeout(ctx, s.Config.RequestTimeout)
	defer cancel()
	key, err := s.Records.AdmitKey(ctx, id)
	if core.CodeOf(err) == core.CodeUnauthorized {
		return records.Admission{}, refused
	}
	key.Scope = records.ScopeRead
	return key, err
}

func (s *Server) isSigned(path string, query url.Values) bool {
	signature, err := base64.RawURLEncoding.DecodeString(query.Get(linkSignature))
	if err != nil {
		return false
	}
	for _, key := range s.LinkKeys {
		if hmac.Equal(signature, signLink(key, path, query)) {
			return true
		}
	}
	return false
}

// publicURL returns the scheme and host under which clients reach the API: those of the configuration, or of the request.
func (s *Server) publicURL(c echo.Context) string {
	if s.Config.PublicURL != "" {
		return strings.TrimSuffix(s.Config.PublicURL, "/")
	}
	return s.schemeOf(c.Request()) + "://" + c.Request().Host
}
