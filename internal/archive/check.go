package archive

import (
	"archive/zip"
	"cmp"
	"io/fs"
	"slices"

	"plait/internal/core"
)

// checker checks entries one by one (entry), and then all together (ratio, overlaps).
type checker struct {
	limits Limits
	size   int64 // of the archive, in bytes
	total  int64 // unpacked bytes of the entries checked so far
	spans  []span
}

// span is the byte range of the packed data of an entry in the archive.
type span struct {
	from, to int64
	name     string
}

func (c *checker) entry(name string, f *zip.File) error {
	const encrypted, strongEncrypted = 1 << 0, 1 << 6 // APPNOTE 4.4.4
	if f.Flags&(encrypted|strongEncrypted) != 0 {
		return invalid("entry %s is encrypted", quote(name))
	}
	if kind := f.Mode() & fs.ModeType; kind != 0 && kind != fs.ModeDir {
		return invalid("entry %s is a link or a device", quote(name))
	}
	if isFolder(f) {
		return nil
	}
	if f.Method != zip.Store && f.Method != zip.Deflate {
		return invalid("entry %s uses compression method %d; only 0 (stored) and 8 (deflated) are supported", quote(name), f.Method)
	}
	unpacked, packed := f.UncompressedSize64, f.CompressedSize64
	if !IsPage(name) {
		if !isSidecar(name) {
			return invalid("entry %s is neither a page nor a file that accompanies pages", quote(name))
		}
		if unpacked > maxSidecarBytes {
			return tooLarge("entry %s has %d bytes; %d are allowed for a file that is not a page", quote(name), unpacked, int64(maxSidecarBytes))
		}
	}
	if unpacked > uint64(c.limits.MaxEntryBytes) {
		return tooLarge("entry %s has %d bytes; %d are allowed", quote(name), unpacked, c.limits.MaxEntryBytes)
	}
	if int64(unpacked) > c.limits.MaxTotalBytes-c.total {
		return tooLarge("the archive unpacks to more than %d bytes", c.limits.MaxTotalBytes)
	}
	c.total += int64(unpacked)
	if unpacked > ratioExempt && unpacked/uint64(c.limits.MaxRatio) > packed {
		return invalid("entry %s unpacks to more than %d times its size", quote(name), c.limits.MaxRatio)
	}
	if f.Method == zip.Store && packed != unpacked {
		return invalid("entry %s is stored, but its two sizes differ", quote(name))
	}
	from, err := f.DataOffset()
	switch {
	case core.CodeOf(err) == core.CodeUnavailable:
		return err
	case err != nil:
		return core.Wrap(core.CodeInvalidArchive, err, "entry "+quote(name)+" has no header at the offset in the directory")
	}
	if packed > uint64(c.size) || from+int64(packed) > c.size {
		return invalid("the archive is truncated in entry %s", quote(name))
	}
	if packed > 0 {
		c.spans = append(c.spans, span{from: from, to: from + int64(packed), name: name})
	}
	return nil
}

// ratio refuses an archive whose total compression ratio is too high, even if that of each entry is allowed.
func (c *checker) ratio() error {
	if c.total > ratioExempt && c.total/c.limits.MaxRatio > c.size {
		return invalid("the archive unpacks to more than %d times its size", c.limits.MaxRatio)
	}
	return nil
}

// overlaps refuses entries that share packed data: a ZIP bomb can unpack one block of data many times.
func (c *checker) overlaps() error {
	slices.SortFunc(c.spans, func(a, b span) int { return cmp.Compare(a.from, b.from) })
	for i := 1; i < len(c.spans); i++ {
		if before, s := c.spans[i-1], c.spans[i]; s.from < before.to {
			return invalid("entries %s and %s share their data", quote(before.name), quote(s.name))
		}
	}
	return nil
}
