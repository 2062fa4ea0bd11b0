package api_test

import (
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"io"
	"io/fs"
	"log/slog"
	"net"
	"net/http"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/jackc/pgx/v5"
	"github.com/prometheus/client_golang/prometheus"
	"github.com/stretchr/testify/require"
	"go.temporal.io/sdk/client"
	"go.temporal.io/sdk/interceptor"

	"plait/api"
	comicapi "plait/api/comic"
	comicschema "plait/api/comic/schema"
	documentapi "plait/api/document"
	"plait/api/schema"
	videoapi "plait/api/video"
	"plait/internal/archive"
	"plait/internal/blob"
	"plait/internal/config"
	"plait/internal/core"
	"plait/internal/document"
	"plait/internal/document/estimate"
	"plait/internal/document/pdf"
	"plait/internal/document/pdfedit"
	"plait/internal/picture"
	"plait/internal/records"
	"plait/internal/records/recordstest"
	"plait/internal/seal"
	"plait/internal/stack/stacktest"
	"plait/internal/translators"
	"plait/internal/video"
	"plait/internal/webhook"
	"plait/tasks"
	comictasks "plait/tasks/comic"
	documenttasks "plait/tasks/document"
	videotasks "plait/tasks/video"
	"plait/workflows"
)

// patience bounds what a test waits for; nothing takes as long unless it is stuck.
const patience = time.Minute

// rig is a server on a port of its own, with a database and a blob folder of its own. No worker takes its tasks up.
type rig struct {
	t        testing.TB
	url      string
	folder   string
	records  *records.Store
	blobs    blob.Store
	temporal client.Client
	registry *prometheus.Registry
	server   *api.Server
	address  string
	http     *http.Client
	// stop drains the server, and returns what Serve did.
	stop func() error
}

// pageLimit bounds a page of these tests, with the body: 1 MiB of 4, and 64 MiB of 128 and more.
func pageLimit(config api.Config) int64 {
	if config.MaxBody <= 4<<20 {
		return 1 << 20
	}
	return 64 << 20
}

// testConfig has small limits, so that small bodies go beyond them.
func testConfig() api.Config {
	return api.Config{
		RequestTimeout: 20 * time.Second, UploadTimeout: time.Minute, ShutdownTimeout: 10 * time.Second,
		MaxConnections: 200, MaxUploads: 8, AdmissionTimeout: 20 * time.Second, MaxStreams: 100, MaxStreamsPerTenant: 50, MaxBody: 4 << 20, MaxPages: 20, Picture: picture.DefaultLimits(),
	}
}

func newRig(tb testing.TB) *rig {
	tb.Helper()
	return newRigWith(tb, testConfig())
}

func newRigWith(tb testing.TB, config api.Config, before ...func(*api.Server)) *rig {
	tb.Helper()
	store, url := recordstest.Open(tb)
	r := &rig{t: tb, url: url, records: store, folder: tb.TempDir(), registry: prometheus.NewRegistry(), http: conforming(tb)}
	var err error
	r.blobs, err = blob.Open(tb.Context(), r.folder)
	require.NoError(tb, err)
	r.temporal, err = client.NewLazyClient(client.Options{
		HostPort: stacktest.Temporal(tb), Logger: slog.New(slog.DiscardHandler), Interceptors: []interceptor.ClientInterceptor{&patientSteps{}},
	})
	require.NoError(tb, err)
	tb.Cleanup(r.temporal.Close)
	r.server = newServer(r.records, r.blobs, r.temporal, r.registry, config)
	for _, change := range before {
		change(r.server)
	}
	r.serve()
	return r
}

