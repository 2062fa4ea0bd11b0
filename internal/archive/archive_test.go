package archive_test

import (
	"archive/zip"
	"bytes"
	"compress/flate"
	"encoding/binary"
	"errors"
	"fmt"
	"hash/crc32"
	"io"
	"io/fs"
	"math"
	"strconv"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"plait/internal/archive"
	"plait/internal/core"
	"plait/internal/memory/memorytest"
)

func TestOpenListsEntriesAndPages(t *testing.T) {
	t.Parallel()
	b := newBuild(t).
		add("ComicInfo.xml", "<ComicInfo/>").
		add("ch 10/p2.JPG", "ten two").
		add("ch 2/", "").
		add("./ch 2/p10.png", "two ten").
		add("ch 2/p2.webp", "two once more").
		add("__MACOSX/ch 2/._p2.webp", "note").
		add("ch 2/.hidden.jpg", "hidden").
		bytes()
	a, err := open(b, archive.Limits{})
	require.NoError(t, err)
	require.Equal(t, []string{
		"ComicInfo.xml", "ch 10/p2.JPG", "ch 2/p10.png", "ch 2/p2.webp", "__MACOSX/ch 2/._p2.webp", "ch 2/.hidden.jpg",
	}, names(a.Entries()))
	require.Equal(t, []string{"ch 10/p2.JPG", "ch 2/p10.png", "ch 2/p2.webp"}, names(pages(a)))
	content, err := readAll(t, a, "ch 2/p10.png")
	require.NoError(t, err)
	require.Equal(t, "two ten", string(content))
	require.EqualValues(t, 7, pages(a)[1].Size)

	_, err = a.Open("ch 2/p3.png")
	requireCode(t, core.CodeNotFound, err, `"ch 2/p3.png"`)
}

func TestOpenRefusesNames(t *testing.T) {
	t.Parallel()
	for _, c := range []struct{ name, words string }{
		{"../up.jpg", "outside"},
		{"a/../../up.jpg", "outside"},
		{"/etc/page.jpg", "absolute"},
		{"C:/page.jpg", "absolute"},
		{"c:page.jpg", "absolute"},
		{`a\b.jpg`, "backslash"},
		{"a\x00.jpg", "control"},
		{"a\x1b[2J.jpg", "control"},
		{"gpj\u202e.exe.jpg", "control"},
		{"a//b.jpg", "empty folder"},
		{"a/./b.jpg", "empty folder"},
		{"..", "outside"},
		{strings.Repeat("a", 252) + ".jpg", "too long"},
		{strings.Repeat("a/", 600) + "a.jpg", "too long"},
		{strings.Repeat("a/", 40) + "a.jpg", "folders"},
		{"", "no name"},
	} {
		t.Run(c.name, func(t *testing.T) {
			t.Parallel()
			_, err := open(newBuild(t).add("1.jpg", "x").add(c.name, "x").bytes(), archive.Limits{})
			requireCode(t, core.CodeInvalidArchive, err, c.words)
		})
	}
}

func TestOpenRefusesNamesThatAreOne(t *testing.T) {
	t.Parallel()
	for name, c := range map[string]struct{ a, b, words string }{
		"same":                {"a.jpg", "a.jpg", "two entries"},
		"case":                {"A.jpg", "a.JPG", "two entries"},
		"case beyond ASCII":   {"STRASSE.jpg", "straße.jpg", "two entries"},
		"composition":         {"\u00e9.jpg", "e\u0301.jpg", "two entries"},
		"leading dot":         {"a.jpg", "./a.jpg", "two entries"},
		"file and folder":     {"a.jpg", "a.jpg/b.jpg", "a file and a folder"},
		"folder then file":    {"a.jpg/b.jpg", "A.JPG", "a file and a folder"},
		"folder of a folder":  {"a/b.jpg/c/d.jpg", "a/b.jpg", "a file and a folder"},
		"file, folder, named": {"a.jpg", "a.jpg/", "a file and a folder"},
		"folder, file, named": {"A.jpg/", "a.jpg", "a file and a folder"},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			_, err := open(newBuild(t).add(c.a, "").add(c.b, "").bytes(), archive.Limits{})
			requireCode(t, core.CodeInvalidArchive, err, c.words)
			for _, n := range []string{c.a, c.b} {
				requireCode(t, core.CodeInvalidArchive, err, strconv.Quote(strings.TrimSuffix(strings.TrimPrefix(n, "./"), "/")))
			}
		})
	}
}

