package pdfedit

import (
	"fmt"
	"maps"

	"github.com/pdfcpu/pdfcpu/pkg/pdfcpu/types"

	"plait/internal/document"
	"plait/internal/document/pdfedit/output"
	"plait/internal/document/pdfedit/source"
)

// annotation is an annotation of a translated page in a file that has the original too.
type annotation struct {
	number int
	dict   types.Dict
}

// twin writes the translation of a page as a page of its own, after the original. Destinations of the outline and of names lead to the
// original; links of a translated page to an explicit page lead to its translation. Fields of forms exist once, on the original.
func (d *writer) twin(page *source.Page, edit *document.Edit, translation rewritten, index int) error {
	number, contents := d.out.Reserve(), d.out.Reserve()
	dict := maps.Clone(page.Dict)
	for _, key := range []string{"StructParents", "B", "Thumb", "AA"} {
		delete(dict, key) // exist once for a page
	}
	root := d.file.Catalog["Pages"]
	dict["Parent"], dict["Contents"], dict["Resources"] = root, ref(contents), translation.resources
	copies := d.copyAnnotations(page.Dict, number, 0, 0)
	if err := moveLinksOf(d.file, copies.links, edit, d.faces); err != nil {
		return err
	}
	setAnnotations(dict, copies.refs)
	d.twins[page.Number] = number
	d.keep(number, index)
	if err := d.out.Flate(contents, nil, translation.content); err != nil {
		return err
	}
	return d.add(number, dict)
}

// copies are copied annotations, and the links among them in their order.
type copies struct {
	refs  types.Array
	links []types.Dict
}

// copyAnnotations copies the annotations of a page, all but the fields of forms and pop-ups, onto a page where they are moved by dx and dy.
func (d *writer) copyAnnotations(page types.Dict, onto int, dx, dy float64) (c copies) {
	for _, object := range d.file.Array(page["Annots"]) {
		original := d.file.Dict(object)
		subtype := d.file.Name(original["Subtype"])
		if original == nil || subtype == "Widget" || subtype == "Popup" {
			continue
		}
		dict := maps.Clone(original)
		for _, key := range []string{"Popup", "IRT", "NM", "StructParent"} {
			delete(dict, key)
		}
		dict["P"] = ref(onto)
		shift(d.file, dict, dx, dy)
		number := d.out.Reserve()
		d.annotations = append(d.annotations, annotation{number: number, dict: dict})
		c.refs = append(c.refs, ref(number))
		if subtype == "Link" {
			c.links = append(c.links, dict)
		}
	}
	return c
}

// shift moves the coordinates of an annotation. An appearance follows its rectangle.
func shift(file *source.File, dict types.Dict, dx, dy float64) {
	if dx == 0 && dy == 0 {
		return
	}
	for _, key := range []string{"Rect", "QuadPoints", "L", "Vertices", "CL"} {
		array := file.Array(dict[key])
		if array == nil {
			continue
		}
		moved := make(types.Array, len(array))
		for i, element := range array {
			x, _ := file.Number(element)
			moved[i] = types.Float(x + [2]float64{dx, dy}[i%2])
		}
		dict[key] = moved
	}
}

func setAnnotations(page types.Dict, refs types.Array) {
	delete(page, "Annots")
	if len(refs) > 0 {
		page["Annots"] = refs
	}
}

// finishTwins writes the annotations of translated pages. Their destinations lead to translations where there are some.
func (d *writer) finishTwins() error {
	for _, a := range d.annotations {
		if destination := d.retarget(a.dict["Dest"]); destination != nil {
			a.dict["Dest"] = destination
		}
		if action := d.file.Dict(a.dict["A"]); d.file.Name(action["S"]) == "GoTo" {
			if destination := d.retarget(action["D"]); destination != nil {
				action = maps.Clone(action)
				action["D"] = destination
				a.dict["A"] = action
			}
		}
		if err := d.add(a.number, a.dict); err != nil {
			return err
		}
	}
	return nil
}

// retarget returns an explicit destination on the translation of its page, nil if there is none.
func (d *writer) retarget(object types.Object) types.Object {
	destination := d.file.Array(object)
	if len(destination) == 0 {
		return nil
	}
	page, _ := destination[0].(types.IndirectRef)
	twin, ok := d.twins[page.ObjectNumber.Value()]
	if !ok {
		return nil
	}
	return append(types.Array{ref(twin)}, destination[1:]...)
}

