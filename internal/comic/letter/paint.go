package letter

import (
	"image"
	"math"
	"slices"

	"github.com/go-text/typesetting/font"
	ot "github.com/go-text/typesetting/font/opentype"

	"plait/internal/comic/textarea"
	"plait/internal/raster"
)

// paint is how a text is drawn. rim is the color of its outline, which is drawn if width is above zero.
type paint struct {
	fill, rim raster.RGB
	width     float64 // of the outline, in pixels
}

// choosePaint uses the source's colors if they contrast enough with each other and with the ground. A text over art gets an outline of
// black or white if much of the art has too little contrast with it. So does a text across the edge of its ground, and one of a chosen color
// that is too much like the outline of its source.
func (p Params) choosePaint(j *job, page *image.NRGBA) paint {
	s, size := j.area, j.result.size
	out := paint{fill: j.look.ink}
	least := p.LeastContrast
	if s.Drawn {
		least *= faint
	}
	_, chosen := j.region.Override.Style.Ink()
	if out.rim = j.look.rim; chosen && raster.Contrast(out.fill, out.rim) < least {
		out.rim = raster.Opposite(out.fill)
	}
	if j.look.width > 0 && raster.Contrast(out.fill, out.rim) >= least {
		out.width = max(1.2, min(max(j.look.width*j.source, leastRim*size), mostRim*size))
		return out
	}
	if !chosen && raster.Contrast(out.fill, s.Ground) < p.LeastContrast {
		out.fill = raster.Opposite(s.Ground)
	}
	if !s.OverArt && j.shareUnder(page, func(c raster.RGB) bool { return raster.Difference(c, s.Ground) > inkLevels }) <= mostUnder {
		return out
	}
	like := j.shareUnder(page, func(c raster.RGB) bool { return raster.Contrast(out.fill, c) < faint*p.LeastContrast })
	out.width = max(1.2, p.Rim*size)
	switch {
	case !s.OverArt && raster.Contrast(out.fill, s.Ground) >= 2*p.LeastContrast:
		out.rim = s.Ground
	case s.OverArt && like <= mostUnder && !j.note: // the source was read without an outline
		out.width = 0
	default:
		out.rim = raster.Opposite(out.fill)
	}
	return out
}

const (
	// faint is the least contrast of lettering with any color of the art around it, and of a drawn text with its outline, in units of
	// Params.LeastContrast.
	faint = 0.6
	// mostUnder is the greatest share of what is behind a text without an outline that is not its ground, or hardly distinguished from it.
	mostUnder = 0.15
)

// shareUnder returns the share of a sample of the pixels behind the lines that have a color of some kind.
func (j *job) shareUnder(page *image.NRGBA, is func(raster.RGB) bool) float64 {
	var some, all float64
	for _, line := range j.result.lines {
		some, all = some+line.width*shareOf(j.lineBox(line), func(x, y int) bool {
			at := j.area.Frame.Page(image.Pt(x, y))
			return at.In(page.Rect) && is(raster.At(page, at.X, at.Y))
		}), all+line.width
	}
	return some / all
}

// contour is one closed curve of a glyph on the page, flattened to line segments.
type contour = []raster.Point

// form is the transformation of glyphs: their size in pixels, how far they lean to the right in units of their height, their horizontal scale,
// and by how many pixels each side of their strokes is widened.
type form struct{ size, lean, narrow, bold float64 }

