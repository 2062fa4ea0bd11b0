package pdfedit

import (
	"cmp"
	"maps"
	"slices"

	"github.com/pdfcpu/pdfcpu/pkg/pdfcpu/types"

	"plait/internal/document/pdf/content"
	"plait/internal/document/pdfedit/source"
)

// patch replaces a range of bytes of a stream. An empty range inserts.
type patch struct {
	start, end int
	text       []byte
}

// streamEdit is what changes in a stream: the content of a page, or that of a form where it is drawn. A form that changes is copied, so
// that it stays as it is where it is drawn elsewhere.
type streamEdit struct {
	stream    *content.Stream
	resources types.Dict
	patches   []patch
	forms     []*streamEdit
	fonts     map[string]string // the names in the resources, by face
}

func newStreamEdit(stream *content.Stream) *streamEdit {
	return &streamEdit{stream: stream, resources: stream.Resources, fonts: map[string]string{}}
}

func (s *streamEdit) replace(start, end int, text []byte) {
	s.patches = append(s.patches, patch{start, end, text})
}

// font returns the name of a face in the resources of the stream.
func (s *streamEdit) font(file *source.File, faces *faces, face string) string {
	name, ok := s.fonts[face]
	if !ok {
		s.resources, name = withResource(file, s.resources, "Font", "Text", faces.ref(face))
		s.fonts[face] = name
	}
	return name
}

// bytes returns the changed stream. Of patches that overlap the later ones are left out.
func (s *streamEdit) bytes() []byte {
	slices.SortStableFunc(s.patches, func(a, b patch) int { return cmp.Or(cmp.Compare(a.start, b.start), cmp.Compare(a.end, b.end)) })
	var changed []byte
	done := 0
	for _, p := range s.patches {
		if p.start < done {
			continue
		}
		changed = append(changed, s.stream.Bytes[done:p.start]...)
		changed = append(append(append(changed, ' '), p.text...), ' ')
		done = p.end
	}
	return append(changed, s.stream.Bytes[done:]...)
}

// writeForms writes the changed forms that the stream draws, and draws them instead.
func (d *writer) writeForms(s *streamEdit) error {
	for _, form := range s.forms {
		if err := d.writeForms(form); err != nil {
			return err
		}
		number := d.out.Reserve()
		dict := maps.Clone(form.stream.Form.Dict)
		dict["Resources"] = form.resources
		d.graph.visit(dict)
		if err := d.out.Flate(number, dict, form.bytes()); err != nil {
			return err
		}
		var name string
		s.resources, name = withResource(d.file, s.resources, "XObject", "Form", ref(number))
		s.replace(form.stream.Start, form.stream.End, []byte("/"+types.EncodeName(name)+" Do"))
	}
	return nil
}
