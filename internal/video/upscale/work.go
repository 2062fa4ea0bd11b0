package upscale

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"

	"github.com/gofrs/flock"

	"plait/internal/blob"
	"plait/internal/core"
	"plait/internal/files"
)

// Work is a folder that keeps what is done of a job, so that another run of the same command goes on from there.
type Work struct {
	folder   string
	store    blob.Store
	progress *Progress // nil at the start
	lock     *flock.Flock
}

const progressFile = "progress.json"

// OpenWork opens the folder, and makes it if there is none. The caller closes it. It fails with CodeConflict while another process has it open.
func OpenWork(ctx context.Context, folder string) (*Work, error) {
	w := &Work{folder: folder, lock: flock.New(filepath.Join(folder, "lock"))}
	var err error
	if w.store, err = blob.Open(ctx, filepath.Join(folder, "blobs")); err != nil {
		return nil, err
	}
	if free, err := w.lock.TryLock(); err != nil || !free {
		return nil, errors.Join(core.Errorf(core.CodeConflict, "another command writes this result: %s is in use", folder), err)
	}
	text, err := os.ReadFile(filepath.Join(folder, progressFile))
	if errors.Is(err, os.ErrNotExist) {
		return w, nil
	}
	if err == nil {
		err = json.Unmarshal(text, &w.progress)
	}
	if err != nil {
		return nil, errors.Join(fmt.Errorf("read what is done in %s; remove the folder to start again: %w", folder, err), w.Close())
	}
	return w, nil
}

// Keeps makes the folder keep what is done of a job, and the job go on from there.
func (w *Work) Keeps(j Job) Job {
	j.Store, j.Folder, j.From = w.store, w.folder, w.progress
	j.Saved = func(_ context.Context, p Progress) error {
		return files.Write(filepath.Join(w.folder, progressFile), func(out io.Writer) error { return json.NewEncoder(out).Encode(p) })
	}
	return j
}

// Close lets other processes use the folder.
func (w *Work) Close() error { return w.lock.Close() }

// Remove removes the folder.
func (w *Work) Remove() error { return os.RemoveAll(w.folder) }