func newServer(store *records.Store, blobs blob.Store, temporal client.Client, registry *prometheus.Registry, config api.Config) *api.Server {
	log := slog.New(slog.DiscardHandler)
	chapters := comictasks.New(comictasks.Deps{
		Records: store, Blobs: blobs, Temporal: temporal, Log: log, Estimate: estimateChapter,
		Limits: comictasks.Limits{
			Picture:  picture.Limits{MaxBytes: pageLimit(config), MaxPixels: 50_000_000, MaxSide: 32_000},
			Archive:  archive.Limits{MaxEntries: 100, MaxEntryBytes: pageLimit(config), MaxTotalBytes: 4 * config.MaxBody},
			MaxPages: config.MaxPages,
		},
	})
	documents := documenttasks.New(documenttasks.Deps{Records: store, Blobs: blobs, CountPages: countPages, Decrypt: pdfedit.Decrypt, Estimate: estimatePages, MaxPages: config.MaxPages})
	catalog, err := video.ParseCatalog([]byte(testCatalog))
	if err != nil {
		panic(err)
	}
	videos := videotasks.New(videotasks.Deps{Records: store, Blobs: blobs, Catalog: catalog})
	box, err := seal.New([][]byte{bytes.Repeat([]byte("w"), 32)})
	if err != nil {
		panic(err)
	}
	return api.New(api.Deps{
		Webhooks: webhook.Secrets{Records: store, Box: box}, Namespace: "default", Queues: []string{workflows.QueueControl},
		Tasks: tasks.New(tasks.Deps{Records: store, Blobs: blobs, Temporal: temporal, Log: log, Kinds: []tasks.Kind{chapters.Kind(), documents.Kind(), videos.Kind()}}),
		Kinds: []api.Kind{comicapi.Kind(chapters, store), documentapi.Kind(documents, store), videoapi.Kind(videos, store)}, Records: store, Blobs: blobs, Temporal: temporal, Config: config, Log: log,
		Registry: registry, Version: "test", LinkKeys: [][]byte{bytes.Repeat([]byte("k"), 32), bytes.Repeat([]byte("o"), 32)},
	})
}

// pdfium is one for all tests: compiling PDFium takes seconds.
var pdfium = pdf.New(pdf.Config{CacheDir: filepath.Join(os.TempDir(), fmt.Sprintf("plait-pdfium-%d", os.Getuid())), Instances: 2})

// estimateChapter estimates for a model that costs one unit for a million tokens.
func estimateChapter(ctx context.Context, chapter translators.Unread) (translators.Estimate, error) {
	l, err := config.Load(config.Sources{Environ: []string{"OPENAI_API_KEY=key", "PLAIT_TRANSLATOR_MODEL=test-model", "PLAIT_TRANSLATOR_PRICES=test-model=1/1"}})
	if err != nil {
		return translators.Estimate{}, err
	}
	return chapter.Estimate(ctx, &l.Config)
}

func countPages(ctx context.Context, file io.ReaderAt, size int64) (int, error) {
	f, err := pdfium.Open(ctx, file, size, pdf.Options{})
	if err != nil {
		return 0, err
	}
	pages := f.Pages()
	return pages, f.Close()
}

// estimatePages reads no page.
func estimatePages(_ context.Context, _ io.ReaderAt, _ int64, o document.Options) (estimate.Estimate, error) {
	return estimate.Rates{SecondsPerPage: 8}.Unread(len(o.Pages)), nil
}

func (r *rig) serve() {
	r.t.Helper()
	var lc net.ListenConfig
	listener, err := lc.Listen(r.t.Context(), "tcp", "127.0.0.1:0")
	require.NoError(r.t, err)
	r.address = "http://" + listener.Addr().String()
	ctx, cancel := context.WithCancel(context.WithoutCancel(r.t.Context()))
	done := make(chan error, 1)
	go func() { done <- r.server.Serve(ctx, listener) }()
	r.stop = func() error {
		cancel()
		err := <-done
		done <- err
		return err
	}
	r.t.Cleanup(func() {
		r.http.CloseIdleConnections()
		require.NoError(r.t, r.stop())
	})
}

// newServerBeside is another API process on the same database.
func newServerBeside(r *rig) *rig {
	r.t.Helper()
	beside := *r
	beside.records, beside.registry = recordstest.Join(r.t, r.url), prometheus.NewRegistry()
	beside.server = newServer(beside.records, r.blobs, r.temporal, beside.registry, testConfig())
	beside.serve()
	return &beside
}

// as is the caller at this server.
func (r *rig) as(c caller) caller { return caller{r, c.tenant, c.key} }

// caller is a tenant with a key.
type caller struct {
	*rig
	tenant, key string
}

func (r *rig) caller(tenant string) caller {
	r.t.Helper()
	return r.callerOf(tenant, records.ScopeWrite)
}

