package api_test

import (
	"encoding/json"
	"fmt"
	"math"
	"net/http"
	"net/netip"
	"net/url"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"
	"golang.org/x/sync/errgroup"

	"plait/api"
	"plait/api/schema"
	"plait/internal/core"
	"plait/internal/fetch"
	"plait/internal/fetch/fetchtest"
)

// web is a rig with a web server and a name server, from whose allowed address alone it fetches.
type web struct {
	caller
	server *fetchtest.Server
	dns    *fetchtest.DNS
}

func fetchConfig(dns *fetchtest.DNS) fetch.Config {
	return fetch.Config{
		Timeout: patience, MaxRedirects: 5, Allowed: []netip.Prefix{fetchtest.AllowedNetwork()}, Resolver: dns.Resolver(),
	}
}

func newWeb(t *testing.T, config api.Config, changes ...func(*fetch.Config)) web {
	t.Helper()
	w := web{server: fetchtest.NewServer(t), dns: fetchtest.NewDNS(t)}
	fetching := fetchConfig(w.dns)
	for _, change := range changes {
		change(&fetching)
	}
	w.caller = newRigWith(t, config, func(s *api.Server) { s.Fetch = fetch.New(fetching) }).caller("acme")
	return w
}

func byURL(urls ...string) []part {
	parts := make([]part, len(urls))
	for i, u := range urls {
		parts[i] = field("url", u)
	}
	return toEnglish(parts...)
}

func (c caller) blobByURL(u string) answer {
	c.t.Helper()
	body, err := json.Marshal(schema.FetchBlob{URL: u})
	require.NoError(c.t, err)
	return c.do(http.MethodPost, "/v1/blobs", reader(body), "Content-Type: application/json")
}

// pages reads the names and contents of the pages of a task.
func (c caller) pages(a answer) (names []string, contents [][]byte) {
	c.t.Helper()
	task := c.get(a.is(http.StatusAccepted).header.Get("Location")).is(http.StatusOK).task()
	for _, p := range task.Pages {
		names = append(names, p.Name)
		contents = append(contents, c.get(p.Links["input"]).is(http.StatusOK).body)
	}
	return names, contents
}

func TestFilesByURL(t *testing.T) {
	t.Parallel()
	w := newWeb(t, testConfig())
	one, two := page(t, "はい"), page(t, "いいえ")
	first, second := w.server.Put("1.png", one), w.server.Put("2.png", two)
	book := w.server.Put("book", zipOf(t, entry{"a/1.png", one}, entry{"a/2.png", two}))
	w.server.Put("picture.png", zipOf(t, entry{"1.png", one}))
	w.dns.Set("books.test", fetchtest.Allowed)
	asJSON := func(files string) answer { return w.postJSON(`{"from":"ja","to":"en","files":[` + files + `]}`) }
	for name, row := range map[string]struct {
		answer answer
		names  []string
		pages  [][]byte
	}{
		"images":             {w.post(byURL(second, first)), []string{"1.png", "2.png"}, [][]byte{one, two}},
		"archive":            {w.post(byURL(book)), []string{"a/1.png", "a/2.png"}, [][]byte{one, two}},
		"archive as image":   {w.post(byURL(w.server.URL("/file/picture.png"))), []string{"1.png"}, [][]byte{one}},
		"wrong content type": {w.post(byURL(w.server.URL("/type/1.png"))), []string{"1.png"}, [][]byte{one}},
		"redirect":           {w.post(byURL(w.server.URL("/to?" + first))), []string{"to.png"}, [][]byte{one}},
		"name in the DNS":    {w.post(byURL("http://books.test:" + w.server.Port + "/file/1.png?size=full#page")), []string{"1.png"}, [][]byte{one}},
		"same name":          {w.post(byURL(second, w.server.URL("/type/2.png"), first)), []string{"1-2.png", "2-2.png", "3-1.png"}, [][]byte{two, two, one}},
		"beside an upload":   {w.post(append(byURL(second), image("1.png", one))), []string{"1.png", "2.png"}, [][]byte{one, two}},
		"JSON":               {asJSON(fmt.Sprintf(`{"url":%q},{"name":"a/0.png","url":%q}`, first, second)), []string{"1.png", "a/0.png"}, [][]byte{one, two}},
		"beside a blob":      {asJSON(fmt.Sprintf(`{"url":%q},{"name":"0.png","blob":%q}`, first, w.upload(two).Blob)), []string{"0.png", "1.png"}, [][]byte{two, one}},
	} {
		names, pages := w.pages(row.answer)
		require.Equal(t, row.names, names, name)
		require.Equal(t, row.pages, pages, name)
	}
}