// place transforms a glyph at pen (x, y) of the local frame to contours on the page.
func (g glyph) place(f textarea.Frame, x, y float64, in form) []contour {
	outline, ok := g.face.GlyphData(g.id).(font.GlyphOutline)
	if !ok {
		return nil
	}
	scale := g.scale * in.size / float64(g.face.Upem())
	to := func(p ot.SegmentPoint) raster.Point {
		dx, dy := (float64(p.X)+(in.lean+g.lean)*float64(p.Y))*scale*in.narrow, -float64(p.Y)*scale
		if g.sideways {
			dx, dy = -dy, dx
		}
		dx, dy = dx+g.x*in.size*in.narrow, dy+g.y*in.size
		if f.Columns { // glyphs of columns are shaped upright, so only their pen is in the local frame
			return f.ToPage(raster.Point{x, y}).Add(raster.Point{dx, dy})
		}
		return f.ToPage(raster.Point{x + dx, y + dy})
	}
	var out []contour
	for _, seg := range outline.Segments {
		if seg.Op == ot.SegmentOpMoveTo {
			out = append(out, contour{to(seg.Args[0])})
			continue
		}
		c := &out[len(out)-1]
		control := contour{(*c)[len(*c)-1]}
		for _, p := range seg.ArgsSlice() {
			control = append(control, to(p))
		}
		*c = append(*c, flattened(control)...)
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
			area += p.Cross(c[(i+1)%len(c)])
		}
	}
	out := make([]contour, len(glyph))
	for i, c := range glyph {
		for k, p := range c {
			before, after := normal(c[(k+len(c)-1)%len(c)], p), normal(p, c[(k+1)%len(c)])
			far := math.Copysign(by, area) / max(sharpest, 1+before.Dot(after))
			out[i] = append(out[i], p.Add(before.Add(after).Times(far)))
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
func normal(p, q raster.Point) raster.Point {
	return p.Sub(q).QuarterTurn().Times(1 / max(q.Sub(p).Length(), shortest))
}

// flatness is the number of line segments per curve, or half circle, of an outline. At lettering sizes the error is far below a pixel.
const flatness = 8

// flattened returns the points after the first one of a line or a Bézier curve with the given control points, by de Casteljau's algorithm.
func flattened(control contour) (out contour) {
	if len(control) == 2 {
		return control[1:]
	}
	for i := 1; i <= flatness; i++ {
		t, p := float64(i)/flatness, slices.Clone(control)
		for n := len(p) - 1; n > 0; n-- {
			for k := range n {
				p[k] = p[k].Add(p[k+1].Sub(p[k]).Times(t))
			}
		}
		out = append(out, p[0])
	}
	return out
}

func bounds(contours []contour, grow float64) image.Rectangle {
	all := slices.Concat(contours...)
	if len(all) == 0 {
		return image.Rectangle{}
	}
	x0, y0, x1, y1 := raster.Bounds(all...)
	return raster.Enclosing(x0-grow, y0-grow, x1+grow, y1+grow)
}

// draw draws contours on the page, the outline first. It returns the bounding box of what it drew.
func (p paint) draw(page *image.NRGBA, contours []contour) image.Rectangle {
	box := bounds(contours, p.width+1).Intersect(page.Rect)
	if box.Empty() {
		return box
	}
	if p.width > 0 {
		blend(page, raster.Coverage(box, capsules(contours, p.width)), p.rim)
	}
	blend(page, raster.Coverage(box, contours), p.fill)
	return bounds(contours, p.width).Intersect(page.Rect)
}

// capsules returns what is within a radius of the contours: a capsule around every segment, which makes round joins. All capsules have the
// same winding, because opposite windings would cancel. The inside is left to the fill, whose contours may have either winding.
func capsules(contours []contour, radius float64) (all []contour) {
	for _, c := range contours {
		for i, p := range c {
			q := c[(i+1)%len(c)]
			angle, capsule := math.Atan2(q[1]-p[1], q[0]-p[0]), make(contour, 0, 2*flatness+2)
			for end, middle := range [2]raster.Point{q, p} {
				for k := 0; k <= flatness; k++ {
					sin, cos := math.Sincos(angle + math.Pi*(float64(end)-0.5) + math.Pi*float64(k)/flatness)
					capsule = append(capsule, middle.Add(raster.Point{radius * cos, radius * sin}))
				}
			}
			all = append(all, capsule)
		}
	}
	return all
}

// blend mixes the color into the page by the coverage. It does not change the alpha of the page.
func blend(page *image.NRGBA, cover *image.Alpha, c raster.RGB) {
	for y := range cover.Rect.Dy() {
		row := page.Pix[page.PixOffset(cover.Rect.Min.X, cover.Rect.Min.Y+y):]
		for x, a := range cover.Pix[y*cover.Stride:][:cover.Stride] {
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
