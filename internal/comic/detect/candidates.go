package detect

import (
	"image"
	"slices"
)

// withCandidates returns those of the tiles of a scaled page whose own part has something that may be text in the map of the whole reduced
// page, or is near it. ratio is the size of the scaled page in units of that of the map. A tile is run whole: in less than the picture that
// the model was trained with, it takes more marks of art for characters.
func (p Params) withCandidates(tiles []tile, whole *probabilityMap, ratio float64) []tile {
	return slices.DeleteFunc(tiles, func(t tile) bool {
		near := t.owned.Inset(-p.CandidateMargin)
		at := func(v int) int { return int(float64(v) / ratio) }
		return !whole.reaches(p.CandidateThreshold, image.Rect(at(near.Min.X), at(near.Min.Y), at(near.Max.X)+1, at(near.Max.Y)+1))
	})
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
