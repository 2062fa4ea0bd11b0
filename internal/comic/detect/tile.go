package detect

import (
	"image"
	"math"

	"plait/internal/raster/components"
)

// sideMultiple is the factor that divides the sides of the model's input, because the model halves the picture five times.
const sideMultiple = 32

func roundUp(n int) int { return (n + sideMultiple - 1) / sideMultiple * sideMultiple }

func scaled(side int, scale float64) int { return max(1, int(math.Round(float64(side)*scale))) }

// scale is the factor by which a page is scaled before the model sees it.
func (p Params) scale(width, height int) float64 {
	w, h := float64(width), float64(height)
	if p.isStrip(width, height) {
		return clampScale(w, float64(p.StripWidth), float64(p.MaxPageWidth), p.MaxEnlarge)
	}
	// The lettering on a spread of two pages is as large as on one page, so a spread counts as wide as one page of its height.
	// A page is 1.41 times as high as wide.
	return clampScale(min(w, h/math.Sqrt2), float64(p.PageWidth), float64(p.MaxPageWidth), p.MaxEnlarge)
}

func (p Params) isStrip(width, height int) bool { return float64(height) > p.StripRatio*float64(width) }

// wholeScale is the factor by which a page is reduced for the run on the whole page; it is 1 for a small page, and 0 if there is no such
// run.
func (p Params) wholeScale(width, height int) float64 {
	if p.WholeWidth == 0 || p.isStrip(width, height) {
		return 0
	}
	return min(1, float64(p.WholeWidth)/min(float64(width), float64(height)/math.Sqrt2))
}

func clampScale(width, least, most, maxEnlarge float64) float64 {
	switch {
	case width < least*0.95: // a width close enough is kept, because resampling blurs
		return min(least/width, maxEnlarge)
	case width > most:
		return most / width
	default:
		return 1
	}
}

// tile is a part of the scaled page: the model sees all of seen, but its answer is used only for the smaller owned.
type tile struct {
	seen, owned image.Rectangle
}

// cut covers a scaled page of the given size with overlapping tiles. Each tile owns half of each overlap.
func (p Params) cut(width, height int) []tile {
	widest, side, overlap := p.TileSide, p.TileSide, p.TileOverlap
	if p.isStrip(width, height) {
		side, overlap = p.StripTileSide, p.StripTileOverlap
		widest = max(side, p.StripTileWidth)
	}
	var tiles []tile
	for _, r := range spans(height, side, overlap) {
		for _, c := range spans(width, widest, overlap) {
			tiles = append(tiles, tile{image.Rect(c.from, r.from, c.to, r.to), image.Rect(c.ownFrom, r.ownFrom, c.ownTo, r.ownTo)})
		}
	}
	return tiles
}

type span struct{ from, to, ownFrom, ownTo int }

// spans divides a length into the fewest pieces of at most side, all of equal size so that no narrow piece remains.
func spans(length, side, overlap int) []span {
	if length <= side {
		return []span{{0, length, 0, length}}
	}
	step := side - overlap
	pieces := make([]span, (length+step-1)/step)
	for i := range pieces {
		from, to := i*length/len(pieces), (i+1)*length/len(pieces)
		pieces[i] = span{max(0, from-overlap/2), min(length, to+overlap/2), from, to}
	}
	return pieces
}

// fill copies the part of a map that t owns from the model's answer, which has rows of the given width.
func (t tile) fill(m *image.Gray, answer []float32, width int) {
	for y := t.owned.Min.Y; y < t.owned.Max.Y; y++ {
		from := answer[(y-t.seen.Min.Y)*width+t.owned.Min.X-t.seen.Min.X:]
		to := m.Pix[y*m.Stride+t.owned.Min.X : y*m.Stride+t.owned.Max.X]
		for x := range to {
			to[x] = uint8(min(max(from[x], 0), 1)*255 + 0.5)
		}
	}
}

// componentsOf are the connected components of the pixels of a map with at least the threshold, 0..1.
func componentsOf(m *image.Gray, threshold float64) []components.Component {
	least := level(threshold)
	return components.Find(m.Rect.Dx(), m.Rect.Dy(), func(x, y int) bool { return m.Pix[y*m.Stride+x] >= least })
}

// level is a probability as a map holds it.
func level(probability float64) uint8 { return uint8(min(max(probability, 0), 1)*255 + 0.5) }
