package comictasks_test

import (
	"archive/zip"
	"bytes"
	"compress/flate"
	"context"
	"image"
	"image/color"
	"image/png"
	"io/fs"
	"log/slog"
	"path/filepath"
	"testing"

	"github.com/jackc/pgx/v5"
	"github.com/stretchr/testify/require"
	"go.temporal.io/sdk/client"

	"plait/internal/archive"
	"plait/internal/blob"
	"plait/internal/comic"
	"plait/internal/core"
	"plait/internal/picture"
	"plait/internal/records"
	comicrecords "plait/internal/records/comic"
	"plait/internal/records/recordstest"
	"plait/internal/stack/stacktest"
	"plait/tasks"
	comictasks "plait/tasks/comic"
	"plait/workflows"
)

func TestMain(m *testing.M) {
	stacktest.Main(m, stacktest.WithSearchAttributes(workflows.SearchAttributes()))
}

const tenant = "acme"

// fixture is a service with real records, blobs and Temporal; no worker takes the workflows up.
type fixture struct {
	service
	t        *testing.T
	records  comicrecords.Store
	blobs    blob.Store
	folder   string
	url      string
	temporal client.Client
}

// service is the service of tasks with the kind of chapters.
type service struct {
	*tasks.Service
	chapters *comictasks.Service
}

func newService(d tasks.Deps, c comictasks.Deps) service {
	c.Records, c.Blobs, c.Temporal, c.Log = d.Records, d.Blobs, d.Temporal, d.Log
	chapters := comictasks.New(c)
	d.Kinds = []tasks.Kind{chapters.Kind()}
	return service{tasks.New(d), chapters}
}

// Accept plans a task and accepts it.
func (s service) Accept(ctx context.Context, r comictasks.Request) (records.Task, bool, error) {
	p, err := s.chapters.Plan(ctx, r)
	if err != nil {
		return records.Task{}, false, err
	}
	return s.Service.Accept(ctx, p)
}

func open(t *testing.T) fixture {
	t.Helper()
	t.Parallel()
	return openWith(t, dial(t, stacktest.Temporal(t)))
}

func dial(t *testing.T, address string) client.Client {
	t.Helper()
	c, err := client.NewLazyClient(client.Options{HostPort: address, Logger: slog.New(slog.DiscardHandler)})
	require.NoError(t, err)
	t.Cleanup(c.Close)
	return c
}

func openWith(t *testing.T, temporal client.Client) fixture {
	t.Helper()
	store, url := recordstest.Open(t)
	folder := t.TempDir()
	blobs, err := blob.Open(t.Context(), folder)
	require.NoError(t, err)
	opened := newService(tasks.Deps{Records: store, Blobs: blobs, Temporal: temporal, Log: discard}, comictasks.Deps{
		CheckSource: func(from string) error {
			if from == "ko" {
				return core.NewError(core.CodeUnknownLanguage, "no model reads ko")
			}
			return nil
		},
		Limits: comictasks.Limits{
			Picture: picture.Limits{MaxBytes: 1 << 20, MaxPixels: 1_000_000},
			Archive: archive.Limits{MaxEntries: 100, MaxEntryBytes: 2 << 20}, MaxPages: 10,
		},
	})
	return fixture{service: opened, t: t, records: comicrecords.New(store), blobs: blobs, folder: folder, url: url, temporal: temporal}
}

func (f fixture) sql(sql string, args ...any) {
	f.t.Helper()
	conn, err := pgx.Connect(f.t.Context(), f.url)
	require.NoError(f.t, err)
	defer func() { _ = conn.Close(context.Background()) }()
	_, err = conn.Exec(f.t.Context(), sql, args...)
	require.NoError(f.t, err)
}

func (f fixture) count(sql string) (n int) {
	f.t.Helper()
	conn, err := pgx.Connect(f.t.Context(), f.url)
	require.NoError(f.t, err)
	defer func() { _ = conn.Close(context.Background()) }()
	require.NoError(f.t, conn.QueryRow(f.t.Context(), sql).Scan(&n))
	return n
}

// left is what is in the tables and in the blob store.
func (f fixture) left() (taskCount, blobCount int) {
	f.t.Helper()
	list, _, err := f.records.ListTasks(f.t.Context(), tenant, records.TaskFilter{}, 200, records.Cursor{})
	require.NoError(f.t, err)
	require.NoError(f.t, filepath.WalkDir(f.folder, func(_ string, d fs.DirEntry, err error) error {
		if err == nil && d.Type().IsRegular() {
			blobCount++
		}
		return err
	}))
	return len(list), blobCount
}

func (f fixture) state(id string) workflows.State {
	f.t.Helper()
	state, err := workflows.StateOf(f.t.Context(), f.temporal, id)
	require.NoError(f.t, err)
	return state
}

