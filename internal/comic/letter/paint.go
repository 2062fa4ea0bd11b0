package letter

import (
	"image"
	"math"

	"plait/internal/raster"
)

// paint is how a text is drawn. rim is the color of its outline, which is drawn if width is above zero.
type paint struct {
	fill, rim raster.RGB
	width     float64 // of the outline, in pixels
}

// choosePaint uses the source's colors if they contrast enough with each other and with the ground. A text over art gets an outline of
// black or white if much of the art has too little contrast with it. So does a text across the edge of its ground.
func (p Params) choosePaint(j *job, page *image.NRGBA) paint {
	s, size := j.area, j.result.size
	out := paint{fill: j.look.ink}
	least := p.LeastContrast
	if s.Drawn {
		least *= drawnContrast
	}
	if j.look.width > 0 && raster.Contrast(j.look.ink, j.look.rim) >= least {
		out.rim, out.width = j.look.rim, max(1.2, min(max(j.look.width*j.source, leastRim*size), mostRim*size))
		return out
	}
	_, chosen := j.region.Override.Style.Ink()
	if !chosen && raster.Contrast(out.fill, s.Ground) < p.LeastContrast {
		out.fill = raster.Opposite(s.Ground)
	}
	if !s.OverArt && j.shareUnder(page, func(c raster.RGB) bool { return raster.Difference(c, s.Ground) > offGround }) <= mostOff {
		return out
	}
	like := j.shareUnder(page, func(c raster.RGB) bool { return raster.Contrast(out.fill, c) < faint*p.LeastContrast })
	out.width = max(1.2, p.Rim*size)
	switch {
	case !s.OverArt && raster.Contrast(out.fill, s.Ground) >= 2*p.LeastContrast:
		out.rim = s.Ground
	case s.OverArt && like <= mostLike && !j.note: // the source was read without an outline
		out.width = 0
	default:
		out.rim = raster.Opposite(out.fill)
	}
	return out
}

const (
	// faint is the least contrast of lettering with any color of the art around it, in units of Params.LeastContrast.
	faint = 0.6
	// drawnContrast is the least contrast of a drawn text with its outline, as a share of that of other lettering. mostLike is the greatest
	// share of the art behind a text without an outline that is hardly distinguished from it.
	drawnContrast, mostLike = 0.5, 0.15
	// offGround is the greatest difference of a pixel from the ground, in levels. mostOff is the share of other pixels that specks and
	// JPEG noise explain.
	offGround, mostOff = 40, 0.02
	// looks is the distance between the pixels that are sampled.
	looks = 2
)

// shareUnder returns the share of a sample of the pixels behind the lines that have a color of some kind.
func (j *job) shareUnder(page *image.NRGBA, is func(raster.RGB) bool) float64 {
	var some, all float64
	t, size := j.text, j.result.size
	for _, line := range j.result.lines {
		for y := line.y - t.above*size; y < line.y+t.below*size; y += looks {
			for x := line.x; x < line.x+line.width*size; x += looks {
				px, py := j.area.Frame.ToPage(x, y)
				at := image.Pt(int(math.Floor(px)), int(math.Floor(py)))
				if !at.In(page.Rect) {
					continue
				}
				if all++; is(raster.At(page, at.X, at.Y)) {
					some++
				}
			}
		}
	}
	return some / max(all, 1)
}
