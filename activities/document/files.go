package document

import (
	"context"
	"errors"
	"io"
	"os"
	"slices"
	"sync"
	"time"

	"plait/internal/blob"
	"plait/internal/core"
	"plait/internal/document/engine"
	"plait/internal/document/pdf"
)

// idleTime is how long a file stays open for the next page of its document.
const idleTime = time.Minute

// files keeps PDF files open between steps, because opening one takes longer than reading a page. It is safe for concurrent use.
type files struct {
	blobs  blob.Store
	engine *engine.Engine
	// room has an entry for each file in use. Together with the idle ones, there are never more than its capacity.
	room chan struct{}

	mu     sync.Mutex
	idle   []*openFile // the one that was used last comes last
	closed bool
}

// openFile is a local copy of a blob that is open.
type openFile struct {
	*pdf.File
	ref    core.BlobRef
	copy   *os.File
	size   int64
	expire *time.Timer
}

func newFiles(blobs blob.Store, e *engine.Engine, open int) *files {
	return &files{blobs: blobs, engine: e, room: make(chan struct{}, max(open, 1))}
}

// with calls work with an open file. A file whose use failed is not used again.
func (f *files) with(ctx context.Context, ref core.BlobRef, work func(*openFile) error) error {
	if f.engine == nil {
		return core.NewError(core.CodeInternal, "this worker does not read documents")
	}
	select {
	case f.room <- struct{}{}:
	case <-ctx.Done():
		return context.Cause(ctx)
	}
	defer func() { <-f.room }()
	file, err := f.take(ctx, ref)
	if err != nil {
		return err
	}
	if err := work(file); err != nil {
		return errors.Join(err, file.close())
	}
	return f.put(file)
}

// take returns an idle file of the blob, or opens one.
func (f *files) take(ctx context.Context, ref core.BlobRef) (*openFile, error) {
	f.mu.Lock()
	for i, file := range slices.Backward(f.idle) {
		if file.ref == ref {
			f.idle = slices.Delete(f.idle, i, i+1)
			f.mu.Unlock()
			file.expire.Stop()
			return file, nil
		}
	}
	var surplus *openFile
	if len(f.room)+len(f.idle) > cap(f.room) {
		surplus, f.idle = f.idle[0], f.idle[1:]
	}
	f.mu.Unlock()
	if surplus != nil {
		surplus.expire.Stop()
		if err := surplus.close(); err != nil {
			return nil, core.Wrap(core.CodeInternal, err, "a document cannot be closed")
		}
	}
	return f.open(ctx, ref)
}

// put keeps a file for the next step.
func (f *files) put(file *openFile) error {
	f.mu.Lock()
	defer f.mu.Unlock()
	if f.closed {
		return file.close()
	}
	file.expire = time.AfterFunc(idleTime, func() { f.drop(file) })
	f.idle = append(f.idle, file)
	return nil
}

// drop closes a file that is still idle.
func (f *files) drop(file *openFile) {
	f.mu.Lock()
	defer f.mu.Unlock()
	if i := slices.Index(f.idle, file); i >= 0 {
		f.idle = slices.Delete(f.idle, i, i+1)
		_ = file.close() // nothing of the file is used afterwards
	}
}

// open copies a blob to a local file without a name, which PDFium reads in any order, and opens it.
func (f *files) open(ctx context.Context, ref core.BlobRef) (_ *openFile, err error) {
	file := &openFile{ref: ref}
	if file.copy, err = blob.Unnamed(); err != nil {
		return nil, err
	}
	defer func() {
		if err != nil {
			err = errors.Join(err, file.copy.Close())
		}
	}()
	source, _, err := f.blobs.Open(ctx, ref)
	if err != nil {
		return nil, err
	}
	defer func() { err = errors.Join(err, source.Close()) }()
	if file.size, err = io.Copy(file.copy, reader{ctx, source}); err != nil {
		return nil, err
	}
	file.File, err = f.engine.File(ctx, file.copy, file.size)
	return file, err
}

// reader ends with its context.
type reader struct {
	ctx context.Context
	io.Reader
}

func (r reader) Read(b []byte) (int, error) {
	if err := r.ctx.Err(); err != nil {
		return 0, err
	}
	return r.Reader.Read(b)
}

func (f *openFile) close() error { return errors.Join(f.Close(), f.copy.Close()) }

// close closes all idle files, and those in use when their steps end.
func (f *files) close() (err error) {
	f.mu.Lock()
	defer f.mu.Unlock()
	f.closed = true
	for _, file := range f.idle {
		file.expire.Stop()
		err = errors.Join(err, file.close())
	}
	f.idle = nil
	return err
}
