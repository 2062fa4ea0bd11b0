package archive

import (
	"archive/zip"
	"bytes"
	"context"
	"errors"
	"fmt"
	"hash/crc32"
	"io"
)

// File is one file to write.
type File struct {
	// Name is a path that [CheckName] accepts.
	Name string
	// Open returns the content. [Write] calls it once, after it has written the preceding file.
	Open func() (io.ReadCloser, error)
	// Store writes the content without compression. It is for compressed content, such as pages.
	Store bool
}

// fixedDate is the earliest date of the format, 1980-01-01, as APPNOTE 4.4.6 encodes it.
const fixedDate = 1<<5 | 1

// storeBuffer is the size in bytes up to which a stored file is buffered, so that its size and checksum are known when its header is
// written. Without them, a streaming reader cannot find the end of a stored file. Pages fit into the buffer.
const storeBuffer = 8 << 20

// Write streams an archive of the files to w, in their order. The bytes depend only on names, contents and Store. All names must be
// accepted by one [NameSet]. Write fails with CodeInvalidArchive for a name; an error of w, of Open or of a content is wrapped with the
// name of the file.
func Write(ctx context.Context, w io.Writer, files []File) error {
	z := zip.NewWriter(w)
	names := NewNameSet()
	for _, f := range files {
		if err := ctx.Err(); err != nil {
			return err
		}
		if err := CheckName(f.Name); err != nil {
			return err
		}
		if err := names.AddFile(f.Name); err != nil {
			return err
		}
		if err := writeFile(ctx, z, f); err != nil {
			return fmt.Errorf("write %s: %w", quote(f.Name), err)
		}
	}
	return z.Close()
}

func writeFile(ctx context.Context, z *zip.Writer, f File) error {
	content, err := f.Open()
	if err != nil {
		return err
	}
	defer content.Close()
	r := &contextReader{ctx: ctx, r: content}
	header := &zip.FileHeader{Name: f.Name, Method: zip.Deflate}
	header.ModifiedDate = fixedDate //nolint:staticcheck // Modified would add an extra field with the time to every entry
	header.SetMode(0o644)
	if !f.Store {
		w, err := z.CreateHeader(header)
		if err != nil {
			return err
		}
		_, err = io.Copy(w, r)
		return err
	}
	header.Method = zip.Store
	return storeFile(z, header, r)
}

func storeFile(z *zip.Writer, header *zip.FileHeader, r io.Reader) error {
	var head bytes.Buffer
	if _, err := io.CopyN(&head, r, storeBuffer+1); err != nil && !errors.Is(err, io.EOF) {
		return err
	}
	if head.Len() > storeBuffer {
		w, err := z.CreateHeader(header)
		if err != nil {
			return err
		}
		_, err = io.Copy(w, io.MultiReader(&head, r))
		return err
	}
	header.CRC32 = crc32.ChecksumIEEE(head.Bytes())
	header.UncompressedSize64, header.CompressedSize64 = uint64(head.Len()), uint64(head.Len())
	const utf8Flag = 1 << 11
	header.Flags |= utf8Flag // unlike CreateHeader, CreateRaw does not set it
	w, err := z.CreateRaw(header)
	if err != nil {
		return err
	}
	_, err = w.Write(head.Bytes())
	return err
}

// contextReader reads from r until ctx ends.
type contextReader struct {
	ctx context.Context
	r   io.Reader
}

func (c *contextReader) Read(b []byte) (int, error) {
	if err := c.ctx.Err(); err != nil {
		return 0, err
	}
	return c.r.Read(b)
}
