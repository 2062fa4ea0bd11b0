package jpegenc

import (
	"bytes"
	"image"
)

// Known is a decoded JPEG with the size of the picture, as samples and as the pixels that they were converted to. Where the picture has
// these pixels, the encoder uses the samples, because colors outside 0..255 were clipped in the pixels.
type Known struct {
	Pixels  *image.NRGBA
	Samples *image.YCbCr
}

// samplings are those that have a name in the standard library.
var samplings = map[image.YCbCrSubsampleRatio]Sampling{
	image.YCbCrSubsampleRatio444: {1, 1}, image.YCbCrSubsampleRatio440: {1, 2},
	image.YCbCrSubsampleRatio422: {2, 1}, image.YCbCrSubsampleRatio420: {2, 2},
	image.YCbCrSubsampleRatio411: {4, 1}, image.YCbCrSubsampleRatio410: {4, 2},
}

// isWhole reports whether the MCU at x,y lies within the picture and has the known pixels with the same sampling. Lettering changes only a
// small part of a page.
func (k *Known) isWhole(img *image.NRGBA, x, y int, s Sampling) bool {
	across, down := 8*s.H, 8*s.V
	if k == nil || x+across > img.Rect.Dx() || y+down > img.Rect.Dy() || samplings[k.Samples.SubsampleRatio] != s {
		return false
	}
	for row := y; row < y+down; row++ {
		if !bytes.Equal(img.Pix[row*img.Stride+4*x:][:4*across], k.Pixels.Pix[row*k.Pixels.Stride+4*x:][:4*across]) {
			return false
		}
	}
	return true
}

// take puts the samples of the MCU at x,y.
func (k *Known) take(planes *[3]plane, x, y int, s Sampling) {
	for row := range 8 * s.V {
		level(planes[0].pix[row*planes[0].stride+x:], k.Samples.Y[k.Samples.YOffset(x, y+row):][:8*s.H])
	}
	for row := range 8 {
		at := k.Samples.COffset(x, y+row*s.V)
		level(planes[1].pix[row*planes[1].stride+x/s.H:], k.Samples.Cb[at:][:8])
		level(planes[2].pix[row*planes[2].stride+x/s.H:], k.Samples.Cr[at:][:8])
	}
}

func level(to []int16, samples []uint8) {
	to = to[:len(samples)]
	for i, v := range samples {
		to[i] = int16(v) - 128
	}
}

// put puts, of the pixels of a row from x,y on, the samples of those that are known.
func (k *Known) put(luma, cb, cr []int16, line []byte, x, y int) {
	was := k.Pixels.Pix[y*k.Pixels.Stride+4*x:][:len(line)]
	for i := range len(line) / 4 {
		if [4]byte(line[4*i:]) == [4]byte(was[4*i:]) {
			c := k.Samples.COffset(x+i, y)
			luma[i] = int16(k.Samples.Y[k.Samples.YOffset(x+i, y)]) - 128
			cb[i], cr[i] = int16(k.Samples.Cb[c])-128, int16(k.Samples.Cr[c])-128
		}
	}
}
