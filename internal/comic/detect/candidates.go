package detect

import (
	"image"
	"slices"
)

const (
	// A line of the reduced page is settled, and not looked at again at full scale, if it is level, longer than a single character, which
	// marks of art resemble, and has at least settledScore and settledHeight, in pixels of the reduced page: the model finds smaller
	// lettering in part, and joins it to its neighbors. For a column settledColumn is enough: its characters are farther apart, so more of it
	// is ground. On 24 drawn manga pages, 0.6 and 0.8 read fewer blocks exactly.
	settledScore, settledColumn, settledHeight = 0.8, 0.7, 11
	// settledRim is the distance from a settled line, in pixels of the reduced page, up to which a pixel belongs to it.
	settledRim = 6
	// coreRim is how much broader and higher a core is on the map than at full scale, in pixels of the map. The median height of 523 rows on 44
	// pages differs by 2.1, and their length by 3.2; lettering is read alike with 1.3 to 3.2.
	coreRim = 1.7
)

// reduced is the part of a scaled page in which the map of the whole reduced page is believed.
type reduced struct {
	whole *probabilityMap
	tiles []tile
	// ratio is the size of the scaled page in units of that of the map.
	ratio float64
}

// divide returns those of the tiles of a scaled page to run, and the others, in which the reduced page is believed. Those to run have in or
// near their own part something that may be text in the map of the reduced page, and that none of its settled lines explains. A tile is run
// whole: in less than the picture that the model was trained with, it takes more marks of art for characters.
func (p Params) divide(tiles []tile, whole *probabilityMap, cores []core, ratio float64) (run []tile, believed reduced) {
	doubtful := &probabilityMap{width: whole.width, height: whole.height, values: slices.Clone(whole.values)}
	for _, c := range cores {
		least := settledScore
		if c.height > c.width {
			least = settledColumn
		}
		line := c.grown(p.Unclip)
		if c.score >= least && !c.short() && !c.askew() && min(line.width, line.height) >= settledHeight {
			line.width, line.height = line.width+2*settledRim, line.height+2*settledRim
			for row := range doubtful.inside(line) {
				clear(row)
			}
		}
	}
	believed = reduced{whole: whole, ratio: ratio}
	for _, t := range tiles {
		near := t.owned.Inset(-p.CandidateMargin)
		at := func(v int) int { return int(float64(v) / ratio) }
		part := image.Rect(at(near.Min.X), at(near.Min.Y), at(near.Max.X)+1, at(near.Max.Y)+1)
		if doubtful.reaches(p.CandidateThreshold, part) {
			run = append(run, t)
		} else {
			believed.tiles = append(believed.tiles, t)
		}
	}
	return run, believed
}

// reaches reports whether a pixel in a part of the map has at least the threshold, 0..1.
func (m *probabilityMap) reaches(threshold float64, part image.Rectangle) bool {
	least := level(threshold)
	part = part.Intersect(image.Rect(0, 0, m.width, m.height))
	for y := part.Min.Y; y < part.Max.Y; y++ {
		row := m.values[y*m.width+part.Min.X : y*m.width+part.Max.X]
		if slices.ContainsFunc(row, func(v uint8) bool { return v >= least }) {
			return true
		}
	}
	return false
}

// fill fills the believed part of the map of the scaled page.
func (r reduced) fill(m *probabilityMap) {
	for _, t := range r.tiles {
		columns := newTaps(t.owned.Min.X, t.owned.Dx(), r.whole.width, r.ratio)
		rows := newTaps(t.owned.Min.Y, t.owned.Dy(), r.whole.height, r.ratio)
		line := make([]float32, r.whole.width)
		for y := range t.owned.Dy() {
			clear(line)
			at, weights := rows.of(y)
			for k, source := range at {
				for x := columns.from; x < columns.to; x++ {
					line[x] += weights[k] * float32(r.whole.values[int(source)*r.whole.width+x])
				}
			}
			to := m.values[(t.owned.Min.Y+y)*m.width+t.owned.Min.X:]
			for x := range t.owned.Dx() {
				at, weights := columns.of(x)
				var sum float32
				for k, source := range at {
					sum += weights[k] * line[source]
				}
				to[x] = uint8(sum + 0.5)
			}
		}
	}
}

// narrow removes from cores in the believed part what the enlargement of the map added to them.
func (r reduced) narrow(cores []core) []core {
	rim := coreRim * (r.ratio - 1)
	for i, c := range cores {
		at := image.Pt(int(c.center[0]), int(c.center[1]))
		if slices.ContainsFunc(r.tiles, func(t tile) bool { return at.In(t.owned) }) {
			cores[i].width, cores[i].height = max(c.width-rim, 1), max(c.height-rim, 1)
		}
	}
	return cores
}
