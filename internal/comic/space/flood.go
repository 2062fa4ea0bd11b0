package space

import (
	"image"

	"plait/internal/comic/mask"
	"plait/internal/comic/mask/bitmap"
)

// flood finds the interior with a brush that does not pass through the tail of a bubble or a gap in its outline. An
// interior that reaches the edge of the window or of the page has leaked, mostly into a gutter of the bubble's own color:
// it is tried again without the gutters, then with wider brushes; what leaks still is used near the lines only.
func (p *place) flood(page *image.NRGBA) {
	reach := int(max(4*p.em, 0.7*float64(max(p.box.Dx(), p.box.Dy()))))
	window := p.box.Inset(-reach).Intersect(page.Rect)
	ground := bitmap.New(window)
	for i := range ground.Pix {
		at := ground.Point(i)
		if mask.Difference(colorAt(page, at.X, at.Y), p.ground) <= insideLevels {
			ground.Pix[i] = 1
		}
	}
	seed := bitmap.New(p.box)
	for i := range seed.Pix {
		seed.Pix[i] = 1
	}
	panel := withoutGutters(ground, p.box)
	for i, try := range []struct {
		ground *bitmap.Bitmap
		share  float64
	}{{ground, 0.25}, {panel, 0.25}, {panel, 0.6}, {panel, 1}} {
		brush := max(2, try.share*p.em)
		p.interior = try.ground.Erode(brush).Flood(seed).Dilate(brush)
		if i == 0 {
			p.open = p.interior
		}
		if p.bounded = !reaches(p.interior, window) && p.interior.Count() > 0; p.bounded {
			return
		}
	}
	p.interior = p.open
}

func reaches(b *bitmap.Bitmap, window image.Rectangle) bool {
	r := b.Bounds()
	return !r.Empty() && (r.Min.X <= window.Min.X || r.Min.Y <= window.Min.Y || r.Max.X >= window.Max.X || r.Max.Y >= window.Max.Y)
}

// withoutGutters takes out of the ground the white between panels, into which a bubble of the same white is open: rows and
// columns that run through the whole window; and then, of what is left, those that run through almost all of it and out
// at one end. What remains ends where the panel does. Rows and columns through the lines are no gutters.
func withoutGutters(ground *bitmap.Bitmap, box image.Rectangle) *bitmap.Bitmap {
	cut := cutRuns(ground, box, 1)
	return cutRuns(cut, box, 0.88)
}

// cutRuns clears the runs in rows and columns beside the box that touch an end of their row or column and fill the
// given share of it.
func cutRuns(ground *bitmap.Bitmap, box image.Rectangle, share float64) *bitmap.Bitmap {
	r := ground.Rect
	w, h := r.Dx(), r.Dy()
	out := bitmap.New(r)
	copy(out.Pix, ground.Pix)
	for y := range h {
		if at := y + r.Min.Y; at < box.Min.Y || at >= box.Max.Y {
			cutLine(ground.Pix, out.Pix, y*w, 1, w, share)
		}
	}
	for x := range w {
		if at := x + r.Min.X; at < box.Min.X || at >= box.Max.X {
			cutLine(ground.Pix, out.Pix, x, w, h, share)
		}
	}
	return out
}

func cutLine(ground, out []uint8, from, stride, n int, share float64) {
	for a := 0; a < n; {
		if ground[from+a*stride] == 0 {
			a++
			continue
		}
		z := a
		for z < n && ground[from+z*stride] != 0 {
			z++
		}
		if (a == 0 || z == n) && float64(z-a) >= share*float64(n) {
			for i := a; i < z; i++ {
				out[from+i*stride] = 0
			}
		}
		a = z
	}
}

func clip(b *bitmap.Bitmap, r image.Rectangle) *bitmap.Bitmap {
	out := bitmap.New(r.Intersect(b.Rect))
	out.Union(b)
	return out
}
