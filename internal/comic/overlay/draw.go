// Package overlay draws the detected and recognized regions onto a page, for people who check them: a box around each region, the outline
// of each line, its number in reading order, and a label with kind, direction, language, confidence and text.
//
// The picture has the size of the page. The page is drawn in pale colors, and labels avoid lettering where there is room nearby.
package overlay

import (
	"context"
	"image"
	"image/color"
	"strconv"

	"plait/internal/comic"
	"plait/internal/raster"
)

// kindColors are the colors of the marks by the kind of the region.
var kindColors = map[comic.RegionKind]color.NRGBA{
	comic.KindDialogue:  {0x15, 0x65, 0xd8, 0xff},
	comic.KindFree:      {0x8e, 0x24, 0xaa, 0xff},
	comic.KindEffect:    {0xd0, 0x50, 0x00, 0xff},
	comic.KindFurniture: {0x5f, 0x63, 0x68, 0xff},
}

var (
	noneColor  = color.NRGBA{0x1a, 0x1a, 0x1a, 0xff} // for a region without a kind
	labelPaper = color.NRGBA{0xff, 0xff, 0xff, 0xf2}
	labelInk   = color.NRGBA{0x1a, 0x1a, 0x1a, 0xff}
	badgeInk   = color.NRGBA{0xff, 0xff, 0xff, 0xff}
	pathColor  = color.NRGBA{0x20, 0x20, 0x20, 0x60}
)

// drawing is the state of one overlay. Lengths are in pixels.
type drawing struct {
	canvas      *canvas
	body, small *typeface
	regions     []comic.Region
	boxes       []image.Rectangle // of the regions, with a margin
	badges      []image.Rectangle
	stroke      float64
	pad         int
}

// Draw returns a picture of the page, of the same size, with the regions marked on it. Regions are numbered by their Index. Draw does not
// change the page. It fails if ctx ends or a font cannot be used.
func Draw(ctx context.Context, page *image.NRGBA, regions []comic.Region, fonts *Fonts) (*image.RGBA, error) {
	c, err := paled(ctx, page)
	if err != nil {
		return nil, err
	}
	d := &drawing{canvas: c, regions: regions}
	if err := d.setSizes(fonts); err != nil {
		return nil, err
	}
	for _, r := range regions {
		d.boxes = append(d.boxes, raster.Enclosing(r.Bounds()).Inset(-d.pad))
	}
	for i, r := range regions {
		d.badges = append(d.badges, d.badge(d.boxes[i], r.Direction))
	}
	d.path()
	for i, r := range regions {
		d.region(r, d.boxes[i])
	}
	if err := d.labels(ctx); err != nil {
		return nil, err
	}
	for i, r := range regions {
		d.number(r, d.badges[i])
	}
	return c.img, nil
}

// setSizes chooses the size of labels: an em is 1/60 of the shorter side of the page, about the size of the lettering or somewhat less.
func (d *drawing) setSizes(fonts *Fonts) (err error) {
	size := d.canvas.img.Rect.Size()
	em := min(max(min(size.X, size.Y)/60, 12), 40)
	lang := ""
	if len(d.regions) > 0 {
		lang = d.regions[0].SourceLang
	}
	if d.body, err = fonts.typeface(lang, em); err != nil {
		return err
	}
	if d.small, err = fonts.typeface(lang, max(em*3/4, 10)); err != nil {
		return err
	}
	d.stroke, d.pad = max(float64(em)/9, 1.5), max(em/3, 3)
	return nil
}

// badge returns the square of a badge at the corner of a region where reading begins.
func (d *drawing) badge(box image.Rectangle, direction comic.Direction) image.Rectangle {
	side := d.body.size * 3 / 2
	at := image.Pt(box.Min.X-side*2/3, box.Min.Y-side*2/3)
	if direction == comic.Vertical {
		at.X = box.Max.X - side/3
	}
	return onPage(image.Rectangle{Min: at, Max: at.Add(image.Pt(side, side))}, d.canvas.img.Rect)
}

func (d *drawing) color(r comic.Region) color.NRGBA {
	if c, ok := kindColors[r.Kind]; ok {
		return c
	}
	return noneColor
}

// path connects the badges in reading order.
func (d *drawing) path() {
	for i := 1; i < len(d.badges); i++ {
		d.canvas.dashes(middle(d.badges[i-1]), middle(d.badges[i]), d.stroke*0.8, d.stroke*4, pathColor)
	}
}

func middle(r image.Rectangle) raster.Point {
	return raster.Point{float64(r.Min.X+r.Max.X) / 2, float64(r.Min.Y+r.Max.Y) / 2}
}

// region draws the lines, a mark where each line begins, and the box.
func (d *drawing) region(r comic.Region, box image.Rectangle) {
	c := d.color(r)
	tint, edge := c, c
	tint.A, edge.A = 0x28, 0xb0
	for _, q := range r.Lines {
		d.canvas.fill(q[:], tint)
		d.canvas.outline(q[:], d.stroke*0.5, edge)
		d.canvas.disc(q[0], d.stroke*1.4, c)
	}
	d.canvas.outline(corners(box), d.stroke, c)
}

// labels finds the positions of all labels before it draws any, so that leader lines can run below the labels.
func (d *drawing) labels(ctx context.Context) error {
	p := places{page: d.canvas.img.Rect, em: d.body.size, sources: d.boxes, taken: append([]image.Rectangle(nil), d.badges...)}
	labels, at := make([]label, len(d.regions)), make([]image.Rectangle, len(d.regions))
	for i, r := range d.regions {
		if err := ctx.Err(); err != nil {
			return err
		}
		labels[i] = d.describe(r)
		at[i] = p.take(d.boxes[i], labels[i].size)
	}
	for i, r := range d.regions {
		d.leader(d.boxes[i], at[i], d.color(r))
	}
	for i, r := range d.regions {
		d.label(labels[i], at[i], d.color(r))
	}
	return nil
}

// leader draws a line between the nearest points of a region and its label.
func (d *drawing) leader(box, at image.Rectangle, c color.NRGBA) {
	nearest := func(p raster.Point, r image.Rectangle) raster.Point {
		return raster.Point{
			min(max(p[0], float64(r.Min.X)), float64(r.Max.X)), min(max(p[1], float64(r.Min.Y)), float64(r.Max.Y)),
		}
	}
	from := nearest(middle(at), box)
	d.canvas.line(from, nearest(from, at), d.stroke*0.8, c)
}

func (d *drawing) label(l label, at image.Rectangle, c color.NRGBA) {
	d.canvas.fill(corners(at), labelPaper)
	d.canvas.outline(corners(at), d.stroke*0.6, c)
	p := at.Min.Add(image.Pt(d.pad, d.pad))
	d.canvas.text(p, l.head, d.small, c)
	p.Y += d.small.height()
	for _, line := range l.lines {
		d.canvas.text(p, line, d.body, labelInk)
		p.Y += d.body.height()
	}
}

func (d *drawing) number(r comic.Region, at image.Rectangle) {
	radius := float64(at.Dx()) / 2
	d.canvas.disc(middle(at), radius+d.stroke*0.6, badgeInk)
	d.canvas.disc(middle(at), radius, d.color(r))
	text := strconv.Itoa(r.Index)
	t := d.body
	if len(text) > 2 {
		t = d.small
	}
	d.canvas.text(image.Pt((at.Min.X+at.Max.X-t.width(text))/2, (at.Min.Y+at.Max.Y-t.ascent-t.size/12)/2), text, t, badgeInk)
}
