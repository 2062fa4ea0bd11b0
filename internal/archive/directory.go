package archive

import (
	"bytes"
	"errors"
	"io"
	"sync/atomic"

	"plait/internal/core"
)

// directoryReader bounds the bytes that archive/zip reads for the directory. It cannot rely on the number of entries that the archive
// declares: the number may be wrong, and archive/zip compares it only after all entries are in memory. directoryReader also returns
// faults of the storage as CodeUnavailable, to distinguish them from a damaged archive.
type directoryReader struct {
	r       io.ReaderAt
	entries int          // the limit, for the error message
	left    atomic.Int64 // bytes that may still be read
	lifted  atomic.Bool  // the directory has been read, and the bound no longer applies
	fault   error        // of the storage, while the directory is read
	over    bool         // the bound was exceeded
}

// directoryEntryBytes is the average size that a directory entry may have. An entry has 46 bytes, a name, and extra fields: as packers
// write them, 28 bytes for ZIP64 and at most 50 for times and owners.
const directoryEntryBytes = 512

// directoryEndBytes allows for the search for the end record, which a comment of up to 64 KiB may follow: archive/zip reads the last
// 1 KiB and then the last 65 KiB. It also covers the ZIP64 records and one full buffer.
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
	if off < 0 {
		// An entry that begins before the file does is no fault of the storage, which some readers would make of it.
		return 0, io.EOF
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

// lift ends the bound, because the reads that follow are of entries.
func (d *directoryReader) lift() { d.lifted.Store(true) }

// explain converts the error of zip.NewReader into one with a code.
func (d *directoryReader) explain(err error) error {
	switch {
	case d.over:
		return tooManyEntries(d.entries)
	case d.fault != nil:
		return d.fault
	default:
		if known := CheckFormat(d.r); known != nil {
			return known
		}
		return core.Wrap(core.CodeInvalidArchive, err, "the file is not a ZIP archive, or is truncated")
	}
}

// otherFormats are the book formats that people send instead of a ZIP archive. magic is how their files begin.
var otherFormats = []struct{ magic, name string }{
	{"Rar!\x1a\x07", "RAR (CBR)"}, {"7z\xbc\xaf\x27\x1c", "7z (CB7)"}, {"%PDF-", "PDF"},
}

// CheckFormat fails, with CodeInvalidArchive, if r begins like a file in a known book format that Plait does not read: RAR, 7z or PDF.
// It returns nil for every other content.
func CheckFormat(r io.ReaderAt) error {
	first := make([]byte, 8)
	n, _ := r.ReadAt(first, 0) // after an error, no format matches
	for _, f := range otherFormats {
		if bytes.HasPrefix(first[:n], []byte(f.magic)) {
			return core.NewError(core.CodeInvalidArchive, f.name+" is not read; convert it to CBZ")
		}
	}
	return nil
}
