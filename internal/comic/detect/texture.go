package detect

import (
	"image"
	"math"

	"plait/internal/raster"
)

// How a texture is told around a piece of it. Lengths are in samples, of which textureFine go into half the width of a stroke: what
// is told of a coarse texture and of a fine one is the same.
const (
	textureFine = 3
	// textureSide is the side of the square that is looked at, and textureReach how far it is shifted: meshes between dots that
	// touch are about a quarter as wide as the dots lie apart.
	textureSide, textureReach = 48, 6*textureFine + 2
	// A shift counts from textureLeast, when the square falls upon itself this well, and by textureTrough better than halfway
	// there: a straight edge falls upon itself however far it is shifted along itself. Dots that run into a net have 0.87 and
	// more; drawn lettering, of which some repeats its letters, had 0.45 at most.
	textureLeast, textureAlike, textureTrough = 3, 0.65, 0.2
	// Two shifts are different ways when the sine of the angle between them is at least this.
	textureTurn = 0.6
)

// patch is the lightness of a page, less its mean, in a square and as far around it as it is shifted.
type patch struct {
	values [(textureSide + 2*textureReach) * (textureSide + 2*textureReach)]float32
	// power is that of the square alone.
	power float32
}

// textures knows where a page has textures, as far as it was asked.
type textures struct {
	img   *image.NRGBA
	known map[textureAt]bool
}

// textureAt is a square of a page that is sampled every so many pixels.
type textureAt struct{ every, column, row int }

func texturesOf(img *image.NRGBA) textures { return textures{img, make(map[textureAt]bool)} }

// hold reports whether a piece lies in a texture. Between the dots of dark screentone, where they run into a net, all white has a
// dark outline.
func (t textures) hold(p outlinedPiece) bool {
	every := int(math.Ceil(p.half / textureFine))
	side := textureSide * every
	at := textureAt{every, int(p.center().x) / side, int(p.center().y) / side}
	is, known := t.known[at]
	if !known {
		is = patchAt(t.img, image.Pt(at.column*side+side/2, at.row*side+side/2), every).repeats()
		t.known[at] = is
	}
	return is
}

// repeats reports whether the square falls upon itself when it is shifted either of two ways.
func (p *patch) repeats() bool {
	var alike []vector
	for dy := range textureReach + 1 {
		for dx := -textureReach; dx <= textureReach; dx++ {
			shift := vector{float64(dx), float64(dy)}
			if long := shift.length(); long < textureLeast || long > textureReach || dy == 0 && dx < 0 {
				continue
			}
			c := p.alike(dx, dy)
			if c < textureAlike || p.alike(dx/2, dy/2) > c-textureTrough {
				continue
			}
			for _, other := range alike {
				if math.Abs(shift.cross(other)) >= textureTurn*shift.length()*other.length() {
					return true
				}
			}
			alike = append(alike, shift)
		}
	}
	return false
}

// patchAt samples a page around a place, every so many pixels. At an edge the place is moved into the page as far as it is large
// enough; beyond it is what is at its edge.
func patchAt(img *image.NRGBA, middle image.Point, every int) *patch {
	const side = textureSide + 2*textureReach
	half := side / 2 * every
	middle.X = max(min(middle.X, img.Rect.Dx()-half), half)
	middle.Y = max(min(middle.Y, img.Rect.Dy()-half), half)
	p := new(patch)
	sum := float32(0)
	for i := range p.values {
		x, y := middle.X+(i%side-side/2)*every, middle.Y+(i/side-side/2)*every
		c := raster.At(img, min(max(x, 0), img.Rect.Dx()-1), min(max(y, 0), img.Rect.Dy()-1))
		p.values[i] = float32(c[1])
		sum += p.values[i]
	}
	for i := range p.values {
		p.values[i] -= sum / float32(len(p.values))
	}
	p.power = max(p.product(0, 0), 1)
	return p
}

// alike is how well the square falls upon what is a shift away, 1 at best.
func (p *patch) alike(dx, dy int) float64 { return float64(p.product(dx, dy) / p.power) }

func (p *patch) product(dx, dy int) (sum float32) {
	const side = textureSide + 2*textureReach
	for y := textureReach; y < textureReach+textureSide; y++ {
		row := p.values[y*side+textureReach:][:textureSide]
		shifted := p.values[(y+dy)*side+textureReach+dx:][:textureSide]
		for x, v := range row {
			sum += v * shifted[x]
		}
	}
	return sum
}
