package mask

import (
	"image"
	"math"
	"slices"

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
	// window is the part of the page that is examined. lines are the quads inside it. near are the quads grown by a quarter em, because
	// glyphs extend beyond a detected line by that much.
	window image.Rectangle
	// pixels are the colors of the window, row by row.
	pixels      []raster.RGB
	lines, near *bitmap.Bitmap
	// reach is the rectangle that glyphs of the lines may extend to.
	reach  image.Rectangle
	ground raster.RGB
	// agree is the share of the pixels beside the lines that has the color of the ground.
	agree float64
	// slope is the difference, in levels, between the means of the ground in the left and the right half of the surroundings, or in the
	// upper and the lower half, whichever is greater.
	slope float64
	// marks are the pixels outside the lines that differ from the ground as first measured. interior is the connected ground that the lines
	// are in; it is nil if there is none.
	marks, interior *bitmap.Bitmap
	// textured says that the apparent ground is the paper between the dots and strokes of a texture.
	textured bool
}

const (
	// groundLevels is the greatest difference of a ground pixel from the ground, in every channel. JPEG at quality 85 keeps flat areas
	// within 10 levels.
	groundLevels = 10
	// minEm is the least font size, in pixels.
	minEm = 6
	// maxEm is the greatest font size, in pixels: lettering a third of a page high. It also limits the window of a small region.
	maxEm = 600
)

func emOf(r comic.Region) float64 { return min(max(r.FontSize, minEm), maxEm) }

func inspect(t *threads, img *image.NRGBA, r comic.Region, others []comic.Region) *inspection {
	s := &inspection{threads: t, img: img, region: r, others: others, em: emOf(r)}
	s.look(s.pad())
	if !s.window.Empty() {
		s.findGround()
		s.findMarks()
		s.textured = s.isTexture()
	}
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
		fillQuad(s.near, q, 0.25*s.em)
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

// findGround takes the most frequent color in and beside the lines, and then twice the median of all pixels near it. On a flat ground the
// median is exact in spite of JPEG artifacts.
func (s *inspection) findGround() {
	var hist histogram
	s.each(func(i int, c raster.RGB) {
		if s.near.Pix[i] != 0 {
			hist.add(c)
		}
	})
	s.ground = hist.mode()
	for range 2 {
		var levels [3][]uint8
		s.each(func(i int, c raster.RGB) {
			if s.near.Pix[i] != 0 && raster.Difference(c, s.ground) <= groundLevels {
				for k := range c {
					levels[k] = append(levels[k], c[k])
				}
			}
		})
		for k := range levels {
			if len(levels[k]) > 0 {
				slices.Sort(levels[k])
				s.ground[k] = levels[k][len(levels[k])/2]
			}
		}
	}
	s.compare()
}

// compare measures the share of the surroundings that has the color of the ground, and how the ground changes across them.
func (s *inspection) compare() {
	type half struct {
		sum [3]int
		n   int
	}
	var halves [4]half
	middle := middleOf(s.window)
	beside, same := 0, 0
	s.each(func(i int, c raster.RGB) {
		if s.near.Pix[i] != 0 && s.lines.Pix[i] == 0 {
			beside++
			if raster.Difference(c, s.ground) > groundLevels {
				return
			}
			same++
			at := s.near.Point(i)
			for _, h := range [2]int{side(at.X < middle.X, 0, 1), side(at.Y < middle.Y, 2, 3)} {
				halves[h].n++
				for k := range c {
					halves[h].sum[k] += int(c[k])
				}
			}
		}
	})
	s.agree = float64(same) / max(1, float64(beside))
	for _, pair := range [2][2]half{{halves[0], halves[1]}, {halves[2], halves[3]}} {
		a, b := pair[0], pair[1]
		for k := range a.sum {
			if a.n > 0 && b.n > 0 {
				s.slope = max(s.slope, math.Abs(float64(a.sum[k])/float64(a.n)-float64(b.sum[k])/float64(b.n)))
			}
		}
	}
}

func middleOf(r image.Rectangle) image.Point { return r.Min.Add(r.Max).Div(2) }

func side(first bool, a, b int) int {
	if first {
		return a
	}
	return b
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

// each visits the pixels of the window. i is the index of a pixel in the bitmaps of the window.
func (s *inspection) each(visit func(i int, c raster.RGB)) {
	for i, c := range s.pixels {
		visit(i, c)
	}
}
