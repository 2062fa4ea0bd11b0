package mask

import (
	"image"
	"math"

	"plait/internal/comic"
	"plait/internal/raster"
	"plait/internal/raster/bitmap"
)

// inspection holds the surroundings of a region, as measured before its ink is separated from them.
type inspection struct {
	threads *threads
	img     *image.NRGBA
	region  comic.Region
	others  []comic.Region
	// em is the font size of the source in pixels, minEm to maxEm.
	em float64
	// window is the part of the page that is examined. lines are the quads inside it. near are the quads grown by a quarter of their
	// extent across, because glyphs extend beyond a detected line by that much.
	window image.Rectangle
	// pixels are the colors of the window, row by row.
	pixels      []raster.RGB
	lines, near *bitmap.Bitmap
	// reach is the rectangle that glyphs of the lines may extend to.
	reach image.Rectangle
	// textured says that the apparent ground is the paper between the dots and strokes of a texture.
	textured bool
}

const (
	// minEm is the least font size, in pixels.
	minEm = 6
	// maxEm is the greatest font size, in pixels: lettering a third of a page high. It also limits the window of a small region.
	maxEm = 600
)

func emOf(r comic.Region) float64 { return min(max(r.FontSize, minEm), maxEm) }

func inspect(t *threads, img *image.NRGBA, r comic.Region, others []comic.Region) *inspection {
	s := &inspection{threads: t, img: img, region: r, others: others, em: emOf(r)}
	s.look(s.pad())
	return s
}

// pad returns how many pixels around the lines are examined: about a font size for small lettering, and relatively less for large
// lettering, whose size is measured more exactly.
func (s *inspection) pad() int { return int(math.Ceil(min(s.em, 32+s.em/2))) + 12 }

// look sets the window to the lines and pad pixels around them, and reads its pixels.
func (s *inspection) look(pad int) {
	s.window = pixelsAround(s.region, pad).Intersect(s.img.Rect)
	s.lines, s.near = bitmap.New(s.window), bitmap.New(s.window)
	if s.window.Empty() {
		return
	}
	s.load()
	for _, q := range s.region.Lines {
		fillQuad(s.lines, q, 1)
		fillQuad(s.near, q, 0.25*across(q, s.region.Direction))
	}
	s.reach = s.near.Bounds().Inset(-int(s.em / 2))
}

// pixelsAround returns the bounding box of the lines of a region, grown by pad pixels.
func pixelsAround(r comic.Region, pad int) image.Rectangle {
	return raster.Enclosing(r.Bounds()).Inset(-pad)
}

// fillQuad adds the pixels with centers inside q, or at most grow pixels outside the lines through its edges.
func fillQuad(b *bitmap.Bitmap, q raster.Quad, grow float64) {
	var area float64
	for i, p := range q {
		n := q[(i+1)%4]
		area += p[0]*n[1] - n[0]*p[1]
	}
	sign := math.Copysign(1, area)
	x0, y0, x1, y1 := q.Bounds()
	box := image.Rect(int(x0-grow)-1, int(y0-grow)-1, int(x1+grow)+2, int(y1+grow)+2).Intersect(b.Rect)
	for y := box.Min.Y; y < box.Max.Y; y++ {
		for x := box.Min.X; x < box.Max.X; x++ {
			if insideQuad(q, float64(x)+0.5, float64(y)+0.5, sign, grow) {
				b.Add(x, y)
			}
		}
	}
}

func insideQuad(q raster.Quad, x, y, sign, grow float64) bool {
	for i, p := range q {
		n := q[(i+1)%4]
		dx, dy := n[0]-p[0], n[1]-p[1]
		length := math.Hypot(dx, dy)
		if length > 0 && sign*(dx*(y-p[1])-dy*(x-p[0])) < -grow*length {
			return false
		}
	}
	return true
}

// load copies the pixels of the window.
func (s *inspection) load() {
	s.pixels = make([]raster.RGB, 0, s.window.Dx()*s.window.Dy())
	for y := s.window.Min.Y; y < s.window.Max.Y; y++ {
		row := s.img.Pix[s.img.PixOffset(s.window.Min.X, y):]
		for x := range s.window.Dx() {
			s.pixels = append(s.pixels, raster.RGB{row[4*x], row[4*x+1], row[4*x+2]})
		}
	}
}
