package source

import (
	"slices"

	"github.com/pdfcpu/pdfcpu/pkg/pdfcpu/types"

	"plait/internal/core"
	"plait/internal/document"
)

// Page is a page, with the attributes that it inherits.
type Page struct {
	// Number is that of its object.
	Number int
	Dict   types.Dict
	Crop   document.Box
	// Rotate is 0, 90, 180 or 270 degrees clockwise.
	Rotate int
}

// inheritable are the attributes that a page may have from a node above it.
var inheritable = []string{"Resources", "MediaBox", "CropBox", "Rotate"}

// readPages reads the page tree. Attributes that pages inherit are copied to the pages.
func (f *File) readPages() error {
	walk := treeWalk{file: f, seen: map[int]bool{}}
	walk.node(f.Catalog["Pages"], types.Dict{}, 0)
	if len(f.Pages) == 0 {
		return core.NewError(core.CodeInvalidDocument, "the PDF file has no pages")
	}
	return nil
}

type treeWalk struct {
	file *File
	seen map[int]bool // against cycles, and pages with two parents
}

func (w *treeWalk) node(object types.Object, inherited types.Dict, depth int) {
	ref, ok := object.(types.IndirectRef)
	number := ref.ObjectNumber.Value()
	dict := w.file.Dict(object)
	if !ok || dict == nil || w.seen[number] || depth > maxDepth {
		return
	}
	w.seen[number] = true
	kids, isNode := w.file.Resolve(dict["Kids"]).(types.Array)
	attributes := types.Dict{}
	for _, key := range inheritable {
		if value := dict[key]; value != nil {
			attributes[key] = value
		} else if value := inherited[key]; value != nil {
			attributes[key] = value
		}
	}
	if !isNode {
		for key, value := range attributes {
			dict[key] = value
		}
		w.file.Pages = append(w.file.Pages, w.file.page(number, dict))
		return
	}
	for _, kid := range kids {
		w.node(kid, attributes, depth+1)
	}
}

func (f *File) page(number int, dict types.Dict) *Page {
	media, ok := f.Box(dict["MediaBox"])
	if !ok {
		media = document.Box{X1: 612, Y1: 792} // letter, as viewers assume
	}
	crop, ok := f.Box(dict["CropBox"])
	if !ok {
		crop = media
	}
	clipped := document.Box{X0: max(crop.X0, media.X0), Y0: max(crop.Y0, media.Y0), X1: min(crop.X1, media.X1), Y1: min(crop.Y1, media.Y1)}
	if clipped.X0 >= clipped.X1 || clipped.Y0 >= clipped.Y1 {
		clipped = media
	}
	rotate, _ := f.Number(dict["Rotate"])
	return &Page{Number: number, Dict: dict, Crop: clipped, Rotate: ((int(rotate)/90)%4 + 4) % 4 * 90}
}

// Box returns a rectangle with its corners in order, and whether the object is one with an area.
func (f *File) Box(object types.Object) (document.Box, bool) {
	array := f.Array(object)
	if len(array) != 4 {
		return document.Box{}, false
	}
	var x [4]float64
	for i, element := range array {
		x[i], _ = f.Number(element)
	}
	box := document.Box{X0: min(x[0], x[2]), Y0: min(x[1], x[3]), X1: max(x[0], x[2]), Y1: max(x[1], x[3])}
	return box, box.X0 < box.X1 && box.Y0 < box.Y1
}

// Content returns the content of a page: its streams, joined by line breaks. It fails with TOO_LARGE.
func (f *File) Content(page *Page) ([]byte, error) {
	parts := types.Array{page.Dict["Contents"]}
	if array := f.Array(page.Dict["Contents"]); array != nil {
		parts = array
	}
	var content []byte
	for _, part := range parts {
		data := f.stream(part)
		if len(content)+len(data) > maxStream {
			return nil, core.NewError(core.CodeTooLarge, "the content of a page of the PDF file is too large")
		}
		content = append(slices.Grow(content, len(data)+1), data...)
		content = append(content, '\n')
	}
	return content, nil
}
