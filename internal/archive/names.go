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

// The longest paths and names that common file systems accept, in bytes, and a nesting of folders deeper than chapters have.
const (
	maxNameBytes      = 1024
	maxComponentBytes = 255
	maxDepth          = 32
)

// imageExtensions are the extensions of images, including formats that Plait does not read: such a page then fails with its name,
// instead of staying untranslated without notice.
var imageExtensions = map[string]bool{
	".jpg": true, ".jpeg": true, ".jpe": true, ".jfif": true, ".png": true, ".webp": true, ".gif": true, ".bmp": true,
	".avif": true, ".heic": true, ".jxl": true, ".tif": true, ".tiff": true,
}

// IsPage reports whether a path is that of a page: its extension is that of an image, no component begins with a dot, and no component
// is __MACOSX. Operating systems add the latter two.
func IsPage(name string) bool {
	for component := range strings.SplitSeq(name, "/") {
		if strings.HasPrefix(component, ".") || component == "__MACOSX" {
			return false
		}
	}
	return imageExtensions[strings.ToLower(path.Ext(name))]
}

// maxSidecarBytes bounds the size of a file that is not a page. It is the size of the longest ComicInfo.xml that can be edited.
const maxSidecarBytes = MaxComicInfo

// sidecarExtensions are the extensions of files that accompany pages: metadata (ComicInfo.xml, MetronInfo.xml, ACBF, OPF, JSON), notes,
// links, checksums, and files that file managers add (Thumbs.db, desktop.ini).
var sidecarExtensions = map[string]bool{
	".xml": true, ".acbf": true, ".opf": true, ".json": true, ".txt": true, ".nfo": true, ".md": true, ".url": true,
	".sfv": true, ".md5": true, ".db": true, ".ini": true,
}

// isSidecar reports whether an archive may contain a file that is not a page: because of its extension, or because an operating system
// adds such files (see [IsPage]).
func isSidecar(name string) bool {
	for component := range strings.SplitSeq(name, "/") {
		if strings.HasPrefix(component, ".") || component == "__MACOSX" {
			return true
		}
	}
	return sidecarExtensions[strings.ToLower(path.Ext(name))]
}

// IsComicInfo reports whether a path is that of the chapter's metadata: ComicInfo.xml in the top folder.
func IsComicInfo(name string) bool { return strings.EqualFold(name, "ComicInfo.xml") }

// CheckName fails, with CodeInvalidArchive, for a path that is not valid UTF-8, leaves its folder, is absolute, contains a backslash, a
// control character or an empty component, or is too long.
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
		return invalid("entry %s is nested in more than %d folders", quote(name), maxDepth)
	case strings.ContainsRune(name, '\\'):
		return invalid("the name of entry %s contains a backslash", quote(name))
	case strings.ContainsFunc(name, core.IsUnprintable):
		return invalid("the name of entry %s contains a control character", quote(name))
	}
	for component := range strings.SplitSeq(name, "/") {
		switch {
		case component == "..":
			return invalid("the name of entry %s leads outside of the archive", quote(name))
		case component == "", component == ".":
			return invalid("entry %s has an empty folder in its name", quote(name))
		case len(component) > maxComponentBytes:
			return invalid("the name of entry %s is too long", quote(name))
		}
	}
	return nil
}

func isLetter(c byte) bool { return c >= 'a' && c <= 'z' || c >= 'A' && c <= 'Z' }

// quote returns a name for use in a message: quoted, escaped, and truncated to 80 bytes.
func quote(name string) string {
	const longest = 80
	if len(name) > longest {
		name = strings.ToValidUTF8(name[:longest], "") + "…"
	}
	return strconv.Quote(name)
}

// entryName returns the decoded and checked name of an entry, without the leading "./" that some packers write and without the final
// "/" of a folder.
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

// decodeName decodes the bytes of a name, as the package comment says. CheckName refuses a name that it cannot decode.
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

// unicodePath returns the name in Info-ZIP's extra field 0x7075, which has version 1, the CRC-32 of the stored name, and the name in
// UTF-8 (APPNOTE 4.6.9).
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

// isJapanese reports whether a decoded name contains full-width Japanese characters and nothing that failed to decode. Half-width kana
// do not count, because accented Latin letters of other encodings decode to them.
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

// FileName is a title as the name of a file without its extension, which every file system accepts. A title of which nothing is left is
// replaced by another one.
func FileName(title, instead string) string {
	name := strings.Map(func(r rune) rune {
		if strings.ContainsRune(`/\:*?"<>|`, r) || r < ' ' || r == 0x7f {
			return '_'
		}
		return r
	}, title)
	if strings.Trim(name, "._ ") == "" {
		return instead
	}
	return name
}
