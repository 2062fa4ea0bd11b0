package descreen

import "image"

// paperReach is how far around a dot its paper is looked for, in pixels.
const paperReach = 2

// erase gives a dot, and the blurred pixels at its edge, the color of the lightest pixel beside it, within the rows of the band.
func (b *band) erase(to *image.NRGBA, d dot) {
	paper := b.paper(d)
	set := func(x, y int) {
		if p := image.Pt(x, y).Add(b.seen.Min); p.In(b.owned) {
			copy(to.Pix[to.PixOffset(p.X, p.Y):], paper[:])
		}
	}
	for _, i := range d.pixels {
		x, y := int(i)%b.width, int(i)/b.width
		set(x, y)
		for ny := max(0, y-1); ny <= min(b.height-1, y+1); ny++ {
			for nx := max(0, x-1); nx <= min(b.width-1, x+1); nx++ {
				if !b.dark[ny*b.width+nx] {
					set(nx, ny)
				}
			}
		}
	}
}

// paper is the lightest pixel around a dot.
func (b *band) paper(d dot) (lightest [4]uint8) {
	around := d.bounds.Inset(-paperReach).Add(b.seen.Min).Intersect(b.seen)
	most := -1
	for y := around.Min.Y; y < around.Max.Y; y++ {
		for x := around.Min.X; x < around.Max.X; x++ {
			p := b.img.Pix[b.img.PixOffset(x, y):]
			if sum := int(p[0]) + int(p[1]) + int(p[2]); sum > most {
				most, lightest = sum, [4]uint8(p[:4])
			}
		}
	}
	return lightest
}

// weights are the binomial ones, near a Gaussian of one pixel.
var weights = [5]int{1, 4, 6, 4, 1}

// smooth smooths the fine tone of a band, within owned.
func (c *crowds) smooth(to, from *image.NRGBA, owned image.Rectangle) {
	if !c.anyFine {
		return
	}
	w, h := from.Rect.Dx(), from.Rect.Dy()
	for y := owned.Min.Y; y < owned.Max.Y; y++ {
		for x := owned.Min.X; x < owned.Max.X; x++ {
			if !c.isFine(x-c.seen.Min.X, y-c.seen.Min.Y) {
				continue
			}
			var sum [4]int
			for j, wy := range weights {
				row := min(max(y+j-2, 0), h-1)
				for i, wx := range weights {
					p := from.Pix[from.PixOffset(min(max(x+i-2, 0), w-1), row):]
					for k := range sum {
						sum[k] += wx * wy * int(p[k])
					}
				}
			}
			out := to.Pix[to.PixOffset(x, y):]
			for k := range sum {
				out[k] = uint8((sum[k] + 128) / 256)
			}
		}
	}
}
