package scan

import (
	"image"
	"math"

	"plait/internal/raster"
	"plait/internal/raster/bitmap"
	"plait/internal/raster/integral"
)

const (
	// margin is how far around a text its ink is looked for, and halo how far the blur of a scanner and the noise of JPEG reach around it, both in
	// pixels.
	margin, halo = 5, 3
	// near and far are the distances from which the paper around ink is taken.
	near, far = 12, 60
)

// Patch covers a part of a picture. Where it is transparent, the picture stays as it is.
type Patch struct {
	Rect   image.Rectangle
	Pixels *image.NRGBA
}

// Area is the area of a text: a box whose upper and lower sides are turned around their middles to a slope, downward.
type Area struct {
	Box   image.Rectangle
	Slope float64
}

// bounds is the box around the area.
func (a Area) bounds() image.Rectangle {
	rise := int(math.Ceil(math.Abs(a.Slope) * float64(a.Box.Dx()) / 2))
	return image.Rect(a.Box.Min.X, a.Box.Min.Y-rise, a.Box.Max.X, a.Box.Max.Y+rise).Inset(-margin)
}

// holds reports whether something is in the area, or hardly beyond it.
func (a Area) holds(part image.Rectangle) bool {
	away := a.Slope * float64(part.Min.X+part.Max.X-a.Box.Min.X-a.Box.Max.X) / 2
	return part.Sub(image.Pt(0, int(math.Round(away)))).In(a.Box.Inset(-margin))
}

// Clear returns a patch for each area that has ink: the paper around it in place of the ink. Rules stay, and so does what crosses the border of
// an area, such as a stamp.
func Clear(picture *image.NRGBA, areas []Area, rules []image.Rectangle) (patches []Patch) {
	for _, area := range areas {
		view := area.bounds().Inset(-halo - 1).Intersect(picture.Bounds())
		if view.Empty() {
			continue
		}
		hole := inkOf(picture, view, area, rules)
		if hole == nil {
			continue
		}
		patches = append(patches, Patch{view, filled(picture, view, hole)})
	}
	return patches
}

// inkOf returns the ink of a view with its halo; nil if there is none.
func inkOf(picture *image.NRGBA, view image.Rectangle, area Area, rules []image.Rectangle) *bitmap.Bitmap {
	luminances := grayOf(picture, view)
	ground := luminances.otsu()
	if ground.contrast < minContrast {
		return nil
	}
	all := bitmap.New(view)
	for i, v := range luminances.pix {
		if ground.isInk(v) {
			all.Pix[i] = 1
		}
	}
	kept := bitmap.New(view)
	for _, rule := range rules {
		r := rule.Inset(-1).Intersect(view)
		for y := r.Min.Y; y < r.Max.Y; y++ {
			for x := r.Min.X; x < r.Max.X; x++ {
				kept.Add(x, y)
				all.Pix[all.Offset(x, y)] = 0
			}
		}
	}
	hole := bitmap.New(view)
	for _, c := range all.Components() {
		part := all.Component(c)
		if area.holds(part.Bounds()) {
			hole.Union(part)
		} else {
			kept.Union(part)
		}
	}
	if hole.Count() == 0 {
		return nil
	}
	hole = hole.Dilate(halo)
	for i := range hole.Pix {
		hole.Pix[i] &^= kept.Pix[i]
	}
	return hole
}

// filled returns the view with the mean of the paper around each pixel. The pixels beside the hole are transparent; their colors count where a
// viewer interpolates.
func filled(picture *image.NRGBA, view image.Rectangle, hole *bitmap.Bitmap) *image.NRGBA {
	around := view.Inset(-far).Intersect(picture.Bounds())
	ground := grayOf(picture, around).otsu()
	paper := func(x, y int) bool { return !hole.Has(x, y) && !ground.isInk(luminance(raster.At(picture, x, y))) }
	at := func(i int) (x, y int) { return around.Min.X + i%around.Dx(), around.Min.Y + i/around.Dx() }
	table := func(value func(x, y int) int32) integral.Table {
		return integral.New(around.Dx(), around.Dy(), func(i int) int32 {
			if x, y := at(i); paper(x, y) {
				return value(x, y)
			}
			return 0
		})
	}
	count := table(func(int, int) int32 { return 1 })
	var sums [3]integral.Table
	for k := range sums {
		sums[k] = table(func(x, y int) int32 { return int32(raster.At(picture, x, y)[k]) })
	}
	out := image.NewNRGBA(image.Rect(0, 0, view.Dx(), view.Dy()))
	for i, in := range hole.Pix {
		p := hole.Point(i).Sub(around.Min)
		for _, reach := range []int{near, far} {
			square := image.Rect(p.X-reach, p.Y-reach, p.X+reach+1, p.Y+reach+1)
			n := count.In(square)
			if n < int32(reach) && reach < far || n == 0 {
				continue
			}
			for k := range sums {
				out.Pix[4*i+k] = uint8((sums[k].In(square) + n/2) / n)
			}
			out.Pix[4*i+3] = 255 * in
			break
		}
	}
	return out
}
