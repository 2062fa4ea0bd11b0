package comictasks_test

import (
	"archive/zip"
	"bytes"
	"context"
	"errors"
	"hash/crc32"
	"io"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
	"golang.org/x/sync/errgroup"

	"plait/internal/comic"
	"plait/internal/core"
	"plait/internal/records"
	"plait/internal/translate/glossary"
	"plait/tasks"
	comictasks "plait/tasks/comic"
	"plait/workflows"
)

func optionsOf(tb testing.TB, task records.Task) comic.Options {
	tb.Helper()
	options, err := comic.ParseOptions(task.Options)
	require.NoError(tb, err)
	return options
}

func TestAcceptArchive(t *testing.T) {
	f := open(t)
	ctx := t.Context()
	r := request(twoPages(t))
	r.Script = []byte(`{"pages":[{"page":"2.png","regions":[{"source":"はい","translation":"Yes"}]}]}`)
	task := f.accept(r)
	require.Equal(t, "Vol 1", task.Title)
	options := optionsOf(t, task)
	require.Equal(t, comic.Options{From: "ja", To: "en", Mode: comic.ModeSplit, Translator: "script", Script: options.Script}, options)
	require.Equal(t, workflows.StateRunning, f.state(task.ID))

	pages, err := f.records.Pages(ctx, task.ID)
	require.NoError(t, err)
	require.Equal(t, []string{"2.png", "10.png"}, []string{pages[0].Ref.Name, pages[1].Ref.Name}, "natural order")
	entries, err := f.records.Files(ctx, task.ID, records.RoleArchive)
	require.NoError(t, err)
	require.Equal(t, []string{"10.png", "ComicInfo.xml", "2.png"}, []string{entries[0].Name, entries[1].Name, entries[2].Name}, "order of the archive")
	stored, err := f.blobs.Read(ctx, pages[0].Ref.Blob, 1000)
	require.NoError(t, err)
	require.Equal(t, pagePNG(t, 2), stored)
	script, err := f.blobs.Read(ctx, options.Script, 1000)
	require.NoError(t, err)
	require.Equal(t, r.Script, script)
	swept, err := f.Sweep(ctx)
	require.NoError(t, err)
	require.Equal(t, tasks.Swept{}, swept, "nothing is left to repair")
}

func TestAcceptImages(t *testing.T) {
	f := open(t)
	task := f.accept(comictasks.Request{To: "de", Mode: "unified", Request: tasks.Request{Tenant: tenant, Files: []tasks.Upload{
		upload("ch1/p10.png", pagePNG(t, 10)), upload("ch1/p2.png", pagePNG(t, 2)), upload("ch1/p1.png", []byte("no image")),
	}}})
	require.Equal(t, "ch1", task.Title)
	require.Equal(t, comic.Options{From: "auto", To: "de", Mode: comic.ModeUnified}, optionsOf(t, task))
	require.Equal(t, 3, task.TotalCount, "one bad page is its own failure later")
	pages, err := f.records.Pages(t.Context(), task.ID)
	require.NoError(t, err)
	require.Equal(t, "ch1/p2.png", pages[1].Ref.Name)
	require.Equal(t, core.Item{TaskID: task.ID, Tenant: tenant, Index: 2, Name: "ch1/p10.png", Blob: pages[2].Ref.Blob}, pages[2].Ref)
}

