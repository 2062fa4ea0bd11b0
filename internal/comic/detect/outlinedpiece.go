package detect

import (
	"image"
	"math"

	"plait/internal/raster"
	"plait/internal/raster/bitmap"
	"plait/internal/raster/components"
	"plait/internal/raster/unionfind"
)

// What a piece of white lettering with a dark outline is like.
const (
	// A pixel with no channel less than outlinedLight is white, or nearly, and one with none greater than outlinedDark dark.
	outlinedLight, outlinedDark = 170, 110
	// The outline is looked for from ringFrom to ringTo pixels away, beyond the anti-aliased rim, and is dark in ringDark of
	// that. At the ends of rows, which are quick to look at, endsDark is asked of it.
	ringFrom, ringTo   = 1.5, 3
	ringDark, endsDark = 0.75, 0.5
	// Its strokes are at least thinStroke pixels wide, at most thickStroke sizes of the piece, and at least strokeLong long, in
	// squares of half their width by area: a disc has 3.1.
	thinStroke, thickStroke, strokeLong = 2.4, 0.56, 5
	// A piece is bent, or has a hole, when it fills less than bentShare of its convex hull, and is so long: three times its width
	// at least. What lines that cross at random leave between them is as often hollow, but short: a triangle has 5.2 and more.
	bentShare, bentLong = 0.75, 12
)

// outlinedPiece is a connected piece of white with a dark outline.
type outlinedPiece struct {
	connectedPiece
	// half is half the width of its strokes.
	half float64
	bent bool
	// ended says that beyond the outline is something else.
	ended bool
}

// standsIn reports whether the piece may be of the lettering of a line: it lies there, and is no larger. The inside of a bubble is white
// with a dark outline too.
func (p outlinedPiece) standsIn(q raster.Quad) bool {
	return p.size() <= length(q) && inAny(p.center(), []raster.Quad{q})
}

// outlinedPieces are the pieces of a page that may be lettering.
func outlinedPieces(img *image.NRGBA) []outlinedPiece {
	unit := min(float64(img.Rect.Dx()), float64(img.Rect.Dy())/math.Sqrt2)
	textures := texturesOf(img)
	var found []outlinedPiece
	for _, c := range componentsOf(img, isWhite) {
		p := outlinedPiece{connectedPiece: connectedPiece{c}}
		fits := p.size() >= outlinedLeast*unit && p.size() <= outlinedMost*unit && float64(p.Area) >= thinStroke*p.size()
		if fits && darkEnds(img, p.Runs) && p.measure(img) && !textures.hold(p) {
			found = append(found, p)
		}
	}
	return found
}

// isWhite reports whether a pixel is white, or nearly, and nowhere transparent.
func isWhite(p []uint8) bool {
	return p[1] >= outlinedLight && p[0] >= outlinedLight && p[2] >= outlinedLight && p[3] == 255
}

func isDark(img *image.NRGBA, x, y int) bool {
	if x < 0 || y < 0 || x >= img.Rect.Dx() || y >= img.Rect.Dy() {
		return false
	}
	return lightness(img, image.Pt(x, y)) <= outlinedDark
}

// darkEnds reports whether what is left and right of a piece is dark.
func darkEnds(img *image.NRGBA, runs []components.Run) bool {
	dark := 0
	for _, r := range runs {
		if isDark(img, r.X0-2, r.Y) {
			dark++
		}
		if isDark(img, r.X1+1, r.Y) {
			dark++
		}
	}
	return float64(dark) >= endsDark*2*float64(len(runs))
}

// measure measures a piece, and reports whether it is a stroke with a dark outline.
func (p *outlinedPiece) measure(img *image.NRGBA) bool {
	piece := p.bitmap(ringTo + 1)
	for _, d := range piece.Complement().Distance() {
		p.half = max(p.half, float64(d))
	}
	p.half = math.Sqrt(p.half)
	if 2*p.half < thinStroke || 2*p.half > thickStroke*p.size() || float64(p.Area) < strokeLong*p.half*p.half {
		return false
	}
	ring, dark := 0, 0
	for i, d := range piece.Distance() {
		if float64(d) > ringFrom*ringFrom && d <= ringTo*ringTo {
			ring++
			if at := piece.Point(i); isDark(img, at.X, at.Y) {
				dark++
			}
		}
	}
	if float64(dark) < ringDark*float64(ring) {
		return false
	}
	p.bent = float64(p.Area) < bentShare*areaOf(hull(p.Runs)) && float64(p.Area) >= bentLong*p.half*p.half
	return true
}

// bitmap is the piece and a margin around it.
func (p outlinedPiece) bitmap(margin int) *bitmap.Bitmap {
	piece := bitmap.New(p.Bounds.Inset(-margin))
	for _, r := range p.Runs {
		for x := r.X0; x < r.X1; x++ {
			piece.Add(x, r.Y)
		}
	}
	return piece
}

// areaOf is the area of a polygon.
func areaOf(polygon []vector) float64 {
	twice := 0.0
	for i, p := range polygon {
		twice += p.cross(polygon[(i+1)%len(polygon)])
	}
	return math.Abs(twice) / 2
}

// inCompany are the pieces that lie together, in strokes of one kind, of which enough are bent.
func inCompany(pieces []outlinedPiece) []outlinedPiece {
	sets := unionfind.New(len(pieces))
	for i, p := range pieces {
		for k, o := range pieces[:i] {
			if p.isBeside(o) {
				sets.Union(i, k)
			}
		}
	}
	bent := make([]int, len(pieces))
	for i, p := range pieces {
		if p.bent {
			bent[sets.Find(i)]++
		}
	}
	var all []outlinedPiece
	for i, p := range pieces {
		if bent[sets.Find(i)] >= leastBent {
			all = append(all, p)
		}
	}
	return all
}

// isBeside reports whether two pieces may be of one lettering.
func (p outlinedPiece) isBeside(o outlinedPiece) bool {
	if max(p.half, o.half) > strokesAlike*min(p.half, o.half) {
		return false
	}
	apart := math.Hypot(float64(max(0, p.Bounds.Min.X-o.Bounds.Max.X, o.Bounds.Min.X-p.Bounds.Max.X)),
		float64(max(0, p.Bounds.Min.Y-o.Bounds.Max.Y, o.Bounds.Min.Y-p.Bounds.Max.Y)))
	return apart <= piecesApart*max(p.size(), o.size())
}

// connectedPiece is a connected component of one kind of pixels.
type connectedPiece struct{ components.Component }

// size is that of the longer side of its bounds.
func (p connectedPiece) size() float64 { return float64(max(p.Bounds.Dx(), p.Bounds.Dy())) }

func (p connectedPiece) center() vector {
	return vector{float64(p.Bounds.Min.X+p.Bounds.Max.X) / 2, float64(p.Bounds.Min.Y+p.Bounds.Max.Y) / 2}
}

// componentsOf are the connected components, corners included, of the pixels of a kind.
func componentsOf(img *image.NRGBA, is func(pixel []uint8) bool) []components.Component {
	return components.Find(img.Rect.Dx(), img.Rect.Dy(), components.Eight, func(x, y int) bool {
		i := y*img.Stride + 4*x
		return is(img.Pix[i : i+4 : i+4])
	})
}