// add writes an object that was made here, and reaches the objects of the source behind it.
func (d *writer) add(number int, dict types.Dict) error {
	d.graph.visit(dict)
	return d.out.Object(number, dict)
}

// beside widens a page and draws the translation to the right of the original, as a reader sees it. The original keeps its coordinates, its
// tags and its fields, so that destinations stay right.
func (d *writer) beside(page *source.Page, edit *document.Edit, translation rewritten) error {
	dx, dy := besideOffset(page)
	right, contents := d.out.Reserve(), d.out.Reserve()
	if err := d.half(right, page, translation); err != nil {
		return err
	}
	copies := d.copyAnnotations(page.Dict, page.Number, dx, dy)
	if err := moveLinksOf(d.file, copies.links, shifted(edit, dx, dy), d.faces); err != nil {
		return err
	}
	content, err := d.file.Content(page)
	if err != nil {
		return err
	}
	box := page.Crop
	whole := union(box, document.Box{X0: box.X0 + dx, Y0: box.Y0 + dy, X1: box.X1 + dx, Y1: box.Y1 + dy})
	dict := page.Dict
	dict["MediaBox"], dict["CropBox"] = numbers(whole.X0, whole.Y0, whole.X1, whole.Y1), numbers(whole.X0, whole.Y0, whole.X1, whole.Y1)
	for _, key := range []string{"BleedBox", "TrimBox", "ArtBox", "Thumb"} {
		delete(dict, key)
	}
	setAnnotations(dict, append(append(types.Array{}, d.file.Array(dict["Annots"])...), copies.refs...))
	resources, name := withResource(d.file, d.file.Dict(dict["Resources"]), "XObject", "Translation", ref(right))
	dict["Contents"], dict["Resources"] = ref(contents), resources
	return d.out.Flate(contents, nil, besideContent(box, content, translation.open, name, dx, dy))
}

// besideContent returns the content of a page that shows the original, cut at its crop box, and a form that is moved by dx and dy. Open is
// how many states the original saves without restoring them.
func besideContent(box document.Box, original []byte, open int, form string, dx, dy float64) []byte {
	number := func(to []byte, values ...float64) []byte {
		for _, x := range values {
			to = append(output.AppendNumber(to, x), ' ')
		}
		return to
	}
	content := number([]byte("q "), box.X0, box.Y0, box.X1-box.X0, box.Y1-box.Y0)
	content = append(append(content, "re W n\n"...), original...)
	content = append(content, '\n')
	for range open + 1 {
		content = append(content, "Q "...)
	}
	content = number(append(content, "q 1 0 0 1 "...), dx, dy)
	return fmt.Appendf(content, "cm /%s Do Q\n", types.EncodeName(form))
}

// half writes the translation of a page as a form, cut at the crop box.
func (d *writer) half(number int, page *source.Page, translation rewritten) error {
	box := page.Crop
	dict := types.Dict{
		"Type": types.Name("XObject"), "Subtype": types.Name("Form"), "BBox": numbers(box.X0, box.Y0, box.X1, box.Y1),
		"Resources": translation.resources,
	}
	if group := page.Dict["Group"]; group != nil {
		dict["Group"] = group
	}
	d.graph.visit(dict)
	return d.out.Flate(number, dict, translation.content)
}

// besideOffset returns how far to the right of itself, as a reader sees it, a page is drawn again.
func besideOffset(page *source.Page) (dx, dy float64) {
	width, height := page.Crop.X1-page.Crop.X0, page.Crop.Y1-page.Crop.Y0
	switch page.Rotate {
	case 90:
		return 0, height
	case 180:
		return -width, 0
	case 270:
		return 0, -height
	default:
		return width, 0
	}
}

// shifted returns an edit with its texts moved by dx and dy. Its moves are distances.
func shifted(edit *document.Edit, dx, dy float64) *document.Edit {
	moved := &document.Edit{Index: edit.Index, Moves: edit.Moves}
	for _, text := range edit.Texts {
		runs := make([]document.Run, len(text.Runs))
		for i, run := range text.Runs {
			runs[i] = run
			runs[i].Glyphs = make([]document.PlacedGlyph, len(run.Glyphs))
			for j, glyph := range run.Glyphs {
				glyph.Origin.X += dx
				glyph.Origin.Y += dy
				runs[i].Glyphs[j] = glyph
			}
		}
		moved.Texts = append(moved.Texts, document.Text{Block: text.Block, Runs: runs})
	}
	return moved
}
