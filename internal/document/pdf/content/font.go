package content

import (
	"strings"

	"github.com/pdfcpu/pdfcpu/pkg/pdfcpu/model"
	"github.com/pdfcpu/pdfcpu/pkg/pdfcpu/types"
)

// Font is a font of a page, as far as the file itself describes it.
type Font struct {
	// Name is the PostScript name without the prefix of a subset.
	Name string
	// Dict is the font dictionary, and Descriptor its descriptor; nil for a font without one.
	Dict, Descriptor types.Dict
	// Flags are those of the descriptor (ISO 32000-1, table 123).
	Flags int
	// Ascent and Descent are those of the descriptor in em; Descent is negative. They are 0 when the descriptor does not have them.
	Ascent, Descent float64
	// ToUnicode is nil for a font without one.
	ToUnicode *CMap
	// Vertical is set for a font that is written from top to bottom.
	Vertical bool
	// Uncertain is set for a font whose widths are those of character identifiers that this package cannot find: with a predefined CMap
	// other than Identity.
	Uncertain bool

	composite bool
	encoding  *CMap
	// variants are the codes of a simple font whose names in its encoding have a suffix.
	variants map[uint32]bool
	widths   map[uint32]float64
	missing  float64
	// scale converts a width to em: 1/1000, or that of the matrix of a Type 3 font.
	scale float64
}

// The flags of a font descriptor.
const (
	FlagFixed    = 1 << 0
	FlagSerif    = 1 << 1
	FlagSymbolic = 1 << 2
	FlagItalic   = 1 << 6
	FlagBold     = 1 << 18
)

// Glyph is one code of a shown string.
type Glyph struct {
	Code uint32
	// Bytes is the number of bytes of the code.
	Bytes int
	// Width is the advance in em, without spacing.
	Width float64
	// Space is set for the code 32 of one byte, to which word spacing applies.
	Space bool
}

// Glyphs divides a string into codes.
func (f *Font) Glyphs(text []byte) []Glyph {
	glyphs := make([]Glyph, 0, len(text))
	for len(text) > 0 {
		g := Glyph{Code: uint32(text[0]), Bytes: 1}
		if f.composite {
			g.Code, g.Bytes = f.encoding.next(text)
		}
		g.Space = g.Bytes == 1 && g.Code == ' '
		g.Width = f.width(g.Code) * f.scale
		glyphs = append(glyphs, g)
		text = text[g.Bytes:]
	}
	return glyphs
}

func (f *Font) width(code uint32) float64 {
	if f.composite {
		if cid, ok := f.encoding.cid(code); ok {
			code = cid
		}
	}
	if w, ok := f.widths[code]; ok {
		return w
	}
	return f.missing
}

// loader reads fonts, each once for a page.
type loader struct {
	objects *model.XRefTable
	fonts   map[string]*Font
}

// noFont is the font of a page that names one it does not have.
var noFont = &Font{scale: 0.001}

// load returns the font of that name in the resources.
func (l *loader) load(resources types.Dict, name string) *Font {
	fonts := l.dict(resources, "Font")
	o, found := fonts.Find(name)
	if !found {
		return noFont
	}
	key := "name " + name
	if ref, ok := o.(types.IndirectRef); ok {
		key = ref.String()
		if f := l.fonts[key]; f != nil {
			return f
		}
	}
	d, err := l.objects.DereferenceDict(o)
	if err != nil || d == nil {
		return noFont
	}
	f := l.read(d)
	if _, ok := o.(types.IndirectRef); ok {
		l.fonts[key] = f
	}
	return f
}

func (l *loader) dict(d types.Dict, key string) types.Dict {
	o, found := d.Find(key)
	if !found {
		return nil
	}
	sub, err := l.objects.DereferenceDict(o)
	if err != nil {
		return nil
	}
	return sub
}

