package mask

import (
	"image"

	"golang.org/x/sync/errgroup"

	"plait/internal/comic"
	"plait/internal/raster"
	"plait/internal/raster/bitmap"
)

// mostWindow limits the pixels of a window: it takes about 100 bytes and half a microsecond for each. The rare regions with a larger
// window are examined in parts.
const mostWindow = 1 << 21

// mostCuts limits how many times a region is cut in halves: enough for a million windows. If a part is still too large then (its corners
// are at infinity), it has no lettering.
const mostCuts = 20

// findInParts is find for a region of any size. Its time grows with the area of the region, but its memory does not.
func findInParts(pool *errgroup.Group, img *image.NRGBA, r comic.Region, others []comic.Region, cuts int) Region {
	window := surroundings(r).Intersect(img.Rect)
	switch size := window.Dx() * window.Dy(); {
	case size == 0, size > mostWindow && cuts == 0:
		return join(r.Index)
	case size <= mostWindow:
		return find(inspect(pool, img, r, others))
	}
	first, second := r, r
	if n := len(r.Lines); n > 1 {
		first.Lines, second.Lines = r.Lines[:n/2], r.Lines[n/2:]
	} else {
		a, b := halves(r.Lines[0])
		first.Lines, second.Lines = []raster.Quad{a}, []raster.Quad{b}
	}
	return join(r.Index, findInParts(pool, img, first, others, cuts-1), findInParts(pool, img, second, others, cuts-1))
}

// halves cuts a quad in two across its longer sides.
func halves(q raster.Quad) (a, b raster.Quad) {
	if width, height := q.Sides(); width < height {
		a, b = halves(q.From(1))
		return a.From(3), b.From(3)
	}
	return q.Between(0, 0.5), q.Between(0.5, 1)
}

// join combines the lettering of parts of a region. Unless all are on one ground, the class is Art, which leaves it to the fill to examine
// the background.
func join(index int, parts ...Region) Region {
	if len(parts) == 1 {
		return parts[0]
	}
	var all image.Rectangle
	for _, part := range parts {
		all = all.Union(part.Hole.Rect)
	}
	out := Region{Index: index, Ink: bitmap.New(all), Hole: bitmap.New(all)}
	apart, onOne := bitmap.New(all), len(parts) > 0
	for _, part := range parts {
		out.Ink.Union(part.Ink)
		out.Hole.Union(part.Hole)
		out.Rest = out.Rest || part.Rest
		sameGround := part.Class == parts[0].Class && raster.Difference(part.Ground, parts[0].Ground) <= groundLevels
		if onOne = onOne && sameGround && part.Apart != nil; onOne {
			apart.Union(part.Apart)
		}
	}
	if onOne {
		out.Class, out.Ground, out.Apart = parts[0].Class, parts[0].Ground, apart
	}
	return out
}