// A page that is damaged in its archive is kept as far as it can be read, and is a failure of its own later. The others go
// on.
func TestAcceptDamagedPages(t *testing.T) {
	f := open(t)
	ctx := t.Context()
	whole := rawFile{name: "1.png", content: pagePNG(t, 1), method: zip.Store, sum: crc32.ChecksumIEEE(pagePNG(t, 1)), packed: pagePNG(t, 1)}
	damaged := rawFile{name: "2.png", content: pagePNG(t, 2), method: zip.Store, sum: 1, packed: pagePNG(t, 2)}
	long := append(pagePNG(t, 3), make([]byte, 100_000)...)
	cbz := rawZip(t,
		whole, damaged,
		rawFile{name: "3.png", content: long, method: zip.Deflate, sum: crc32.ChecksumIEEE(long), packed: deflated(t, long)[:80_000]},
		rawFile{name: "4.png", content: pagePNG(t, 4), method: zip.Deflate, packed: []byte{0xff}},
	)
	task := f.accept(request(cbz))
	require.Equal(t, 4, task.TotalCount)
	pages, err := f.records.Pages(ctx, task.ID)
	require.NoError(t, err)
	read := func(i int) []byte {
		b, err := f.blobs.Read(ctx, pages[i].Ref.Blob, 1<<20)
		require.NoError(t, err)
		return b
	}
	require.Equal(t, pagePNG(t, 1), read(0))
	require.Equal(t, pagePNG(t, 2), read(1), "whole, though its checksum is another")
	require.Greater(t, len(read(2)), 70_000)
	require.True(t, bytes.HasPrefix(long, read(2)), "up to the damage")
	require.Empty(t, read(3))

	// The result has every page: those that failed as they were read.
	f.finish(task.ID, 1, 2, 3)
	var result bytes.Buffer
	require.NoError(t, f.WriteResult(ctx, &result, tenant, task.ID))

	for name, files := range map[string][]rawFile{
		"no page is whole":        {damaged},
		"another file is damaged": {whole, {name: "ComicInfo.xml", content: []byte("<x/>"), method: zip.Store, sum: 1, packed: []byte("<x/>")}},
	} {
		_, _, err = f.Accept(ctx, request(rawZip(t, files...)))
		requireCode(t, core.CodeInvalidArchive, err)
		require.Contains(t, core.PublicMessage(err), "checksum", name)
	}
}

// Each refusal says what is wrong, and leaves neither row nor blob.
func TestAcceptRefuses(t *testing.T) {
	f := open(t)
	good := pagePNG(t, 1)
	many := make([]named, 11)
	for i := range many {
		many[i] = named{string(rune('a'+i)) + ".png", good}
	}
	for name, test := range map[string]struct {
		change func(*comictasks.Request)
		code   core.Code
		says   string
	}{
		"no file":          {func(r *comictasks.Request) { r.Files = nil }, core.CodeInvalidInput, "no file"},
		"no target":        {func(r *comictasks.Request) { r.To = "" }, core.CodeInvalidInput, "(to)"},
		"unknown language": {func(r *comictasks.Request) { r.To = "tlh" }, core.CodeUnknownLanguage, "tlh"},
		"unread script":    {func(r *comictasks.Request) { r.From = "ko" }, core.CodeUnknownLanguage, "no model reads ko"},
		"mode":             {func(r *comictasks.Request) { r.Mode = "fallback_to_unified" }, core.CodeInvalidInput, "mode"},
		"title":            {func(r *comictasks.Request) { r.Title = strings.Repeat("x", 301) }, core.CodeInvalidInput, "title"},
		"tenant":           {func(r *comictasks.Request) { r.Tenant = "a b" }, core.CodeInvalidInput, "not allowed"},
		"synopsis":         {func(r *comictasks.Request) { r.Synopsis = strings.Repeat("x", 2001) }, core.CodeInvalidInput, "synopsis"},
		"glossary":         {func(r *comictasks.Request) { r.Glossary = []glossary.Entry{{Source: "a"}} }, core.CodeInvalidInput, "entry 1"},
		"script missing":   {func(r *comictasks.Request) { r.Translator = "script" }, core.CodeInvalidInput, "script"},
		"script unread":    {func(r *comictasks.Request) { r.Script = []byte("{") }, core.CodeInvalidScript, ""},
		"script and model": {func(r *comictasks.Request) { r.Script, r.Translator = []byte("{}"), "gpt" }, core.CodeInvalidInput, "gpt"},
		"not an archive":   {func(r *comictasks.Request) { r.Files = []tasks.Upload{upload("a.cbz", []byte("PK\x03\x04zzzz"))} }, core.CodeInvalidArchive, ""},
		"unsafe name":      {func(r *comictasks.Request) { *r = request(zipOf(t, named{"../a.png", good})) }, core.CodeInvalidArchive, "../a.png"},
		"no page":          {func(r *comictasks.Request) { *r = request(zipOf(t, named{"a.txt", good})) }, core.CodeInvalidArchive, ""},
		"all pages bad": {func(r *comictasks.Request) {
			*r = request(zipOf(t, named{"2.png", good[:40]}, named{"1.png", []byte("x")}))
		}, core.CodeInvalidImage, `"1.png"`},
		"too many pages": {func(r *comictasks.Request) { *r = request(zipOf(t, many...)) }, core.CodeTooLarge, "10 are allowed"},
		"page too large": {func(r *comictasks.Request) { r.Files = []tasks.Upload{upload("a.png", make([]byte, 1<<20+1))} }, core.CodeTooLarge, `"a.png"`},
		"bomb": {func(r *comictasks.Request) {
			*r = request(zipOf(t, named{"1.png", good}, named{"z.txt", make([]byte, 3<<20)}))
		}, core.CodeTooLarge, ""},
		"two of one name":    {func(r *comictasks.Request) { r.Files = []tasks.Upload{upload("a.png", good), upload("a.png", good)} }, core.CodeInvalidInput, `"a.png"`},
		"names but for case": {func(r *comictasks.Request) { r.Files = []tasks.Upload{upload("A.png", good), upload("a.PNG", good)} }, core.CodeInvalidInput, `"A.png" and "a.PNG"`},
		"names as composed": {func(r *comictasks.Request) {
			r.Files = []tasks.Upload{upload("\u00e9.png", good), upload("e\u0301.png", good)}
		}, core.CodeInvalidInput, "\"\u00e9.png\""},
		"file and folder": {func(r *comictasks.Request) {
			r.Files = []tasks.Upload{upload("a.png/b.png", good), upload("a.png", good)}
		}, core.CodeInvalidInput, `"a.png/b.png"`},
		"archive and images": {func(r *comictasks.Request) { r.Files = append(r.Files, upload("a.png", good)) }, core.CodeInvalidInput, `"Vol 1.cbz"`},
		"image name":         {func(r *comictasks.Request) { r.Files = []tasks.Upload{upload("../a.png", good)} }, core.CodeInvalidInput, "../a.png"},
	} {
		r := request(twoPages(t))
		test.change(&r)
		_, _, err := f.Accept(t.Context(), r)
		require.Error(t, err, name)
		require.Equal(t, test.code, core.CodeOf(err), "%s: %v", name, err)
		require.Contains(t, core.PublicMessage(err), test.says, name)
	}
	taskCount, blobCount := f.left()
	require.Zero(t, taskCount)
	require.Zero(t, blobCount)
}

