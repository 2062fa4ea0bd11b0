// Package pdftest builds small PDF files for tests. Objects are written as text, in the order in which they are added, and streams are not
// compressed, so that a test can read the file that it makes.
//
//	b := pdftest.New()
//	font := b.Helvetica()
//	b.Page(pdftest.Page{Content: "BT /F1 12 Tf 72 700 Td (Hello) Tj ET", Fonts: map[string]pdftest.Ref{"F1": font}})
//	file := b.Bytes()
package pdftest

import (
	"bytes"
	"fmt"
	"maps"
	"slices"
	"strings"
)

// Ref is the number of an object.
type Ref int

// String returns the reference as a PDF writes it.
func (r Ref) String() string { return fmt.Sprintf("%d 0 R", int(r)) }

const (
	catalog Ref = 1
	tree    Ref = 2
)

// Builder collects the objects of a file.
type Builder struct {
	objects   []string // by number, from 1; empty while only reserved
	pages     []Ref
	inherited string
	catalog   string
	outline   []string
}

// New returns an empty file.
func New() *Builder { return &Builder{objects: make([]string, tree)} }

// Reserve returns the number of an object that [Builder.Set] writes later.
func (b *Builder) Reserve() Ref {
	b.objects = append(b.objects, "null")
	return Ref(len(b.objects))
}

// Set writes a reserved object.
func (b *Builder) Set(r Ref, body string) { b.objects[r-1] = body }

// Add adds an object, such as "<< /Type /Font ... >>".
func (b *Builder) Add(body string) Ref {
	r := b.Reserve()
	b.Set(r, body)
	return r
}

// Stream adds a stream. The entries are those of its dictionary without /Length, such as "/Type /XObject /Subtype /Form".
func (b *Builder) Stream(entries, data string) Ref {
	return b.Add(fmt.Sprintf("<< %s /Length %d >>\nstream\n%s\nendstream", entries, len(data), data))
}

// Catalog adds entries to the catalog, such as "/Lang (en)".
func (b *Builder) Catalog(entries string) { b.catalog += " " + entries }

// Inherited adds entries to the root of the page tree, which pages inherit.
func (b *Builder) Inherited(entries string) { b.inherited += " " + entries }

// Bytes returns the file.
func (b *Builder) Bytes() []byte {
	b.finish()
	var file bytes.Buffer
	file.WriteString("%PDF-1.7\n%\xe2\xe3\xcf\xd3\n")
	offsets := make([]int, len(b.objects))
	for i, body := range b.objects {
		offsets[i] = file.Len()
		fmt.Fprintf(&file, "%d 0 obj\n%s\nendobj\n", i+1, body)
	}
	xref := file.Len()
	fmt.Fprintf(&file, "xref\n0 %d\n0000000000 65535 f \n", len(b.objects)+1)
	for _, offset := range offsets {
		fmt.Fprintf(&file, "%010d 00000 n \n", offset)
	}
	fmt.Fprintf(&file, "trailer\n<< /Size %d /Root %s >>\nstartxref\n%d\n%%%%EOF\n", len(b.objects)+1, catalog, xref)
	return file.Bytes()
}

// finish writes the catalog, the root of the page tree and the outline.
func (b *Builder) finish() {
	entries := b.catalog
	if len(b.outline) > 0 {
		entries += " /Outlines " + b.finishOutline().String()
		b.outline = nil
	}
	b.Set(catalog, fmt.Sprintf("<< /Type /Catalog /Pages %s%s >>", tree, entries))
	b.Set(tree, fmt.Sprintf("<< /Type /Pages /Count %d /Kids %s%s >>", len(b.pages), array(b.pages), b.inherited))
}

func array(refs []Ref) string {
	words := make([]string, len(refs))
	for i, r := range refs {
		words[i] = r.String()
	}
	return "[" + strings.Join(words, " ") + "]"
}

// names writes a dictionary of references in the order of their names.
func names(refs map[string]Ref) string {
	var s strings.Builder
	for _, name := range slices.Sorted(maps.Keys(refs)) {
		fmt.Fprintf(&s, " /%s %s", name, refs[name])
	}
	return "<<" + s.String() + " >>"
}
