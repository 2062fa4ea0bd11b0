package pdftest

import (
	"fmt"
	"image"
	"image/color"
	"strings"
)

// Page describes a page. Zero values leave the entry out, but for the media box.
type Page struct {
	// Width and Height are those of the media box in points; A4 if they are 0. Crop is a crop box, as "10 10 500 500".
	Width, Height float64
	Crop          string
	Rotate        int
	// Content is the content of the page. Parts are used instead if there are any: /Contents becomes an array of streams.
	Content string
	Parts   []string
	// Fonts and XObjects are resources by name. Resources are further entries of the dictionary, as "/ColorSpace << ... >>".
	Fonts     map[string]Ref
	XObjects  map[string]Ref
	Resources string
	// NoResources leaves /Resources out, so that the page inherits them.
	NoResources bool
	Annotations []Ref
	// Entries are further entries of the page, as "/StructParents 0".
	Entries string
}

// Page adds a page and returns its object.
func (b *Builder) Page(p Page) Ref {
	r := b.Reserve()
	b.SetPage(r, p)
	return r
}

// SetPage adds a page with a number that was reserved before, for links that point forward.
func (b *Builder) SetPage(r Ref, p Page) {
	width, height := p.Width, p.Height
	if width == 0 || height == 0 {
		width, height = 595, 842
	}
	var s strings.Builder
	fmt.Fprintf(&s, "<< /Type /Page /Parent %s /MediaBox [0 0 %g %g] /Contents %s", tree, width, height, b.contents(p))
	if !p.NoResources {
		fmt.Fprintf(&s, " /Resources %s", Resources(p.Fonts, p.XObjects, p.Resources))
	}
	if p.Crop != "" {
		fmt.Fprintf(&s, " /CropBox [%s]", p.Crop)
	}
	if p.Rotate != 0 {
		fmt.Fprintf(&s, " /Rotate %d", p.Rotate)
	}
	if len(p.Annotations) > 0 {
		s.WriteString(" /Annots " + array(p.Annotations))
	}
	fmt.Fprintf(&s, " %s >>", p.Entries)
	b.Set(r, s.String())
	b.pages = append(b.pages, r)
}

func (b *Builder) contents(p Page) string {
	if len(p.Parts) == 0 {
		return b.Stream("", p.Content).String()
	}
	parts := make([]Ref, len(p.Parts))
	for i, part := range p.Parts {
		parts[i] = b.Stream("", part)
	}
	return array(parts)
}

// Resources writes a resource dictionary.
func Resources(fonts, xobjects map[string]Ref, entries string) string {
	return fmt.Sprintf("<< /Font %s /XObject %s %s >>", names(fonts), names(xobjects), entries)
}

// Form adds a form XObject. Entries are further entries of its dictionary, as "/Matrix [1 0 0 1 10 10]".
func (b *Builder) Form(bbox, content string, fonts, xobjects map[string]Ref, entries string) Ref {
	return b.Stream(fmt.Sprintf("/Type /XObject /Subtype /Form /BBox [%s] /Resources %s %s", bbox, Resources(fonts, xobjects, ""), entries),
		content)
}

// Image adds a picture of one gray pixel, between 0 (black) and 255.
func (b *Builder) Image(gray byte) Ref {
	return b.Stream("/Type /XObject /Subtype /Image /Width 1 /Height 1 /ColorSpace /DeviceGray /BitsPerComponent 8", string([]byte{gray}))
}

// Picture adds a picture.
func (b *Builder) Picture(m image.Image) Ref {
	size := m.Bounds().Size()
	samples := make([]byte, 0, 3*size.X*size.Y)
	for y := range size.Y {
		for x := range size.X {
			c := color.NRGBAModel.Convert(m.At(m.Bounds().Min.X+x, m.Bounds().Min.Y+y)).(color.NRGBA) //nolint:forcetypeassert // what the model makes
			samples = append(samples, c.R, c.G, c.B)
		}
	}
	return b.Stream(fmt.Sprintf("/Type /XObject /Subtype /Image /Width %d /Height %d /ColorSpace /DeviceRGB /BitsPerComponent 8", size.X, size.Y),
		string(samples))
}

// Link adds a link annotation to an address.
func (b *Builder) Link(rectangle, address string) Ref {
	return b.Add(fmt.Sprintf("<< /Type /Annot /Subtype /Link /Rect [%s] /Border [0 0 0] /A << /S /URI /URI (%s) >> >>", rectangle, address))
}

// LinkTo adds a link annotation to the top of a page.
func (b *Builder) LinkTo(rectangle string, page Ref) Ref {
	return b.Add(fmt.Sprintf("<< /Type /Annot /Subtype /Link /Rect [%s] /Border [0 0 0] /Dest [%s /XYZ 0 800 null] >>", rectangle, page))
}

// Outline adds an entry of the outline that points to the top of a page.
func (b *Builder) Outline(title string, page Ref) {
	b.outline = append(b.outline, fmt.Sprintf("/Title (%s) /Dest [%s /Fit]", title, page))
}

func (b *Builder) finishOutline() Ref {
	root := b.Reserve()
	items := make([]Ref, len(b.outline))
	for i := range items {
		items[i] = b.Reserve()
	}
	for i, entries := range b.outline {
		if i > 0 {
			entries += " /Prev " + items[i-1].String()
		}
		if i < len(items)-1 {
			entries += " /Next " + items[i+1].String()
		}
		b.Set(items[i], fmt.Sprintf("<< %s /Parent %s >>", entries, root))
	}
	b.Set(root, fmt.Sprintf("<< /Type /Outlines /First %s /Last %s /Count %d >>", items[0], items[len(items)-1], len(items)))
	return root
}

// Tag tags a page: it marks each of count pieces of marked content (/P << /MCID n >> BDC ... EMC) as a paragraph, in their order. The page
// needs the entry /StructParents 0, and a file has one tagged page at most.
func (b *Builder) Tag(page Ref, count int) {
	root, document := b.Reserve(), b.Reserve()
	paragraphs := make([]Ref, count)
	for i := range paragraphs {
		paragraphs[i] = b.Add(fmt.Sprintf("<< /Type /StructElem /S /P /P %s /Pg %s /K %d /Lang (en) >>", document, page, i))
	}
	b.Set(document, fmt.Sprintf("<< /Type /StructElem /S /Document /P %s /K %s >>", root, array(paragraphs)))
	b.Set(root, fmt.Sprintf("<< /Type /StructTreeRoot /K [%s] /ParentTree << /Nums [0 %s] >> >>", document, array(paragraphs)))
	b.Catalog(fmt.Sprintf("/StructTreeRoot %s /MarkInfo << /Marked true >> /Lang (en)", root))
}