func TestOpenRefusesKindsOfEntries(t *testing.T) {
	t.Parallel()
	header := func(change func(*zip.FileHeader)) []byte {
		h := &zip.FileHeader{Name: "1.jpg", Method: zip.Store, CRC32: crc32.ChecksumIEEE([]byte("x")), UncompressedSize64: 1, CompressedSize64: 1}
		change(h)
		return newBuild(t).addRaw(h, []byte("x")).bytes()
	}
	for name, c := range map[string]struct {
		file  []byte
		words string
	}{
		"symlink":      {header(func(h *zip.FileHeader) { h.SetMode(fs.ModeSymlink | 0o777) }), "link"},
		"device":       {header(func(h *zip.FileHeader) { h.SetMode(fs.ModeDevice) }), "device"},
		"encrypted":    {header(func(h *zip.FileHeader) { h.Flags |= 1 }), "encrypted"},
		"method":       {header(func(h *zip.FileHeader) { h.Method = 14 }), "method 14"},
		"stored sizes": {header(func(h *zip.FileHeader) { h.UncompressedSize64 = 2 }), "sizes differ"},
		"beyond end":   {header(func(h *zip.FileHeader) { h.UncompressedSize64, h.CompressedSize64 = 1<<20, 1<<20 }), "truncated"},
		"huge packed":  {header(func(h *zip.FileHeader) { h.Method, h.CompressedSize64 = zip.Deflate, 1<<63 }), "truncated"},
		"no page kind": {newBuild(t).add("1.jpg", "x").add("inner.zip", "PK").bytes(), "neither a page"},
		"no extension": {newBuild(t).add("1.jpg", "x").add("payload", "x").bytes(), "neither a page"},
		"no pages":     {newBuild(t).add("readme.txt", "x").bytes(), "no pages"},
		"empty":        {newBuild(t).bytes(), "no pages"},
		"not a zip":    {[]byte("<!doctype html>"), "not a ZIP"},
		"rar":          {[]byte("Rar!\x1a\x07\x00 and more"), "RAR (CBR) is not read"},
		"7z":           {[]byte("7z\xbc\xaf\x27\x1c\x00\x04"), "7z (CB7) is not read"},
		"no bytes":     {nil, "not a ZIP"},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			_, err := open(c.file, archive.Limits{})
			requireCode(t, core.CodeInvalidArchive, err, c.words)
		})
	}
}

func TestOpenHoldsLimits(t *testing.T) {
	t.Parallel()
	three := newBuild(t).add("1.jpg", "12345").add("2.jpg", "12345").add("3.jpg", "12345").bytes()
	for name, l := range map[string]archive.Limits{
		"entries": {MaxEntries: 2},
		"entry":   {MaxEntryBytes: 4},
		"total":   {MaxTotalBytes: 14},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			_, err := open(three, l)
			requireCode(t, core.CodeTooLarge, err, "")
		})
	}
	_, err := open(three, archive.Limits{MaxEntries: 3, MaxEntryBytes: 5, MaxTotalBytes: 15})
	require.NoError(t, err)
	_, err = open(three, archive.Limits{MaxEntries: math.MaxInt, MaxEntryBytes: math.MaxInt64, MaxTotalBytes: math.MaxInt64, MaxRatio: math.MaxInt64})
	require.NoError(t, err)

	huge := func(name string) *zip.FileHeader {
		return &zip.FileHeader{Name: name, Method: zip.Deflate, UncompressedSize64: math.MaxInt64, CompressedSize64: 1}
	}
	overflow := newBuild(t).addRaw(huge("1.jpg"), []byte("x")).addRaw(huge("2.jpg"), []byte("x")).bytes()
	_, err = open(overflow, archive.Limits{MaxEntryBytes: math.MaxInt64, MaxTotalBytes: math.MaxInt64, MaxRatio: math.MaxInt64})
	requireCode(t, core.CodeTooLarge, err, "unpacks to more")
}

func deflated(content []byte) []byte {
	var buf bytes.Buffer
	w, _ := flate.NewWriter(&buf, flate.BestCompression)
	_, _ = w.Write(content)
	_ = w.Close()
	return buf.Bytes()
}

