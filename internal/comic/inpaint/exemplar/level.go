package exemplar

import (
	"image"
	"slices"

	"plait/internal/comic/inpaint/crop"
	"plait/internal/raster/integral"
)

const (
	// half is half the side of a patch without its middle, in pixels.
	half = 3
	// mostDepth is the greatest depth of the hole in the picture of the lowest resolution, in pixels: about a patch.
	mostDepth = 6
	// sure is the weight of a known pixel in a comparison of patches, in units of that of a filled one, so that known pixels decide.
	sure = 8
)

// level is the problem at one resolution.
type level struct {
	*crop.Crop
	w, h int
	// depth is the squared distance of every pixel to the nearest pixel outside the hole.
	depth []int32
	// weight is the weight of every pixel in comparisons.
	weight []int32
	// sources are the middles of the patches in which every pixel is known. isSource says the same for every pixel.
	sources  []int32
	isSource []bool
	// targets are the middles of the patches that touch the hole. from has for every pixel the source of the target there, or -1, and cost the
	// difference between the two patches.
	targets    []int32
	from, cost []int32
	rng        random
}

// pyramid returns the crop at full resolution, and then halved until the hole is at most mostDepth deep.
func pyramid(c *crop.Crop) []*level {
	l := newLevel(c)
	levels := []*level{l}
	for slices.Max(l.depth) > mostDepth*mostDepth {
		l = newLevel(l.Halve())
		if len(l.sources) == 0 || len(l.targets) == 0 {
			break
		}
		levels = append(levels, l)
	}
	return levels
}

func newLevel(c *crop.Crop) *level {
	n := len(c.Hole.Pix)
	l := &level{
		Crop: c, w: c.Width(), h: c.Height(), depth: c.Hole.Complement().Distance(),
		weight: make([]int32, n), isSource: make([]bool, n), from: make([]int32, n), cost: make([]int32, n),
	}
	for i, hole := range c.Hole.Pix {
		if l.weight[i] = int32(hole); c.Known(i) {
			l.weight[i] = sure
		}
	}
	l.sortPatches()
	return l
}

// sortPatches finds the sources and targets. A patch that extends beyond the picture is neither.
func (l *level) sortPatches() {
	holes := integral.New(l.w, l.h, func(i int) int32 { return int32(l.Hole.Pix[i]) })
	unknown := integral.New(l.w, l.h, func(i int) int32 { return int32(l.Hole.Pix[i] | l.Barred.Pix[i]) })
	for i := range l.from {
		l.from[i] = -1
		x, y := i%l.w, i/l.w
		patch := image.Rect(x-half, y-half, x+half+1, y+half+1)
		switch {
		case !patch.In(image.Rect(0, 0, l.w, l.h)):
		case unknown.In(patch) == 0:
			l.isSource[i] = true
			l.sources = append(l.sources, int32(i))
		case holes.In(patch) > 0:
			l.targets = append(l.targets, int32(i))
		}
	}
}
