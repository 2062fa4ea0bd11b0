// Package archive reads and writes chapters as ZIP files (CBZ). It treats every archive as untrusted input.
//
// # Reading
//
// [Open] reads the directory of an archive, without unpacking anything. It refuses the whole archive, with CodeInvalidArchive or
// CodeTooLarge and a message that names the entry, if the directory has
//
//   - a name that leaves the folder, that no common file system accepts, or that some file system treats as equal to another;
//   - a link, a device or an encrypted entry;
//   - data that overlap or are outside the file;
//   - a size, count or compression ratio over the [Limits].
//
// The limits apply to the declared sizes, which may be wrong, so the reader of an entry fails at the first byte beyond the declared
// size.
//
// Besides pages, an archive may contain only the files that usually accompany pages, each of at most 4 MiB: metadata (.xml, .acbf,
// .opf, .json), notes (.txt, .nfo, .md), links (.url), checksums (.sfv, .md5), and files that operating systems add (hidden files,
// __MACOSX, .db, .ini). Folders are not entries; they are part of the names.
//
// # Names
//
// A ZIP stores names as bytes. A name is decoded as UTF-8 if it is valid UTF-8 or flagged as UTF-8; else from the Unicode path that
// some packers add; else as Shift_JIS if the result is Japanese; else as CP437, the original encoding of the format. [Entry.Raw] is the
// name as stored. All checks apply to the decoded name.
//
// # Writing
//
// [Write] streams files into an archive. Its bytes depend only on the files: times are fixed, owners are absent, names are UTF-8.
package archive

import (
	"archive/zip"
	"errors"
	"io"
	"slices"

	"plait/internal/core"
)

// Limits bounds the archives that [Open] accepts. A field that is zero or less takes its default.
type Limits struct {
	// MaxEntries is the largest number of files and folders, at most a million. Defaults to 10,000.
	MaxEntries int
	// MaxEntryBytes is the largest unpacked size of an entry. Defaults to 256 MiB.
	MaxEntryBytes int64
	// MaxTotalBytes is the largest sum of unpacked sizes. Defaults to 4 GiB.
	MaxTotalBytes int64
	// MaxRatio is the largest compression ratio, unpacked to packed size, of an entry and of the whole archive. Sizes up to 16 MiB are
	// exempt. Defaults to 200; deflate can reach 1032.
	MaxRatio int64
}

// DefaultLimits returns the limits of a chapter.
func DefaultLimits() Limits {
	return Limits{MaxEntries: 10_000, MaxEntryBytes: 256 << 20, MaxTotalBytes: 4 << 30, MaxRatio: 200}
}

// ratioExempt is the unpacked size in bytes up to which any compression ratio is allowed: a blank BMP page reaches a ratio of 1000.
const ratioExempt = 16 << 20

func (l Limits) orDefaults() Limits {
	d := DefaultLimits()
	if l.MaxEntries <= 0 {
		l.MaxEntries = d.MaxEntries
	}
	l.MaxEntries = min(l.MaxEntries, 1_000_000)
	if l.MaxEntryBytes <= 0 {
		l.MaxEntryBytes = d.MaxEntryBytes
	}
	if l.MaxTotalBytes <= 0 {
		l.MaxTotalBytes = d.MaxTotalBytes
	}
	if l.MaxRatio <= 0 {
		l.MaxRatio = d.MaxRatio
	}
	return l
}

// Entry is one file of an archive.
type Entry struct {
	// Name is the path in valid UTF-8, with "/" between folders and without a leading "./".
	Name string
	// Raw is the name as the archive stores it.
	Raw []byte
	// Size is the declared unpacked size in bytes. Reading returns exactly this many bytes, or fails.
	Size int64
	// Page is true when the name is that of a page: see [IsPage].
	Page bool
}

// Archive is an opened archive. It is safe for concurrent use if its io.ReaderAt is.
type Archive struct {
	entries []Entry
	files   map[string]*zip.File
}

