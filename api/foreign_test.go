package api_test

import (
	"net/http"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"plait/api/schema"
)

// Every route with an id, and every method, answers a foreign id as one that does not exist: with the same status, headers and body.
func TestAForeignIDIsAsUnknownAsAnyOther(t *testing.T) {
	t.Parallel()
	r := newRig(t)
	owner, stranger := r.caller("owner"), r.caller("stranger")
	foreign := owner.post(toEnglish(image("1.png", page(t, "はい"))), "Idempotency-Key: secret").task().ID
	unknown := strings.Repeat("0", 8) + foreign[8:]

	var paths []string
	parameter := regexp.MustCompile(`:\w+`)
	for _, route := range r.server.Routes() {
		if strings.Contains(route.Path, ":id") && !slices.Contains(paths, route.Path) {
			paths = append(paths, route.Path)
		}
	}
	require.Greater(t, len(paths), 8)
	methods := []string{http.MethodGet, http.MethodHead, http.MethodPost, http.MethodPut, http.MethodPatch, http.MethodDelete}
	ask := func(method, path, id string) answer {
		path = parameter.ReplaceAllString(strings.Replace(path, ":id", id, 1), "0")
		body := ""
		if method != http.MethodGet && method != http.MethodHead {
			body = `{"regions": [{"region_index": 0, "translation": "x"}]}`
		}
		return stranger.do(method, path, strings.NewReader(body), "Content-Type: application/json")
	}
	for _, path := range paths {
		for _, method := range methods {
			of, ofNone := ask(method, path, foreign), ask(method, path, unknown)
			if of.status/100 == 2 { // the contract of videos: no error, but a state
				require.Contains(t, path, "/video/generations/", method)
				require.Contains(t, []string{http.MethodGet, http.MethodHead}, method)
				require.True(t, method == http.MethodHead || strings.Contains(string(of.body), `"UNKNOWN"`), "%s", of.body)
			}
			require.Equal(t, ofNone.status, of.status, "%s %s", method, path)
			require.Equal(t, ofNone.seen(unknown), of.seen(foreign), "%s %s", method, path)
		}
	}
	for _, query := range []string{"", "?idempotency_key=secret", "?status=queued"} {
		require.Contains(t, string(owner.get(tasksRoute+query).body), foreign)
		require.NotContains(t, string(stranger.get(tasksRoute+query).body), foreign)
	}
	require.NotEmpty(t, owner.get(tasksRoute+"/"+foreign).is(http.StatusOK).task().ID)

	var upload schema.Blob
	owner.do(http.MethodPost, "/v1/blobs", strings.NewReader("a file")).is(http.StatusCreated).into(&upload)
	naming := func(blob string) string {
		return stranger.postJSON(`{"to": "en", "files": [{"name": "1.png", "blob": "` + blob + `"}]}`).is(http.StatusBadRequest).seen(blob)
	}
	require.Equal(t, naming("sha256:"+strings.Repeat("0", 64)), naming(string(upload.Blob)))

	// An administrator's resources are as closed for an existing tenant as for another.
	for _, path := range []string{"/tenants/", "/tiers/"} {
		of, ofNone := stranger.get(admin+path+"owner"), stranger.get(admin+path+"nobody")
		require.Equal(t, http.StatusForbidden, of.status)
		require.Equal(t, ofNone.seen("nobody"), of.seen("owner"))
	}
}

// seen is all of the answer that a client can compare, but for what differs between any two answers.
func (a answer) seen(id string) string {
	b := &strings.Builder{}
	h := a.header.Clone()
	for _, name := range []string{"Date", "X-Request-Id"} {
		h.Del(name)
	}
	require.NoError(a.t, h.Write(b))
	b.WriteString(strings.ReplaceAll(strings.ReplaceAll(string(a.body), id, "ID"), a.header.Get("X-Request-Id"), "REQUEST"))
	return b.String()
}
