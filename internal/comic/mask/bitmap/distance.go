package bitmap

import "math"

// Far is the squared distance where the set is empty.
const Far = math.MaxInt32

// Distance is, for every pixel of Rect, the squared Euclidean distance to the nearest pixel of the set, or Far. It is
// exact: Felzenszwalb and Huttenlocher, Distance Transforms of Sampled Functions (2012), lower envelopes of parabolas.
func (b *Bitmap) Distance() []int32 {
	w := b.Rect.Dx()
	out := make([]int32, len(b.Pix))
	gap := b.columnGaps()
	env := newEnvelope(w)
	for from := 0; from < len(out); from += w {
		row := gap[from : from+w]
		if !env.build(row) {
			for x := range row {
				out[from+x] = Far
			}
			continue
		}
		env.each(w, func(x, apex int) {
			d := int32(x - apex)
			out[from+x] = d*d + row[apex]*row[apex]
		})
	}
	return out
}

// Nearest is, for every pixel of Rect, the place in Pix of a pixel of the set that is nearest to it, or -1 where the set is
// empty.
func (b *Bitmap) Nearest() []int32 {
	w := b.Rect.Dx()
	out := make([]int32, len(b.Pix))
	gap := b.columnGaps()
	env := newEnvelope(w)
	for from := 0; from < len(out); from += w {
		row := gap[from : from+w]
		if !env.build(row) {
			for x := range row {
				out[from+x] = -1
			}
			continue
		}
		env.each(w, func(x, apex int) {
			at := from + apex
			// The gap along the column leads up or down.
			up, down := at-int(row[apex])*w, at+int(row[apex])*w
			if up >= 0 && b.Pix[up] != 0 {
				out[from+x] = int32(up)
			} else {
				out[from+x] = int32(down)
			}
		})
	}
	return out
}

// columnGaps is the distance of each pixel from the set along its column, or Far.
func (b *Bitmap) columnGaps() []int32 {
	w, h := b.Rect.Dx(), b.Rect.Dy()
	gap := make([]int32, w*h)
	for i, p := range b.Pix {
		switch {
		case p != 0:
			gap[i] = 0
		case i < w || gap[i-w] == Far:
			gap[i] = Far
		default:
			gap[i] = gap[i-w] + 1
		}
	}
	for i := (h-1)*w - 1; i >= 0; i-- {
		if below := gap[i+w]; below != Far {
			gap[i] = min(gap[i], below+1)
		}
	}
	return gap
}

// envelope is the lower envelope of the parabolas of a row.
type envelope struct {
	apex  []int     // columns of its parabolas
	start []float64 // where each begins
}

func newEnvelope(w int) *envelope {
	return &envelope{apex: make([]int, w), start: make([]float64, w+1)}
}

// build reports whether there is any parabola.
func (e *envelope) build(gap []int32) bool {
	top := -1
	for q, g := range gap {
		if g == Far {
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

// each visits the columns of a row of width w with the apex of the lowest parabola at each.
func (e *envelope) each(w int, visit func(x, apex int)) {
	k := 0
	for x := range w {
		for e.start[k+1] < float64(x) {
			k++
		}
		visit(x, e.apex[k])
	}
}

// crossing is where the parabola with apex q becomes lower than the one with apex p < q.
func crossing(gap []int32, p, q int) float64 {
	a, b := float64(gap[p]), float64(gap[q])
	fp, fq := float64(p), float64(q)
	return (b*b + fq*fq - a*a - fp*fp) / (2 * (fq - fp))
}