func TestOpenRefusesBombs(t *testing.T) {
	t.Parallel()
	packed := deflated(make([]byte, 1<<10))
	h := &zip.FileHeader{Name: "1.bmp", Method: zip.Deflate, UncompressedSize64: 20 << 20, CompressedSize64: uint64(len(packed))}
	_, err := open(newBuild(t).addRaw(h, packed).bytes(), archive.Limits{})
	requireCode(t, core.CodeInvalidArchive, err, "200 times")
}

// Many entries, each small enough to be exempt from the ratio, make a bomb together.
func TestOpenRefusesABombOfSmallEntries(t *testing.T) {
	t.Parallel()
	packed := deflated(make([]byte, 15<<20))
	b := newBuild(t)
	for i := range 40 {
		h := &zip.FileHeader{Name: fmt.Sprintf("%d.bmp", i), Method: zip.Deflate, UncompressedSize64: 15 << 20, CompressedSize64: uint64(len(packed))}
		b.addRaw(h, packed)
	}
	_, err := open(b.bytes(), archive.Limits{})
	requireCode(t, core.CodeInvalidArchive, err, "the archive unpacks to more than 200 times its size")
}

func TestOpenBoundsWhatIsNoPage(t *testing.T) {
	t.Parallel()
	h := &zip.FileHeader{Name: "notes.txt", Method: zip.Deflate, UncompressedSize64: 5 << 20, CompressedSize64: 1 << 10}
	_, err := open(newBuild(t).add("1.jpg", "x").addRaw(h, make([]byte, 1<<10)).bytes(), archive.Limits{})
	requireCode(t, core.CodeTooLarge, err, `"notes.txt"`)
}

// If many directory entries refer to the same packed data, the archive unpacks to far more than its size.
func TestOpenRefusesSharedData(t *testing.T) {
	t.Parallel()
	b := newBuild(t).add("1.jpg", "page one").add("2.jpg", "page two").bytes()
	first := bytes.Index(b, []byte("PK\x01\x02"))
	second := first + 4 + bytes.Index(b[first+4:], []byte("PK\x01\x02"))
	copy(b[second+42:second+46], b[first+42:first+46]) // the offset of the local header
	_, err := open(b, archive.Limits{})
	requireCode(t, core.CodeInvalidArchive, err, "share")
}

func TestReadingRefusesLyingSizes(t *testing.T) {
	t.Parallel()
	content := make([]byte, 1<<20)
	packed := deflated(content)
	for name, declared := range map[string]uint64{"smaller": 10, "larger": 2 << 20} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			h := &zip.FileHeader{
				Name: "1.jpg", Method: zip.Deflate, CRC32: crc32.ChecksumIEEE(content),
				UncompressedSize64: declared, CompressedSize64: uint64(len(packed)),
			}
			a, err := open(newBuild(t).addRaw(h, packed).bytes(), archive.Limits{})
			require.NoError(t, err)
			got, err := readAll(t, a, "1.jpg")
			requireCode(t, core.CodeInvalidArchive, err, `"1.jpg"`)
			require.LessOrEqual(t, uint64(len(got)), declared)
		})
	}
}

func TestReadingRefusesDamage(t *testing.T) {
	t.Parallel()
	b := newBuild(t).addHeader(&zip.FileHeader{Name: "1.jpg", Method: zip.Store}, "the first page").bytes()
	at := bytes.Index(b, []byte("first"))
	b[at] = 'F'
	a, err := open(b, archive.Limits{})
	require.NoError(t, err)
	_, err = readAll(t, a, "1.jpg")
	requireCode(t, core.CodeInvalidArchive, err, "checksum")
}

// The limit applies to the entries in the directory, because the end record can declare any number.
func TestOpenBoundsTheDirectory(t *testing.T) {
	const declared = 1 << 18
	w := newBuild(t)
	for i := range 2000 {
		w.addRaw(&zip.FileHeader{Name: fmt.Sprintf("%d.jpg", i), Method: zip.Store}, nil)
	}
	one := w.bytes()
	start := bytes.Index(one, []byte("PK\x01\x02"))
	end := bytes.LastIndex(one, []byte("PK\x05\x06"))
	directory := bytes.Repeat(one[start:end], declared/2000)
	b := append(append(bytes.Clone(one[:start]), directory...), one[end:]...)
	record := b[len(b)-22:]
	binary.LittleEndian.PutUint16(record[8:], uint16(declared/2000*2000%65536))
	binary.LittleEndian.PutUint16(record[10:], uint16(declared/2000*2000%65536))
	binary.LittleEndian.PutUint32(record[12:], uint32(len(directory)))

	require.Less(t, memorytest.Allocated(func() {
		_, err := open(b, archive.Limits{MaxEntries: 1000})
		requireCode(t, core.CodeTooLarge, err, "1000 entries")
	}), uint64(16<<20))
}

