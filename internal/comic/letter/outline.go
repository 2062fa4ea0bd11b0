package letter

import (
	"image"
	"math"
	"slices"

	"github.com/go-text/typesetting/font"
	ot "github.com/go-text/typesetting/font/opentype"
	"golang.org/x/image/vector"

	"plait/internal/comic/textarea"
	"plait/internal/raster"
)

type point struct{ x, y float64 }

// contour is one closed curve of a glyph on the page, flattened to line segments.
type contour []point

// brush draws contours. All texts share its buffers.
type brush struct {
	raster vector.Rasterizer
	cover  image.Alpha
}

// flatness is the number of line segments per curve of a glyph. At lettering sizes the error is far below a pixel.
const flatness = 8

// form is the transformation of glyphs: their size in pixels, how far they lean to the right in units of their height, their horizontal scale,
// and by how many pixels each side of their strokes is widened.
type form struct{ size, lean, narrow, bold float64 }

// place transforms a glyph at pen (x, y) of the local frame to contours on the page.
func (g glyph) place(f textarea.Frame, x, y float64, in form) []contour {
	outline, ok := g.face.GlyphData(g.id).(font.GlyphOutline)
	if !ok {
		return nil
	}
	scale := in.size / float64(g.face.Upem())
	if g.scale != 0 {
		scale *= g.scale
	}
	to := func(p ot.SegmentPoint) point {
		dx, dy := (float64(p.X)+(in.lean+g.lean)*float64(p.Y))*scale*in.narrow, -float64(p.Y)*scale
		if g.sideways {
			dx, dy = -dy, dx
		}
		dx, dy = dx+g.x*in.size*in.narrow, dy+g.y*in.size
		if f.Columns { // glyphs of columns are shaped upright, so only their pen is in the local frame
			px, py := f.ToPage(x, y)
			return point{px + dx, py + dy}
		}
		px, py := f.ToPage(x+dx, y+dy)
		return point{px, py}
	}
	var out []contour
	var last point
	for _, seg := range outline.Segments {
		switch seg.Op {
		case ot.SegmentOpMoveTo:
			last = to(seg.Args[0])
			out = append(out, contour{last})
			continue
		case ot.SegmentOpLineTo:
			out[len(out)-1] = append(out[len(out)-1], to(seg.Args[0]))
		case ot.SegmentOpQuadTo:
			c := &out[len(out)-1]
			*c = flattenQuad(*c, last, to(seg.Args[0]), to(seg.Args[1]))
		case ot.SegmentOpCubeTo:
			c := &out[len(out)-1]
			*c = flattenCube(*c, last, to(seg.Args[0]), to(seg.Args[1]), to(seg.Args[2]))
		}
		last = out[len(out)-1][len(out[len(out)-1])-1]
	}
	return widened(out, in.bold)
}

// widened moves the outlines of a glyph outwards, and those of its counters inwards. That keeps edges as soft as they are, which drawing a
// stroke around them does not: the coverages of neighboring parts of a stroke add up.
func widened(glyph []contour, by float64) []contour {
	if by == 0 {
		return glyph
	}
	area := 0.0
	for _, c := range glyph {
		for i, p := range c {
			q := c[(i+1)%len(c)]
			area += p.x*q.y - q.x*p.y
		}
	}
	out := make([]contour, len(glyph))
	for i, c := range glyph {
		c = slices.CompactFunc(c, func(p, q point) bool { return math.Hypot(q.x-p.x, q.y-p.y) < shortest })
		for len(c) > 1 && math.Hypot(c[0].x-c[len(c)-1].x, c[0].y-c[len(c)-1].y) < shortest {
			c = c[:len(c)-1]
		}
		for k, p := range c {
			x0, y0 := normal(c[(k+len(c)-1)%len(c)], p)
			x1, y1 := normal(p, c[(k+1)%len(c)])
			far := math.Copysign(by, area) / max(sharpest, 1+x0*x1+y0*y1)
			out[i] = append(out[i], point{p.x + far*(x0+x1), p.y + far*(y0+y1)})
		}
	}
	return out
}

const (
	// shortest is the least length of a side of an outline, in pixels, whose direction counts.
	shortest = 1e-3
	// sharpest limits how far the corners of an outline move, to twice the widening.
	sharpest = 0.5
)

// normal returns the unit vector across a side of an outline, to its outside if the outline has a positive area.
func normal(p, q point) (x, y float64) {
	long := max(math.Hypot(q.x-p.x, q.y-p.y), shortest)
	return (q.y - p.y) / long, (p.x - q.x) / long
}