func TestAcceptTwice(t *testing.T) {
	f := open(t)
	r := request(twoPages(t))
	r.IdempotencyKey = "key"
	ids := make([]string, 8)
	var group errgroup.Group
	for i := range ids {
		group.Go(func() error {
			task, _, err := f.Accept(context.WithoutCancel(t.Context()), r)
			ids[i] = task.ID
			return err
		})
	}
	require.NoError(t, group.Wait())
	for _, id := range ids {
		require.Equal(t, ids[0], id)
	}
	taskCount, blobCount := f.left()
	require.Equal(t, []int{1, 3}, []int{taskCount, blobCount})

	for name, other := range map[string]func(*comictasks.Request){
		"language": func(r *comictasks.Request) { r.To = "fr" }, "synopsis": func(r *comictasks.Request) { r.Synopsis = "Another story." },
		"glossary": func(r *comictasks.Request) { r.Glossary = []glossary.Entry{{Source: "太郎", Target: "Taro"}} },
	} {
		changed := r
		other(&changed)
		_, _, err := f.Accept(t.Context(), changed)
		require.Equal(t, core.CodeConflict, core.CodeOf(err), name)
	}
	r.To = "fr"
	r.IdempotencyKey = "another"
	require.NotEqual(t, ids[0], f.accept(r).ID)
	_, blobCount = f.left()
	require.Equal(t, 3, blobCount, "equal files are kept once")
}

// failingReader fails after so many reads; a small file is read once to be surveyed and once to be stored.
type failingReader struct {
	io.ReaderAt
	after int
	reads *int
}

func (r failingReader) ReadAt(p []byte, off int64) (int, error) {
	if *r.reads++; *r.reads > r.after {
		return 0, errors.New("the disk is gone")
	}
	return r.ReaderAt.ReadAt(p, off)
}

