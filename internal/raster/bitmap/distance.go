package bitmap

import "math"

// Far is the squared distance to an empty set.
const Far = math.MaxInt32

// Distance returns the exact distance transform: for every pixel of Rect, the squared Euclidean distance to the nearest pixel of the
// set, or Far. It uses lower envelopes of parabolas: Felzenszwalb and Huttenlocher, Distance Transforms of Sampled Functions (2012).
func (b *Bitmap) Distance() []int32 { return b.distanceWithin(nowhere) }

// distanceWithin returns the same values as Distance for pixels within reach of the set. For other pixels it returns any value greater
// than reach squared.
func (b *Bitmap) distanceWithin(reach int32) []int32 {
	out := make([]int32, len(b.Pix))
	for i, p := range b.Pix {
		if p == 0 {
			out[i] = Far
		}
	}
	b.eachApex(reach, func(at, apex int, gap int32) {
		d := int32(at - apex)
		out[at] = d*d + gap*gap
	})
	return out
}

// NearestWithin returns, for every pixel of Rect within reach of the set, the index in Pix of a nearest pixel of the set. For other
// pixels it returns the index of any pixel of the set, or -1.
func (b *Bitmap) NearestWithin(reach int) []int32 {
	w := b.Rect.Dx()
	out := make([]int32, len(b.Pix))
	for i, p := range b.Pix {
		if out[i] = int32(i); p == 0 {
			out[i] = -1
		}
	}
	b.eachApex(int32(reach), func(at, apex int, gap int32) {
		// The pixel of the set is gap rows above or below the apex.
		if up := apex - int(gap)*w; up >= 0 && b.Pix[up] != 0 {
			out[at] = int32(up)
		} else {
			out[at] = int32(apex + int(gap)*w)
		}
	})
	return out
}

// eachApex visits every pixel outside of the set, with the pixel of the same row (apex) through whose column the set is nearest, and the
// distance (gap) from the apex to the set along that column. It considers only columns with a gap of at most reach, and skips pixels for
// which there is none.
func (b *Bitmap) eachApex(reach int32, visit func(at, apex int, gap int32)) {
	w := b.Rect.Dx()
	gap := b.columnGaps()
	env := newEnvelope(w)
	for from := 0; from < len(gap); from += w {
		row := gap[from : from+w]
		for x := 0; x < w; x++ {
			if row[x] == 0 {
				continue
			}
			// Each stretch between two pixels of the set is independent: no pixel beyond them is nearer.
			first, last := max(x-1, 0), x
			for last < w-1 && row[last] != 0 {
				last++
			}
			if env.build(row, first, last, reach) {
				for k := 0; x <= last && row[x] != 0; x++ {
					for env.start[k+1] < float64(x) {
						k++
					}
					visit(from+x, from+env.apex[k], row[env.apex[k]])
				}
			}
			x = last
		}
	}
}

// nowhere is the gap of a column without a pixel of the set. It is larger than any image.
const nowhere = 1 << 24

// columnGaps returns the distance of each pixel from the set along its column, or at least nowhere if the column has no pixel of the set.
func (b *Bitmap) columnGaps() []int32 {
	w := b.Rect.Dx()
	gap := make([]int32, len(b.Pix))
	before := make([]int32, w)
	for x := range before {
		before[x] = nowhere
	}
	for from := 0; from < len(gap); from += w {
		row, set := gap[from:from+w], b.Pix[from:from+w]
		for x, g := range before[:len(row)] {
			if g++; set[x] != 0 {
				g = 0
			}
			row[x] = g
		}
		before = row
	}
	for from := len(gap) - 2*w; from >= 0; from -= w {
		row, below := gap[from:from+w], gap[from+w:from+2*w]
		for x, g := range below {
			row[x] = min(row[x], g+1)
		}
	}
	return gap
}

// envelope is the lower envelope of the parabolas of a row.
type envelope struct {
	apex  []int     // columns of the apexes of its parabolas
	start []float64 // where each parabola begins to be the lowest
}

func newEnvelope(w int) *envelope {
	return &envelope{apex: make([]int, w), start: make([]float64, w+1)}
}

// build computes the envelope of the columns first to last. Only columns with a gap of at most reach have a parabola. It reports whether
// there is any.
func (e *envelope) build(gap []int32, first, last int, reach int32) bool {
	top := -1
	for q := first; q <= last; q++ {
		if gap[q] > reach || gap[q] >= nowhere {
			continue
		}
		from := math.Inf(-1)
		for top >= 0 {
			from = crossing(gap, e.apex[top], q)
			if from > e.start[top] {
				break
			}
			top--
			from = math.Inf(-1)
		}
		top++
		e.apex[top], e.start[top] = q, from
	}
	if top >= 0 {
		e.start[top+1] = math.Inf(1)
	}
	return top >= 0
}

// crossing returns where the parabola with apex q becomes lower than the one with apex p < q.
func crossing(gap []int32, p, q int) float64 {
	a, b := float64(gap[p]), float64(gap[q])
	fp, fq := float64(p), float64(q)
	return (b*b + fq*fq - a*a - fp*fp) / (2 * (fq - fp))
}
