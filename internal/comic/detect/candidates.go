package detect

import (
	"image"
	"slices"
)

// candidateTiles returns tiles of a page of the given scaled size that cover everything that may be text in the map of the whole reduced page:
// each of its components, and a margin for the ends of lines and for marks that were not seen there. ratio is the size of the scaled
// page in units of that of the map. Most of a page is art, so the tiles cover a fifth of it.
func (p Params) candidateTiles(whole *probabilityMap, ratio float64, width, height int) []tile {
	page := image.Rect(0, 0, width, height)
	var boxes []image.Rectangle
	for _, c := range whole.components(p.CandidateThreshold) {
		b := c.Bounds
		at := func(v int) int { return int(float64(v) * ratio) }
		box := image.Rect(at(b.Min.X), at(b.Min.Y), at(b.Max.X)+1, at(b.Max.Y)+1)
		boxes = append(boxes, box.Inset(-p.CandidateMargin).Intersect(page))
	}
	var tiles []tile
	for _, b := range disjoint(boxes) {
		for _, t := range grid(b.Dx(), b.Dy(), p.TileSide, p.TileSide, p.TileOverlap) {
			tiles = append(tiles, tile{seen: t.seen.Add(b.Min), owned: t.owned.Add(b.Min)})
		}
	}
	return tiles
}

// disjoint replaces rectangles that overlap by their union, until none do: each pixel of a map has one owner.
func disjoint(boxes []image.Rectangle) (apart []image.Rectangle) {
	for _, b := range boxes {
		for i := slices.IndexFunc(apart, b.Overlaps); i >= 0; i = slices.IndexFunc(apart, b.Overlaps) {
			b = b.Union(apart[i])
			apart = slices.Delete(apart, i, i+1)
		}
		apart = append(apart, b)
	}
	return apart
}
