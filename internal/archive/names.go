package archive

import (
	"archive/zip"
	"encoding/binary"
	"hash/crc32"
	"path"
	"strconv"
	"strings"
	"unicode"
	"unicode/utf8"

	"golang.org/x/text/encoding/charmap"
	"golang.org/x/text/encoding/japanese"

	"plait/internal/core"
)

// The longest names that common file systems take, in bytes, and more folders in one another than chapters have.
const (
	maxNameBytes      = 1024
	maxComponentBytes = 255
	maxDepth          = 32
)

// imageExtensions are those of images, also of kinds that are not read: such a page fails alone and by name, where it
// would else stay untranslated in silence.
var imageExtensions = map[string]bool{
	".jpg": true, ".jpeg": true, ".jpe": true, ".jfif": true, ".png": true, ".webp": true, ".gif": true, ".bmp": true,
	".avif": true, ".heic": true, ".jxl": true, ".tif": true, ".tiff": true,
}

// IsPage reports whether a path names a page: an image by its extension that is not hidden. What lies in __MACOSX or
// begins with a dot is a note that an operating system left.
func IsPage(name string) bool {
	for component := range strings.SplitSeq(name, "/") {
		if strings.HasPrefix(component, ".") || component == "__MACOSX" {
			return false
		}
	}
	return imageExtensions[strings.ToLower(path.Ext(name))]
}

// maxSidecarBytes bounds a file that is no page: the longest ComicInfo.xml that is read.
const maxSidecarBytes = MaxComicInfo

// sidecarExtensions are those of files that go with pages: metadata (ComicInfo.xml, MetronInfo.xml, ACBF, OPF, JSON), notes,
// links, checksums, and what file managers leave (Thumbs.db, desktop.ini).
var sidecarExtensions = map[string]bool{
	".xml": true, ".acbf": true, ".opf": true, ".json": true, ".txt": true, ".nfo": true, ".md": true, ".url": true,
	".sfv": true, ".md5": true, ".db": true, ".ini": true,
}

// isSidecar reports whether an archive may hold a file that is no page: by its extension, or as a hidden file, see [IsPage].
func isSidecar(name string) bool {
	for component := range strings.SplitSeq(name, "/") {
		if strings.HasPrefix(component, ".") || component == "__MACOSX" {
			return true
		}
	}
	return sidecarExtensions[strings.ToLower(path.Ext(name))]
}

// IsComicInfo reports whether a path names the metadata of the chapter: ComicInfo.xml in the top folder.
func IsComicInfo(name string) bool { return strings.EqualFold(name, "ComicInfo.xml") }

// CheckName refuses, with CodeInvalidArchive, paths that are not valid UTF-8, leave their folder, are absolute, hold a
// backslash, a control character or an empty component, or are too long.
func CheckName(name string) error {
	switch {
	case name == "":
		return invalid("an entry has no name")
	case len(name) > maxNameBytes:
		return invalid("the name of entry %s is too long", quote(name))
	case !utf8.ValidString(name):
		return invalid("the name of entry %s is not valid text", quote(name))
	case strings.HasPrefix(name, "/"), len(name) > 1 && name[1] == ':' && isLetter(name[0]):
		return invalid("entry %s has an absolute name", quote(name))
	case strings.Count(name, "/") > maxDepth:
		return invalid("entry %s lies in more than %d folders", quote(name), maxDepth)
	case strings.ContainsRune(name, '\\'):
		return invalid("the name of entry %s holds a backslash", quote(name))
	case strings.ContainsFunc(name, core.IsUnprintable):
		return invalid("the name of entry %s holds a control character", quote(name))
	}
	for component := range strings.SplitSeq(name, "/") {
		switch {
		case component == "..":
			return invalid("entry %s lies outside of the archive", quote(name))
		case component == "", component == ".":
			return invalid("entry %s has an empty folder in its name", quote(name))
		case len(component) > maxComponentBytes:
			return invalid("the name of entry %s is too long", quote(name))
		}
	}
	return nil
}

func isLetter(c byte) bool { return c >= 'a' && c <= 'z' || c >= 'A' && c <= 'Z' }

// quote shows a name in a sentence: escaped, and not longer than a line.
func quote(name string) string {
	const longest = 80
	if len(name) > longest {
		name = strings.ToValidUTF8(name[:longest], "") + "…"
	}
	return strconv.Quote(name)
}

// entryName is the checked name of an entry, without the "./" that some packers put before and the "/" of a folder.
func entryName(f *zip.File) (string, error) {
	name := strings.TrimPrefix(decodeName(f), "./")
	if isFolder(f) {
		name = strings.TrimSuffix(name, "/")
	}
	if name == "" && isFolder(f) {
		return "", nil // "./", the folder itself
	}
	return name, CheckName(name)
}

// decodeName reads the bytes of a name as text. What cannot be text at all is left for CheckName to refuse.
func decodeName(f *zip.File) string {
	const utf8Flag = 1 << 11 // APPNOTE 4.4.4
	if utf8.ValidString(f.Name) || f.Flags&utf8Flag != 0 {
		return f.Name
	}
	if name, ok := unicodePath(f); ok {
		return name
	}
	if name, err := japanese.ShiftJIS.NewDecoder().String(f.Name); err == nil && isJapanese(name) {
		return name
	}
	name, err := charmap.CodePage437.NewDecoder().String(f.Name)
	if err != nil {
		return f.Name
	}
	return name
}

// unicodePath reads Info-ZIP's extra field 0x7075: version 1, the CRC-32 of the stored name, and the name in UTF-8
// (APPNOTE 4.6.9).
func unicodePath(f *zip.File) (string, bool) {
	for extra := f.Extra; len(extra) >= 4; {
		id, size := binary.LittleEndian.Uint16(extra), int(binary.LittleEndian.Uint16(extra[2:]))
		if 4+size > len(extra) {
			break
		}
		field := extra[4 : 4+size]
		if id == 0x7075 && size > 5 && field[0] == 1 &&
			binary.LittleEndian.Uint32(field[1:]) == crc32.ChecksumIEEE([]byte(f.Name)) && utf8.Valid(field[5:]) {
			return string(field[5:]), true
		}
		extra = extra[4+size:]
	}
	return "", false
}

// isJapanese reports whether a decoded name has full-width Japanese in it and nothing that failed to decode. Half-width
// kana do not count: they are what Latin letters with accents look like in Shift_JIS.
func isJapanese(name string) bool {
	found := false
	for _, r := range name {
		switch {
		case r == utf8.RuneError:
			return false
		case r >= 0xff61 && r <= 0xff9f:
		case unicode.In(r, unicode.Hiragana, unicode.Katakana, unicode.Han):
			found = true
		}
	}
	return found
}
