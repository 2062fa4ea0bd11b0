package api_test

import (
	"bytes"
	"crypto/hmac"
	"crypto/sha256"
	"encoding/base64"
	"fmt"
	"io"
	"net/http"
	"net/url"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"plait/api"
	"plait/api/schema"
	"plait/internal/blob"
	"plait/internal/blob/s3test"
	"plait/internal/core"
	"plait/internal/records"
)

// A file is fetched by a signed link without a key, until the link expires or its key is revoked.
func signedLinks(_ *world, c caller) {
	t := c.t
	task := c.untilEnded(c.post(toEnglish(image("1.png", page(t, "秘密")))).is(http.StatusAccepted).header.Get("Location"))
	self, nobody := task.Links["self"], caller{c.rig, c.tenant, ""}
	for body, want := range map[string]string{
		`{}`:                                    task.Links["result"],
		`{"file":"result","expires_in":604800}`: task.Links["result"],
		`{"item":0}`:                            task.Pages[0].Links["result"],
		`{"item":0,"file":"input","expires_in":600}`: task.Pages[0].Links["input"],
	} {
		path := c.link(self, body)
		require.True(t, strings.HasPrefix(path, want+"?"), path)
		require.Equal(t, c.get(want).is(http.StatusOK).body, nobody.get(path).is(http.StatusOK).body)
		nobody.do(http.MethodHead, path, nil).is(http.StatusOK)
		nobody.do(http.MethodDelete, path, nil).is(http.StatusMethodNotAllowed)
		nobody.get(want).refused(http.StatusUnauthorized, core.CodeUnauthorized, "Bearer")
	}

	path := c.link(self, `{"item":0}`)
	query := strings.SplitN(path, "?", 2)[1]
	whole := c.link(self, `{}`)
	for _, forged := range []string{
		whole + "&format=ora", whole + "&format=cbz", whole + "&format=", task.Links["result"] + "?" + query, task.Pages[0].Links["input"] + "?" + query, self + "?" + query,
		path + "x", path[:len(path)-4], path + "&more=1", path + "&key=1", strings.Replace(path, "expires=1", "expires=2", 1),
		strings.Replace(path, "key=", "key=1", 1), task.Pages[0].Links["result"] + "?signature=", task.Pages[0].Links["result"] + "?signature=%20",
	} {
		a := nobody.get(forged)
		require.Contains(t, []int{http.StatusUnauthorized, http.StatusBadRequest}, a.status, "%s", forged)
		require.NotContains(t, string(a.body), "PNG")
	}
	nobody.get(signed(c.rig, "k", task.Links["result"], query, -time.Second)).refused(http.StatusUnauthorized, core.CodeUnauthorized, "expired")
	nobody.get(signed(c.rig, "o", task.Links["result"], query, time.Minute)).is(http.StatusOK) // by a key that has been replaced
	nobody.get(signed(c.rig, "x", task.Links["result"], query, time.Minute)).refused(http.StatusUnauthorized, core.CodeUnauthorized, "wrong")

	values, err := url.ParseQuery(query)
	require.NoError(t, err)
	var id int64
	_, err = fmt.Sscan(values.Get("key"), &id)
	require.NoError(t, err)
	require.NoError(t, c.records.RevokeKey(t.Context(), id))
	nobody.get(path).refused(http.StatusUnauthorized, core.CodeUnauthorized, "revoked")
}

// link makes a link and returns it without scheme and host.
func (c caller) link(task, body string) string {
	c.t.Helper()
	var link schema.Link
	c.do(http.MethodPost, task+"/links", strings.NewReader(body), "Content-Type: application/json").is(http.StatusCreated).into(&link)
	require.True(c.t, strings.HasPrefix(link.URL, c.address+"/"), link.URL)
	require.True(c.t, link.ExpiresAt.After(time.Now()))
	return strings.TrimPrefix(link.URL, c.address)
}

// signed is a link of the path that was signed with one of the keys of the rig, which repeat a letter.
func signed(r *rig, letter, path, query string, lifetime time.Duration) string {
	r.t.Helper()
	values, err := url.ParseQuery(query)
	require.NoError(r.t, err)
	values.Set("expires", fmt.Sprint(time.Now().Add(lifetime).Unix()))
	mac := hmac.New(sha256.New, bytes.Repeat([]byte(letter), 32))
	fmt.Fprintf(mac, "%s\n%s\n%s", path, values.Get("key"), values.Get("expires"))
	values.Set("signature", base64.RawURLEncoding.EncodeToString(mac.Sum(nil)))
	return path + "?" + values.Encode()
}

