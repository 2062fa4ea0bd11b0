// Package overlay draws the regions of a page onto it, for people who check them: the lines of each region, a box around them, and a tag
// with its number in reading order, its kind and its direction. The texts are printed beside the picture, by these numbers.
package overlay

import (
	"fmt"
	"image"
	"image/color"
	"image/draw"

	"golang.org/x/image/font"
	"golang.org/x/image/font/gofont/gobold"
	"golang.org/x/image/font/opentype"
	"golang.org/x/image/math/fixed"

	"plait/internal/comic"
	"plait/internal/core"
	"plait/internal/raster"
)

// kindColors are the colors of the marks by the kind of the region.
var kindColors = map[comic.RegionKind]color.NRGBA{
	comic.KindDialogue:  {0x15, 0x65, 0xd8, 0xff},
	comic.KindFree:      {0x8e, 0x24, 0xaa, 0xff},
	comic.KindEffect:    {0xd0, 0x50, 0x00, 0xff},
	comic.KindFurniture: {0x5f, 0x63, 0x68, 0xff},
}

const (
	// veil is the opacity of the white over the page, and tint that of the color over a line: lettering stays legible under both.
	veil, tint = 0x60, 0x40
	// emsAcross is the shorter side of a page in ems of the tags, and leastEm their least size in pixels.
	emsAcross, leastEm = 60, 12
)

// Draw returns a picture of the page, of the same size, with the regions marked on it.
func Draw(page *image.NRGBA, regions []comic.Region) (*image.RGBA, error) {
	img := image.NewRGBA(image.Rectangle{Max: page.Rect.Size()})
	draw.Draw(img, img.Rect, image.White, image.Point{}, draw.Src)
	draw.Draw(img, img.Rect, page, page.Rect.Min, draw.Over)
	draw.Draw(img, img.Rect, image.NewUniform(color.NRGBA{0xff, 0xff, 0xff, veil}), image.Point{}, draw.Over)
	em := max(min(img.Rect.Dx(), img.Rect.Dy())/emsAcross, leastEm)
	face, err := tagFace(em)
	if err != nil {
		return nil, err
	}
	for _, r := range regions {
		mark(img, r, em)
	}
	for _, r := range regions { // over the marks of all regions
		tag(img, r, em, face)
	}
	return img, nil
}

func tagFace(em int) (font.Face, error) {
	parsed, err := opentype.Parse(gobold.TTF)
	if err != nil {
		return nil, core.Wrap(core.CodeInternal, err, "the font of tags cannot be used")
	}
	// At 72 dpi a point is a pixel.
	return opentype.NewFace(parsed, &opentype.FaceOptions{Size: float64(em), DPI: 72, Hinting: font.HintingNone})
}

// box is the rectangle around a region.
func box(r comic.Region, em int) image.Rectangle { return raster.Enclosing(r.Bounds()).Inset(-em / 3) }

// mark tints the lines of a region and draws its box.
func mark(img *image.RGBA, r comic.Region, em int) {
	paint := kindColors[r.Kind]
	edge := box(r, em)
	draw.Draw(img, edge, image.NewUniform(color.NRGBA{paint.R, paint.G, paint.B, tint / 2}), image.Point{}, draw.Over)
	for _, q := range r.Lines {
		if at := raster.Enclosing(q.Bounds()).Intersect(img.Rect); !at.Empty() {
			cover := raster.Coverage(at, [][]raster.Point{q[:]})
			draw.DrawMask(img, at, image.NewUniform(color.NRGBA{paint.R, paint.G, paint.B, tint}), image.Point{}, cover, at.Min, draw.Over)
		}
	}
	width := max(em/8, 1)
	for _, side := range []image.Rectangle{
		{edge.Min, image.Pt(edge.Max.X, edge.Min.Y+width)}, {image.Pt(edge.Min.X, edge.Max.Y-width), edge.Max},
		{edge.Min, image.Pt(edge.Min.X+width, edge.Max.Y)}, {image.Pt(edge.Max.X-width, edge.Min.Y), edge.Max},
	} {
		draw.Draw(img, side, image.NewUniform(paint), image.Point{}, draw.Src)
	}
}

// tag draws the tag of a region above its box, such as "3 dialogue ↓", or as near to that as the page allows.
func tag(img *image.RGBA, r comic.Region, em int, face font.Face) {
	arrow := "→"
	if r.Direction == comic.Vertical {
		arrow = "↓"
	}
	text := fmt.Sprintf("%d %s %s", r.Index, r.Kind, arrow)
	at, size := box(r, em).Min, image.Pt(font.MeasureString(face, text).Ceil()+em/2, em*5/4)
	at.X, at.Y = max(min(at.X, img.Rect.Dx()-size.X), 0), max(min(at.Y, img.Rect.Dy())-size.Y, 0)
	draw.Draw(img, image.Rectangle{Min: at, Max: at.Add(size)}, image.NewUniform(kindColors[r.Kind]), image.Point{}, draw.Src)
	d := font.Drawer{Dst: img, Src: image.White, Face: face, Dot: fixed.P(at.X+em/4, at.Y+em)}
	d.DrawString(text)
}
