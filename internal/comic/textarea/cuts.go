package textarea

import (
	"image"
	"math"

	"plait/internal/raster/bitmap"
)

// isShared cuts the cell of a text from the cells that it meets without a neck. It reports whether that fails for one of them.
func (c *cells) isShared(f *field, t *text) bool {
	shared := false
	for _, pair := range c.wide(t, sharedNeck) {
		shared = !c.part(f, pair) || shared
	}
	return shared
}

// part cuts the cells of a pair of texts apart and reports whether that is possible. It computes the answer once for each pair.
func (c *cells) part(f *field, pair [2]int16) bool {
	if done, ok := c.parted[pair]; ok {
		return done
	}
	texts := [2]*text{f.texts[pair[0]-1], f.texts[pair[1]-1]}
	border, ok := c.meetOutline(pair)
	if ok {
		around := c.of[texts[0]].Rect.Union(c.of[texts[1]].Rect).Inset(-int(2 * notchReach * f.em))
		var k cut
		if k, ok = f.findCut(c.outline(around.Intersect(f.window), smooth*f.em), border, texts); ok {
			c.divide(texts, pair, k)
		}
	}
	c.parted[pair] = ok
	return ok
}

// meetOutline returns the two points where the border of a pair meets the outline of the cells. It is not ok if the border ends at a third
// cell.
func (c *cells) meetOutline(pair [2]int16) (ends [2]image.Point, ok bool) {
	along, _ := c.borders[pair].line()
	least, most, first, last := math.Inf(1), math.Inf(-1), math.Inf(1), math.Inf(-1)
	for _, at := range c.borders[pair].at {
		d := float64(at.X)*along[0] + float64(at.Y)*along[1]
		least, most = min(least, d), max(most, d)
		if !c.onOutline(at) {
			continue
		}
		if d < first {
			first, ends[0] = d, at
		}
		if d > last {
			last, ends[1] = d, at
		}
	}
	return ends, last > first && first-least <= 2 && most-last <= 2
}

// onOutline reports whether a pixel is at most two pixels from one that belongs to no cell.
func (c *cells) onOutline(at image.Point) bool {
	set := c.ground.set
	for y := at.Y - 2; y <= at.Y+2; y++ {
		for x := at.X - 2; x <= at.X+2; x++ {
			if !image.Pt(x, y).In(set.Rect) || c.labels[set.Offset(x, y)] == 0 {
				return true
			}
		}
	}
	return false
}

// outline returns the cells within r after a morphological opening with a disc of radius brush.
func (c *cells) outline(r image.Rectangle, brush float64) *bitmap.Bitmap {
	eroded, limit := bitmap.New(r), int32(brush*brush)
	for y := r.Min.Y; y < r.Max.Y; y++ {
		from, to := c.ground.set.Offset(r.Min.X, y), eroded.Offset(r.Min.X, y)
		for x := range r.Dx() {
			if c.ground.room[from+x] > limit && c.labels[from+x] > 0 {
				eroded.Pix[to+x] = 1
			}
		}
	}
	return eroded.Dilate(brush)
}

// divide assigns the pixels of a pair of cells to the two sides of a cut. The first text has the left side.
func (c *cells) divide(texts [2]*text, pair [2]int16, k cut) {
	var bounds [2]image.Rectangle
	cells := [2]*bitmap.Bitmap{c.of[texts[0]], c.of[texts[1]]}
	for i, cell := range cells {
		for p, set := range cell.Pix {
			if set == 0 {
				continue
			}
			at, to := cell.Point(p), i
			if k.beside(at) {
				if to = 1; k.across(at) < 0 {
					to = 0
				}
			}
			c.labels[c.ground.set.Offset(at.X, at.Y)] = pair[to]
			bounds[to] = bounds[to].Union(image.Rectangle{Min: at, Max: at.Add(image.Pt(1, 1))})
		}
	}
	for i, t := range texts {
		c.of[t] = labeled(c.ground.set, c.labels, pair[i], bounds[i])
	}
}