// A script and a glossary can be given by URL as well.
func TestFieldsByURL(t *testing.T) {
	t.Parallel()
	w := newWeb(t, testConfig())
	first := w.server.Put("1.png", page(t, "はい"))
	script := w.server.Put("script", []byte(`{"pages":[{"page":"1.png","regions":[{"source":"はい","translation":"Yes"}]}]}`))
	names := w.server.Put("names", []byte("source,target\n太郎,Taro\n"))
	for _, a := range []answer{
		w.post(append(byURL(first), field("script_url", script), field("glossary_url", names))),
		w.postJSON(fmt.Sprintf(`{"from":"ja","to":"en","files":[{"url":%q}],"script_url":%q,"glossary_url":%q}`, first, script, names)),
	} {
		require.Equal(t, core.TranslatorScript, a.is(http.StatusAccepted).task().Options.Translator)
	}
	bad := w.server.Put("bad", []byte("{"))
	w.post(append(byURL(first), field("script_url", bad))).refused(http.StatusUnprocessableEntity, core.CodeInvalidScript, "script")
	w.post(append(byURL(first), field("script_url", script), field("script_url", script))).refused(http.StatusBadRequest, core.CodeInvalidInput, "script is given twice")
	w.post(append(byURL(first), field("script_url", script), scriptPart("{}"))).refused(http.StatusBadRequest, core.CodeInvalidInput, "script is given twice")
	w.post(append(byURL(first), field("title_url", script))).refused(http.StatusBadRequest, core.CodeInvalidInput, `"title_url" is not known`)
	w.post(append(byURL(first), field("script_url", "ftp://x/"))).refused(http.StatusBadRequest, core.CodeInvalidInput, "script_url: ftp://x/: only http and https")
}

func TestBlobByURL(t *testing.T) {
	t.Parallel()
	w := newWeb(t, testConfig())
	content := page(t, "はい")
	var b schema.Blob
	w.blobByURL(w.server.Put("1.png", content)).is(http.StatusCreated).into(&b)
	require.Equal(t, w.upload(content), b)
	names, pages := w.pages(w.postJSON(fmt.Sprintf(`{"to":"en","files":[{"name":"1.png","blob":%q}]}`, b.Blob)))
	require.Equal(t, []string{"1.png"}, names)
	require.Equal(t, [][]byte{content}, pages)

	asked := w.server.Requests()
	// JSON that is no such request is a file, such as a script.
	for _, file := range []string{`{"pages":[]}`, `[{"url":"x"}]`, `"url"`, `{`, `{"pages":[],"url":"http://x/"}`} {
		w.do(http.MethodPost, "/v1/blobs", strings.NewReader(file), "Content-Type: application/json").is(http.StatusCreated).into(&b)
		require.Equal(t, w.upload([]byte(file)), b)
	}
	w.do(http.MethodPost, "/v1/blobs", strings.NewReader(`{"url":"http://x/"}`), "Content-Type: application/octet-stream").is(http.StatusCreated)
	require.Equal(t, asked, w.server.Requests())
}

