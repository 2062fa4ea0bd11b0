package picture

import (
	"encoding/binary"
	"image"
	"image/color"
	"slices"
)

// asRGBA returns the same memory as *image.RGBA, which is correct only if img is opaque.
func asRGBA(img *image.NRGBA) *image.RGBA {
	return &image.RGBA{Pix: img.Pix, Stride: img.Stride, Rect: img.Rect}
}

// eachRow calls f with the bytes of every row until f returns false. It reports whether f never did.
func eachRow(img *image.NRGBA, f func(y int, row []byte) bool) bool {
	width := 4 * img.Rect.Dx()
	for y := range img.Rect.Dy() {
		if !f(y, img.Pix[y*img.Stride:][:width]) {
			return false
		}
	}
	return true
}

func isGray(img *image.NRGBA) bool {
	return eachRow(img, func(_ int, row []byte) bool {
		for i := 0; i < len(row); i += 4 {
			if row[i] != row[i+1] || row[i] != row[i+2] {
				return false
			}
		}
		return true
	})
}

// toGray takes one channel of an image whose channels are equal.
func toGray(img *image.NRGBA) *image.Gray {
	gray := image.NewGray(image.Rect(0, 0, img.Rect.Dx(), img.Rect.Dy()))
	eachRow(img, func(y int, row []byte) bool {
		line := gray.Pix[y*gray.Stride:]
		for i := 0; i < len(row); i += 4 {
			line[i/4] = row[i]
		}
		return true
	})
	return gray
}

// onWhite is img over white, for formats without alpha; img itself when it is opaque.
func onWhite(img *image.NRGBA) *image.NRGBA {
	if isOpaque(img) {
		return img
	}
	flat := image.NewNRGBA(image.Rect(0, 0, img.Rect.Dx(), img.Rect.Dy()))
	eachRow(img, func(y int, row []byte) bool {
		line := flat.Pix[y*flat.Stride:]
		for i := 0; i < len(row); i += 4 {
			a := uint32(row[i+3])
			for c := range 3 {
				line[i+c] = byte((uint32(row[i+c])*a + 255*(255-a) + 127) / 255)
			}
			line[i+3] = 255
		}
		return true
	})
	return flat
}

// isOpaque is a faster img.Opaque that tests two pixels at once: it runs for every page that is read and written.
func isOpaque(img *image.NRGBA) bool {
	const alphas = 0xff000000_ff000000
	return eachRow(img, func(_ int, row []byte) bool {
		all := uint64(alphas)
		for ; len(row) >= 8; row = row[8:] {
			all &= binary.LittleEndian.Uint64(row)
		}
		return all == alphas && (len(row) == 0 || row[3] == 255)
	})
}

// maxColors is the number of colors that an index of eight bits can address.
const maxColors = 256

// maxCounted bounds the number of distinct colors that are counted while a palette is made.
const maxCounted = 1 << 16

// toPalette is img in the colors of base (R, G, B, A bytes) and as many of its own as fit into 256. When they do not all
// fit, the most frequent ones are added and the others become the nearest color if lossy is set; otherwise it is nil.
// Pixels of a base color keep it, so art that was not touched stays as it was.
func toPalette(img *image.NRGBA, base []byte, lossy bool) *image.Paletted {
	p := paletteBuilder{index: map[uint32]uint8{}}
	for i := 0; i+4 <= len(base) && len(p.colors) < maxColors; i += 4 {
		p.add(pixelKey(base[i:]))
	}
	counts := map[uint32]int{}
	complete := eachRow(img, func(_ int, row []byte) bool {
		for i := 0; i < len(row); i += 4 {
			key := pixelKey(row[i:])
			if _, known := p.index[key]; known {
				continue
			}
			if _, counted := counts[key]; counted || len(counts) < maxCounted {
				counts[key]++
			}
		}
		return lossy || len(counts)+len(p.index) <= maxColors
	})
	if !complete {
		return nil
	}
	p.extend(counts)
	out := image.NewPaletted(image.Rect(0, 0, img.Rect.Dx(), img.Rect.Dy()), p.palette())
	eachRow(img, func(y int, row []byte) bool {
		line := out.Pix[y*out.Stride:]
		for i := 0; i < len(row); i += 4 {
			line[i/4] = p.indexOf(pixelKey(row[i:]))
		}
		return true
	})
	return out
}

// pixelKey packs R, G, B, A. All transparent pixels are one color.
func pixelKey(p []byte) uint32 {
	if p[3] == 0 {
		return 0
	}
	return uint32(p[0])<<24 | uint32(p[1])<<16 | uint32(p[2])<<8 | uint32(p[3])
}

type paletteBuilder struct {
	colors []uint32
	index  map[uint32]uint8 // every color asked for so far, nearest ones included
}

func (p *paletteBuilder) add(key uint32) {
	if _, double := p.index[key]; !double && len(p.colors) < maxColors {
		p.index[key] = uint8(len(p.colors))
		p.colors = append(p.colors, key)
	}
}

// extend adds the most frequent colors. Among equally frequent ones it takes the smaller first, because the result must not depend on the
// order of a map.
func (p *paletteBuilder) extend(counts map[uint32]int) {
	keys := make([]uint32, 0, len(counts))
	for key := range counts {
		keys = append(keys, key)
	}
	slices.SortFunc(keys, func(a, b uint32) int {
		if counts[a] != counts[b] {
			return counts[b] - counts[a]
		}
		return int(int64(a) - int64(b))
	})
	for _, key := range keys[:min(len(keys), maxColors)] {
		p.add(key)
	}
}

func (p *paletteBuilder) indexOf(key uint32) uint8 {
	if i, known := p.index[key]; known {
		return i
	}
	best, bestDistance := 0, -1
	for i, c := range p.colors {
		distance := 0
		for shift := 0; shift < 32; shift += 8 {
			d := int(key>>shift&255) - int(c>>shift&255)
			distance += d * d
		}
		if bestDistance < 0 || distance < bestDistance {
			best, bestDistance = i, distance
		}
	}
	if len(p.index) < maxCounted {
		p.index[key] = uint8(best)
	}
	return uint8(best)
}

func (p *paletteBuilder) palette() color.Palette {
	palette := make(color.Palette, len(p.colors))
	for i, c := range p.colors {
		palette[i] = color.NRGBA{R: byte(c >> 24), G: byte(c >> 16), B: byte(c >> 8), A: byte(c)}
	}
	return palette
}
