package space

import (
	"cmp"
	"image"
	"math"
	"slices"

	"plait/internal/comic/mask/bitmap"
)

// cells are the parts of a set that belong to the texts of a field. Labels are the numbers of the texts from 1, and
// above them those of lobes without a text.
type cells struct {
	of map[*text]*bitmap.Bitmap
	// saddles are, for labels that meet, how far from the edge they meet at most, and peaks how far from it they reach:
	// squared distances.
	saddles map[[2]int16]int32
	peaks   []int32
	// cut are the lobes without a text that leave the window or the page.
	cut   []int16
	texts []*text
}

// shared reports whether a text has no lobe of its own: where it meets another, there is no neck.
func (c *cells) shared(t *text) bool {
	own := int16(slices.Index(c.texts, t) + 1)
	for pair, saddle := range c.saddles {
		if pair[0] == own || pair[1] == own {
			if lower := min(c.peaks[pair[0]], c.peaks[pair[1]]); float64(saddle) > sharedNeck*sharedNeck*float64(lower) {
				return true
			}
		}
	}
	return false
}

// sharedNeck: a neck is narrower than this part of the lobes on both sides.
const sharedNeck = 0.8

// joined are the labels that meet a label, in the order of their numbers.
func (c *cells) joined(label int16) []int16 {
	var out []int16
	for pair := range c.saddles {
		switch label {
		case pair[0]:
			out = append(out, pair[1])
		case pair[1]:
			out = append(out, pair[0])
		}
	}
	slices.Sort(out)
	return out
}

// cells parts a set among the texts. It floods the set from their lines, the roomy parts first, so that two texts that
// share a bubble meet in its neck, or half way where there is none; a lobe without a text is cut off in its neck too.
// Only what a disc of the brush's radius reaches belongs to a cell.
//
// This is the watershed of the distance from the edge by flooding from markers (Meyer, 1991), on few levels: what is as
// wide as two lines of text is all the same, and one basin is parted by distance.
func (f *field) cells(set *bitmap.Bitmap, brush float64) *cells {
	room := set.Complement().Distance()
	opened := opening(set, room, brush)
	labels := f.markers(opened, room)
	f.flood(opened, room, labels)
	most := max(slices.Max(labels), 0)
	bounds := make([]image.Rectangle, most+1)
	out := &cells{of: map[*text]*bitmap.Bitmap{}, saddles: map[[2]int16]int32{}, peaks: make([]int32, most+1), texts: f.texts}
	w := f.window.Dx()
	for i, l := range labels {
		if l <= 0 {
			continue
		}
		if i%w > 0 {
			out.meet(l, labels[i-1], room[i])
		}
		if i >= w {
			out.meet(l, labels[i-w], room[i])
		}
		out.peaks[l] = max(out.peaks[l], room[i])
		at := image.Pt(f.window.Min.X+i%w, f.window.Min.Y+i/w)
		if b := bounds[l]; !at.In(b) {
			bounds[l] = b.Union(image.Rectangle{Min: at, Max: at.Add(image.Pt(1, 1))})
		}
	}
	for l, b := range bounds {
		switch {
		case b.Empty():
		case l <= len(f.texts):
			out.of[f.texts[l-1]] = labeled(set, labels, int16(l), b)
		case f.cuts(b) || !b.In(f.page.Inset(1)):
			out.cut = append(out.cut, int16(l))
		}
	}
	return out
}

func (c *cells) meet(a, b int16, room int32) {
	if a != b && b > 0 {
		pair := [2]int16{min(a, b), max(a, b)}
		c.saddles[pair] = max(c.saddles[pair], room)
	}
}

// labeled is the set of the pixels with a label, which lie within r.
func labeled(like *bitmap.Bitmap, labels []int16, label int16, r image.Rectangle) *bitmap.Bitmap {
	out := bitmap.New(r)
	for y := r.Min.Y; y < r.Max.Y; y++ {
		from, to := like.Offset(r.Min.X, y), out.Offset(r.Min.X, y)
		for x := range r.Dx() {
			if labels[from+x] == label {
				out.Pix[to+x] = 1
			}
		}
	}
	return out
}

// opening is what a disc that fits into the set covers; room is the squared distance from the edge of the set.
func opening(set *bitmap.Bitmap, room []int32, radius float64) *bitmap.Bitmap {
	limit := int32(radius * radius)
	eroded := bitmap.New(set.Rect)
	for i, d := range room {
		if d > limit {
			eroded.Pix[i] = 1
		}
	}
	return eroded.Dilate(radius)
}

// markers label the lines of each text, and the lobes without one.
func (f *field) markers(opened *bitmap.Bitmap, room []int32) []int16 {
	labels := make([]int16, len(opened.Pix))
	for n, t := range f.texts {
		for _, line := range t.lines {
			for y := line.Min.Y; y < line.Max.Y; y++ {
				from := opened.Offset(line.Min.X, y)
				for i := from; i < from+line.Dx(); i++ {
					if opened.Pix[i] != 0 && labels[i] == 0 {
						labels[i] = int16(n + 1)
					}
				}
			}
		}
	}
	f.markEmptyLobes(opened, room, labels)
	return labels
}

const (
	// neck: a lobe is one where the way to it is narrower than this part of both its own width and that of the text's lobe.
	neck = 0.62
	// leastLobe is the half width of a lobe in em.
	leastLobe = 0.9
	// neckStep is between the half widths of the necks that are looked for, and widestNeck the greatest, in em.
	neckStep, widestNeck = 0.25, 3
)