// The retry of a request does not fetch again, whatever the URLs lead to by now.
func TestRequestsByURLAreIdempotent(t *testing.T) {
	t.Parallel()
	w := newWeb(t, testConfig())
	first, second := w.server.Put("1.png", page(t, "はい")), w.server.Put("2.png", page(t, "いいえ"))
	const key = "Idempotency-Key: one"
	id := w.post(byURL(first, second), key).is(http.StatusAccepted).task().ID
	asked := w.server.Requests()
	require.Equal(t, 2, asked)

	w.server.Put("1.png", []byte("other content"))
	require.Equal(t, id, w.post(byURL(first, second), key).is(http.StatusOK).task().ID)
	require.Equal(t, id, w.post(append(byURL(first, second), field("title", "Other"), field("priority", "1")), key).is(http.StatusOK).task().ID)
	require.Equal(t, id, w.postJSON(fmt.Sprintf(`{"from":"ja","to":"en","files":[{"url":%q},{"url":%q}]}`, first, second), key).is(http.StatusOK).task().ID)
	for _, other := range [][]part{
		byURL(first), byURL(second, first), byURL(first, second+"?"), append(byURL(first, second), field("mode", "unified")),
		append(byURL(first, second), image("3.png", page(t))), append(byURL(first, second), field("script_url", first)),
	} {
		w.post(other, key).refused(http.StatusConflict, core.CodeConflict, "idempotency key")
	}
	w.post(toEnglish(image("1.png", page(t, "はい")), image("2.png", page(t, "いいえ"))), key).refused(http.StatusConflict, core.CodeConflict, "idempotency key")
	require.Equal(t, asked, w.server.Requests(), "nothing was fetched again")

	stranger := w.rig.caller("stranger")
	require.NotEqual(t, id, stranger.post(byURL(second), key).is(http.StatusAccepted).task().ID)

	// At the same time, too, one key is one task.
	var group errgroup.Group
	ids := make([]string, 6)
	for i := range ids {
		group.Go(func() error {
			a, err := w.tryPost(byURL(second), "Idempotency-Key: two")
			if err == nil {
				ids[i] = a.task().ID
			}
			return err
		})
	}
	require.NoError(t, group.Wait())
	for _, one := range ids {
		require.Equal(t, ids[0], one)
	}
}

func (c caller) tryPost(parts []part, headers ...string) (answer, error) {
	c.t.Helper()
	body, kind := formOf(parts)
	return c.try(http.MethodPost, translations, body, append(headers, "Content-Type: "+kind)...)
}

// 200 attempts and more to lead the server to an inner address, by every way and both routes: no connection is made to one, each is refused
// by name, and nothing is left behind.
func TestNoURLLeadsInside(t *testing.T) {
	w := newWeb(t, testConfig(), func(c *fetch.Config) {
		c.Timeout, c.MinRate, c.RateWindow = 5*time.Second, 10_000, 500*time.Millisecond
	})
	t.Setenv("TMPDIR", t.TempDir())
	w.server.Put("secret", page(t, "秘密"))
	ways := w.server.Ways(w.dns)
	for _, path := range []string{"/drip", "/stall", "/endless", "/packed", "/longheader", "/loop", "/far", "/huge", "/short/secret", "/gzip/secret"} {
		ways = append(ways, w.server.URL(path))
	}
	attempts := 0
	for _, way := range ways {
		for _, a := range []answer{w.blobByURL(way), w.post(byURL(way))} {
			attempts++
			if a.status == http.StatusRequestEntityTooLarge {
				a.refused(http.StatusRequestEntityTooLarge, core.CodeTooLarge, "url")
			} else {
				a.refused(http.StatusBadRequest, core.CodeInvalidInput, "url")
			}
			u, err := url.Parse(way)
			require.NoError(t, err)
			if u.Scheme == "http" && u.Host == w.server.Host {
				require.NotContains(t, string(a.body), "127.0.0.1", "it tells no address that the client did not name")
			}
		}
	}
	require.GreaterOrEqual(t, attempts, 200)
	require.Zero(t, w.server.Forbidden())
	t.Logf("%d attempts, %d connections to forbidden addresses", attempts, w.server.Forbidden())
	for _, inside := range []string{"http://127.0.0.1:8080/", "http://[::ffff:127.0.0.1]/", "http://169.254.169.254/"} {
		body := fmt.Sprintf(`{"url": %q}`, inside)
		w.postBody(endpointsRoute, body).refused(http.StatusBadRequest, core.CodeInvalidInput, "url: "+inside+": the host")
		w.post(append(toEnglish(image("1.png", page(t))), field("callback_url", inside))).refused(http.StatusBadRequest, core.CodeInvalidInput, "callback_url")
	}
	w.nothingLeft()
	w.noTemporaryFile()
}

