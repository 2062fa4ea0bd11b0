package mask

import (
	"image"
	"math"

	"golang.org/x/sync/errgroup"

	"plait/internal/comic"
	"plait/internal/raster"
	"plait/internal/raster/bitmap"
)

// inspection holds the surroundings of a region, as measured before its ink is separated from them.
type inspection struct {
	pool   *errgroup.Group
	region comic.Region
	others []comic.Region
	// em is the font size of the source in pixels, minEm to maxEm.
	em float64
	// window is the part of the page that is examined. lines are the quads inside it. near are the quads grown by a quarter of their
	// extent across, because glyphs extend beyond a detected line by that much.
	window image.Rectangle
	// pixels are the colors of the window, row by row.
	pixels      []raster.RGB
	lines, near *bitmap.Bitmap
	// reach is the rectangle that glyphs of the lines may extend to, and whole the one beyond which the window may cut a piece.
	reach, whole image.Rectangle
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

// surroundings returns what is examined for a region: its lines, and about a font size around small lettering, and relatively less around
// large lettering, whose size is measured more exactly.
func surroundings(r comic.Region) image.Rectangle {
	em := emOf(r)
	return raster.Enclosing(r.Bounds()).Inset(-int(math.Ceil(min(em, 32+em/2))) - 12)
}

// inspect measures a region whose surroundings are on the page.
func inspect(pool *errgroup.Group, img *image.NRGBA, r comic.Region, others []comic.Region) *inspection {
	around := surroundings(r)
	s := &inspection{pool: pool, region: r, others: others, em: emOf(r), window: around.Intersect(img.Rect), whole: around.Inset(1)}
	s.pixels = make([]raster.RGB, 0, s.window.Dx()*s.window.Dy())
	for y := s.window.Min.Y; y < s.window.Max.Y; y++ {
		row := img.Pix[img.PixOffset(s.window.Min.X, y):]
		for x := range s.window.Dx() {
			s.pixels = append(s.pixels, raster.RGB{row[4*x], row[4*x+1], row[4*x+2]})
		}
	}
	s.lines, s.near = bitmap.New(s.window), bitmap.New(s.window)
	for _, q := range s.region.Lines {
		s.lines.Fill(q.Inset(-1))
		s.near.Fill(q.Inset(-0.25 * across(q, s.region.Direction)))
	}
	s.reach = s.near.Bounds().Inset(-int(s.em / 2)).Intersect(s.window.Inset(1))
	return s
}

// where returns the pixels of the window for whose index is returns true.
func (s *inspection) where(is func(i int) bool) *bitmap.Bitmap {
	set := bitmap.New(s.window)
	for i := range set.Pix {
		if is(i) {
			set.Pix[i] = 1
		}
	}
	return set
}

// find separates the ink of a region from its ground and grows it into a hole.
func find(s *inspection) Region {
	g := s.commonGround()
	interior, ok := g.interior()
	s.textured = g.isTexture(interior, ok) || ok && g.isCrossed(interior)
	// For drawn sounds and on textures, separate pieces of art are not lettering, so its style has to decide.
	if ok && s.region.Kind != comic.KindEffect && !s.textured {
		g.split(interior)
		if g.holds(leastGround, groundLevels) || g.holds(mostGround, coarseLevels) {
			return g.lettering()
		}
	}
	ink := s.inkOnArt()
	around := s.groundAround(ink)
	if around.holds(mostGround, groundLevels) {
		return around.lettering()
	}
	out := Region{Index: s.region.Index, Ground: around.color, Ink: ink, Hole: ink.Dilate(rim)}
	if s.textured {
		out.Class = Texture
		return out
	}
	if out.Rest = s.hasRest(out.Hole); out.Rest {
		// The rest may end in the first band around the hole and the soft edge of what is there.
		if wider := out.Hole.Dilate(restBand + rim); !s.hasRest(wider) {
			out.Hole, out.Rest = wider, false
		}
	}
	return out
}
