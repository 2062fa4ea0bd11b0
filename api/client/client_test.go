package client_test

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"mime"
	"net/http"
	"net/http/httptest"
	"strconv"
	"strings"
	"sync/atomic"
	"testing"
	"time"

	"github.com/stretchr/testify/require"
	"go.uber.org/goleak"

	"plait/api/client"
	"plait/internal/core"
)

func TestMain(m *testing.M) { goleak.VerifyTestMain(m) }

func serve(t *testing.T, h http.HandlerFunc) *client.Client {
	t.Helper()
	server := httptest.NewServer(h)
	t.Cleanup(server.Close)
	c, err := client.New(server.URL+"/", "plait_key")
	require.NoError(t, err)
	t.Cleanup(c.CloseIdleConnections)
	return c
}

func answer(w http.ResponseWriter, status int, kind, body string) {
	w.Header().Set("Content-Type", kind)
	w.WriteHeader(status)
	_, _ = io.WriteString(w, body)
}

func requireCode(t *testing.T, code core.Code, err error) {
	t.Helper()
	require.Error(t, err)
	require.Equal(t, code, core.CodeOf(err), "%v", err)
}

func TestAddresses(t *testing.T) {
	t.Parallel()
	for _, bad := range []string{"", "localhost:8080", "ftp://x", "http://", "http://x?y", "http://x#y", "http://[", "/v1"} {
		_, err := client.New(bad, "")
		requireCode(t, core.CodeInvalidInput, err)
	}
}

// What stands at an address may be something else, or something in between.
func TestAnswersThatAreNotOfPlait(t *testing.T) {
	t.Parallel()
	for _, test := range []struct {
		status     int
		kind, body string
		location   string
		code       core.Code
		message    string
	}{
		{status: 200, kind: "text/html", body: "<html>", code: core.CodeInvalidInput, message: "is not the API of Plait"},
		{status: 404, kind: "text/html", body: "<html>", code: core.CodeInvalidInput, message: "404 Not Found"},
		{status: 502, kind: "text/html", body: "<html>", code: core.CodeUnavailable, message: "502"},
		{status: 503, kind: "application/json", body: `{"error":"of a proxy"}`, code: core.CodeUnavailable, message: "503"},
		{status: 301, location: "https://elsewhere.example/", code: core.CodeInvalidInput, message: "to https://elsewhere.example/"},
		{status: 200, kind: "application/json", body: `{"id":`, code: core.CodeUnavailable, message: "broke off"},
		{status: 200, kind: "application/json", body: ``, code: core.CodeUnavailable, message: "broke off"},
		{status: 500, kind: "application/json", body: `{`, code: core.CodeInvalidInput, message: "500"},
	} {
		c := serve(t, func(w http.ResponseWriter, _ *http.Request) {
			if test.location != "" {
				w.Header().Set("Location", test.location)
			}
			answer(w, test.status, test.kind, test.body)
		})
		_, err := c.Task(t.Context(), "id")
		requireCode(t, test.code, err)
		require.Contains(t, core.PublicMessage(err), test.message)
	}
}

func TestErrorsOfTheAPI(t *testing.T) {
	t.Parallel()
	var authorization, path string
	c := serve(t, func(w http.ResponseWriter, r *http.Request) {
		authorization, path = r.Header.Get("Authorization"), r.URL.EscapedPath()
		w.Header().Set("Retry-After", "7")
		answer(w, 429, "application/json", `{"code":"RATE_LIMITED","message":"too much","request_id":"x"}`)
	})
	_, err := c.Cancel(t.Context(), "a/../b")
	requireCode(t, core.CodeRateLimited, err)
	require.Equal(t, "Bearer plait_key", authorization)
	require.Equal(t, "/v1/tasks/a%2F..%2Fb/cancel", path)
	var known *core.Error
	require.ErrorAs(t, err, &known)
	require.Equal(t, 7*time.Second, known.RetryAfter)
	require.Equal(t, "too much", known.Message)
}

func TestServerThatCuts(t *testing.T) {
	t.Parallel()
	for name, begin := range map[string]func(http.ResponseWriter){
		"at once":      func(http.ResponseWriter) {},
		"in chunks":    func(w http.ResponseWriter) { _, _ = io.WriteString(w, strings.Repeat("x", 100_000)) },
		"with a count": func(w http.ResponseWriter) { w.Header().Set("Content-Length", "1000"); _, _ = io.WriteString(w, "x") },
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			c := serve(t, func(w http.ResponseWriter, _ *http.Request) {
				begin(w)
				panic(http.ErrAbortHandler)
			})
			requireCode(t, core.CodeUnavailable, c.Result(t.Context(), "id", io.Discard))
		})
	}
	gone := httptest.NewServer(http.NotFoundHandler())
	gone.Close()
	c, err := client.New(gone.URL, "")
	require.NoError(t, err)
	requireCode(t, core.CodeUnavailable, c.Ready(t.Context()))
}

type fullDisk struct{ err error }

func (d fullDisk) Write([]byte) (int, error) { return 0, d.err }

func TestWriterThatFails(t *testing.T) {
	t.Parallel()
	c := serve(t, func(w http.ResponseWriter, _ *http.Request) { answer(w, 200, "text/csv", "page,region\n") })
	full := errors.New("no space left")
	require.Equal(t, full, c.ItemResult(t.Context(), "id", 0, fullDisk{full}), "it is not the server's fault")
	var b bytes.Buffer
	require.NoError(t, c.ItemResult(t.Context(), "id", 0, &b))
	require.Equal(t, "page,region\n", b.String())
}

