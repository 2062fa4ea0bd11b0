package exemplar

import (
	"image"

	"plait/internal/comic/inpaint/crop"
	"plait/internal/raster/integral"
)

const (
	// half is half the side of a patch without its middle.
	half = 3
	// mostDepth is how far, in pixels, the middle of the hole is from what is known in the smallest picture: about a patch.
	mostDepth = 6
	// leastSide is the least side of a picture that is made smaller.
	leastSide = 32
	// A known pixel counts sure in a comparison, one that was guessed guessed: what is known decides.
	sure, guessed = 16, 2
)

// level is one resolution of the problem.
type level struct {
	w, h  int
	pix   []uint8
	state []crop.State
	// holes are the pixels that are sought, depth of every pixel how far it is inside of them, by steps of a king.
	holes []int32
	depth []int32
	// weight is what a pixel counts in comparisons.
	weight []int32
	// sources are the middles of patches that are wholly known; isSource has them by pixel.
	sources  []int32
	isSource []bool
	// targets are the middles of patches that touch the hole, order their places in targets by pixel, or -1.
	targets []int32
	order   []int32
	// from and cost are the source found for each target, and how much the two differ.
	from []int32
	cost []int32
	rng  random
}

// pyramid is the crop in full resolution, and halved until the hole is shallow.
func pyramid(c *crop.Crop) []*level {
	l := newLevel(c.Width(), c.Height(), c.Pix, c.State)
	levels := []*level{l}
	for l.mostDepth() > mostDepth && min(l.w, l.h) >= leastSide {
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
	l.measureDepth()
	l.weight = make([]int32, w*h)
	for i, s := range state {
		switch s {
		case crop.Known:
			l.weight[i] = sure
		case crop.Hole:
			l.weight[i] = guessed
			l.holes = append(l.holes, int32(i))
		case crop.Barred: // says nothing
		}
	}
	l.sortPatches()
	return l
}

// sortPatches tells sources and targets. A patch that reaches beyond the picture is neither.
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

// count tells how many pixels of a rectangle are of a kind.
func (l *level) count(of func(crop.State) bool) integral.Table {
	return integral.New(l.w, l.h, func(i int) int32 {
		if of(l.state[i]) {
			return 1
		}
		return 0
	})
}

// measureDepth finds the chessboard distance to what is not sought, in two passes.
func (l *level) measureDepth() {
	l.depth = make([]int32, l.w*l.h)
	for i, s := range l.state {
		if s == crop.Hole {
			l.depth[i] = l.nearest(i, -1)
		}
	}
	for i := len(l.depth) - 1; i >= 0; i-- {
		if l.state[i] == crop.Hole {
			l.depth[i] = min(l.depth[i], l.nearest(i, 1))
		}
	}
}

// nearest is one step more than the least depth of the neighbors of pixel i that come before it (sign -1) or after it.
func (l *level) nearest(i, sign int) int32 {
	least := int32(l.w + l.h)
	x, y := i%l.w, i/l.w
	for _, d := range [4]image.Point{{1, 0}, {-1, 1}, {0, 1}, {1, 1}} {
		if p := image.Pt(x+sign*d.X, y+sign*d.Y); p.In(image.Rect(0, 0, l.w, l.h)) {
			least = min(least, l.depth[p.Y*l.w+p.X])
		}
	}
	return least + 1
}

func (l *level) mostDepth() int32 {
	var most int32
	for _, d := range l.depth {
		most = max(most, d)
	}
	return most
}

// halve averages by fours what is known in them. A pixel is sought only where nothing is: holes shrink, so that more of what
// is known speaks in the smaller picture.
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
