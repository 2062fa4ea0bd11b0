package bitmap

import "math"

// Far is the squared distance where the set is empty.
const Far = math.MaxInt32

// Distance is, for every pixel of Rect, the squared Euclidean distance to the nearest pixel of the set, or Far. It is
// exact: Felzenszwalb and Huttenlocher, Distance Transforms of Sampled Functions (2012), lower envelopes of parabolas.
func (b *Bitmap) Distance() []int32 {
	w, h := b.Rect.Dx(), b.Rect.Dy()
	out := make([]int32, w*h)
	if w == 0 || h == 0 {
		return out
	}
	gap := make([]int32, w*h) // distance along the column
	b.columnGaps(gap)
	env := newEnvelope(w)
	for y := range h {
		env.row(gap[y*w:(y+1)*w], out[y*w:(y+1)*w])
	}
	return out
}

func (b *Bitmap) columnGaps(gap []int32) {
	w, h := b.Rect.Dx(), b.Rect.Dy()
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
}

type envelope struct {
	apex  []int     // columns of the parabolas of the lower envelope
	start []float64 // where each begins
}

func newEnvelope(w int) *envelope {
	return &envelope{apex: make([]int, w), start: make([]float64, w+1)}
}

func (e *envelope) row(gap, out []int32) {
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
	if top < 0 {
		for x := range out {
			out[x] = Far
		}
		return
	}
	e.start[top+1] = math.Inf(1)
	k := 0
	for x := range out {
		for e.start[k+1] < float64(x) {
			k++
		}
		d := int32(x - e.apex[k])
		out[x] = d*d + gap[e.apex[k]]*gap[e.apex[k]]
	}
}

// crossing is where the parabola with apex q becomes lower than the one with apex p < q.
func crossing(gap []int32, p, q int) float64 {
	a, b := float64(gap[p]), float64(gap[q])
	fp, fq := float64(p), float64(q)
	return (b*b + fq*fq - a*a - fp*fp) / (2 * (fq - fp))
}