// A failing disk must not be reported as a damaged archive.
func TestReadingTellsStorageFromArchive(t *testing.T) {
	t.Parallel()
	for name, method := range map[string]uint16{"stored": zip.Store, "deflated": zip.Deflate} {
		b := newBuild(t).addHeader(&zip.FileHeader{Name: "1.jpg", Method: method}, "the first page").bytes()
		disk := &failingDisk{ReaderAt: bytes.NewReader(b)}
		a, err := archive.Open(disk, int64(len(b)), archive.Limits{})
		require.NoError(t, err, name)
		disk.failed = true
		r, err := a.Open("1.jpg")
		if err == nil {
			_, err = io.ReadAll(r)
		}
		requireCode(t, core.CodeUnavailable, err, "storage")
	}
}

type failingDisk struct {
	io.ReaderAt
	failed bool
}

func (d *failingDisk) ReadAt(b []byte, off int64) (int, error) {
	if d.failed {
		return 0, errors.New("input/output error")
	}
	return d.ReaderAt.ReadAt(b, off)
}

func TestOpenTellsStorageFromArchive(t *testing.T) {
	t.Parallel()
	_, err := archive.Open(&failingDisk{failed: true}, 1000, archive.Limits{})
	requireCode(t, core.CodeUnavailable, err, "storage")
}

func TestTruncatedArchives(t *testing.T) {
	t.Parallel()
	b := newBuild(t).add("1.jpg", "page one").add("2.jpg", "page two").bytes()
	for n := range len(b) {
		_, err := open(b[:n], archive.Limits{})
		require.Equal(t, core.CodeInvalidArchive, core.CodeOf(err), "%d bytes: %v", n, err)
	}
}

func TestNames(t *testing.T) {
	t.Parallel()
	unicodePath := func(raw, name string) []byte {
		field := append([]byte{0x75, 0x70}, byte(5+len(name)), 0, 1)
		field = binary.LittleEndian.AppendUint32(field, crc32.ChecksumIEEE([]byte(raw)))
		return append(field, name...)
	}
	for name, c := range map[string]struct {
		header zip.FileHeader
		want   string
	}{
		"UTF-8":             {zip.FileHeader{Name: "第1話/表紙.jpg"}, "第1話/表紙.jpg"},
		"UTF-8 not flagged": {zip.FileHeader{Name: "第1話/表紙.jpg", NonUTF8: true}, "第1話/表紙.jpg"},
		// 表 ends in 0x5c, the backslash, in Shift_JIS.
		"Shift_JIS":    {zip.FileHeader{Name: "\x95\x5c\x8e\x86.jpg", NonUTF8: true}, "表紙.jpg"},
		"CP437":        {zip.FileHeader{Name: "caf\x82.jpg", NonUTF8: true}, "café.jpg"},
		"Unicode path": {zip.FileHeader{Name: "\xff\xfe.jpg", NonUTF8: true, Extra: unicodePath("\xff\xfe.jpg", "封面.jpg")}, "封面.jpg"},
		"stale path":   {zip.FileHeader{Name: "caf\x82.jpg", NonUTF8: true, Extra: unicodePath("other.jpg", "../x.jpg")}, "café.jpg"},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			h := c.header
			a, err := open(newBuild(t).addHeader(&h, "x").bytes(), archive.Limits{})
			require.NoError(t, err)
			require.Equal(t, []string{c.want}, names(a.Entries()))
			require.Equal(t, c.header.Name, string(a.Entries()[0].Raw))
			got, err := readAll(t, a, c.want)
			require.NoError(t, err)
			require.Equal(t, "x", string(got))
		})
	}
	hidden := unicodePath("\xff\xfe.jpg", "../x.jpg")
	_, err := open(newBuild(t).addHeader(&zip.FileHeader{Name: "\xff\xfe.jpg", NonUTF8: true, Extra: hidden}, "x").bytes(), archive.Limits{})
	requireCode(t, core.CodeInvalidArchive, err, "outside")
}
