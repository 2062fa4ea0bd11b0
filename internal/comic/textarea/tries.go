package textarea

import "plait/internal/raster/bitmap"

// tries has the results of the attempts on a field, and the grounds that they share.
type tries struct {
	field *field
	made  map[attempt]*cells
	// grounds are indexed by attempts without a brush.
	grounds map[attempt]*ground
}

// ground is the set of ground pixels. room is the squared distance of each pixel from the edge of the set.
type ground struct {
	set  *bitmap.Bitmap
	room []int32
}

// cells returns the cells of an attempt. It computes them once.
func (t *tries) cells(a attempt) *cells {
	if t.made[a] != nil {
		return t.made[a]
	}
	g := t.ground(a.levels, a.walled)
	if g.room == nil {
		g.room = g.set.Complement().Distance()
	}
	c := t.field.cells(g, a.brush*t.field.em)
	if !a.walled {
		t.field.dropLeaks(c)
	}
	t.made[a] = c
	return c
}

func (t *tries) ground(levels uint8, walled bool) *ground {
	key := attempt{levels: levels, walled: walled}
	if t.grounds[key] == nil {
		if walled {
			t.grounds[key] = &ground{set: t.field.withWalls(t.ground(levels, false).set)}
		} else {
			t.grounds[key] = &ground{set: t.field.ground(levels)}
		}
	}
	return t.grounds[key]
}
