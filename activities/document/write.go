package document

import (
	"context"
	"crypto/sha256"
	"encoding/json"
	"errors"
	"io"
	"os"
	"slices"

	"plait/activities"
	"plait/internal/blob"
	"plait/internal/core"
	"plait/internal/document"
	"plait/internal/document/engine"
	"plait/internal/document/typeset"
	"plait/internal/records"
	documentrecords "plait/internal/records/document"
)

// maxEditBytes bounds the edit of a page: a page of 20,000 glyphs has one of about 2 MB.
const maxEditBytes = 64 << 20

// Write writes the files of the result from the edits of the pages. A page without an edit stays as it was. Texts of one size and class get
// the same size over the whole document, as far as they fit. A repeated write makes the same bytes.
func (a *Activities) Write(ctx context.Context, in document.WriteInput) error {
	ctx, leave := activities.Heartbeat(ctx, false)
	defer leave()
	_, err := activities.Guarded(func() (struct{}, error) { return struct{}{}, a.write(ctx, in) })
	if err == nil {
		return nil
	}
	return a.Unrecorded(ctx, core.Item{TaskID: in.TaskID, Tenant: in.Tenant}, document.StepWrite, false, err)
}

func (a *Activities) write(ctx context.Context, in document.WriteInput) error {
	if err := a.saveEstimate(ctx, in); err != nil { // a report without an estimate is no reason to have no result
		a.Log.Warn("the estimate of a document is not recorded", "task", in.TaskID, "error", err)
	}
	w, err := a.newWriter(ctx, in)
	if err != nil {
		return err
	}
	outputs := []document.Output{in.Options.Output}
	if in.Options.Output == document.OutputBoth {
		outputs = []document.Output{document.OutputMono, document.OutputDual}
	}
	var list []records.File
	err = a.files.with(ctx, w.source, func(f *openFile) error {
		for i, output := range outputs {
			ref, err := w.file(ctx, f, output)
			if err != nil {
				return err
			}
			list = append(list, records.File{
				Role: documentrecords.RoleResult, Position: i, Name: in.Options.To + suffixes[output], Blob: ref,
			})
		}
		return nil
	})
	if err != nil {
		return err
	}
	return a.documents.SaveResult(ctx, in.TaskID, list)
}

// saveEstimate writes what the translation was expected to take, from the texts that were found, for the report.
func (a *Activities) saveEstimate(ctx context.Context, in document.WriteInput) error {
	if a.estimate == nil {
		return nil
	}
	texts, err := a.documents.Texts(ctx, in.TaskID)
	if err != nil {
		return err
	}
	expected, model, err := a.estimate(texts, in.Options)
	if err != nil {
		return err
	}
	e := documentrecords.Estimate{Estimate: expected, Model: model}
	e.Threads, e.TableThreads = a.threads(in.Options, in.Options.Mode)
	return a.documents.SaveEstimate(ctx, in.TaskID, e)
}

// suffixes are those of the names of files.
var suffixes = map[document.Output]string{document.OutputMono: ".pdf", document.OutputDual: ".dual.pdf"}

// writer writes the files of a task.
type writer struct {
	*Activities
	in     document.WriteInput
	source core.BlobRef
	// pages are the translated pages of the task that have an edit, by their position in the document.
	pages  map[int]documentrecords.Page
	scales typeset.Scales
	// titles translates the titles of bookmarks.
	titles func(title string) string
}

func (a *Activities) newWriter(ctx context.Context, in document.WriteInput) (*writer, error) {
	w := &writer{Activities: a, in: in, pages: map[int]documentrecords.Page{}}
	pages, err := a.documents.Pages(ctx, in.TaskID)
	if err != nil {
		return nil, err
	}
	for _, p := range pages {
		if w.source = p.Ref.Blob; p.Status == core.StatusSuccess {
			w.pages[p.Number] = p
		}
	}
	sizes, err := a.documents.Scales(ctx, in.TaskID)
	if err != nil {
		return nil, err
	}
	needed := make([]typeset.Needed, len(sizes))
	for i, s := range sizes {
		needed[i] = typeset.Needed{Class: s.Class, Size: s.Size, Scale: s.Scale}
	}
	w.scales = typeset.NewScales(needed)
	headings, err := a.documents.Headings(ctx, in.TaskID)
	w.titles = document.Titles(headings)
	return w, err
}

// file writes one file and stores it.
func (w *writer) file(ctx context.Context, f *openFile, output document.Output) (ref core.BlobRef, err error) {
	result, err := blob.Unnamed()
	if err != nil {
		return "", err
	}
	defer func() { err = errors.Join(err, result.Close()) }()
	hash := sha256.New()
	o := w.in.Options
	options := engine.WriteOptions{Output: output, Dual: o.Dual, Language: o.To, KeepActions: o.KeepActions}
	if output == document.OutputMono {
		options.Titles = w.titles
	}
	edit := func(page int) (*document.Edit, error) { return w.edit(ctx, f, page) }
	source := io.NewSectionReader(f.copy, 0, f.size)
	if err := w.engine.Write(ctx, source, f.File, options, edit, io.MultiWriter(result, hash)); err != nil {
		return "", err
	}
	return w.keep(ctx, result, core.NewBlobRef([32]byte(hash.Sum(nil))))
}

// keep stores a file. It holds the blob first, because another task with the same bytes may be deleted in between.
func (w *writer) keep(ctx context.Context, file *os.File, ref core.BlobRef) (core.BlobRef, error) {
	size, err := file.Seek(0, io.SeekEnd)
	if err == nil {
		_, err = file.Seek(0, io.SeekStart)
	}
	if err != nil {
		return "", core.Wrap(core.CodeUnavailable, err, "a temporary file cannot be read")
	}
	if err := w.Records.HoldBlobs(ctx, w.in.TaskID, []core.BlobRef{ref}); err != nil {
		return "", err
	}
	stored, _, err := w.Blobs.Put(ctx, file, size)
	if err == nil && stored != ref {
		err = core.NewError(core.CodeInternal, "the written file has changed")
	}
	return ref, err
}

// edit returns the edit of a page, or nil for a page that stays as it is. It is the result of the page, unless a text gets a smaller size.
func (w *writer) edit(ctx context.Context, f *openFile, number int) (*document.Edit, error) {
	page, ok := w.pages[number]
	if !ok {
		return nil, ctx.Err()
	}
	blocks, err := w.documents.Blocks(ctx, w.in.TaskID, page.Ref.Index)
	if err != nil {
		return nil, err
	}
	if !slices.ContainsFunc(blocks, func(b documentrecords.Block) bool { return b.Translation != "" }) {
		return nil, nil
	}
	if slices.ContainsFunc(blocks, func(b documentrecords.Block) bool { return b.Scale > w.scales.Limit(b.Block) }) {
		edit, _, err := w.Activities.edit(ctx, f.File, page, blocks, w.in.Options.To, w.scales)
		return &edit, err
	}
	content, err := w.Blobs.Read(ctx, page.Result, maxEditBytes)
	if err != nil {
		return nil, err
	}
	var edit document.Edit
	if err := json.Unmarshal(content, &edit); err != nil {
		return nil, core.Wrap(core.CodeInternal, err, "the edit of a page cannot be read")
	}
	return &edit, nil
}
