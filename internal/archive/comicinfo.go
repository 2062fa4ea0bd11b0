package archive

import (
	"bytes"
	"encoding/binary"
	"encoding/xml"
	"errors"
	"io"
	"strings"
	"unicode/utf16"

	"plait/internal/core"
)

// MaxComicInfo is the largest ComicInfo.xml that SetLanguage accepts, in bytes. One with a thousand annotated pages has 100 KB.
const MaxComicInfo = 4 << 20

const (
	comicInfoRoot     = "ComicInfo"
	comicInfoLanguage = "LanguageISO"
)

// SetLanguage returns a copy of a ComicInfo.xml, in UTF-8 or UTF-16, whose element LanguageISO is lang. It adds the element at the end
// if it is missing. All other bytes stay the same: byte order mark, comments, unknown elements, line ends. Entities are not expanded,
// so that a document cannot use them to exhaust memory.
//
// Errors: CodeInvalidInput when the bytes are not a ComicInfo.xml; CodeTooLarge when there are more than [MaxComicInfo].
func SetLanguage(comicInfoXML []byte, lang string) ([]byte, error) {
	if len(comicInfoXML) > MaxComicInfo {
		return nil, tooLarge("ComicInfo.xml has %d bytes; %d are allowed", len(comicInfoXML), MaxComicInfo)
	}
	if order := utf16Order(comicInfoXML); order != nil {
		text, err := fromUTF16(comicInfoXML, order)
		if err != nil {
			return nil, err
		}
		edited, err := setLanguage(text, lang)
		if err != nil {
			return nil, err
		}
		return toUTF16(edited, order), nil
	}
	return setLanguage(comicInfoXML, lang)
}

// edit replaces the bytes from..to (exclusive) of a document with text.
type edit struct {
	from, to int
	text     string
}

func setLanguage(doc []byte, lang string) ([]byte, error) {
	edits, err := languageEdits(doc, escape(lang))
	if err != nil {
		return nil, err
	}
	var out []byte
	at := 0
	for _, e := range edits {
		out = append(append(out, doc[at:e.from]...), e.text...)
		at = e.to
	}
	return append(out, doc[at:]...), nil
}

func escape(text string) string {
	var b strings.Builder
	_ = xml.EscapeText(&b, []byte(text)) // writing to a Builder never fails
	return b.String()
}

// comicInfoScan visits the tags of a document with their byte offsets, and collects the edits.
type comicInfoScan struct {
	doc   []byte
	lang  string
	open  []string // the names of the open elements, with their prefixes
	start int      // offset of the content of the language element; -1 if it is self-closing
	edits []edit
	found bool // the language element was found
	done  bool // the root element has ended
}

func languageEdits(doc []byte, lang string) ([]edit, error) {
	d := xml.NewDecoder(bytes.NewReader(doc))
	d.Strict = false // do not fail on unknown entities
	// A document that declares another encoding is read as UTF-8, and fails at the first invalid byte.
	d.CharsetReader = func(_ string, r io.Reader) (io.Reader, error) { return r, nil }
	s := &comicInfoScan{doc: doc, lang: lang}
	for {
		from := int(d.InputOffset())
		token, err := d.RawToken()
		if errors.Is(err, io.EOF) {
			break
		}
		if err != nil {
			return nil, notComicInfo("it is not XML")
		}
		to := int(d.InputOffset())
		switch t := token.(type) {
		case xml.StartElement:
			err = s.startElement(t.Name, from, to)
		case xml.EndElement:
			err = s.endElement(t.Name, from, to)
		}
		if err != nil {
			return nil, err
		}
	}
	if !s.done {
		return nil, notComicInfo("it has no complete root element")
	}
	return s.edits, nil
}

