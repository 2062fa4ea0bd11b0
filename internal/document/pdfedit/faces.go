package pdfedit

import (
	"maps"
	"slices"

	"github.com/pdfcpu/pdfcpu/pkg/pdfcpu/types"

	"plait/internal/document/pdfedit/embed"
	"plait/internal/document/pdfedit/output"
)

// faces are the fonts that a file gets, one subset for each face. Pages refer to them before they are written.
type faces struct {
	data    func(name string) ([]byte, error)
	out     *output.File
	byName  map[string]*embed.Face
	numbers map[string]int
}

func newFaces(data func(name string) ([]byte, error), out *output.File) *faces {
	return &faces{data: data, out: out, byName: map[string]*embed.Face{}, numbers: map[string]int{}}
}

// get returns a face, and opens it if no page has used it before.
func (f *faces) get(name string) (*embed.Face, error) {
	if face, ok := f.byName[name]; ok {
		return face, nil
	}
	data, err := f.data(name)
	if err != nil {
		return nil, err
	}
	face, err := embed.NewFace(name, data)
	if err != nil {
		return nil, err
	}
	f.byName[name], f.numbers[name] = face, f.out.Reserve()
	return face, nil
}

// ref returns the font object of a face.
func (f *faces) ref(name string) types.IndirectRef { return *types.NewIndirectRef(f.numbers[name], 0) }

// write writes the fonts, after the last page.
func (f *faces) write() error {
	for _, name := range slices.Sorted(maps.Keys(f.byName)) {
		data, err := f.data(name)
		if err != nil {
			return err
		}
		if err := f.byName[name].Write(f.out, f.numbers[name], data); err != nil {
			return err
		}
	}
	return nil
}
