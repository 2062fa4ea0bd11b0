package detect

import (
	"cmp"
	"image"
	"iter"
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
	rectangle
	score float64
}

// cores are the cores of the lines in a probability map, and those of marks that resemble lines.
func (p Params) cores(m *probabilityMap) []core {
	var found []core
	for _, component := range m.components(p.Threshold) {
		if r := leastRectangle(hull(component.Runs)); min(r.width, r.height) >= leastCoreSide {
			found = append(found, core{r, m.mean(r)})
		}
	}
	return found
}

// short reports whether a core is hardly longer than high, as that of a single character is.
func (c core) short() bool { return max(c.width, c.height) < singleRatio*min(c.width, c.height) }

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
		line := c.grown(p.Unclip)
		if min(line.width, line.height) > thickest*scale*float64(page.Dx()) {
			continue
		}
		whole := toPage(line, scale)
		l := Line{Quad: onPage(whole, page), Score: c.score}
		if l.Quad == whole {
			l.Slack = max(0, c.growth(p.Unclip)-mostGrowth) / scale
		}
		found = append(found, l)
	}
	slices.SortStableFunc(found, func(a, b Line) int {
		return cmp.Or(cmp.Compare(a.Quad[0][1], b.Quad[0][1]), cmp.Compare(a.Quad[0][0], b.Quad[0][0]))
	})
	return found
}

// Quads are the outlines of lines.
func Quads(lines []Line) []raster.Quad {
	quads := make([]raster.Quad, len(lines))
	for i, l := range lines {
		quads[i] = l.Quad
	}
	return quads
}

// toPage converts r to pixels of the unscaled page.
func toPage(r rectangle, scale float64) raster.Quad {
	q := r.corners()
	for i, c := range q {
		q[i] = raster.Point{c[0] / scale, c[1] / scale}
	}
	return q
}

// mean is the mean probability inside r, 0..1; it is 0 if r contains no center of a pixel.
func (m *probabilityMap) mean(r rectangle) float64 {
	sum, n := 0, 0
	for row := range m.inside(r) {
		for _, v := range row {
			sum += int(v)
		}
		n += len(row)
	}
	return float64(sum) / float64(max(n, 1)) / 255
}

// inside yields the pixels whose centers are inside r, a row at a time.
func (m *probabilityMap) inside(r rectangle) iter.Seq[[]uint8] {
	return func(yield func([]uint8) bool) {
		for row := range r.corners().Rows(image.Rect(0, 0, m.width, m.height)) {
			if !yield(m.values[row.Min.Y*m.width+row.Min.X:][:row.Dx()]) {
				return
			}
		}
	}
}