func (s *comicInfoScan) startElement(name xml.Name, from, to int) error {
	if len(s.open) == 0 && (s.done || name.Local != comicInfoRoot) {
		return notComicInfo("its root element is not " + comicInfoRoot)
	}
	s.open = append(s.open, qualified(name))
	if len(s.open) != 2 || name.Local != comicInfoLanguage {
		if s.selfClosing(from, to) && len(s.open) == 1 { // <ComicInfo/>
			tag := qualified(name)
			s.found = true
			s.edits = append(s.edits, edit{to - 2, to, ">" + s.element(tag) + "</" + tag + ">"})
		}
		return nil
	}
	s.found = true
	s.start = to
	if s.selfClosing(from, to) {
		s.edits = append(s.edits, edit{to - 2, to, ">" + s.lang + "</" + qualified(name) + ">"})
		s.start = -1
	}
	return nil
}

func (s *comicInfoScan) endElement(name xml.Name, from, _ int) error {
	if len(s.open) == 0 || s.open[len(s.open)-1] != qualified(name) {
		return notComicInfo("its tags do not match")
	}
	if len(s.open) == 2 && name.Local == comicInfoLanguage && s.start >= 0 {
		s.edits = append(s.edits, edit{s.start, from, s.lang})
	}
	s.open = s.open[:len(s.open)-1]
	if len(s.open) > 0 {
		return nil
	}
	s.done = true
	if !s.found {
		s.insertBefore(from, qualified(name))
	}
	return nil
}

// insertBefore inserts the language element before the end tag of the root, which starts at offset at. If that tag has its own line,
// the element gets its own line too.
func (s *comicInfoScan) insertBefore(at int, root string) {
	lineEnd := at
	for lineEnd > 0 && (s.doc[lineEnd-1] == ' ' || s.doc[lineEnd-1] == '\t') {
		lineEnd--
	}
	if lineEnd == 0 || s.doc[lineEnd-1] != '\n' {
		s.edits = append(s.edits, edit{at, at, s.element(root)})
		return
	}
	newline := "\n"
	if lineEnd > 1 && s.doc[lineEnd-2] == '\r' {
		newline = "\r\n"
	}
	indent := string(s.doc[lineEnd:at])
	s.edits = append(s.edits, edit{lineEnd, lineEnd, indent + "  " + s.element(root) + newline})
}

// element returns the language element with the namespace prefix of the root.
func (s *comicInfoScan) element(root string) string {
	name := strings.TrimSuffix(root, comicInfoRoot) + comicInfoLanguage
	return "<" + name + ">" + s.lang + "</" + name + ">"
}

// selfClosing reports whether the tag at from..to ends in "/>". The decoder then reports an end tag of zero length.
func (s *comicInfoScan) selfClosing(from, to int) bool {
	return to-from >= 2 && s.doc[to-2] == '/' && s.doc[to-1] == '>'
}

func qualified(name xml.Name) string {
	if name.Space == "" {
		return name.Local
	}
	return name.Space + ":" + name.Local
}

func notComicInfo(why string) error {
	return core.NewError(core.CodeInvalidInput, "ComicInfo.xml cannot be read: "+why)
}

func utf16Order(b []byte) binary.ByteOrder {
	switch {
	case bytes.HasPrefix(b, []byte{0xff, 0xfe}):
		return binary.LittleEndian
	case bytes.HasPrefix(b, []byte{0xfe, 0xff}):
		return binary.BigEndian
	default:
		return nil
	}
}

// fromUTF16 converts b to UTF-8, with the byte order mark as the first character. It fails if toUTF16 would not restore the same bytes.
func fromUTF16(b []byte, order binary.ByteOrder) ([]byte, error) {
	if len(b)%2 != 0 {
		return nil, notComicInfo("it is truncated")
	}
	units := make([]uint16, len(b)/2)
	for i := range units {
		units[i] = order.Uint16(b[2*i:])
	}
	text := []byte(string(utf16.Decode(units)))
	if !bytes.Equal(toUTF16(text, order), b) {
		return nil, notComicInfo("it is not valid UTF-16")
	}
	return text, nil
}

func toUTF16(text []byte, order binary.ByteOrder) []byte {
	units := utf16.Encode([]rune(string(text)))
	b := make([]byte, 2*len(units))
	for i, u := range units {
		order.PutUint16(b[2*i:], u)
	}
	return b
}
