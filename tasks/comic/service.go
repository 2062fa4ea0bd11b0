// Package comictasks plans the tasks of comic chapters, writes their results, and accepts edits of their pages.
//
// A page that is damaged in its archive is stored up to the damage. If that is not a complete image, detect refuses it and the page fails
// alone; the result contains it as it was read. A page in which only the checksum is wrong may still be a valid image, and is translated.
//
// Files are readers at any offset, never byte slices. Each file is read twice, to inspect it and to store it. Only one page at a time is
// in memory as a whole, whatever the number of requests.
package comictasks

import (
	"bytes"
	"context"
	"crypto/sha256"
	"io"
	"log/slog"

	"go.temporal.io/sdk/client"

	"plait/internal/archive"
	"plait/internal/blob"
	"plait/internal/comic"
	"plait/internal/core"
	"plait/internal/picture"
	"plait/internal/records"
	comicrecords "plait/internal/records/comic"
	"plait/internal/translators"
	"plait/tasks"
)

// Limits bounds what a client may request. A field that is zero takes its default.
type Limits struct {
	Picture picture.Limits
	Archive archive.Limits
	// MaxPages is the largest number of pages of a chapter. Defaults to 2,000.
	MaxPages int
}

const defaultMaxPages = 2000

func (l Limits) orDefaults() Limits {
	defaults := picture.DefaultLimits()
	if l.Picture.MaxBytes <= 0 {
		l.Picture.MaxBytes = defaults.MaxBytes
	}
	if l.MaxPages <= 0 {
		l.MaxPages = defaultMaxPages
	}
	return l
}

// Deps are the dependencies of a service of chapters.
type Deps struct {
	Records  *records.Store
	Blobs    blob.Store
	Temporal client.Client
	Log      *slog.Logger
	Limits   Limits
	// CheckSource fails for a source language that the workers cannot read. Nil when this process does not know which ones they can read:
	// then detect fails.
	CheckSource func(from string) error
	// Estimate predicts what the translation of a chapter takes whose pages are only counted. It fails with TRANSLATOR_MISSING.
	Estimate func(ctx context.Context, chapter translators.Unread) (translators.Estimate, error)
}

// Service is what the service of tasks and the API need for chapters. It is safe for concurrent use.
type Service struct {
	deps     Deps
	chapters comicrecords.Store
	// buffers are the buffers that pages are read into: a request that inspects a page waits for one.
	buffers chan []byte
	// layering bounds how many pages are put into layers at once.
	layering chan struct{}
}

// layeringPages is that bound: each page holds its pixels twice.
const layeringPages = 2

// inspectBuffers is the number of buffers, each of up to the largest page (64 MiB by default). Pages of requests use no other memory.
const inspectBuffers = 1

// New makes a service.
func New(d Deps) *Service {
	d.Limits = d.Limits.orDefaults()
	if d.CheckSource == nil {
		d.CheckSource = func(string) error { return nil }
	}
	s := &Service{deps: d, chapters: comicrecords.New(d.Records), buffers: make(chan []byte, inspectBuffers), layering: make(chan struct{}, layeringPages)}
	for range inspectBuffers {
		s.buffers <- nil
	}
	return s
}

// Kind returns the kind of chapters, for the service of tasks.
func (s *Service) Kind() tasks.Kind {
	return tasks.Kind{
		Name: comic.Kind, WriteResult: s.writeResult,
		Formats:    map[string]tasks.WriteResult{comic.FormatCBZ: s.writeResult, comic.FormatZIP: s.writeFolder, comic.FormatORA: s.writeLayered},
		FilesInUse: comicrecords.FilesInUse, Sweep: s.sweepEdits,
		Deleting: func(tenant, taskID string) []records.Statement {
			return []records.Statement{comicrecords.DropEdits(tenant, taskID)}
		},
	}
}

// tokensOfPage estimates the tokens that a page uses before its texts are read. The sample chapter, with four texts a page, takes 550
// ("plait estimate"); printed pages have twice as many texts.
const tokensOfPage = 1000

// Plan checks a request and plans its task. Its errors name the file or field: INVALID_INPUT, UNKNOWN_LANGUAGE, INVALID_SCRIPT,
// INVALID_ARCHIVE, TOO_LARGE, and, when no page is good, the error of the first page.
func (s *Service) Plan(ctx context.Context, r Request) (tasks.Plan, error) {
	options, err := r.options()
	if err != nil {
		return tasks.Plan{}, err
	}
	if err := s.deps.CheckSource(options.From); err != nil {
		return tasks.Plan{}, err
	}
	c, err := s.openChapter(r.Files)
	if err != nil {
		return tasks.Plan{}, err
	}
	if err := s.inspect(ctx, c); err != nil {
		return tasks.Plan{}, err
	}
	p := r.NewPlan(comic.Kind)
	p.Items, p.Files = c.contents()
	if len(r.Script) == 0 {
		p.Tokens = int64(len(p.Items)) * tokensOfPage
	}
	if len(r.Script) > 0 {
		options.Script = core.NewBlobRef(sha256.Sum256(r.Script))
		p.Files = append(p.Files, tasks.File{Role: records.RoleScript, Content: tasks.Content{
			Name: records.RoleScript, Size: int64(len(r.Script)), Ref: options.Script,
			Open: func() (io.ReadCloser, error) { return io.NopCloser(bytes.NewReader(r.Script)), nil },
		}})
	}
	p.Options, p.Details = options.JSON(), r.PromptRecords(r.Tenant, options.To)
	p.Covers = struct {
		Options comic.Options
		tasks.PromptContext
	}{options, r.PromptContext}
	return p, nil
}

// Estimate predicts what the task of a request takes, from the number of its pages. A script takes no model. It fails as Plan does, but for
// pages that are damaged, and with TRANSLATOR_MISSING.
func (s *Service) Estimate(ctx context.Context, r Request) (translators.Estimate, error) {
	options, err := r.options()
	if err != nil {
		return translators.Estimate{}, err
	}
	if err := s.deps.CheckSource(options.From); err != nil {
		return translators.Estimate{}, err
	}
	c, err := s.openChapter(r.Files)
	if err != nil {
		return translators.Estimate{}, err
	}
	if options.Translator == core.TranslatorScript {
		return translators.Estimate{Provider: core.TranslatorScript, Pages: len(c.pages), Priced: true}, nil
	}
	return s.deps.Estimate(ctx, translators.Unread{
		Pages: len(c.pages), From: options.From, To: options.To, Translator: options.Translator, Glossary: r.Glossary, Synopsis: r.Synopsis,
	})
}

// contents returns the pages, and the files of the archive that contained them.
func (c *chapter) contents() (pages []tasks.Content, files []tasks.File) {
	index := map[*file]int{}
	for i, f := range c.pages {
		index[f] = i
		pages = append(pages, f.Content)
	}
	if !c.packed {
		return pages, nil
	}
	for _, f := range c.files {
		file := tasks.File{Role: records.RoleArchive, Content: f.Content}
		if f.page {
			i := index[f]
			file.Item = &i
		}
		files = append(files, file)
	}
	return pages, files
}
