package script

import (
	"bytes"
	"fmt"
	"strconv"
	"strings"
	"unicode"
	"unicode/utf8"

	utf16 "golang.org/x/text/encoding/unicode"

	"plait/internal/core"
)

// Bounds of a script. Whatever an engine reads on a page can be exported and parsed again: a page of small print is one region with 6,000
// characters. Only MaxBytes bounds the source of a region, which is compared by its beginning.
const (
	MaxBytes       = 16 << 20
	MaxPages       = 10_000
	MaxPageRegions = 2_000
	// MaxTranslationRunes is in characters.
	MaxTranslationRunes = 50_000
	maxNameRunes        = 1_024
)

// Parse reads a script, as JSON or CSV by its first character. It fails with CodeInvalidScript, naming the line or the field, and with
// CodeTooLarge.
func Parse(b []byte) (*File, error) {
	if len(b) > MaxBytes {
		return nil, core.Errorf(core.CodeTooLarge, "the script is larger than %d MB", MaxBytes>>20)
	}
	b, err := toUTF8(b)
	if err != nil {
		return nil, err
	}
	start := bytes.TrimLeft(b, " \t\r\n")
	if len(start) == 0 {
		return nil, invalid("the script is empty")
	}
	if start[0] == '{' || start[0] == '[' {
		return parseJSON(b)
	}
	return parseCSV(b)
}

// toUTF8 removes the byte order mark, and decodes UTF-16, in which Excel writes "Unicode text". Other encodings have no mark to detect
// them by.
func toUTF8(b []byte) ([]byte, error) {
	b, marked := bytes.CutPrefix(b, []byte("\xEF\xBB\xBF"))
	if !marked && (bytes.HasPrefix(b, []byte("\xFF\xFE")) || bytes.HasPrefix(b, []byte("\xFE\xFF"))) {
		decoded, err := utf16.UTF16(utf16.LittleEndian, utf16.UseBOM).NewDecoder().Bytes(b)
		if err != nil {
			return nil, invalid("the script is not valid UTF-16")
		}
		return decoded, nil
	}
	if !utf8.Valid(b) {
		return nil, invalid("the script is not UTF-8; in a spreadsheet, save it as \"CSV UTF-8\"")
	}
	return b, nil
}

func invalid(format string, args ...any) error {
	return core.Errorf(core.CodeInvalidScript, format, args...)
}

// checkRegion validates a region; where is its place in the file, for the error.
func checkRegion(where string, r Region) error {
	switch {
	case r.Region != nil && *r.Region < 0:
		return invalid("%s: region is negative", where)
	case r.Region == nil && r.Source == "":
		return invalid("%s: region and source are both empty; one is needed to find the place", where)
	}
	if err := checkText(where, "source", r.Source, MaxBytes); err != nil {
		return err
	}
	return checkText(where, "translation", r.Translation, MaxTranslationRunes)
}

func checkPageName(where, name string) error {
	if name == "" {
		return invalid("%s: page is empty", where)
	}
	return checkText(where, "page", name, maxNameRunes)
}

// checkText bounds a text, and refuses characters that a database cannot store and no font draws.
func checkText(where, field, text string, limit int) error {
	switch {
	case utf8.RuneCountInString(text) > limit:
		return invalid("%s: %s is longer than %d characters", where, field, limit)
	case strings.IndexFunc(text, isForbidden) >= 0:
		return invalid("%s: %s holds a control character", where, field)
	}
	return nil
}

func isForbidden(r rune) bool { return unicode.IsControl(r) && r != '\n' && r != '\t' }

// ParseEdits returns the script of one page whose texts are given as REGION=TEXT, such as 3=Look out!; an empty text restores the
// original lettering.
func ParseEdits(page string, texts []string) (*File, error) {
	p := Page{Page: page}
	for _, edit := range texts {
		number, text, found := strings.Cut(edit, "=")
		region, err := strconv.Atoi(number)
		if !found || err != nil || region < 0 {
			return nil, fmt.Errorf("%q is not REGION=TEXT, such as 3='Look out!'", edit)
		}
		p.Regions = append(p.Regions, Region{Region: &region, Translation: text})
	}
	return &File{Pages: []Page{p}}, nil
}
