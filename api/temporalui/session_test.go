package temporalui_test

import (
	"context"
	"errors"
	"log/slog"
	"net/http"
	"net/http/httptest"
	"testing"
	"testing/synctest"
	"time"

	"github.com/stretchr/testify/require"

	"plait/api/temporalui"
)

// A session that is let through meets a UI that is away: 502.
func TestSessionsEnd(t *testing.T) {
	t.Parallel()
	for name, tc := range map[string]struct {
		after   time.Duration
		key     error // what is said of the key by then
		want    int
		restore int // once the key is good again
	}{
		"at once":                    {0, temporalui.ErrDenied, http.StatusBadGateway, http.StatusBadGateway},
		"within a lifetime":          {11 * time.Hour, nil, http.StatusBadGateway, http.StatusBadGateway},
		"after a lifetime":           {13 * time.Hour, nil, http.StatusUnauthorized, http.StatusUnauthorized},
		"of a revoked key":           {2 * time.Minute, temporalui.ErrDenied, http.StatusUnauthorized, http.StatusUnauthorized},
		"while the database is away": {2 * time.Minute, errors.New("no answer"), http.StatusUnauthorized, http.StatusBadGateway},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			synctest.Test(t, func(t *testing.T) {
				var verdict error
				s, err := temporalui.New(temporalui.Config{
					Upstream: "unix:///nonexistent/ui.sock", Codec: http.NotFoundHandler(), Log: slog.New(slog.DiscardHandler),
					Authenticate: func(context.Context, string) error { return verdict },
				})
				require.NoError(t, err)
				begun := httptest.NewRecorder()
				s.ServeHTTP(begun, httptest.NewRequest(http.MethodGet, s.SignInURL("http://localhost", goodKey), nil))
				require.Equal(t, http.StatusSeeOther, begun.Code)
				look := func() int {
					request := httptest.NewRequest(http.MethodGet, "http://localhost/", nil)
					request.AddCookie(begun.Result().Cookies()[0])
					w := httptest.NewRecorder()
					s.ServeHTTP(w, request)
					return w.Code
				}
				verdict = tc.key
				<-time.After(tc.after)
				require.Equal(t, tc.want, look())
				verdict = nil
				require.Equal(t, tc.restore, look())
			})
		})
	}
}

func TestALinkExpires(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		s, err := temporalui.New(temporalui.Config{
			Upstream: "unix:///nonexistent/ui.sock", Codec: http.NotFoundHandler(), Log: slog.New(slog.DiscardHandler),
			Authenticate: func(context.Context, string) error { return nil },
		})
		require.NoError(t, err)
		link := s.SignInURL("http://localhost", goodKey)
		<-time.After(25 * time.Hour)
		w := httptest.NewRecorder()
		s.ServeHTTP(w, httptest.NewRequest(http.MethodGet, link, nil))
		require.Equal(t, http.StatusUnauthorized, w.Code)
	})
}