func (l *loader) read(d types.Dict) *Font {
	f := &Font{Dict: d, scale: 0.001, widths: map[uint32]float64{}}
	if name := d.NameEntry("BaseFont"); name != nil {
		f.Name = withoutPrefix(*name)
	}
	described := d
	if subtype := d.NameEntry("Subtype"); subtype != nil {
		switch *subtype {
		case "Type0":
			described = l.composite(f, d)
		case "Type3":
			f.scale = l.glyphScale(d)
		}
	}
	f.Descriptor = l.dict(described, "FontDescriptor")
	l.describe(f)
	if !f.composite {
		l.simpleWidths(f, d)
		l.names(f, d)
	}
	if o, found := d.Find("ToUnicode"); found {
		if stream := l.stream(o); stream != nil {
			f.ToUnicode = ParseCMap(stream)
		}
	}
	return f
}

// withoutPrefix removes the six letters and the plus sign of a subset.
func withoutPrefix(name string) string {
	const prefix = 6
	if len(name) > prefix && name[prefix] == '+' && strings.ToUpper(name[:prefix]) == name[:prefix] {
		return name[prefix+1:]
	}
	return name
}

// boldWeight is the least /FontWeight of a bold face.
const boldWeight = 600

func (l *loader) describe(f *Font) {
	if f.Descriptor == nil {
		return
	}
	if flags := f.Descriptor.IntEntry("Flags"); flags != nil {
		f.Flags = *flags
	}
	if name := f.Descriptor.NameEntry("FontName"); name != nil && f.Name == "" { // a Type 3 font has no other
		f.Name = withoutPrefix(*name)
	}
	if l.number(f.Descriptor, "FontWeight") >= boldWeight {
		f.Flags |= FlagBold
	}
	if l.number(f.Descriptor, "ItalicAngle") != 0 {
		f.Flags |= FlagItalic
	}
	f.Ascent, f.Descent = l.number(f.Descriptor, "Ascent")/1000, l.number(f.Descriptor, "Descent")/1000
	if !f.composite { // it has /DW
		f.missing = l.number(f.Descriptor, "MissingWidth")
	}
}

func (l *loader) number(d types.Dict, key string) float64 {
	o, found := d.Find(key)
	if !found {
		return 0
	}
	n, err := l.objects.DereferenceNumber(o)
	if err != nil {
		return 0
	}
	return n
}

// glyphScale is the width of one unit of a Type 3 font in em.
func (l *loader) glyphScale(d types.Dict) float64 {
	o, found := d.Find("FontMatrix")
	if !found {
		return 0.001
	}
	a, err := l.objects.DereferenceArray(o)
	if err != nil || len(a) == 0 {
		return 0.001
	}
	n, err := l.objects.DereferenceNumber(a[0])
	if err != nil || n == 0 {
		return 0.001
	}
	return n
}

func (l *loader) simpleWidths(f *Font, d types.Dict) {
	o, found := d.Find("Widths")
	if !found {
		l.standardWidths(f, d)
		return
	}
	list, err := l.objects.DereferenceArray(o)
	if err != nil {
		return
	}
	first := int(l.number(d, "FirstChar"))
	for i, w := range list {
		if n, err := l.objects.DereferenceNumber(w); err == nil && first+i >= 0 && first+i < 256 {
			f.widths[uint32(first+i)] = n
		}
	}
}

// Variant reports whether the encoding of a simple font gives a code a name with a suffix, such as one.oldstyle and noteheads.s2. A glyph of such
// a name is a form of a character that the name says, or else of none.
func (f *Font) Variant(code uint32) bool { return f.variants[code] }

// names reads which names of the encoding of a simple font have a suffix.
func (l *loader) names(f *Font, d types.Dict) {
	f.variants = map[uint32]bool{}
	l.differences(d, func(code uint32, name string) { f.variants[code] = strings.LastIndexByte(name, '.') > 0 })
}

// differences calls use for each code to which the encoding of a simple font gives a name.
func (l *loader) differences(d types.Dict, use func(code uint32, name string)) {
	list, err := l.objects.DereferenceArray(l.dict(d, "Encoding")["Differences"])
	if err != nil {
		return
	}
	code := -1
	for _, o := range list {
		switch o, _ = l.objects.Dereference(o); o := o.(type) {
		case types.Integer:
			code = o.Value()
		case types.Name:
			if code >= 0 && code < 256 {
				use(uint32(code), o.Value())
			}
			code++
		}
	}
}

