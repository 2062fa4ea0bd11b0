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
	whole *image.Gray
	tiles []tile
	// ratio is the size of the scaled page in units of that of the map.
	ratio float64
}

// divide returns those of the tiles of a scaled page to run, and the others, in which the reduced page is believed. Those to run have in or
// near their own part something that may be text in the map of the reduced page, and that none of its settled lines explains. A tile is run
// whole: in less than the picture that the model was trained with, it takes more marks of art for characters.
func (p Params) divide(tiles []tile, whole *image.Gray, cores []core, ratio float64) (run []tile, believed reduced) {
	doubtful := &image.Gray{Pix: slices.Clone(whole.Pix), Stride: whole.Stride, Rect: whole.Rect}
	for _, c := range cores {
		least := settledScore
		if width, height := c.Sides(); height > width {
			least = settledColumn
		}
		line := c.Inset(-p.growth(c))
		if c.score >= least && !c.short() && !c.askew() && min(line.Sides()) >= settledHeight {
			for row := range line.Inset(-settledRim).Rows(doubtful.Rect) {
				clear(valuesOf(doubtful, row))
			}
		}
	}
	believed = reduced{whole: whole, ratio: ratio}
	for _, t := range tiles {
		near := t.owned.Inset(-p.CandidateMargin)
		at := func(v int) int { return int(float64(v) / ratio) }
		part := image.Rect(at(near.Min.X), at(near.Min.Y), at(near.Max.X)+1, at(near.Max.Y)+1)
		if reaches(doubtful, p.CandidateThreshold, part) {
			run = append(run, t)
		} else {
			believed.tiles = append(believed.tiles, t)
		}
	}
	return run, believed
}

// reaches reports whether a pixel in a part of the map has at least the threshold, 0..1.
func reaches(m *image.Gray, threshold float64, part image.Rectangle) bool {
	least := level(threshold)
	part = part.Intersect(m.Rect)
	for y := part.Min.Y; y < part.Max.Y; y++ {
		if slices.ContainsFunc(m.Pix[y*m.Stride+part.Min.X:y*m.Stride+part.Max.X], func(v uint8) bool { return v >= least }) {
			return true
		}
	}
	return false
}

// fill fills the believed part of the map of the scaled page.
func (r reduced) fill(m *image.Gray) {
	for _, t := range r.tiles {
		columns := newTaps(t.owned.Min.X, t.owned.Dx(), r.whole.Rect.Dx(), r.ratio)
		rows := newTaps(t.owned.Min.Y, t.owned.Dy(), r.whole.Rect.Dy(), r.ratio)
		line := make([]float32, r.whole.Stride)
		for y := range t.owned.Dy() {
			clear(line)
			at, weights := rows.of(y)
			for k, source := range at {
				for x := columns.from; x < columns.to; x++ {
					line[x] += weights[k] * float32(r.whole.Pix[int(source)*r.whole.Stride+x])
				}
			}
			to := m.Pix[(t.owned.Min.Y+y)*m.Stride+t.owned.Min.X:]
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
		at := c.Middle().Pixel()
		if slices.ContainsFunc(r.tiles, func(t tile) bool { return at.In(t.owned) }) {
			cores[i].Quad = c.Inset(rim / 2)
		}
	}
	return cores
}