// markEmptyLobes looks for parts of the set without a text that come apart from those with one when it is eroded.
func (f *field) markEmptyLobes(opened *bitmap.Bitmap, room []int32, labels []int16) {
	next := int16(len(f.texts) + 1)
	eroded := bitmap.New(opened.Rect)
	narrowest, widest := textRoom(opened, room, labels)
	most := min(neck*math.Sqrt(float64(widest)), widestNeck*f.em)
	for radius := neckStep * f.em; radius <= most; radius += neckStep * f.em {
		limit, least := int32(radius*radius), int32(math.Pow(max(radius/neck, leastLobe*f.em), 2))
		for i, d := range room {
			eroded.Pix[i] = 0
			if d > limit && opened.Pix[i] != 0 && float64(narrowest[i])*neck*neck >= radius*radius {
				eroded.Pix[i] = 1
			}
		}
		for _, c := range eroded.Components() {
			var peak int32
			taken := false
			for _, i := range c.Pixels {
				peak = max(peak, room[i])
				taken = taken || labels[i] != 0
			}
			if taken || peak < least || next == math.MaxInt16 {
				continue
			}
			for _, i := range c.Pixels {
				labels[i] = next
			}
			next++
		}
	}
}

// textRoom is, for each pixel of the set, the room of the text that has the least in what the pixel is connected to; and the
// most that a text has. The room of a text is the squared distance from the edge that its lines reach.
func textRoom(set *bitmap.Bitmap, room []int32, labels []int16) (narrowest []int32, widest int32) {
	narrowest = make([]int32, len(labels))
	for _, c := range set.Components() {
		peaks := map[int16]int32{}
		for _, i := range c.Pixels {
			if l := labels[i]; l != 0 {
				peaks[l] = max(peaks[l], room[i])
			}
		}
		var least int32
		for _, peak := range peaks {
			if widest = max(widest, peak); least == 0 || peak < least {
				least = peak
			}
		}
		for _, i := range c.Pixels {
			narrowest[i] = least
		}
	}
	return narrowest, widest
}

const (
	// roomy is the distance from the edge, in em, beyond which all is the same.
	roomy = 1.3
	// levels are told apart up to there.
	levels = 10
)

// flood grows the labels over the set: what is farther from the edge first.
func (f *field) flood(set *bitmap.Bitmap, room []int32, labels []int16) {
	w, h := int32(f.window.Dx()), int32(f.window.Dy())
	scale := levels / (roomy * f.em)
	level := func(i int32) int { return min(int(math.Sqrt(float64(room[i]))*scale), levels) }
	var queues [levels + 1][]int32
	push := func(i int32, from int16) {
		x, y := i%w, i/w
		for ny := max(y-1, 0); ny <= min(y+1, h-1); ny++ {
			for nx := max(x-1, 0); nx <= min(x+1, w-1); nx++ {
				if j := ny*w + nx; set.Pix[j] != 0 && labels[j] == 0 {
					labels[j] = -from // until its turn comes
					l := level(j)
					queues[l] = append(queues[l], j)
				}
			}
		}
	}
	for i, l := range labels {
		if l > 0 {
			push(int32(i), l)
		}
	}
	for top := highest(queues[:]); len(queues[top]) > 0; {
		i := queues[top][0]
		queues[top] = queues[top][1:]
		labels[i] = -labels[i]
		push(i, labels[i])
		top = highest(queues[:])
	}
}

func highest(queues [][]int32) int {
	for i := len(queues) - 1; i > 0; i-- {
		if len(queues[i]) > 0 {
			return i
		}
	}
	return 0
}

// hullArea is the area of the convex hull of a set, in pixels.
func hullArea(b *bitmap.Bitmap) float64 {
	var points []image.Point
	w := b.Rect.Dx()
	for y := range b.Rect.Dy() {
		row := b.Pix[y*w : (y+1)*w]
		first := slices.Index(row, 1)
		if first < 0 {
			continue
		}
		last := w - 1
		for row[last] == 0 {
			last--
		}
		points = append(points, image.Pt(first, y), image.Pt(first, y+1), image.Pt(last+1, y), image.Pt(last+1, y+1))
	}
	hull := convexHull(points)
	area := 0
	for i, p := range hull {
		q := hull[(i+1)%len(hull)]
		area += p.X*q.Y - q.X*p.Y
	}
	return math.Abs(float64(area)) / 2
}

// convexHull is Andrew's monotone chain (1979).
func convexHull(points []image.Point) []image.Point {
	slices.SortFunc(points, func(a, b image.Point) int { return cmp.Or(cmp.Compare(a.X, b.X), cmp.Compare(a.Y, b.Y)) })
	var hull []image.Point
	for range 2 {
		from := len(hull)
		for _, p := range points {
			for len(hull) >= from+2 && turn(hull[len(hull)-2], hull[len(hull)-1], p) <= 0 {
				hull = hull[:len(hull)-1]
			}
			hull = append(hull, p)
		}
		hull = hull[:len(hull)-1]
		slices.Reverse(points)
	}
	return hull
}

func turn(a, b, c image.Point) int { return (b.X-a.X)*(c.Y-a.Y) - (b.Y-a.Y)*(c.X-a.X) }