func linksThatAreRefused(w *world, c caller) {
	t := c.t
	task := c.untilEnded(c.post(toEnglish(image("1.png", page(t, "はい")))).is(http.StatusAccepted).header.Get("Location"))
	path := task.Links["self"] + "/links"
	post := func(body string) answer {
		return c.do(http.MethodPost, path, strings.NewReader(body), "Content-Type: application/json")
	}
	for body, what := range map[string]string{
		`{"item":1}`: "items 0 to 0", `{"item":-1}`: "item -1", `{"file":"input"}`: `"input"`, `{"item":0,"file":"mask"}`: `"mask"`,
		`{"expires_in":0}`: "expires_in", `{"expires_in":604801}`: "expires_in", `{"expires_in":99999999999999}`: "expires_in", `{"path":"/"}`: "path", ``: "JSON",
	} {
		post(body).refused(http.StatusBadRequest, core.CodeInvalidInput, what)
	}
	c.do(http.MethodPost, path, strings.NewReader("{}"), "Content-Type: text/plain").refused(http.StatusUnsupportedMediaType, core.CodeInvalidInput, "content type")
	other := w.callerOf("links_other", records.ScopeWrite)
	other.do(http.MethodPost, path, strings.NewReader("{}"), "Content-Type: application/json").refused(http.StatusNotFound, core.CodeNotFound, "there is no task")
	reader := w.callerOf(c.tenant, records.ScopeRead)
	reader.do(http.MethodPost, path, strings.NewReader("{}"), "Content-Type: application/json").refused(http.StatusForbidden, core.CodeForbidden, "write")
}

// Parts of a file can be fetched, so that a client can continue a download.
func partsOfFiles(_ *world, c caller) {
	t := c.t
	task := c.untilEnded(c.post(toEnglish(image("1.png", page(t, "はい", "いいえ")))).is(http.StatusAccepted).header.Get("Location"))
	path := task.Pages[0].Links["result"]
	whole := c.get(path).is(http.StatusOK)
	etag, n := whole.header.Get("ETag"), len(whole.body)
	require.Equal(t, "bytes", whole.header.Get("Accept-Ranges"))

	part := c.get(path, "Range: bytes=10-", "If-Range: "+etag).is(http.StatusPartialContent)
	require.Equal(t, whole.body[10:], part.body)
	require.Equal(t, fmt.Sprintf("bytes 10-%d/%d", n-1, n), part.header.Get("Content-Range"))
	require.Equal(t, "image/png", part.header.Get("Content-Type"))
	require.Equal(t, whole.body[n-5:], c.get(path, "Range: bytes=-5").is(http.StatusPartialContent).body)
	require.Equal(t, whole.body, c.get(path, "Range: bytes=10-", `If-Range: "other"`).is(http.StatusOK).body)
	require.Contains(t, c.get(path, "Range: bytes=0-1,4-5").is(http.StatusPartialContent).header.Get("Content-Type"), "multipart/byteranges")

	beyond := c.get(path, fmt.Sprintf("Range: bytes=%d-", n)).refused(http.StatusRequestedRangeNotSatisfiable, core.CodeInvalidInput, "Range")
	require.Equal(t, fmt.Sprintf("bytes */%d", n), beyond.header.Get("Content-Range"))
	c.get(path, `If-Match: "other"`).refused(http.StatusPreconditionFailed, core.CodeInvalidInput, "If-Match")
	require.Equal(t, "none", c.get(task.Links["result"]).is(http.StatusOK).header.Get("Accept-Ranges"))
}

// Where the configuration says so, a signed link leads to the blob store, which sends the file itself.
func TestSignedLinksLeadToS3(t *testing.T) {
	server := s3test.Start(t)
	store, err := blob.Open(t.Context(), server.Location("links"))
	require.NoError(t, err)
	config := testConfig()
	config.PresignedLinks = true
	c := newRigWith(t, config, func(s *api.Server) { s.Blobs = store }).caller("s3")
	input := page(t, "入力")
	_, _, err = store.Put(t.Context(), bytes.NewReader(input), 1<<20)
	require.NoError(t, err)
	task := c.post(toEnglish(image("1.png", input))).is(http.StatusAccepted).task()

	nobody := caller{c.rig, c.tenant, ""}
	path := c.link(task.Links["self"], `{"item":0,"file":"input"}`)
	found := nobody.get(path).is(http.StatusTemporaryRedirect)
	require.Empty(t, found.body)
	nobody.do(http.MethodHead, path, nil).is(http.StatusOK)
	require.Equal(t, input, c.get(task.Links["self"]+"/items/0/input").is(http.StatusOK).body, "with a key the API sends it")

	req, err := http.NewRequestWithContext(t.Context(), http.MethodGet, found.header.Get("Location"), nil)
	require.NoError(t, err)
	resp, err := http.DefaultClient.Do(req)
	require.NoError(t, err)
	defer resp.Body.Close()
	sent, err := io.ReadAll(resp.Body)
	require.NoError(t, err)
	require.Equal(t, http.StatusOK, resp.StatusCode, "%s", sent)
	require.Equal(t, input, sent)
	require.Equal(t, "image/png", resp.Header.Get("Content-Type"))
	require.Equal(t, `inline; filename=1.png`, resp.Header.Get("Content-Disposition"))
}
