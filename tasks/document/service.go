// Package documenttasks plans the tasks of documents, and writes their results.
//
// A request has one PDF file. It is opened before anything is stored: a file that cannot be read, needs another password, or has too many
// pages is refused. Each translated page becomes an item of the task.
package documenttasks

import (
	"archive/zip"
	"context"
	"errors"
	"fmt"
	"io"

	"plait/internal/archive"
	"plait/internal/blob"
	"plait/internal/core"
	"plait/internal/document"
	"plait/internal/document/estimate"
	"plait/internal/records"
	documentrecords "plait/internal/records/document"
	"plait/tasks"
)

// Deps are the dependencies of a service of documents.
type Deps struct {
	Records *records.Store
	Blobs   blob.Store
	// CountPages opens a PDF file and returns its number of pages. It fails with INVALID_DOCUMENT, PASSWORD_REQUIRED or TOO_LARGE.
	CountPages func(ctx context.Context, file io.ReaderAt, size int64) (int, error)
	// Decrypt writes a file without its encryption. It fails with INVALID_DOCUMENT and PASSWORD_REQUIRED.
	Decrypt func(ctx context.Context, file io.ReadSeeker, password string, w io.Writer) error
	// Estimate predicts what the translation of these pages takes.
	Estimate func(ctx context.Context, file io.ReaderAt, size int64, o document.Options) (estimate.Estimate, error)
	// MaxPages is the largest number of translated pages of a task.
	MaxPages int
}

// Service is what the service of tasks and the API need for documents. It is safe for concurrent use.
type Service struct {
	deps      Deps
	documents documentrecords.Store
}

// New makes a service.
func New(d Deps) *Service { return &Service{deps: d, documents: documentrecords.New(d.Records)} }

// Kind returns the kind of documents, for the service of tasks.
func (s *Service) Kind() tasks.Kind {
	return tasks.Kind{Name: document.Kind, WriteResult: s.writeResult}
}

// tokensOfPage estimates the tokens that a page uses before its texts are read: 500 words with their translation, and the instructions of
// ten calls.
const tokensOfPage = 4000

// read checks a request, and reads what it needs of its file, which the caller closes. Its errors name the file or field.
func (s *Service) read(ctx context.Context, r Request) (file unlocked, options document.Options, err error) {
	if options, err = r.options(); err != nil {
		return file, options, err
	}
	if len(r.Files) != 1 {
		return file, options, core.Errorf(core.CodeInvalidInput, "a request has one PDF file, not %d files", len(r.Files))
	}
	if file, err = s.unlock(ctx, r.Files[0], r.Password); err != nil {
		return file, options, core.Wrap(core.CodeOf(err), err, fmt.Sprintf("%q: %s", core.Printable(r.Files[0].Name), core.PublicMessage(err)))
	}
	defer func() {
		if err != nil {
			err = errors.Join(err, file.Close())
		}
	}()
	options.Total = file.pages
	if options.Pages, err = ParsePages(r.Pages, options.Total); err != nil {
		return file, options, err
	}
	if n := len(options.Pages); n > s.deps.MaxPages {
		err = core.Errorf(core.CodeTooLarge, "%d pages are to be translated; %d are allowed: choose them with pages", n, s.deps.MaxPages)
	}
	return file, options, err
}

// Estimate predicts what the task of a request takes. It fails as Plan does.
func (s *Service) Estimate(ctx context.Context, r Request) (found estimate.Estimate, err error) {
	file, options, err := s.read(ctx, r)
	if err != nil {
		return found, err
	}
	defer func() { err = errors.Join(err, file.Close()) }()
	return s.deps.Estimate(ctx, file.File, file.Size, options)
}

// Plan checks a request and plans its task. Its errors name the file or field.
func (s *Service) Plan(ctx context.Context, r Request) (p tasks.Plan, err error) {
	file, options, err := s.read(ctx, r)
	if err != nil {
		return p, err
	}
	content := file.Content()
	if err := content.Identify(ctx); err != nil {
		return p, errors.Join(err, file.Close())
	}
	p = r.NewPlan(document.Kind)
	p.Close = file.Close
	for _, page := range options.Pages {
		item := content
		item.Name = fmt.Sprintf("page %d", page+1)
		p.Items = append(p.Items, item)
	}
	p.Tokens = int64(len(p.Items)) * tokensOfPage
	p.Options, p.Details = options.JSON(), r.PromptRecords(r.Tenant, options.To)
	p.Covers = struct {
		Options document.Options
		tasks.PromptContext
	}{options, r.PromptContext}
	return p, nil
}

// writeResult streams the file of the result, or a ZIP archive of both files.
func (s *Service) writeResult(ctx context.Context, w io.Writer, t records.Task) error {
	files, err := s.documents.Files(ctx, t.ID, documentrecords.RoleResult)
	if err != nil {
		return err
	}
	if len(files) == 0 {
		return core.Errorf(core.CodeBlobMissing, "task %s has no file of its result", t.ID)
	}
	for _, f := range files {
		if _, err := s.deps.Blobs.Stat(ctx, f.Blob); err != nil {
			return err
		}
	}
	if len(files) == 1 {
		return blob.Copy(ctx, w, s.deps.Blobs, files[0].Blob)
	}
	both := zip.NewWriter(w)
	for _, f := range files {
		// A PDF file is compressed already.
		entry, err := both.CreateHeader(&zip.FileHeader{Name: archive.FileName(t.Title, t.ID) + "." + f.Name, Method: zip.Store})
		if err != nil {
			return err
		}
		if err := blob.Copy(ctx, entry, s.deps.Blobs, f.Blob); err != nil {
			return err
		}
	}
	return both.Close()
}