// Open reads and checks the directory of the archive in r, which has size bytes.
//
// Errors: CodeInvalidArchive; CodeTooLarge when a count or a size exceeds its limit; CodeUnavailable when reading from r fails.
func Open(r io.ReaderAt, size int64, l Limits) (*Archive, error) {
	l = l.orDefaults()
	bounded := newDirectoryReader(r, l.MaxEntries)
	z, err := zip.NewReader(bounded, size)
	if err != nil {
		return nil, bounded.explain(err)
	}
	bounded.lift()
	if len(z.File) > l.MaxEntries {
		return nil, tooManyEntries(l.MaxEntries)
	}
	a := &Archive{files: make(map[string]*zip.File, len(z.File))}
	names := NewNameSet()
	check := checker{limits: l, size: size}
	for _, f := range z.File {
		name, err := entryName(f)
		if err != nil {
			return nil, err
		}
		if err := check.entry(name, f); err != nil {
			return nil, err
		}
		if isFolder(f) {
			if err := names.addFolder(name); err != nil {
				return nil, err
			}
			continue
		}
		if err := names.AddFile(name); err != nil {
			return nil, err
		}
		a.files[name] = f
		a.entries = append(a.entries, Entry{Name: name, Raw: []byte(f.Name), Size: int64(f.UncompressedSize64), Page: IsPage(name)})
	}
	if err := check.ratio(); err != nil {
		return nil, err
	}
	if err := check.overlaps(); err != nil {
		return nil, err
	}
	if !slices.ContainsFunc(a.entries, func(e Entry) bool { return e.Page }) {
		return nil, invalid("the archive has no pages")
	}
	return a, nil
}

// Entries returns the files in the order of the archive's directory.
func (a *Archive) Entries() []Entry { return slices.Clone(a.entries) }

// Open returns a reader of the entry with this Name. The reader returns exactly the declared number of bytes with the declared
// checksum, or fails: with CodeInvalidArchive when the entry is damaged, after the bytes that could be read, and with CodeUnavailable
// when the archive's io.ReaderAt fails. Open fails with CodeNotFound when the archive has no such entry.
func (a *Archive) Open(name string) (io.ReadCloser, error) {
	f, ok := a.files[name]
	if !ok {
		return nil, core.Errorf(core.CodeNotFound, "the archive has no entry %s", quote(name))
	}
	r, err := f.Open()
	if err != nil {
		return nil, entryError(name, err)
	}
	return &entryReader{r: r, name: name, left: int64(f.UncompressedSize64)}, nil
}

// entryReader fails after the declared size if the packed data contain more.
type entryReader struct {
	r    io.ReadCloser
	name string
	left int64
}

func (e *entryReader) Read(b []byte) (int, error) {
	if e.left < 0 {
		return 0, invalid("entry %s is larger than declared", quote(e.name))
	}
	if int64(len(b))-1 > e.left { // read one byte more than is left, to detect excess data
		b = b[:e.left+1]
	}
	n, err := e.r.Read(b)
	if e.left -= int64(n); e.left < 0 {
		return n - 1, invalid("entry %s is larger than declared", quote(e.name))
	}
	if err != nil && !errors.Is(err, io.EOF) {
		err = entryError(e.name, err)
	}
	return n, err
}

// Close closes the entry. It may return the error of an earlier Read again.
func (e *entryReader) Close() error {
	if err := e.r.Close(); err != nil {
		return entryError(e.name, err)
	}
	return nil
}

// entryError converts an error of reading an entry: CodeUnavailable for a fault of the storage, CodeInvalidArchive for a damaged entry.
func entryError(name string, err error) error {
	switch {
	case core.CodeOf(err) == core.CodeUnavailable:
		return err
	case errors.Is(err, zip.ErrChecksum):
		return invalid("entry %s is damaged: its checksum is wrong", quote(name))
	case errors.Is(err, zip.ErrAlgorithm):
		return invalid("entry %s uses a compression method that is not supported", quote(name))
	default:
		return core.Wrap(core.CodeInvalidArchive, err, "entry "+quote(name)+" is damaged")
	}
}

func isFolder(f *zip.File) bool {
	return f.Mode().IsDir() || (len(f.Name) > 0 && f.Name[len(f.Name)-1] == '/')
}

func invalid(format string, args ...any) error {
	return core.Errorf(core.CodeInvalidArchive, format, args...)
}

func tooLarge(format string, args ...any) error {
	return core.Errorf(core.CodeTooLarge, format, args...)
}

func tooManyEntries(limit int) error {
	return tooLarge("the archive has more than %d entries", limit)
}