// A request that breaks while its blobs are stored takes back what it stored, and nothing that others have.
func TestAcceptTakesBack(t *testing.T) {
	f := open(t)
	shared := pagePNG(t, 1)
	kept := f.accept(comictasks.Request{To: "en", Request: tasks.Request{Tenant: tenant, Files: []tasks.Upload{upload("1.png", shared)}}})
	reads := 0
	second := pagePNG(t, 2)
	_, _, err := f.Accept(t.Context(), comictasks.Request{To: "en", Request: tasks.Request{Tenant: tenant, Files: []tasks.Upload{
		upload("1.png", shared), upload("2.png", pagePNG(t, 3)),
		{Name: "3.png", File: failingReader{bytes.NewReader(second), 1, &reads}, Size: int64(len(second))},
	}}})
	requireCode(t, core.CodeUnavailable, err)
	taskCount, blobCount := f.left()
	require.Equal(t, []int{1, 1}, []int{taskCount, blobCount})
	pages, err := f.records.Pages(t.Context(), kept.ID)
	require.NoError(t, err)
	_, err = f.blobs.Stat(t.Context(), pages[0].Ref.Blob)
	require.NoError(t, err)
}

// changing gives other bytes at the second reading.
type changing struct {
	first, second []byte
	reads         *int
}

func (c changing) ReadAt(p []byte, off int64) (int, error) {
	b := c.first
	if *c.reads++; *c.reads > 1 {
		b = c.second
	}
	return bytes.NewReader(b).ReadAt(p, off)
}

func TestAcceptOnlyWhatItSurveyed(t *testing.T) {
	f := open(t)
	reads := 0
	file := changing{pagePNG(t, 1), pagePNG(t, 2), &reads}
	_, _, err := f.Accept(t.Context(), comictasks.Request{To: "en", Request: tasks.Request{Tenant: tenant, Files: []tasks.Upload{{Name: "1.png", File: file, Size: int64(len(file.first))}}}})
	requireCode(t, core.CodeInvalidInput, err)
	taskCount, blobCount := f.left()
	require.Zero(t, taskCount)
	require.Zero(t, blobCount)
}

// Temporal is away: the task is accepted all the same, and the sweeper starts it when Temporal is back.
func TestAcceptWithoutTemporal(t *testing.T) {
	f := open(t)
	away := openWith(t, dial(t, "127.0.0.1:1"))
	task := away.accept(request(twoPages(t)))
	require.Equal(t, core.StatusQueued, task.Status)
	_, err := away.Sweep(t.Context())
	require.NoError(t, err, "too young to be swept")
	away.sql(`UPDATE task SET created_at = now() - interval '1 hour'`)
	_, err = away.Sweep(t.Context())
	requireCode(t, core.CodeUnavailable, err)

	back := newService(tasks.Deps{Records: away.records.Store, Blobs: away.blobs, Temporal: f.temporal, Log: discard}, comictasks.Deps{})
	swept, err := back.Sweep(t.Context())
	require.NoError(t, err)
	require.Equal(t, tasks.Swept{Started: 1}, swept)
	require.Equal(t, workflows.StateRunning, f.state(task.ID))
	swept, err = back.Sweep(t.Context())
	require.NoError(t, err)
	require.Equal(t, tasks.Swept{}, swept)
}

func TestUploads(t *testing.T) {
	f := open(t)
	ctx := t.Context()
	b := pagePNG(t, 1)
	ref := refOf(b)
	require.NoError(t, f.KeepUpload(ctx, tenant, ref, upload("x", b)))
	r, err := f.OpenUpload(ctx, tenant, ref)
	require.NoError(t, err)
	got, err := io.ReadAll(r)
	require.NoError(t, err)
	require.NoError(t, r.Close())
	require.Equal(t, b, got)
	_, err = f.OpenUpload(ctx, "other", ref)
	requireCode(t, core.CodeBlobMissing, err)
	requireCode(t, core.CodeInvalidInput, f.KeepUpload(ctx, tenant, refOf([]byte("other bytes")), upload("x", b)))

	// A task names it; the upload expires; the task keeps it.
	task := f.accept(comictasks.Request{To: "en", Request: tasks.Request{Tenant: tenant, Files: []tasks.Upload{upload("1.png", b)}}})
	f.sql(`UPDATE upload SET expires_at = now()`)
	swept, err := f.Sweep(ctx)
	require.NoError(t, err)
	require.Zero(t, swept.BlobsRemoved)
	_, err = f.records.FinishTask(ctx, core.FinishTaskInput{TaskID: task.ID, Canceled: true})
	require.NoError(t, err)
	require.NoError(t, f.Delete(ctx, tenant, task.ID))
	_, blobCount := f.left()
	require.Zero(t, blobCount)
	_, err = f.records.Task(ctx, tenant, task.ID)
	requireCode(t, core.CodeNotFound, err)
}
