package letter

import (
	"image"
	"math"

	"plait/internal/raster"
)

// paint is what a text is drawn with; rim is used when width is above zero.
type paint struct {
	fill, rim raster.RGB
	width     float64 // of the rim, in pixels
	bold      float64 // how much wider each side of a stroke is drawn, in pixels
}

// choosePaint takes the source's colors where they can be told from each other and from the ground. Lettering over art has a rim
// where it cannot be told from some of the art: of the color that is there most, which shows nowhere else, or else of black or
// white. So has a text that stands across the edge of its ground.
func (p Params) choosePaint(j *job, page *image.NRGBA) paint {
	s, size := j.area, j.result.size
	out := paint{fill: j.look.ink, bold: j.bold * size}
	if j.look.width > 0 && raster.Contrast(j.look.ink, j.look.rim) >= p.LeastContrast {
		out.rim, out.width = j.look.rim, max(1.2, size*min(max(j.look.width, leastRim), mostRim))
		return out
	}
	switch {
	case s.OverArt:
		out.fill = apart(out.fill, s.Ground, artContrast*p.LeastContrast)
	case raster.Contrast(out.fill, s.Ground) < p.LeastContrast:
		out.fill = raster.Opposite(s.Ground)
	}
	if !s.OverArt && !j.across(page) {
		return out
	}
	out.width = max(1.2, p.Rim*size)
	ground, even, like := j.under(page, out.fill, faint*p.LeastContrast)
	switch {
	case !s.OverArt && raster.Contrast(out.fill, s.Ground) >= 2*p.LeastContrast:
		out.rim = s.Ground
	case s.OverArt && even >= mostlyEven && like <= mostOff:
		out.width = 0
	case s.OverArt && even >= ratherEven && raster.Contrast(out.fill, ground) >= artContrast*p.LeastContrast:
		out.rim = ground
	default:
		out.rim = raster.Opposite(out.fill)
		if raster.Contrast(out.fill, out.rim) < 2*p.LeastContrast { // a middling color: its rim would swallow it
			out.fill = raster.Opposite(out.rim)
		}
	}
	return out
}

const (
	// mostlyEven and ratherEven are the parts of art that are of one color, with soft shading, where it is a ground, and where it is
	// one with something on it.
	mostlyEven, ratherEven = 0.9, 0.7
	// artContrast and faint are, in units of Params.LeastContrast, what lettering without a rim of black or white differs by from the
	// art that is there most, and from any.
	artContrast, faint = 1.2, 0.6
)

// apart is a color as light or dark as it has to be to be told from the ground, or black or white where that is not enough.
func apart(c, ground raster.RGB, least float64) raster.RGB {
	const steps = 10
	out, to := c, raster.Black
	if raster.Lightness(c) > raster.Lightness(ground) {
		to = raster.White
	}
	for i := 1; i <= steps && raster.Contrast(out, ground) < least; i++ {
		for k := range out {
			out[k] = uint8((int(c[k])*(steps-i) + int(to[k])*i) / steps)
		}
	}
	if raster.Contrast(out, ground) < least {
		return raster.Opposite(ground)
	}
	return out
}

// under is the color of most of what the lines stand on, the part of it that is of that color, and the part that is less than least
// from the fill.
func (j *job) under(page *image.NRGBA, fill raster.RGB, least float64) (ground raster.RGB, even, like float64) {
	var colors []raster.RGB
	j.eachUnder(page, func(c raster.RGB) {
		if colors = append(colors, c); raster.Contrast(fill, c) < least {
			like++
		}
	})
	ground, even = raster.Median(colors, offGround)
	return ground, even, like / max(float64(len(colors)), 1)
}

const (
	// offGround: a pixel that differs from the ground by more levels is not of it, and mostOff the part of such pixels that
	// specks and JPEG's noise explain.
	offGround, mostOff = 40, 0.02
	// looks is the distance of the pixels that are looked at.
	looks = 2
)

// across reports whether the lines stand on more than the ground of their text area.
func (j *job) across(page *image.NRGBA) bool {
	var off, all float64
	j.eachUnder(page, func(c raster.RGB) {
		if all++; raster.Difference(c, j.area.Ground) > offGround {
			off++
		}
	})
	return off > mostOff*all
}

// eachUnder visits what the lines stand on, a pixel of every few.
func (j *job) eachUnder(page *image.NRGBA, visit func(raster.RGB)) {
	t, size := j.text, j.result.size
	for _, line := range j.result.lines {
		for y := line.y - t.above*size; y < line.y+t.below*size; y += looks {
			for x := line.x; x < line.x+line.width*size; x += looks {
				px, py := j.area.Frame.ToPage(x, y)
				if at := image.Pt(int(math.Floor(px)), int(math.Floor(py))); at.In(page.Rect) {
					visit(raster.At(page, at.X, at.Y))
				}
			}
		}
	}
}
