package flow

import (
	"math"
	"slices"

	"plait/internal/document"
)

// clearance is the least distance of a text to what stands beside it, in points.
const clearance = 2.0

// rooms sets how far each block may grow: to its limit, as far as nothing else stands there. A text begins at the first baseline of its source,
// so a room is no higher than its block. Rooms do not overlap: space that two blocks could take belongs to the first in reading order.
func (b *builder) rooms() {
	for i := range b.layout.Blocks {
		block := &b.layout.Blocks[i]
		room := block.Direction.BoxIn(union(block.Box, b.limits[i], false))
		room.Y1 = block.Direction.BoxIn(block.Box).Y1
		room = block.Direction.BoxOut(room)
		for j, other := range b.layout.Blocks {
			switch {
			case other.Untranslated == document.ReasonEmpty:
			case j < i && other.Untranslated == "":
				room = without(block, room, other.Room)
			case j != i:
				room = without(block, room, other.Box)
			}
			if j != i {
				for _, f := range other.Formulas {
					room = without(block, room, f.Box)
				}
			}
		}
		for _, picture := range b.page.Images {
			if !within(block.Box, picture) { // text over a picture may grow over it
				room = without(block, room, picture)
			}
		}
		for n, r := range b.page.Rules {
			if !slices.Contains(block.Rules, n) {
				room = without(block, room, r.Box)
			}
		}
		for n, f := range b.page.Fills {
			if slices.Contains(block.Fills, n) {
				continue
			}
			switch inside := within(block.Box, f.Box); {
			case inside: // a ground says how far a text goes
				room = common(room, padded(f.Box, block), block.Box)
			case overlap(block.Box, f.Box) <= 0:
				room = without(block, room, f.Box)
			}
		}
		block.Room = room
	}
}

// padded is a ground without the space that a text keeps on its sides; that of a cell has none.
func padded(ground document.Box, block *document.Block) document.Box {
	if block.Cell != nil {
		return ground
	}
	d := block.Direction
	g, box := d.BoxIn(ground), d.BoxIn(block.Box)
	space := max(min(box.X0-g.X0, g.X1-box.X1, block.Size), 0)
	g.X0, g.X1 = g.X0+space, g.X1-space
	return d.BoxOut(g)
}

// common is what two areas have in common, and a box in it.
func common(a, b, box document.Box) document.Box {
	return union(document.Box{X0: max(a.X0, b.X0), Y0: max(a.Y0, b.Y0), X1: min(a.X1, b.X1), Y1: min(a.Y1, b.Y1)}, box, false)
}

func within(a, b document.Box) bool {
	return a.X0 >= b.X0-1 && a.X1 <= b.X1+1 && a.Y0 >= b.Y0-1 && a.Y1 <= b.Y1+1
}

// without takes an obstacle out of the room of a block. What is below a single line leaves the line its width. Else, of the sides on which the
// obstacle does not reach into the box of the block, it takes the one that leaves the largest room; if there is none, the one on which it reaches
// least far. The room keeps the box.
func without(block *document.Block, room, obstacle document.Box) document.Box {
	box := block.Box
	o := document.Box{X0: obstacle.X0 - clearance, Y0: obstacle.Y0 - clearance, X1: obstacle.X1 + clearance, Y1: obstacle.Y1 + clearance}
	if overlap(room, o) <= 0 {
		return room
	}
	if d := block.Direction; block.Lines <= 1 && block.Cell == nil && d.BoxIn(obstacle).Y1 <= d.BoxIn(box).Y0 {
		line := d.BoxIn(room)
		line.Y0 = min(d.BoxIn(o).Y1, d.BoxIn(box).Y0)
		return d.BoxOut(line)
	}
	best, least, most := room, math.Inf(1), -1.0
	for _, side := range []struct {
		rest   document.Box
		inside float64
	}{
		{document.Box{X0: room.X0, Y0: room.Y0, X1: min(room.X1, max(o.X0, box.X1)), Y1: room.Y1}, box.X1 - obstacle.X0},
		{document.Box{X0: max(room.X0, min(o.X1, box.X0)), Y0: room.Y0, X1: room.X1, Y1: room.Y1}, obstacle.X1 - box.X0},
		{document.Box{X0: room.X0, Y0: room.Y0, X1: room.X1, Y1: min(room.Y1, max(o.Y0, box.Y1))}, box.Y1 - obstacle.Y0},
		{document.Box{X0: room.X0, Y0: max(room.Y0, min(o.Y1, box.Y0)), X1: room.X1, Y1: room.Y1}, obstacle.Y1 - box.Y0},
	} {
		inside := max(side.inside, 0)
		if inside < least || inside == least && area(side.rest) > most {
			best, least, most = side.rest, inside, area(side.rest)
		}
	}
	return best
}