func (r *rig) noTemporaryFile() {
	r.t.Helper()
	left, err := filepath.Glob(filepath.Join(os.TempDir(), "*"))
	require.NoError(r.t, err)
	require.Empty(r.t, left)
}

// What a server or a request does wrong is refused with the field named, and leaves nothing behind.
func TestBadFilesByURL(t *testing.T) {
	w := newWeb(t, testConfig())
	t.Setenv("TMPDIR", t.TempDir())
	good := w.server.Put("1.png", page(t, "はい"))
	w.server.Put("empty", nil)
	w.server.Put("text.png", []byte("<html>not found</html>"))
	w.server.Put("large", make([]byte, 5<<20))
	w.server.Put("part", make([]byte, 3<<20))
	invalid, tooLarge := http.StatusBadRequest, http.StatusRequestEntityTooLarge
	at := w.server.URL
	for name, bad := range map[string]struct {
		answer answer
		status int
		code   core.Code
		what   string
	}{
		"endless":        {w.blobByURL(at("/endless")), tooLarge, core.CodeTooLarge, "url: " + at("/endless") + ": the file has more than the 4194304 bytes"},
		"too long":       {w.blobByURL(at("/file/large")), tooLarge, core.CodeTooLarge, "url"},
		"too long said":  {w.blobByURL(at("/huge")), tooLarge, core.CodeTooLarge, "url"},
		"cut off":        {w.blobByURL(at("/short/1.png")), invalid, core.CodeInvalidInput, "did not arrive whole"},
		"compressed":     {w.blobByURL(at("/packed")), invalid, core.CodeInvalidInput, "compressed"},
		"loop":           {w.blobByURL(at("/loop")), invalid, core.CodeInvalidInput, "too many redirects"},
		"empty":          {w.blobByURL(at("/file/empty")), invalid, core.CodeInvalidInput, "the file is empty"},
		"missing":        {w.blobByURL(at("/status/404?token=hunter2")), invalid, core.CodeInvalidInput, at("/status/404") + ": the server answered 404 Not Found"},
		"nothing":        {w.blobByURL(""), invalid, core.CodeInvalidInput, "url is empty"},
		"no URL":         {w.do(http.MethodPost, "/v1/blobs", strings.NewReader(`{"url":7}`), "Content-Type: application/json"), invalid, core.CodeInvalidInput, "field url is a JSON number"},
		"more fields":    {w.do(http.MethodPost, "/v1/blobs", strings.NewReader(`{"url":"http://x/","name":"x"}`), "Content-Type: application/json"), invalid, core.CodeInvalidInput, `"name" is not known`},
		"half a request": {w.do(http.MethodPost, "/v1/blobs", strings.NewReader(`{"url":"http://x/`), "Content-Type: application/json"), invalid, core.CodeInvalidInput, "not JSON"},
		"large request":  {w.blobByURL("http://x/" + strings.Repeat("x", 65<<10)), tooLarge, core.CodeTooLarge, "JSON body"},
		"second URL":     {w.post(byURL(good, at("/status/500?key=hunter2"))), invalid, core.CodeInvalidInput, "url[1]: " + at("/status/500") + ": the server answered 500"},
		"no image":       {w.post(byURL(at("/file/text.png"))), http.StatusUnprocessableEntity, core.CodeInvalidImage, "text.png"},
		"together":       {w.post(byURL(at("/file/part"), at("/file/part"))), tooLarge, core.CodeTooLarge, "url[1]"},
		"with a key":     {w.post(byURL(good, "http://user:hunter2@x/")), invalid, core.CodeInvalidInput, "url[1]: http://x/: a URL with a user name"},
		"not a URL":      {w.post(byURL("hunter2 %zz:\x00")), invalid, core.CodeInvalidInput, "url[0]: the URL cannot be read"},
		"empty field":    {w.post(byURL("")), invalid, core.CodeInvalidInput, "url[0] is empty"},
		"long field":     {w.post(byURL("http://x/" + strings.Repeat("x", 9<<10))), tooLarge, core.CodeTooLarge, "field url"},
		"no target":      {w.post([]part{field("url", good)}), invalid, core.CodeInvalidInput, "(to)"},
		"JSON: both":     {w.postJSON(`{"to":"en","files":[{"name":"1.png","blob":"x","url":"http://x/"}]}`), invalid, core.CodeInvalidInput, "files[0] has both"},
		"JSON: neither":  {w.postJSON(`{"to":"en","files":[{"name":"1.png","url":""}]}`), invalid, core.CodeInvalidInput, "files[0].blob is missing"},
		"JSON: server":   {w.postJSON(fmt.Sprintf(`{"to":"en","files":[{"url":%q},{"url":%q}]}`, good, at("/status/410"))), invalid, core.CodeInvalidInput, "files[1].url: "},
		"JSON: bad name": {w.postJSON(fmt.Sprintf(`{"to":"en","files":[{"name":"../1.png","url":%q}]}`, good)), invalid, core.CodeInvalidInput, "../1.png"},
	} {
		a := bad.answer.refused(bad.status, bad.code, bad.what)
		require.NotContains(t, string(a.body), "hunter2", name)
	}
	asked := w.server.Requests()
	w.post(byURL(strings.Split(strings.Repeat(good+" ", 21), " ")[:21]...)).refused(tooLarge, core.CodeTooLarge, "more than 20 files")
	require.Equal(t, asked, w.server.Requests())
	w.nothingLeft()
	w.noTemporaryFile()
}