// composite reads the parts of a Type 0 font, and returns its descendant.
func (l *loader) composite(f *Font, d types.Dict) types.Dict {
	f.composite, f.encoding = true, &CMap{spaces: []codeSpace{{0, 0xffff, 2}}}
	l.encode(f, d)
	o, found := d.Find("DescendantFonts")
	if !found {
		return nil
	}
	list, err := l.objects.DereferenceArray(o)
	if err != nil || len(list) == 0 {
		return nil
	}
	descendant, err := l.objects.DereferenceDict(list[0])
	if err != nil || descendant == nil {
		return nil
	}
	f.missing = 1000
	if _, found := descendant.Find("DW"); found {
		f.missing = l.number(descendant, "DW")
	}
	if w, found := descendant.Find("W"); found {
		l.cidWidths(f, w)
	}
	return descendant
}

// encode reads the encoding of a Type 0 font: a name of a predefined CMap, or a stream.
func (l *loader) encode(f *Font, d types.Dict) {
	o, found := d.Find("Encoding")
	if !found {
		return
	}
	if o, _ = l.objects.Dereference(o); o == nil {
		return
	}
	if name, ok := o.(types.Name); ok {
		f.Vertical = strings.HasSuffix(string(name), "-V")
		if !strings.HasPrefix(string(name), "Identity") {
			f.Uncertain = true
			f.encoding.spaces = predefinedSpaces(string(name))
		}
		return
	}
	if stream := l.stream(o); stream != nil {
		f.encoding = ParseCMap(stream)
		if len(f.encoding.spaces) == 0 {
			f.encoding.spaces = []codeSpace{{0, 0xffff, 2}}
		}
	}
}

// predefinedSpaces are the code spaces of predefined CMaps: codes of two bytes, and codes of one byte in the encodings that extend ASCII
// (ISO 32000-1, table 118).
func predefinedSpaces(name string) []codeSpace {
	two := codeSpace{0, 0xffff, 2}
	switch {
	case strings.Contains(name, "UCS2"), strings.Contains(name, "UTF16"), name == "H", name == "V":
		return []codeSpace{two}
	case strings.Contains(name, "RKSJ"):
		return []codeSpace{{0, 0x80, 1}, {0xa0, 0xdf, 1}, {0x8140, 0xfcfc, 2}}
	}
	return []codeSpace{{0, 0x80, 1}, {0x8100, 0xffff, 2}}
}

// maxWidths bounds the widths of a font, and those that replace others: a font has 65,536 glyphs.
const maxWidths = 1 << 18

// cidWidths reads the array W: a first identifier with a list of widths, or a first and a last one with one width.
func (l *loader) cidWidths(f *Font, o types.Object) {
	list, err := l.objects.DereferenceArray(o)
	if err != nil {
		return
	}
	left := maxWidths
	for i := 0; i+1 < len(list) && left > 0; {
		first, err := l.objects.DereferenceNumber(list[i])
		if err != nil || first < 0 {
			return
		}
		next, err := l.objects.Dereference(list[i+1])
		if err != nil {
			return
		}
		if widths, ok := next.(types.Array); ok {
			widths = widths[:min(len(widths), left)]
			left -= len(widths)
			for n, w := range widths {
				if width, err := l.objects.DereferenceNumber(w); err == nil {
					f.widths[uint32(first)+uint32(n)] = width
				}
			}
			i += 2
			continue
		}
		if i+2 >= len(list) {
			return
		}
		last, errLast := l.objects.DereferenceNumber(list[i+1])
		width, errWidth := l.objects.DereferenceNumber(list[i+2])
		if errLast != nil || errWidth != nil || last > 1<<16 {
			return
		}
		for cid := first; cid <= last && left > 0; cid++ {
			f.widths[uint32(cid)] = width
			left--
		}
		i += 3
	}
}

// maxStream bounds the decoded size of one stream.
const maxStream = 64 << 20

// stream returns the decoded content of a stream; nil when there is none, or it cannot be decoded.
func (l *loader) stream(o types.Object) []byte {
	d, _, err := l.objects.DereferenceStreamDict(o)
	if err != nil || d == nil {
		return nil
	}
	if len(d.Content) == 0 {
		if err := d.DecodeWithLimit(maxStream); err != nil && len(d.Content) == 0 {
			return nil
		}
	}
	return d.Content
}
