package archive

import (
	"bytes"
	"errors"
	"io"
	"sync/atomic"

	"plait/internal/core"
)

// directoryReader bounds the bytes that are read while the directory of an archive is: the count that an archive
// declares is neither true nor checked before every entry of the directory is in memory. It also tells faults of the
// storage, as CodeUnavailable, from damage of what is stored.
type directoryReader struct {
	r       io.ReaderAt
	entries int
	left    atomic.Int64
	lifted  atomic.Bool
	fault   error // of the storage, while the directory is read
	over    bool
}

// directoryEntryBytes is what one directory entry may take on average. It has 46 bytes, a name, and extra fields, which
// are 28 bytes of ZIP64 and 50 of times and owners at most as packers write them.
const directoryEntryBytes = 512

// directoryEndBytes is for finding the end record, which a comment of 64 KiB may follow: it is looked for in the last
// 1 KiB and then in the last 65 KiB; and for the ZIP64 records and one filled buffer.
const directoryEndBytes = 128 << 10

func newDirectoryReader(r io.ReaderAt, entries int) *directoryReader {
	d := &directoryReader{r: r, entries: entries}
	d.left.Store(int64(entries)*directoryEntryBytes + directoryEndBytes)
	return d
}

func (d *directoryReader) ReadAt(b []byte, off int64) (int, error) {
	if !d.lifted.Load() && d.left.Add(-int64(len(b))) < 0 {
		d.over = true
		return 0, tooManyEntries(d.entries)
	}
	n, err := d.r.ReadAt(b, off)
	if err == nil || errors.Is(err, io.EOF) {
		return n, err
	}
	err = core.Wrap(core.CodeUnavailable, err, "the archive cannot be read from its storage")
	if !d.lifted.Load() {
		d.fault = err
	}
	return n, err
}

// lift ends the bound: from here on entries are read.
func (d *directoryReader) lift() { d.lifted.Store(true) }

// explain turns an error of reading the directory into ours.
func (d *directoryReader) explain(err error) error {
	switch {
	case d.over:
		return tooManyEntries(d.entries)
	case d.fault != nil:
		return d.fault
	default:
		if known := Unread(d.r); known != nil {
			return known
		}
		return core.Wrap(core.CodeInvalidArchive, err, "the file is not a ZIP archive, or is truncated")
	}
}

// otherKinds are what people send in place of a ZIP archive, by their first bytes.
var otherKinds = []struct{ mark, name string }{
	{"Rar!\x1a\x07", "RAR (CBR)"}, {"7z\xbc\xaf\x27\x1c", "7z (CB7)"}, {"%PDF-", "PDF"},
}

// Unread is the error, with CodeInvalidArchive, of a file in a format of books that is not read; nil for any other.
func Unread(r io.ReaderAt) error {
	first := make([]byte, 8)
	n, _ := r.ReadAt(first, 0) // an error leaves nothing to tell by
	for _, k := range otherKinds {
		if bytes.HasPrefix(first[:n], []byte(k.mark)) {
			return core.NewError(core.CodeInvalidArchive, k.name+" is not read; convert it to CBZ")
		}
	}
	return nil
}