// A fetch may take longer than another request, but not longer than an upload, and not if the server sends too little.
func TestSlowFilesByURL(t *testing.T) {
	t.Parallel()
	config := impatient()
	strict := newWeb(t, config, func(c *fetch.Config) { c.MinRate, c.RateWindow = 10_000, 500*time.Millisecond })
	for _, path := range []string{"/drip", "/stall"} {
		strict.blobByURL(strict.server.URL(path)).refused(http.StatusBadRequest, core.CodeInvalidInput, "url: "+strict.server.URL(path)+": the server sends too slowly")
	}
	strict.nothingLeft()
	w := newWeb(t, config, func(c *fetch.Config) { c.Timeout = 3 * config.RequestTimeout })
	w.blobByURL(w.server.URL("/drip")).refused(http.StatusBadRequest, core.CodeInvalidInput, "did not arrive in time")
	config.UploadTimeout = time.Second
	hasty := newWeb(t, config)
	hasty.blobByURL(hasty.server.URL("/stall")).refused(http.StatusRequestTimeout, core.CodeInvalidInput, "within the time of the request")
	hasty.nothingLeft()
}

func TestFilesByURLNeedRoomAndPermission(t *testing.T) {
	t.Parallel()
	config := testConfig()
	config.Folders, config.MinFree = []string{t.TempDir()}, math.MaxInt64
	full := newWeb(t, config)
	first := full.server.Put("1.png", page(t))
	full.blobByURL(first).refused(http.StatusInsufficientStorage, core.CodeStorageFull, "room")
	full.post(byURL(first)).refused(http.StatusInsufficientStorage, core.CodeStorageFull, "room")

	c := newRig(t).caller("acme")
	c.blobByURL(first).refused(http.StatusBadRequest, core.CodeInvalidInput, "url: this server fetches no files by URL")
	c.post(byURL(first)).refused(http.StatusBadRequest, core.CodeInvalidInput, "url[0]: this server fetches no files by URL")
	require.Zero(t, full.server.Requests())
}
