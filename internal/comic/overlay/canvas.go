package overlay

import (
	"context"
	"image"
	"image/color"
	"math"

	"golang.org/x/image/font"
	"golang.org/x/image/math/fixed"
	"golang.org/x/image/vector"

	"plait/internal/raster"
)

// canvas is the picture that is drawn on. All shapes share the buffer of its rasterizer.
type canvas struct {
	img    *image.RGBA
	raster vector.Rasterizer
}

// paled returns a copy of the page on white, mixed with a light gray. Lettering stays legible, and the colors of the marks stand out.
func paled(ctx context.Context, page *image.NRGBA) (*canvas, error) {
	const (
		keep = 150 // of 256
		gray = 232
	)
	size := page.Rect.Size()
	img := image.NewRGBA(image.Rectangle{Max: size})
	for y := range size.Y {
		if err := ctx.Err(); err != nil {
			return nil, err
		}
		from := page.Pix[y*page.Stride : y*page.Stride+4*size.X]
		to := img.Pix[y*img.Stride:]
		for i := 0; i < len(from); i += 4 {
			alpha := int(from[i+3])
			for k := range 3 {
				v := (int(from[i+k])*alpha + 255*(255-alpha)) / 255
				to[i+k] = uint8((v*keep + gray*(256-keep)) >> 8)
			}
			to[i+3] = 255
		}
	}
	return &canvas{img: img}, nil
}

// fill fills a closed polygon.
func (c *canvas) fill(polygon []raster.Point, paint color.Color) {
	x0, y0, x1, y1 := math.Inf(1), math.Inf(1), math.Inf(-1), math.Inf(-1)
	for _, p := range polygon {
		x0, y0, x1, y1 = min(x0, p[0]), min(y0, p[1]), max(x1, p[0]), max(y1, p[1])
	}
	box := raster.Enclosing(x0, y0, x1, y1).Intersect(c.img.Rect)
	if box.Empty() {
		return
	}
	c.raster.Reset(box.Dx(), box.Dy())
	for i, p := range polygon {
		x, y := float32(p[0]-float64(box.Min.X)), float32(p[1]-float64(box.Min.Y))
		if i == 0 {
			c.raster.MoveTo(x, y)
			continue
		}
		c.raster.LineTo(x, y)
	}
	c.raster.ClosePath()
	c.raster.Draw(c.img, box, image.NewUniform(paint), image.Point{})
}

// line draws a straight line with square ends, so that the lines of a polygon join at its corners.
func (c *canvas) line(a, b raster.Point, width float64, paint color.Color) {
	dx, dy := b[0]-a[0], b[1]-a[1]
	length := math.Hypot(dx, dy)
	if length == 0 {
		return
	}
	ux, uy := dx/length*width/2, dy/length*width/2
	c.fill([]raster.Point{
		{a[0] - ux - uy, a[1] - uy + ux}, {b[0] + ux - uy, b[1] + uy + ux},
		{b[0] + ux + uy, b[1] + uy - ux}, {a[0] - ux + uy, a[1] - uy - ux},
	}, paint)
}

// dashes draws a dashed straight line.
func (c *canvas) dashes(a, b raster.Point, width, dash float64, paint color.Color) {
	length := math.Hypot(b[0]-a[0], b[1]-a[1])
	at := func(d float64) raster.Point {
		t := min(d/length, 1)
		return raster.Point{a[0] + (b[0]-a[0])*t, a[1] + (b[1]-a[1])*t}
	}
	for d := 0.0; d < length; d += 2 * dash {
		c.line(at(d), at(d+dash), width, paint)
	}
}

// outline draws the edge of a polygon.
func (c *canvas) outline(polygon []raster.Point, width float64, paint color.Color) {
	for i, p := range polygon {
		c.line(p, polygon[(i+1)%len(polygon)], width, paint)
	}
}

// disc draws a filled circle.
func (c *canvas) disc(center raster.Point, radius float64, paint color.Color) {
	const corners = 48
	polygon := make([]raster.Point, corners)
	for i := range polygon {
		sin, cos := math.Sincos(2 * math.Pi * float64(i) / corners)
		polygon[i] = raster.Point{center[0] + radius*cos, center[1] + radius*sin}
	}
	c.fill(polygon, paint)
}

// text draws one line of text with its upper left corner at p.
func (c *canvas) text(p image.Point, text string, t *typeface, paint color.Color) {
	d := font.Drawer{Dst: c.img, Src: image.NewUniform(paint), Dot: fixed.P(p.X, p.Y+t.ascent)}
	for _, r := range t.runs(text) {
		d.Face = r.face
		d.DrawString(r.text)
	}
}

// corners returns the corners of a rectangle.
func corners(r image.Rectangle) []raster.Point {
	x0, y0, x1, y1 := float64(r.Min.X), float64(r.Min.Y), float64(r.Max.X), float64(r.Max.Y)
	return []raster.Point{{x0, y0}, {x1, y0}, {x1, y1}, {x0, y1}}
}
