package picture

import (
	"bytes"

	"plait/internal/core"
)

// Probe checks the structure of a file and describes it without decoding pixels. Its memory does not grow with the size of the image. It
// ignores bytes after the end of the image, as every viewer does.
//
// It fails with CodeInvalidImage (no image, truncated, damaged, or of an unsupported kind), CodeImageTooLarge (pixels) or CodeTooLarge
// (bytes).
func Probe(b []byte, l Limits) (Info, error) {
	l = l.orDefaults()
	if len(b) == 0 {
		return Info{}, invalid("the file is empty")
	}
	if int64(len(b)) > l.MaxBytes {
		return Info{}, core.Errorf(core.CodeTooLarge, "the image has %d bytes; %d are allowed", len(b), l.MaxBytes)
	}
	for _, k := range known {
		if k.matches(b) {
			if k.probe == nil {
				return Info{}, invalid("%s is not read; send JPEG, PNG, WebP, GIF or BMP", k.name)
			}
			return k.probe(b, l)
		}
	}
	return Info{}, invalid("the file is not an image: it begins with none of the marks of JPEG, PNG, WebP, GIF or BMP")
}

// signature identifies a format by its first bytes. A format without a probe is recognized but not read.
type signature struct {
	name    string
	matches func([]byte) bool
	probe   func([]byte, Limits) (Info, error)
}

var known = []signature{
	{"JPEG", prefix("\xff\xd8\xff"), probeJPEG},
	{"PNG", prefix(pngSignature), probePNG},
	{"WebP", func(b []byte) bool {
		return len(b) >= 12 && bytes.HasPrefix(b, []byte("RIFF")) && string(b[8:12]) == "WEBP"
	}, probeWebP},
	{"GIF", prefix("GIF8"), probeGIF},
	{"BMP", prefix("BM"), probeBMP},
	{"AVIF", brand("avif", "avis"), nil},
	{"HEIC", brand("heic", "heix", "hevc", "heim", "heis", "mif1", "msf1"), nil},
	{"JPEG XL", prefix("\xff\x0a"), nil},
	{"JPEG XL", prefix("\x00\x00\x00\x0cJXL \r\n\x87\n"), nil},
	{"JPEG 2000", prefix("\x00\x00\x00\x0cjP  \r\n\x87\n"), nil},
	{"TIFF", prefix("II*\x00"), nil},
	{"TIFF", prefix("MM\x00*"), nil},
	{"PDF", prefix("%PDF-"), nil},
}

func prefix(mark string) func([]byte) bool {
	return func(b []byte) bool { return bytes.HasPrefix(b, []byte(mark)) }
}

// brand matches files of the ISO base media family by their major brand (ISO/IEC 14496-12, 4.3).
func brand(brands ...string) func([]byte) bool {
	return func(b []byte) bool {
		if len(b) < 12 || string(b[4:8]) != "ftyp" {
			return false
		}
		for _, name := range brands {
			if string(b[8:12]) == name {
				return true
			}
		}
		return false
	}
}
