package picture

import "image"

// jpegRows converts the samples of a JPEG as most viewers do. It upsamples chroma of half the width or height with the triangle filter of
// libjpeg ("fancy upsampling", jdsample.c: three parts of the nearer sample, one of the farther). The standard library repeats samples
// instead, which colors the edges of glyphs in steps.
func jpegRows(src *image.YCbCr) func(y int, row []byte) {
	halves := map[image.YCbCrSubsampleRatio]chroma{
		image.YCbCrSubsampleRatio420: {across: true, down: true, half: [2]int{8, 7}},
		image.YCbCrSubsampleRatio422: {across: true, half: [2]int{1, 2}},
		image.YCbCrSubsampleRatio440: {down: true},
	}
	c, known := halves[src.SubsampleRatio]
	if !known || (src.Rect.Dx()+1)/2 <= 2 { // libjpeg repeats samples for other ratios and very narrow images, too
		return func(y int, row []byte) {
			luma := src.Y[y*src.YStride:]
			for x := range len(row) / 4 {
				at := src.COffset(src.Rect.Min.X+x, src.Rect.Min.Y+y)
				setYCbCr(row[4*x:], luma[x], src.Cb[at], src.Cr[at])
			}
		}
	}
	cb, cr := c.of(src)
	return func(y int, row []byte) {
		c.row(cb, src.Cb, y)
		c.row(cr, src.Cr, y)
		luma := src.Y[y*src.YStride:]
		for x := range len(row) / 4 {
			setYCbCr(row[4*x:], luma[x], cb[x], cr[x])
		}
	}
}

// setYCbCr converts a sample of JFIF with the factors and the rounding of libjpeg (jdcolor.c, 16 bits of fraction). The result of
// image/color is up to a level lighter.
func setYCbCr(p []byte, luma, cb, cr byte) {
	const half = 1 << 15
	y, u, v := int32(luma), int32(cb)-128, int32(cr)-128
	setPixel(p,
		levelOf(y+(91881*v+half)>>16),
		levelOf(y+(-22554*u-46802*v+half)>>16),
		levelOf(y+(116130*u+half)>>16),
		255)
}

func levelOf(v int32) byte { return byte(min(max(v, 0), 255)) }

// chroma is how the chroma of a picture is stored.
type chroma struct {
	// across and down say that the samples are halved in that direction.
	across, down bool
	// half are the rounding terms of the two values that a sample expands to across.
	half [2]int
	// height and stride are those of the samples.
	height, stride int
	// sums are the samples of a row, mixed with those of the row next to it: in quarters where down, else whole.
	sums []int
}

// of makes c that of src, and room for a row of each of its chromas.
func (c *chroma) of(src *image.YCbCr) (cb, cr []byte) {
	width := src.Rect.Dx()
	if c.across {
		width = (width + 1) / 2
	}
	c.height, c.stride = src.Rect.Dy(), src.CStride
	if c.down {
		c.height = (c.height + 1) / 2
	}
	c.sums = make([]int, width)
	return make([]byte, 2*width), make([]byte, 2*width)
}

// row writes the chroma of row y of the picture. Where only rows are mixed, sums are rounded as libjpeg rounds them, up and
// down in turns.
func (c *chroma) row(out, samples []byte, y int) {
	c.mix(samples, y)
	if !c.across {
		for x, s := range c.sums {
			out[x] = byte((s + 1 + y%2) >> 2)
		}
		return
	}
	shift := 2 // sums are of quarters
	if c.down {
		shift = 4 // of sixteenths
	}
	last := len(c.sums) - 1
	for x, s := range c.sums {
		before, after := c.sums[max(x-1, 0)], c.sums[min(x+1, last)]
		out[2*x], out[2*x+1] = byte((3*s+before+c.half[0])>>shift), byte((3*s+after+c.half[1])>>shift)
	}
}

func (c *chroma) mix(samples []byte, y int) {
	if !c.down {
		for x := range c.sums {
			c.sums[x] = int(samples[y*c.stride+x])
		}
		return
	}
	near := min(max(y/2-1+y%2*2, 0), c.height-1)
	this, other := samples[y/2*c.stride:], samples[near*c.stride:]
	for x := range c.sums {
		c.sums[x] = 3*int(this[x]) + int(other[x])
	}
}
