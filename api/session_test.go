package api_test

import (
	"net/http"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"plait/api"
	"plait/api/schema"
	"plait/internal/core"
	"plait/internal/records"
)

const asJSON = "Content-Type: application/json"

// browser signs in with a key, and returns the header with its cookie.
func (c caller) browser() (cookie string) {
	c.t.Helper()
	anybody := caller{c.rig, "", ""}
	a := anybody.do(http.MethodPost, "/v1/session", strings.NewReader(`{"key": "`+c.key+`"}`), asJSON).is(http.StatusOK)
	return cookieOf(a)
}

func cookieOf(a answer) string {
	a.t.Helper()
	set := a.header.Get("Set-Cookie")
	require.Contains(a.t, set, "; HttpOnly; SameSite=Strict")
	cookie, _, _ := strings.Cut(set, ";")
	return "Cookie: " + cookie
}

func TestABrowserSignsIn(t *testing.T) {
	t.Parallel()
	c := newRig(t).callerOf("press", records.ScopeRead)
	anybody := caller{c.rig, "", ""}
	anybody.get("/v1/session").is(http.StatusNoContent)
	anybody.get("/v1/session", "Cookie: plait-session=wrong").is(http.StatusNoContent)
	anybody.get("/v1/tasks", "Cookie: plait-session=wrong").refused(http.StatusUnauthorized, core.CodeUnauthorized, "sign in again")
	anybody.do(http.MethodPost, "/v1/session", strings.NewReader(`{"key": "plait_wrong"}`), asJSON).refused(http.StatusUnauthorized, core.CodeUnauthorized, "")
	anybody.do(http.MethodPost, "/v1/session", strings.NewReader(`{"key": "`+c.key+`"}`), asJSON, "Sec-Fetch-Site: cross-site").
		refused(http.StatusForbidden, core.CodeForbidden, "another origin")

	cookie := c.browser()
	var who schema.Session
	anybody.get("/v1/session", cookie).is(http.StatusOK).into(&who)
	require.Equal(t, schema.Session{Tenant: "press", KeyName: "test", Scope: "read"}, who)
	anybody.get("/v1/tasks", cookie).is(http.StatusOK)
	anybody.do(http.MethodPost, "/v1/blobs", strings.NewReader("x"), cookie).refused(http.StatusForbidden, core.CodeForbidden, "scope")
	c.get("/v1/session").is(http.StatusOK)

	require.Contains(t, anybody.do(http.MethodDelete, "/v1/session", nil, cookie).is(http.StatusNoContent).header.Get("Set-Cookie"), "Max-Age=0")
	anybody.get("/v1/tasks", cookie).refused(http.StatusUnauthorized, core.CodeUnauthorized, "")
}

// A browser sends the cookie of a session along with requests that pages of other origins make.
func TestPagesOfOtherOriginsDoNotActForASession(t *testing.T) {
	t.Parallel()
	c := newRig(t).caller("press")
	anybody, cookie := caller{c.rig, "", ""}, c.browser()
	for _, from := range []string{"Sec-Fetch-Site: cross-site", "Sec-Fetch-Site: same-site", "Origin: https://evil.example"} {
		anybody.do(http.MethodPost, "/v1/blobs", strings.NewReader("x"), cookie, from).refused(http.StatusForbidden, core.CodeForbidden, "another origin")
		anybody.get("/v1/tasks", cookie, from).is(http.StatusOK)
	}
	anybody.do(http.MethodPost, "/v1/blobs", strings.NewReader("x"), cookie, "Sec-Fetch-Site: same-origin").is(http.StatusCreated)
	c.do(http.MethodPost, "/v1/blobs", strings.NewReader("x"), "Sec-Fetch-Site: cross-site").is(http.StatusCreated)
}

func TestALinkSignsABrowserInOnce(t *testing.T) {
	t.Parallel()
	c := newRig(t).caller("press")
	anybody := caller{c.rig, "", ""}
	found, err := c.records.Authenticate(t.Context(), c.key)
	require.NoError(t, err)
	secret, err := c.records.NewSignInLink(t.Context(), found.ID, patience)
	require.NoError(t, err)
	path := api.SignInURL("", secret)
	anybody.do(http.MethodHead, path, nil).is(http.StatusSeeOther)
	a := anybody.get(path).is(http.StatusSeeOther)
	require.Equal(t, "/", a.header.Get("Location"))
	anybody.get("/v1/tasks", cookieOf(a)).is(http.StatusOK)
	again := anybody.get(path).is(http.StatusSeeOther)
	require.Equal(t, "/#/sign-in/used", again.header.Get("Location"))
	require.Empty(t, again.header.Get("Set-Cookie"))
}

// The Temporal UI has the tasks of all tenants, so that its address is told to those alone who sign in there.
func TestASessionHasTheAddressOfTheTemporalUI(t *testing.T) {
	t.Parallel()
	const address = "http://127.0.0.1:8233/namespaces/default"
	r := newRigWith(t, testConfig(), func(s *api.Server) {
		s.TemporalUI = func(k records.Key) string {
			if k.Scope != records.ScopeAdmin {
				return ""
			}
			return address
		}
	})
	for scope, want := range map[records.Scope]string{records.ScopeAdmin: address, records.ScopeWrite: ""} {
		var who schema.Session
		r.callerOf("press", scope).get("/v1/session").is(http.StatusOK).into(&who)
		require.Equal(t, want, who.TemporalUI)
	}
}

func TestCapabilities(t *testing.T) {
	t.Parallel()
	var can schema.Capabilities
	newRig(t).caller("press").get("/v1/capabilities").is(http.StatusOK).into(&can)
	require.Contains(t, can.Kinds, schema.CapableKind{Name: "document", Path: "/v1/document/translations", Estimate: true})
	require.Contains(t, can.Kinds, schema.CapableKind{
		Name: "video", Path: "/v1/video/generations", Estimate: true, Models: can.Kinds[len(can.Kinds)-1].Models,
	})
	models := can.Kinds[len(can.Kinds)-1].Models
	require.Equal(t, schema.CapableModel{
		Name: "motion", Types: []string{"image_to_video"}, Resolutions: []string{"480P", "720P", "1080P"}, Durations: []int{5, 3, 4, 6, 7, 8, 9, 10},
	}, models[0])
	require.Equal(t, schema.CapableModel{Name: "realesr-animevideov3", Types: []string{"video_upscale"}, Scales: []int{2, 4}}, models[1])
	require.Contains(t, can.From, "ja")
	require.Contains(t, can.To, "en")
	require.Equal(t, schema.CapabilityLimits{MaxBody: 4 << 20, MaxPages: 20}, can.Limits)
}