// callerOf has a key of a scope.
func (r *rig) callerOf(tenant string, scope records.Scope) caller {
	r.t.Helper()
	key, _, err := r.records.CreateKey(r.t.Context(), records.NewKey{Tenant: tenant, Name: "test", Scope: scope})
	require.NoError(r.t, err)
	return caller{r, tenant, key}
}

// answer is a response that was read to its end.
type answer struct {
	t      testing.TB
	status int
	header http.Header
	body   []byte
}

// do sends a request with the key of the caller. Headers are "Name: value".
func (c caller) do(method, path string, body io.Reader, headers ...string) answer {
	c.t.Helper()
	a, err := c.try(method, path, body, headers...)
	require.NoError(c.t, err)
	return a
}

func (c caller) try(method, path string, body io.Reader, headers ...string) (answer, error) {
	c.t.Helper()
	ctx, cancel := context.WithTimeout(c.t.Context(), patience)
	defer cancel()
	req, err := http.NewRequestWithContext(ctx, method, c.address+path, body)
	require.NoError(c.t, err)
	if c.key != "" {
		req.Header.Set("Authorization", "Bearer "+c.key)
	}
	for _, h := range headers {
		name, value, _ := strings.Cut(h, ": ")
		req.Header.Add(name, value)
	}
	resp, err := c.http.Do(req)
	if err != nil {
		return answer{}, err
	}
	defer resp.Body.Close()
	b, err := io.ReadAll(resp.Body)
	return answer{c.t, resp.StatusCode, resp.Header, b}, err
}

func (c caller) get(path string, headers ...string) answer {
	c.t.Helper()
	return c.do(http.MethodGet, path, nil, headers...)
}

func (a answer) into(v any) {
	a.t.Helper()
	require.NoError(a.t, json.Unmarshal(a.body, v), "%s", a.body)
}

func (a answer) is(status int) answer {
	a.t.Helper()
	require.Equal(a.t, status, a.status, "%s", a.body)
	return a
}

// refused checks an error, and that it says what.
func (a answer) refused(status int, code core.Code, what string) answer {
	a.t.Helper()
	var e schema.Error
	a.is(status).into(&e)
	require.Equal(a.t, code, e.Code, "%s", a.body)
	require.Contains(a.t, e.Message, what)
	require.NotEmpty(a.t, e.RequestID)
	require.Equal(a.t, a.header.Get("X-Request-Id"), e.RequestID)
	return a
}

// chapter is a task of comics with its pages.
type chapter struct {
	comicschema.Task
	Pages []comicschema.Page
}

func chapterOf(t schema.Task) chapter {
	c := chapter{Task: comicschema.TaskOf(t)}
	for _, i := range t.Items {
		c.Pages = append(c.Pages, comicschema.PageOf(i))
	}
	return c
}

func (a answer) task() chapter {
	a.t.Helper()
	var t schema.Task
	a.into(&t)
	return chapterOf(t)
}

func (a answer) page() comicschema.Page {
	a.t.Helper()
	var i schema.Item
	a.into(&i)
	return comicschema.PageOf(i)
}

// left are the rows that requests leave, and the files in the blob folder.
func (r *rig) left() (rows map[string]int, files []string) {
	r.t.Helper()
	conn, err := pgx.Connect(r.t.Context(), r.url)
	require.NoError(r.t, err)
	defer func() { _ = conn.Close(context.Background()) }()
	rows = map[string]int{}
	for _, table := range []string{"task", "item", "task_file", "comic_page", "comic_region", "video", "upload", "blob_lease"} {
		var n int
		require.NoError(r.t, conn.QueryRow(r.t.Context(), "SELECT count(*) FROM "+table).Scan(&n))
		if n > 0 {
			rows[table] = n
		}
	}
	require.NoError(r.t, filepath.WalkDir(r.folder, func(path string, d fs.DirEntry, err error) error {
		if err == nil && d.Type().IsRegular() {
			files = append(files, path)
		}
		return err
	}))
	return rows, files
}

func (r *rig) nothingLeft() {
	r.t.Helper()
	rows, files := r.left()
	require.Empty(r.t, rows)
	require.Empty(r.t, files)
}

func reader(b []byte) io.Reader { return bytes.NewReader(b) }
