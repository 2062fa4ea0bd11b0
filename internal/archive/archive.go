// Package archive reads and writes chapters as ZIP files (CBZ). Archives come from strangers.
//
// # Reading
//
// [Open] reads the directory of an archive and refuses it as a whole, with CodeInvalidArchive or CodeTooLarge and a
// sentence that names the entry, when anything in it could harm whoever unpacks it or is not what it seems: names that
// leave the folder, that are the same name for some file system, or that no file system takes; links and devices;
// encryption; data that overlap or lie outside the file; sizes, counts or ratios over the [Limits]. Nothing is unpacked
// for that. Declared sizes may lie, so a reader of an entry ends with an error as soon as it has given one byte more
// than declared; the declared sizes were summed up before.
//
// Besides pages an archive holds only files that go with them, of 4 MiB at most: metadata (.xml, .acbf, .opf, .json), notes (.txt,
// .nfo, .md), links (.url), checksums (.sfv, .md5), and what systems leave (hidden files, __MACOSX, .db, .ini). Folders are not entries: they exist by the
// names in them.
//
// # Names
//
// A ZIP names its entries in bytes. They are read as UTF-8 where they are UTF-8, whether flagged so or not, by the
// Unicode path that some packers add, or else as Shift_JIS where that gives Japanese, and as CP437, the format's old
// default, otherwise. [Entry.Raw] keeps the bytes as stored. All rules for names hold for the name that was read.
//
// # Writing
//
// [Write] streams files into an archive whose bytes depend on nothing but the files: fixed times, no owner, UTF-8 names.
package archive

import (
	"archive/zip"
	"errors"
	"io"
	"slices"

	"plait/internal/core"
)

// Limits bounds what is read. A field that is zero or less takes its default.
type Limits struct {
	// MaxEntries is the largest number of files and folders, a million at most. Defaults to 10,000.
	MaxEntries int
	// MaxEntryBytes is the largest unpacked size of an entry. Defaults to 256 MiB.
	MaxEntryBytes int64
	// MaxTotalBytes is the largest sum of unpacked sizes. Defaults to 4 GiB.
	MaxTotalBytes int64
	// MaxRatio is the largest unpacked size of an entry in units of its packed size, and of all entries in units of the
	// archive's. Small ones are exempt: see ratioExempt. Defaults to 200; deflate can reach 1032.
	MaxRatio int64
}

// DefaultLimits are the limits of a chapter.
func DefaultLimits() Limits {
	return Limits{MaxEntries: 10_000, MaxEntryBytes: 256 << 20, MaxTotalBytes: 4 << 30, MaxRatio: 200}
}

// ratioExempt is the unpacked size up to which any ratio is fine: an empty page as BMP shrinks a thousandfold.
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
	// Size is the declared unpacked size in bytes; reading gives exactly as many, or fails.
	Size int64
	// Page is true when the entry is an image by its name: see [IsPage].
	Page bool
}

// Archive is an opened archive. It is safe for concurrent use as far as its io.ReaderAt is.
type Archive struct {
	entries []Entry
	files   map[string]*zip.File
}

// Open reads and checks the directory of the archive in r, which has size bytes. It fails with CodeInvalidArchive, with
// CodeTooLarge when a count or a size is over its limit, or with CodeUnavailable when r itself fails.
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
		return nil, invalid("the archive holds no pages")
	}
	return a, nil
}

// Entries are the files in the order of the archive.
func (a *Archive) Entries() []Entry { return slices.Clone(a.entries) }

// Open reads an entry by its Name. The reader gives exactly the declared number of bytes with the declared checksum, or
// fails: with CodeInvalidArchive when the entry is damaged, after what is whole of it, and with CodeUnavailable when the
// archive's own io.ReaderAt fails. A name that the archive does not have is CodeNotFound.
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

// entryReader ends with an error after the declared size, whatever the packed data would go on to give.
type entryReader struct {
	r    io.ReadCloser
	name string
	left int64
}

func (e *entryReader) Read(b []byte) (int, error) {
	if e.left < 0 {
		return 0, invalid("entry %s is larger than declared", quote(e.name))
	}
	if int64(len(b))-1 > e.left { // one more, to notice what is too much
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

// Close may give the error of reading once more.
func (e *entryReader) Close() error {
	if err := e.r.Close(); err != nil {
		return entryError(e.name, err)
	}
	return nil
}

// entryError tells damage from a fault of the storage below.
func entryError(name string, err error) error {
	switch {
	case core.CodeOf(err) == core.CodeUnavailable:
		return err
	case errors.Is(err, zip.ErrChecksum):
		return invalid("entry %s is damaged: its checksum is wrong", quote(name))
	case errors.Is(err, zip.ErrAlgorithm):
		return invalid("entry %s is packed by a method that is not read", quote(name))
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