func flattenQuad(c contour, a, b, d point) contour {
	for i := 1; i <= flatness; i++ {
		t := float64(i) / flatness
		u := 1 - t
		c = append(c, point{u*u*a.x + 2*u*t*b.x + t*t*d.x, u*u*a.y + 2*u*t*b.y + t*t*d.y})
	}
	return c
}

func flattenCube(c contour, a, b, d, e point) contour {
	for i := 1; i <= flatness; i++ {
		t := float64(i) / flatness
		u := 1 - t
		c = append(c, point{
			u*u*u*a.x + 3*u*u*t*b.x + 3*u*t*t*d.x + t*t*t*e.x,
			u*u*u*a.y + 3*u*u*t*b.y + 3*u*t*t*d.y + t*t*t*e.y,
		})
	}
	return c
}

func bounds(contours []contour, grow float64) image.Rectangle {
	x0, y0, x1, y1 := math.Inf(1), math.Inf(1), math.Inf(-1), math.Inf(-1)
	for _, c := range contours {
		for _, p := range c {
			x0, y0, x1, y1 = min(x0, p.x), min(y0, p.y), max(x1, p.x), max(y1, p.y)
		}
	}
	if x0 > x1 {
		return image.Rectangle{}
	}
	return raster.Enclosing(x0-grow, y0-grow, x1+grow, y1+grow)
}

// draw draws the contours on the page, the outline first. It returns the bounding box of what it drew.
func (b *brush) draw(page *image.NRGBA, contours []contour, p paint) image.Rectangle {
	box := bounds(contours, p.width+1).Intersect(page.Rect)
	if box.Empty() {
		return box
	}
	if p.width > 0 {
		b.clear(box)
		b.fill(box, capsules(contours, p.width))
		b.blend(page, box, p.rim)
	}
	b.clear(box)
	b.fill(box, contours)
	b.blend(page, box, p.fill)
	return bounds(contours, p.width).Intersect(page.Rect)
}

// clear sets the coverage of a box to zero.
func (b *brush) clear(box image.Rectangle) {
	if n := box.Dx() * box.Dy(); cap(b.cover.Pix) < n {
		b.cover.Pix = make([]uint8, n)
	}
	b.cover.Pix = b.cover.Pix[:box.Dx()*box.Dy()]
	clear(b.cover.Pix)
	b.cover.Stride, b.cover.Rect = box.Dx(), image.Rect(0, 0, box.Dx(), box.Dy())
}

// fill adds the inside of the contours to the coverage.
func (b *brush) fill(box image.Rectangle, contours []contour) {
	b.raster.Reset(box.Dx(), box.Dy())
	for _, c := range contours {
		for i, p := range c {
			x, y := float32(p.x-float64(box.Min.X)), float32(p.y-float64(box.Min.Y))
			if i == 0 {
				b.raster.MoveTo(x, y)
			} else {
				b.raster.LineTo(x, y)
			}
		}
		b.raster.ClosePath()
	}
	b.raster.Draw(&b.cover, b.cover.Rect, image.Opaque, image.Point{})
}

// capsules returns what is within a radius of the contours: a capsule around every segment, which makes round joins. All capsules have the
// same winding, because opposite windings would cancel. The inside is left to the fill, whose contours may have either winding.
func capsules(contours []contour, radius float64) (all []contour) {
	for _, c := range contours {
		for i, p := range c {
			q := c[(i+1)%len(c)]
			angle, capsule := math.Atan2(q.y-p.y, q.x-p.x), make(contour, 0, 2*capPoints+2)
			for end, middle := range [2]point{q, p} {
				for k := 0; k <= capPoints; k++ {
					sin, cos := math.Sincos(angle + math.Pi*(float64(end)-0.5) + math.Pi*float64(k)/capPoints)
					capsule = append(capsule, point{middle.x + radius*cos, middle.y + radius*sin})
				}
			}
			all = append(all, capsule)
		}
	}
	return all
}

// capPoints is the number of line segments per half circle.
const capPoints = 8

// blend mixes the color into the page by the coverage. It does not change the alpha of the page.
func (b *brush) blend(page *image.NRGBA, box image.Rectangle, c raster.RGB) {
	for y := range box.Dy() {
		cover := b.cover.Pix[y*b.cover.Stride:][:box.Dx()]
		row := page.Pix[page.PixOffset(box.Min.X, box.Min.Y+y):]
		for x, a := range cover {
			if a == 0 {
				continue
			}
			for k, v := range c {
				under := uint32(row[4*x+k])
				row[4*x+k] = uint8((under*(255-uint32(a)) + uint32(v)*uint32(a) + 127) / 255)
			}
		}
	}
}