func file(name string, r io.Reader) client.File {
	return client.File{Name: name, Open: func() (io.ReadCloser, error) { return io.NopCloser(r), nil }}
}

func TestForm(t *testing.T) {
	t.Parallel()
	var got []string
	c := serve(t, func(w http.ResponseWriter, r *http.Request) {
		form, err := r.MultipartReader()
		if err != nil {
			answer(w, 400, "text/plain", err.Error())
			return
		}
		for part, err := form.NextPart(); err == nil; part, err = form.NextPart() {
			content, _ := io.ReadAll(part)
			_, params, _ := mime.ParseMediaType(part.Header.Get("Content-Disposition"))
			got = append(got, fmt.Sprintf("%s|%s|%s", part.FormName(), params["filename"], content))
		}
		answer(w, 202, "application/json", `{"id":"t1"}`)
	})
	task, err := c.Create(t.Context(), client.Request{
		Path: "/comic/translations", Title: "題", Priority: 1, IdempotencyKey: "k",
		Fields: map[string]string{"from": "ja", "to": "en", "mode": ""}, Contents: map[string][]byte{"script": []byte("{}"), "glossary": nil},
		Files: []client.File{file(`a/"1".png`, strings.NewReader("one")), file("日本.png", strings.NewReader("two"))},
	})
	require.NoError(t, err)
	require.Equal(t, "t1", task.ID)
	require.Equal(t, []string{"from||ja", "priority||1", "title||題", "to||en", "script|script|{}", `file|a/"1".png|one`, "file|日本.png|two"}, got)
}

// endless is a file without an end, which counts what was taken of it.
type endless struct {
	taken  atomic.Int64
	closed atomic.Bool
}

func (e *endless) Read(p []byte) (int, error) {
	e.taken.Add(int64(len(p)))
	return len(p), nil
}

func (e *endless) Close() error {
	e.closed.Store(true)
	return nil
}

func TestUploadThatIsRefused(t *testing.T) {
	t.Parallel()
	const refusal = `{"code":"UNAVAILABLE","message":"the server is stopping","request_id":"x"}`
	for name, test := range map[string]struct {
		read int64
		most int64
	}{
		"before it begins": {read: 0, most: 0},
		"in the middle":    {read: 1 << 20, most: 64 << 20},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			c := serve(t, func(w http.ResponseWriter, r *http.Request) {
				_, _ = io.CopyN(io.Discard, r.Body, test.read)
				w.Header().Set("Connection", "close")
				w.Header().Set("Content-Length", strconv.Itoa(len(refusal)))
				answer(w, 503, "application/json", refusal)
				if test.read > 0 {
					_ = http.NewResponseController(w).Flush()
					_, _ = io.Copy(io.Discard, r.Body) // until the client stops
				}
			})
			for range 10 {
				e := &endless{}
				_, err := c.Create(t.Context(), client.Request{Fields: map[string]string{"to": "en"}, Files: []client.File{{Name: "1.png", Open: func() (io.ReadCloser, error) { return e, nil }}}})
				requireCode(t, core.CodeUnavailable, err)
				require.Equal(t, "the server is stopping", core.PublicMessage(err))
				require.LessOrEqual(t, e.taken.Load(), test.most)
				require.True(t, e.closed.Load() || e.taken.Load() == 0)
			}
		})
	}
}

// A file that cannot be read must not become a shorter one: the server never sees the end of the form.
func TestFileThatCannotBeRead(t *testing.T) {
	t.Parallel()
	ended := make(chan error, 1)
	c := serve(t, func(w http.ResponseWriter, r *http.Request) {
		_, err := io.Copy(io.Discard, r.Body)
		ended <- err
		answer(w, 202, "application/json", `{"id":"t1"}`)
	})
	broken := errors.New("the disk is broken")
	half := io.MultiReader(strings.NewReader(strings.Repeat("x", 100_000)), failing{broken})
	_, err := c.Create(t.Context(), client.Request{Fields: map[string]string{"to": "en"}, Files: []client.File{file("1.png", half)}})
	require.ErrorIs(t, err, broken)
	require.ErrorContains(t, err, "1.png")
	require.Error(t, <-ended)
}

type failing struct{ err error }

func (f failing) Read([]byte) (int, error) { return 0, f.err }

func TestCancel(t *testing.T) {
	t.Parallel()
	entered := make(chan struct{}, 3)
	c := serve(t, func(_ http.ResponseWriter, r *http.Request) {
		entered <- struct{}{}
		_, _ = io.Copy(io.Discard, r.Body)
		<-r.Context().Done()
	})
	interrupted := errors.New("interrupted")
	for name, call := range map[string]func(context.Context) error{
		"task":   func(ctx context.Context) error { _, err := c.Task(ctx, "id"); return err },
		"result": func(ctx context.Context) error { return c.Result(ctx, "id", io.Discard) },
		"create": func(ctx context.Context) error {
			_, err := c.Create(ctx, client.Request{Fields: map[string]string{"to": "en"}, Files: []client.File{file("1.png", &endless{})}})
			return err
		},
	} {
		ctx, cancel := context.WithCancelCause(t.Context())
		go func() {
			<-entered
			cancel(interrupted)
		}()
		require.ErrorIs(t, call(ctx), interrupted, name)
	}
}
