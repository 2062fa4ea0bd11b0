// Package motioncomic films the pages of a comic: panel after panel in reading order, each for as long as its text takes to read, with moves
// of the camera from one to the next. Nothing in the pictures moves. Equal pages give equal films on machines of one architecture.
package motioncomic

import (
	"image"

	"plait/internal/comic"
	"plait/internal/comic/readingorder"
)

// Panel is a panel of a page.
type Panel struct {
	// Box is in pixels of the page.
	Box image.Rectangle
	// Texts are those of its regions, in reading order.
	Texts []string
}

// Panels returns the panels of a page in reading order, with the texts of the regions that lie in them.
func Panels(page *image.NRGBA, regions []comic.Region, rightToLeft bool) []Panel {
	var panels []Panel
	for _, box := range readingorder.Look(page).Panels(rightToLeft) {
		if box = box.Intersect(image.Rect(0, 0, page.Rect.Dx(), page.Rect.Dy())); !box.Empty() {
			panels = append(panels, Panel{Box: box})
		}
	}
	if len(panels) == 0 {
		panels = []Panel{{Box: image.Rect(0, 0, page.Rect.Dx(), page.Rect.Dy())}}
	}
	for _, r := range regions {
		if r.Kind == comic.KindFurniture || r.Text == "" {
			continue
		}
		x0, y0, x1, y1 := r.Bounds()
		p := &panels[nearest(panels, image.Pt(int(x0+x1)/2, int(y0+y1)/2))]
		p.Texts = append(p.Texts, r.Text)
	}
	return panels
}

// nearest returns the index of the panel that a point lies in, or else of the nearest one.
func nearest(panels []Panel, at image.Point) int {
	best, least := 0, -1
	for i, p := range panels {
		dx, dy := max(p.Box.Min.X-at.X, at.X-p.Box.Max.X, 0), max(p.Box.Min.Y-at.Y, at.Y-p.Box.Max.Y, 0)
		if away := dx*dx + dy*dy; least < 0 || away < least {
			best, least = i, away
		}
	}
	return best
}
