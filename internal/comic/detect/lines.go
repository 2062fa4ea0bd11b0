package detect

import (
	"cmp"
	"image"
	"slices"

	"plait/internal/raster"
)

const (
	// leastCoreSide is the least side of the core of a line in pixels of the scaled page. Smaller components are noise.
	leastCoreSide = 3
	// A core less than singleRatio times as long as high has at most one character, and singleScore is the least score of a line that
	// short: sparkles and other marks of art resemble single characters.
	singleRatio, singleScore = 1.4, 0.7
	// thickest is the greatest height of a line, in widths of the page: a shout across a page is a third of its width high.
	thickest = 0.4
	// mostGrowth is how far lettering reaches beyond its core, in pixels of the scaled page: the model shrinks large lettering less than in
	// proportion. On 24 drawn pages and 44 of books 90 % of the lines with cores up to 40 pixels high reach up to 9 pixels beyond them across,
	// and 90 % of those up to 100 pixels high up to 22.
	mostGrowth = 18
)

// core is the rectangle around a component of a probability map, in pixels of the map, with the mean probability inside.
type core struct {
	raster.Quad
	score float64
}

// cores are the cores of the lines in a probability map, and those of marks that resemble lines.
func (p Params) cores(m *image.Gray) []core {
	var found []core
	for _, component := range componentsOf(m, p.Threshold) {
		if q := leastRectangle(hull(component.Runs)); min(q.Sides()) >= leastCoreSide {
			found = append(found, core{q, mean(m, q)})
		}
	}
	return found
}

// short reports whether a core is hardly longer than high, as that of a single character is.
func (c core) short() bool { return max(c.Sides()) < singleRatio*min(c.Sides()) }

// growth is how far the lettering of a core reaches beyond it: unclip x area / perimeter, the inverse of the shrinking of lines in the
// training data.
func (p Params) growth(c core) float64 {
	width, height := c.Sides()
	return p.Unclip * width * height / (2 * (width + height))
}

// isLine reports whether a core is that of a line.
func (p Params) isLine(c core) bool {
	return c.score >= p.MinScore && (!c.short() || c.score >= singleScore)
}

// lines makes lines from the cores of a page that was scaled by scale.
func (p Params) lines(cores []core, scale float64, page image.Rectangle) []Line {
	var found []Line
	for _, c := range cores {
		if !p.isLine(c) {
			continue
		}
		growth := p.growth(c)
		line := c.Inset(-growth)
		if min(line.Sides()) > thickest*scale*float64(page.Dx()) {
			continue
		}
		whole := line.Mapped(func(p raster.Point) raster.Point { return p.Times(1 / scale) })
		l := Line{Quad: onPage(whole, page), Score: c.score}
		if l.Quad == whole {
			l.Slack = max(0, growth-mostGrowth) / scale
		}
		found = append(found, l)
	}
	slices.SortStableFunc(found, func(a, b Line) int {
		return cmp.Or(cmp.Compare(a.Quad[0][1], b.Quad[0][1]), cmp.Compare(a.Quad[0][0], b.Quad[0][0]))
	})
	return found
}

// mean is the mean probability inside q, 0..1; it is 0 if q contains no center of a pixel.
func mean(m *image.Gray, q raster.Quad) float64 {
	sum, n := 0, 0
	for row := range q.Rows(m.Rect) {
		for _, v := range valuesOf(m, row) {
			sum += int(v)
		}
		n += row.Dx()
	}
	return float64(sum) / float64(max(n, 1)) / 255
}

// valuesOf are the values of a map in a row of its pixels.
func valuesOf(m *image.Gray, row image.Rectangle) []uint8 {
	return m.Pix[row.Min.Y*m.Stride+row.Min.X:][:row.Dx()]
}
