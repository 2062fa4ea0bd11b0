package ink

import (
	"image"
	"image/color"
	"math"

	"golang.org/x/image/vector"
)

// Canvas draws on a page through a transform and a clip. The methods that narrow
// it (Clip, Move, Scale, Turn, Flip) return a new view of the same page.
type Canvas struct {
	img  *image.RGBA
	clip *image.Alpha // nil: the whole page
	m    affine
}

// affine maps (x, y) to (a x + c y + e, b x + d y + f).
type affine struct{ a, b, c, d, e, f float64 }

func (m affine) apply(p Pt) Pt {
	return Pt{m.a*p.X + m.c*p.Y + m.e, m.b*p.X + m.d*p.Y + m.f}
}

func (m affine) then(n affine) affine {
	return affine{
		m.a*n.a + m.c*n.b, m.b*n.a + m.d*n.b,
		m.a*n.c + m.c*n.d, m.b*n.c + m.d*n.d,
		m.a*n.e + m.c*n.f + m.e, m.b*n.e + m.d*n.f + m.f,
	}
}

// NewCanvas returns a page of one color.
func NewCanvas(w, h int, ground Color) *Canvas {
	c := &Canvas{img: image.NewRGBA(image.Rect(0, 0, w, h)), m: affine{a: 1, d: 1}}
	c.Fill(Rect(0, 0, float64(w), float64(h)), ground)
	return c
}

// Image is the page itself.
func (c *Canvas) Image() *image.RGBA { return c.img }

// Size is the width and height of the page.
func (c *Canvas) Size() (w, h float64) {
	return float64(c.img.Rect.Dx()), float64(c.img.Rect.Dy())
}

// Unit is how many page pixels one unit of user space measures.
func (c *Canvas) Unit() float64 { return math.Sqrt(math.Abs(c.m.a*c.m.d - c.m.b*c.m.c)) }

// Page maps a point of user space to page pixels, where gradients are placed.
func (c *Canvas) Page(x, y float64) Pt { return c.m.apply(Pt{x, y}) }

func (c *Canvas) view(n affine) *Canvas {
	return &Canvas{c.img, c.clip, c.m.then(n)}
}

// Move shifts the origin.
func (c *Canvas) Move(x, y float64) *Canvas { return c.view(affine{1, 0, 0, 1, x, y}) }

// Scale magnifies by k.
func (c *Canvas) Scale(k float64) *Canvas { return c.view(affine{k, 0, 0, k, 0, 0}) }

// Flip mirrors in the vertical axis.
func (c *Canvas) Flip() *Canvas { return c.view(affine{-1, 0, 0, 1, 0, 0}) }

// Turn rotates by deg degrees, clockwise.
func (c *Canvas) Turn(deg float64) *Canvas {
	s, k := math.Sincos(deg * math.Pi / 180)
	return c.view(affine{k, s, -s, k, 0, 0})
}

// Clip keeps further drawing inside p and inside the clip there was.
func (c *Canvas) Clip(p *Path) *Canvas {
	return &Canvas{c.img, c.coverage(c.toPage(p)), c.m}
}

// Fill paints the inside of p, by the non-zero rule.
func (c *Canvas) Fill(p *Path, paint Paint) { c.paint(c.coverage(c.toPage(p)), paint, over) }

// Light adds the paint to the inside of p as light would be added: what is dark
// brightens, what is bright stays (the blend that is called screen).
func (c *Canvas) Light(p *Path, paint Paint) { c.paint(c.coverage(c.toPage(p)), paint, screen) }

func (c *Canvas) toPage(p *Path) *Path { return p.Map(c.m.apply) }

// soften rounds coverage to sixteen steps. The eye does not miss the others, and
// a page of outlines packs a fifth smaller without them.
var soften = func() (t [256]uint8) {
	for v := range t {
		t[v] = uint8((v + 8) / 17 * 17)
	}
	return t
}()

// coverage rasterizes p, in page space, times the clip.
func (c *Canvas) coverage(p *Path) *image.Alpha {
	limit := c.img.Rect
	if c.clip != nil {
		limit = c.clip.Rect
	}
	r := p.bounds().Intersect(limit)
	mask := image.NewAlpha(r)
	if r.Empty() {
		return mask
	}
	z := vector.NewRasterizer(r.Dx(), r.Dy())
	for _, k := range p.contours {
		for i, q := range k.pts {
			x, y := float32(q.X-float64(r.Min.X)), float32(q.Y-float64(r.Min.Y))
			if i == 0 {
				z.MoveTo(x, y)
			} else {
				z.LineTo(x, y)
			}
		}
		z.ClosePath()
	}
	z.Draw(mask, r, image.Opaque, image.Point{})
	for i, v := range mask.Pix {
		mask.Pix[i] = soften[v]
	}
	if c.clip != nil {
		for y := r.Min.Y; y < r.Max.Y; y++ {
			row, clip := mask.Pix[mask.PixOffset(r.Min.X, y):][:r.Dx()], c.clip.Pix[c.clip.PixOffset(r.Min.X, y):]
			for i, v := range row {
				row[i] = uint8(uint32(v) * uint32(clip[i]) / 255)
			}
		}
	}
	return mask
}

func (c *Canvas) paint(mask *image.Alpha, paint Paint, mix func(dst, src uint32) uint32) {
	r := mask.Rect
	for y := r.Min.Y; y < r.Max.Y; y++ {
		m := mask.Pix[(y-r.Min.Y)*mask.Stride:][:r.Dx()]
		row := c.img.Pix[c.img.PixOffset(r.Min.X, y):]
		even := paint.even()
		src := paint.at(float64(r.Min.X)+0.5, float64(y)+0.5)
		for i, cover := range m {
			if cover == 0 {
				continue
			}
			if !even {
				src = paint.at(float64(r.Min.X+i)+0.5, float64(y)+0.5)
			}
			blend(row[4*i:4*i+4], src, cover, mix)
		}
	}
}

func over(_, src uint32) uint32 { return src }

func screen(dst, src uint32) uint32 { return 255 - (255-dst)*(255-src)/255 }

func blend(dst []uint8, src color.NRGBA, cover uint8, mix func(dst, src uint32) uint32) {
	a := (uint32(src.A)*uint32(cover) + 127) / 255
	for i, s := range [3]uint8{src.R, src.G, src.B} {
		d := uint32(dst[i])
		dst[i] = uint8((mix(d, uint32(s))*a + d*(255-a) + 127) / 255)
	}
	dst[3] = 255
}

func (p *Path) bounds() image.Rectangle {
	lo, hi := Pt{math.Inf(1), math.Inf(1)}, Pt{math.Inf(-1), math.Inf(-1)}
	for _, k := range p.contours {
		for _, q := range k.pts {
			lo = Pt{min(lo.X, q.X), min(lo.Y, q.Y)}
			hi = Pt{max(hi.X, q.X), max(hi.Y, q.Y)}
		}
	}
	if lo.X > hi.X {
		return image.Rectangle{}
	}
	return image.Rect(int(math.Floor(lo.X)), int(math.Floor(lo.Y)), int(math.Ceil(hi.X)), int(math.Ceil(hi.Y)))
}

// Box is the smallest box of whole page pixels that holds p as the canvas would
// draw it, and whether there is anything to hold.
func (c *Canvas) Box(p *Path) (box [4]int, ok bool) {
	r := c.toPage(p).bounds().Intersect(c.img.Rect)
	return [4]int{r.Min.X, r.Min.Y, r.Max.X, r.Max.Y}, !r.Empty()
}
