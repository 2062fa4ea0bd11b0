package exemplar

import (
	"image"
	"slices"

	"plait/internal/comic/inpaint/crop"
	"plait/internal/raster/bitmap"
	"plait/internal/raster/integral"
)

const (
	// half is half the side of a patch without its middle, in pixels.
	half = 3
	// mostDepth is the greatest depth of the hole in the picture of the lowest resolution, in pixels: about a patch.
	mostDepth = 6
	// leastSide is the least side of a picture that is halved, in pixels.
	leastSide = 32
	// sure and guessed are the weights of a known and of a filled pixel in a comparison of patches, so that known pixels decide.
	sure, guessed = 16, 2
)

// level is the problem at one resolution.
type level struct {
	w, h  int
	pix   []uint8
	state []crop.State
	// holes are the pixels to be filled. depth is the squared distance of every pixel to the nearest pixel outside the hole.
	holes []int32
	depth []int32
	// weight is the weight of every pixel in comparisons.
	weight []int32
	// sources are the middles of the patches in which every pixel is known. isSource says the same for every pixel.
	sources  []int32
	isSource []bool
	// targets are the middles of the patches that touch the hole. order has for every pixel its index in targets, or -1.
	targets []int32
	order   []int32
	// from has the source of each target, and cost the difference between the two patches.
	from []int32
	cost []int32
	rng  random
}

// pyramid returns the crop at full resolution, and then halved until the hole is at most mostDepth deep.
func pyramid(c *crop.Crop) []*level {
	l := newLevel(c.Width(), c.Height(), c.Pix, c.State)
	levels := []*level{l}
	for slices.Max(l.depth) > mostDepth*mostDepth && min(l.w, l.h) >= leastSide {
		l = l.halve()
		if len(l.sources) == 0 || len(l.holes) == 0 {
			break
		}
		levels = append(levels, l)
	}
	return levels
}

func newLevel(w, h int, pix []uint8, state []crop.State) *level {
	l := &level{w: w, h: h, pix: pix, state: state}
	known := bitmap.Where(image.Rect(0, 0, w, h), func(at image.Point) bool { return state[at.Y*w+at.X] != crop.Hole })
	l.depth = known.Distance()
	l.weight = make([]int32, w*h)
	for i, s := range state {
		switch s {
		case crop.Known:
			l.weight[i] = sure
		case crop.Hole:
			l.weight[i] = guessed
			l.holes = append(l.holes, int32(i))
		case crop.Barred: // has no weight
		}
	}
	l.sortPatches()
	return l
}

// sortPatches finds the sources and targets. A patch that extends beyond the picture is neither.
func (l *level) sortPatches() {
	l.isSource, l.order = make([]bool, l.w*l.h), make([]int32, l.w*l.h)
	holes := l.count(func(s crop.State) bool { return s == crop.Hole })
	unknown := l.count(func(s crop.State) bool { return s != crop.Known })
	for i := range l.order {
		l.order[i] = -1
		x, y := i%l.w, i/l.w
		patch := image.Rect(x-half, y-half, x+half+1, y+half+1)
		switch {
		case !patch.In(image.Rect(0, 0, l.w, l.h)):
		case unknown.In(patch) == 0:
			l.isSource[i] = true
			l.sources = append(l.sources, int32(i))
		case holes.In(patch) > 0:
			l.order[i] = int32(len(l.targets))
			l.targets = append(l.targets, int32(i))
		}
	}
	l.from, l.cost = make([]int32, len(l.targets)), make([]int32, len(l.targets))
}

// count returns an integral image of the pixels in certain states.
func (l *level) count(of func(crop.State) bool) integral.Table {
	return integral.New(l.w, l.h, func(i int) int32 {
		if of(l.state[i]) {
			return 1
		}
		return 0
	})
}

// halve averages the known pixels of each block of 2 by 2. A pixel of the result is Hole only if the block has no known pixel, so holes
// shrink, and more known pixels are available at the lower resolution.
func (l *level) halve() *level {
	w, h := (l.w+1)/2, (l.h+1)/2
	pix, state := make([]uint8, 3*w*h), make([]crop.State, w*h)
	for y := range h {
		for x := range w {
			var sum [3][3]int // by state and channel
			var count [3]int
			for _, i := range [4]int{0, 1, l.w, l.w + 1} {
				i += 2*y*l.w + 2*x
				if i%l.w < 2*x || i >= len(l.state) { // beyond an odd side
					continue
				}
				s := l.state[i]
				count[s]++
				for k := range 3 {
					sum[s][k] += int(l.pix[3*i+k])
				}
			}
			s := crop.Known
			if count[s] == 0 {
				s = crop.Hole
			}
			if count[s] == 0 {
				s = crop.Barred
			}
			j := y*w + x
			state[j] = s
			for k := range 3 {
				pix[3*j+k] = uint8((sum[s][k] + count[s]/2) / count[s])
			}
		}
	}
	return newLevel(w, h, pix, state)
}
