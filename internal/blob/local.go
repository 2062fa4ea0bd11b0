package blob

import (
	"context"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"time"

	"plait/internal/core"
)

// local stores a blob as root/ab/abcdef…, where ab are the first two of its 64 hexadecimal digits. Unfinished blobs are in root/tmp.
type local struct {
	root string
}

const folderMode = 0o700

func openLocal(root string) (Store, error) {
	root, err := filepath.Abs(root)
	if err != nil {
		return nil, unavailable(err, "the folder of the blob store cannot be found")
	}
	if err := os.MkdirAll(filepath.Join(root, tempFolder), folderMode); err != nil {
		return nil, unavailable(err, "the folder of the blob store cannot be created")
	}
	l := &local{root: root}
	return l, l.sweep(time.Now())
}

func (l *local) path(ref core.BlobRef) (string, error) {
	if _, err := core.ParseBlobRef(string(ref)); err != nil {
		return "", err
	}
	digits := ref.Hex()
	return filepath.Join(l.root, digits[:2], digits), nil
}

func (l *local) Put(ctx context.Context, r io.Reader, maxBytes int64) (core.BlobRef, int64, error) {
	src := newSource(ctx, r, maxBytes)
	draft, err := l.newDraft()
	if err != nil {
		return "", 0, unavailable(err, "a blob cannot be stored")
	}
	defer draft.Close()
	ref, err := l.store(draft, src)
	switch {
	case err == nil:
		return ref, src.size(), nil
	case src.err != nil:
		err = src.err
	default:
		err = unavailable(err, "a blob cannot be stored")
	}
	_ = os.Remove(draft.Name()) // the first error is the one to report
	return "", 0, err
}

// store writes src to the draft, syncs it to disk, and publishes it as a blob.
func (l *local) store(draft *os.File, src *source) (core.BlobRef, error) {
	_, err := io.Copy(onlyWriter{draft}, src)
	if err != nil {
		return "", err
	}
	if err := draft.Sync(); err != nil {
		return "", err
	}
	ref := src.ref()
	return ref, l.publish(draft.Name(), ref)
}

// onlyWriter hides the ReadFrom method of a file: a copy inside the kernel would bypass the hash.
type onlyWriter struct{ io.Writer }

// publish renames the file temp to the path of the blob and syncs the folder. A crash leaves the complete blob or none.
func (l *local) publish(temp string, ref core.BlobRef) error {
	target, err := l.path(ref)
	if err != nil {
		return err
	}
	folder := filepath.Dir(target)
	switch err := os.Mkdir(folder, folderMode); {
	case err == nil:
		if err := syncFolder(l.root); err != nil {
			return err
		}
	case !errors.Is(err, fs.ErrExist):
		return err
	}
	if err := os.Rename(temp, target); err != nil {
		return err
	}
	return syncFolder(folder)
}

func (l *local) Open(ctx context.Context, ref core.BlobRef) (io.ReadSeekCloser, int64, error) {
	path, err := l.path(ref)
	if err != nil {
		return nil, 0, err
	}
	if err := ctx.Err(); err != nil {
		return nil, 0, err
	}
	f, err := os.Open(path)
	if err != nil {
		return nil, 0, openError(err, ref)
	}
	info, err := f.Stat()
	if err == nil && !info.Mode().IsRegular() {
		err = errors.New("not a regular file")
	}
	if err != nil {
		_ = f.Close()
		return nil, 0, unavailable(err, "a blob cannot be read")
	}
	return check(f, info.Size(), ref), info.Size(), nil
}

func openError(err error, ref core.BlobRef) error {
	if errors.Is(err, fs.ErrNotExist) {
		return missing(ref)
	}
	return unavailable(err, "a blob cannot be read")
}

func (l *local) Read(ctx context.Context, ref core.BlobRef, maxBytes int64) ([]byte, error) {
	return readChecked(ctx, l, ref, maxBytes)
}

func (l *local) Stat(ctx context.Context, ref core.BlobRef) (int64, error) {
	path, err := l.path(ref)
	if err != nil {
		return 0, err
	}
	if err := ctx.Err(); err != nil {
		return 0, err
	}
	info, err := os.Stat(path)
	if err != nil {
		return 0, openError(err, ref)
	}
	return info.Size(), nil
}

func (l *local) Delete(ctx context.Context, ref core.BlobRef) error {
	path, err := l.path(ref)
	if err != nil {
		return err
	}
	if err := ctx.Err(); err != nil {
		return err
	}
	if err := os.Remove(path); err != nil && !errors.Is(err, fs.ErrNotExist) {
		return unavailable(err, "a blob cannot be deleted")
	}
	return nil
}

func (l *local) Check(ctx context.Context) error {
	if err := ctx.Err(); err != nil {
		return err
	}
	f, err := l.newDraft()
	if err != nil {
		return unavailable(err, "the folder of the blob store cannot be written")
	}
	_, err = f.WriteString("check")
	if err == nil {
		err = f.Sync()
	}
	if err = errors.Join(err, f.Close(), os.Remove(f.Name())); err != nil {
		return unavailable(err, "the folder of the blob store cannot be written")
	}
	return nil
}

// syncFolder syncs the entries of a folder to disk.
func syncFolder(path string) error {
	d, err := os.Open(path)
	if err != nil {
		return fmt.Errorf("open a folder to sync it: %w", err)
	}
	return errors.Join(d.Sync(), d.Close())
}
