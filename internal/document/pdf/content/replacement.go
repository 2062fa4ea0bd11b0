package content

import (
	"bytes"
	"strings"

	"github.com/pdfcpu/pdfcpu/pkg/pdfcpu/types"
)

// replacement returns the text that the properties of a marked-content sequence have for its content, and whether they have that or a
// description.
func (f *frame) replacement(properties Operand) (text string, found bool) {
	if properties.Kind == Other {
		for i, o := range properties.List[:max(len(properties.List)-1, 0)] {
			if o.Kind != Name {
				continue
			}
			switch string(o.Text) {
			case "ActualText":
				text, found = textString(properties.List[i+1].Text), true
			case "Alt":
				found = true
			}
		}
		return text, found
	}
	d := f.dict(f.dict(f.stream.Resources, "Properties"), string(properties.Text))
	if o, actual := d.Find("ActualText"); actual {
		return f.textString(o), true
	}
	_, alternative := d.Find("Alt")
	return "", alternative
}

// textString reads a text string of the file.
func (f *frame) textString(o types.Object) string {
	o, err := f.objects.Dereference(o)
	if err != nil {
		return ""
	}
	switch s := o.(type) {
	case types.StringLiteral:
		b, err := types.Unescape(s.Value())
		if err == nil {
			return textString(b)
		}
	case types.HexLiteral:
		if b, err := s.Bytes(); err == nil {
			return textString(b)
		}
	}
	return ""
}

// textString decodes a text string (ISO 32000-2, section 7.9.2.2). It is empty for one with characters of PDFDocEncoding that are not those of
// Latin-1.
func textString(b []byte) string {
	if utf16be, ok := bytes.CutPrefix(b, []byte{0xFE, 0xFF}); ok {
		return decodeUTF16(utf16be)
	}
	if utf8, ok := bytes.CutPrefix(b, []byte{0xEF, 0xBB, 0xBF}); ok {
		return strings.ToValidUTF8(string(utf8), "")
	}
	runes := make([]rune, len(b))
	for i, c := range b {
		if c < 0x20 || c >= 0x7F && c < 0xA0 {
			return ""
		}
		runes[i] = rune(c)
	}
	return string(runes)
}
