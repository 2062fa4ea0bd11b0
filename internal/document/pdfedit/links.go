package pdfedit

import (
	"math"
	"slices"

	"github.com/pdfcpu/pdfcpu/pkg/pdfcpu/types"

	"plait/internal/document"
	"plait/internal/document/pdfedit/source"
)

// links returns the dictionaries of the link annotations of a page, in the order of the file.
func links(file *source.File, page types.Dict) (found []types.Dict) {
	for _, annotation := range file.Array(page["Annots"]) {
		if dict := file.Dict(annotation); dict != nil && file.Name(dict["Subtype"]) == "Link" {
			found = append(found, dict)
		}
	}
	return found
}

// moveLinks puts the link annotations of a page to where their text is.
func moveLinks(file *source.File, page types.Dict, edit *document.Edit, faces *faces) error {
	return moveLinksOf(file, links(file, page), edit, faces)
}

// moveLinksOf moves link annotations. Those of new texts get a quadrilateral for each line, and those of text that moves go with it. The others stay.
func moveLinksOf(file *source.File, links []types.Dict, edit *document.Edit, faces *faces) error {
	areas := map[int][]area{}
	for _, text := range edit.Texts {
		for _, run := range text.Runs {
			if run.Link == 0 || len(run.Glyphs) == 0 {
				continue
			}
			face, err := faces.get(run.Face)
			if err != nil {
				return err
			}
			areas[run.Link] = appendArea(areas[run.Link], runArea(run, face.Ascent(), face.Descent()))
		}
	}
	for i, link := range links {
		if found := areas[i+1]; len(found) > 0 {
			setLink(link, found)
			continue
		}
		if at := slices.IndexFunc(edit.Moves, func(m document.Move) bool { return slices.Contains(m.Links, i) }); at >= 0 {
			shift(file, link, edit.Moves[at].DX, edit.Moves[at].DY)
		}
	}
	return nil
}

// area is the part of a line that a link covers.
type area struct {
	box       document.Box
	direction document.Direction
}

// runArea returns the area of a run, from the bottom to the top of its line.
func runArea(run document.Run, ascent, descent float64) area {
	a := area{direction: run.Direction}
	up, down := run.Size*ascent, run.Size*descent
	sin, cos := math.Sincos(float64(run.Direction) * math.Pi / 180)
	for i, glyph := range run.Glyphs {
		box := document.Box{X0: glyph.Origin.X, Y0: glyph.Origin.Y, X1: glyph.Origin.X, Y1: glyph.Origin.Y}
		for _, corner := range [][2]float64{{0, up}, {0, -down}, {glyph.Advance, up}, {glyph.Advance, -down}} {
			x, y := glyph.Origin.X+corner[0]*cos-corner[1]*sin, glyph.Origin.Y+corner[0]*sin+corner[1]*cos
			box = union(box, document.Box{X0: x, Y0: y, X1: x, Y1: y})
		}
		if i == 0 {
			a.box = box
		}
		a.box = union(a.box, box)
	}
	return a
}

// appendArea joins an area to the one before it if both are on the same line.
func appendArea(areas []area, next area) []area {
	if n := len(areas); n > 0 && areas[n-1].direction == next.direction && sameLine(areas[n-1], next) {
		areas[n-1].box = union(areas[n-1].box, next.box)
		return areas
	}
	return append(areas, next)
}

// sameLine reports whether two areas overlap for more than half of their height.
func sameLine(a, b area) bool {
	if a.direction == 90 || a.direction == 270 {
		return 2*(min(a.box.X1, b.box.X1)-max(a.box.X0, b.box.X0)) > min(a.box.X1-a.box.X0, b.box.X1-b.box.X0)
	}
	return 2*(min(a.box.Y1, b.box.Y1)-max(a.box.Y0, b.box.Y0)) > min(a.box.Y1-a.box.Y0, b.box.Y1-b.box.Y0)
}

func union(a, b document.Box) document.Box {
	return document.Box{X0: min(a.X0, b.X0), Y0: min(a.Y0, b.Y0), X1: max(a.X1, b.X1), Y1: max(a.Y1, b.Y1)}
}

// setLink gives a link its areas. Viewers take the rectangle alone if the quadrilaterals are missing.
func setLink(link types.Dict, areas []area) {
	whole := areas[0].box
	var quads types.Array
	for _, a := range areas {
		whole = union(whole, a.box)
		b := a.box
		// The order is that of existing viewers, not that of the standard: upper left, upper right, lower left, lower right.
		quads = append(quads, numbers(b.X0, b.Y1, b.X1, b.Y1, b.X0, b.Y0, b.X1, b.Y0)...)
	}
	link["Rect"] = numbers(whole.X0, whole.Y0, whole.X1, whole.Y1)
	delete(link, "QuadPoints")
	delete(link, "AP") // draws the area as it was
	if len(areas) > 1 {
		link["QuadPoints"] = quads
	}
}

// numbers returns an array of numbers, rounded to a thousandth of a point.
func numbers(values ...float64) types.Array {
	array := make(types.Array, len(values))
	for i, x := range values {
		array[i] = types.Float(math.Round(x*1000) / 1000)
	}
	return array
}
