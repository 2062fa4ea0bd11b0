package detect

import (
	"image"
	"slices"
)

// withCandidates returns those of the tiles of a scaled page whose own part has something that may be text in the map of the whole reduced
// page, or is near it. ratio is the size of the scaled page in units of that of the map. A tile is run whole: in less than the picture that
// the model was trained with, it takes more marks of art for characters.
func (p Params) withCandidates(tiles []tile, whole *probabilityMap, ratio float64) []tile {
	var candidates []image.Rectangle
	for _, c := range whole.components(p.CandidateThreshold) {
		at := func(v int) int { return int(float64(v) * ratio) }
		box := image.Rect(at(c.Bounds.Min.X), at(c.Bounds.Min.Y), at(c.Bounds.Max.X)+1, at(c.Bounds.Max.Y)+1)
		candidates = append(candidates, box.Inset(-p.CandidateMargin))
	}
	return slices.DeleteFunc(tiles, func(t tile) bool { return !slices.ContainsFunc(candidates, t.owned.Overlaps) })
}