func (f fixture) task(id string) records.Task {
	f.t.Helper()
	t, err := f.records.Task(f.t.Context(), tenant, id)
	require.NoError(f.t, err)
	return t
}

func (f fixture) accept(r comictasks.Request) records.Task {
	f.t.Helper()
	t, created, err := f.Accept(f.t.Context(), r)
	require.NoError(f.t, err)
	require.True(f.t, created)
	return t
}

// finish ends the pages as a worker would, each with a result of its own, except those that fail.
func (f fixture) finish(id string, failing ...int) {
	f.t.Helper()
	ctx := f.t.Context()
	require.NoError(f.t, f.records.StartTask(ctx, core.StartTaskInput{TaskID: id}))
	pages, err := f.records.Pages(ctx, id)
	require.NoError(f.t, err)
	fails := map[int]bool{}
	for _, i := range failing {
		fails[i] = true
	}
	for i, p := range pages {
		if fails[i] {
			require.NoError(f.t, f.records.FailItem(ctx, p.Ref, comic.ModeSplit, core.Failure{Stage: comic.StageDetect, Code: core.CodeInvalidImage}))
			continue
		}
		ref, _, err := f.blobs.Put(ctx, bytes.NewReader([]byte("result of "+p.Ref.Name)), 1000)
		require.NoError(f.t, err)
		run := records.StageRun{Item: p.Ref, Stage: comic.StageRender, Rank: comic.Rank(comic.StageRender), Attempt: 1, Mode: comic.ModeSplit}
		_, err = f.records.BeginStage(ctx, run)
		require.NoError(f.t, err)
		require.NoError(f.t, f.records.FinishPage(ctx, run, comic.PageOutput{Result: ref, Mode: comic.ModeSplit, OutputChanged: true}))
	}
	_, err = f.records.FinishTask(ctx, core.FinishTaskInput{TaskID: id})
	require.NoError(f.t, err)
}

// pagePNG is a small picture of one color; other numbers give other bytes.
func pagePNG(tb testing.TB, number uint8) []byte {
	tb.Helper()
	img := image.NewGray(image.Rect(0, 0, 8, 8))
	img.Set(1, 1, color.Gray{Y: number})
	var b bytes.Buffer
	require.NoError(tb, png.Encode(&b, img))
	return b.Bytes()
}

type named struct {
	name    string
	content []byte
}

func zipOf(tb testing.TB, files ...named) []byte {
	tb.Helper()
	var b bytes.Buffer
	z := zip.NewWriter(&b)
	for _, f := range files {
		w, err := z.Create(f.name)
		require.NoError(tb, err)
		_, err = w.Write(f.content)
		require.NoError(tb, err)
	}
	require.NoError(tb, z.Close())
	return b.Bytes()
}

// rawFile is an entry of an archive whose parts need not fit together.
type rawFile struct {
	name            string
	content, packed []byte
	method          uint16
	sum             uint32
}

func rawZip(tb testing.TB, files ...rawFile) []byte {
	tb.Helper()
	var b bytes.Buffer
	z := zip.NewWriter(&b)
	for _, f := range files {
		w, err := z.CreateRaw(&zip.FileHeader{
			Name: f.name, Method: f.method, CRC32: f.sum,
			UncompressedSize64: uint64(len(f.content)), CompressedSize64: uint64(len(f.packed)),
		})
		require.NoError(tb, err)
		_, err = w.Write(f.packed)
		require.NoError(tb, err)
	}
	require.NoError(tb, z.Close())
	return b.Bytes()
}

// deflated packs without compressing, so that where the packed data is cut is where the content ends.
func deflated(tb testing.TB, content []byte) []byte {
	tb.Helper()
	var b bytes.Buffer
	w, err := flate.NewWriter(&b, flate.NoCompression)
	require.NoError(tb, err)
	_, err = w.Write(content)
	require.NoError(tb, err)
	require.NoError(tb, w.Close())
	return b.Bytes()
}

func upload(name string, b []byte) tasks.Upload {
	return tasks.Upload{Name: name, File: bytes.NewReader(b), Size: int64(len(b))}
}

// request is for a chapter of one archive.
func request(cbz []byte) comictasks.Request {
	return comictasks.Request{From: "ja", To: "en", Request: tasks.Request{Tenant: tenant, Files: []tasks.Upload{upload("Vol 1.cbz", cbz)}}}
}

func twoPages(tb testing.TB) []byte {
	tb.Helper()
	return zipOf(tb, named{"10.png", pagePNG(tb, 10)}, named{"ComicInfo.xml", []byte("<ComicInfo><Title>X</Title></ComicInfo>")}, named{"2.png", pagePNG(tb, 2)})
}

func requireCode(tb testing.TB, code core.Code, err error) {
	tb.Helper()
	require.Error(tb, err)
	require.Equal(tb, code, core.CodeOf(err), "error: %v", err)
}
