package main

import "image"

// ssim is the mean structural similarity of the luminance of two pictures (Wang et al., 2004), over windows of 8 × 8 pixels with a stride of
// 4; 0 for pictures of different sizes.
func ssim(a, b *image.RGBA) float64 {
	if a.Rect != b.Rect {
		return 0
	}
	const window, stride = 8, 4
	sum, n := 0.0, 0
	for y := a.Rect.Min.Y; y+window <= a.Rect.Max.Y; y += stride {
		for x := a.Rect.Min.X; x+window <= a.Rect.Max.X; x += stride {
			sum += similar(a, b, image.Rect(x, y, x+window, y+window))
			n++
		}
	}
	return sum / float64(max(n, 1))
}

func similar(a, b *image.RGBA, w image.Rectangle) float64 {
	const c1, c2 = (0.01 * 255) * (0.01 * 255), (0.03 * 255) * (0.03 * 255)
	var sa, sb, saa, sbb, sab float64
	for y := w.Min.Y; y < w.Max.Y; y++ {
		for x := w.Min.X; x < w.Max.X; x++ {
			va, vb := luminance(a, x, y), luminance(b, x, y)
			sa, sb, saa, sbb, sab = sa+va, sb+vb, saa+va*va, sbb+vb*vb, sab+va*vb
		}
	}
	n := float64(w.Dx() * w.Dy())
	ma, mb := sa/n, sb/n
	va, vb, cov := saa/n-ma*ma, sbb/n-mb*mb, sab/n-ma*mb
	return (2*ma*mb + c1) * (2*cov + c2) / ((ma*ma + mb*mb + c1) * (va + vb + c2))
}

// luminance is that of BT.601.
func luminance(p *image.RGBA, x, y int) float64 {
	i := p.PixOffset(x, y)
	return 0.299*float64(p.Pix[i]) + 0.587*float64(p.Pix[i+1]) + 0.114*float64(p.Pix[i+2])
}
