package picture

import "image"

// storedOf is src when it says more than upright pixels of 8 bits a channel and needs no turning: the samples of a JPEG, which do
// not all come back from colors that were cut to 0..255, and 16 bits a channel of a PNG.
func storedOf(src image.Image, info Info) image.Image {
	_, samples := src.(*image.YCbCr)
	if info.Orientation == 1 && (info.Format == JPEG && samples || info.Format == PNG && deepPix(src) != nil) {
		return src
	}
	return nil
}

// storedFor is the stored image of the page that img was made from, when there is one and it has img's size.
func (i Info) storedFor(img *image.NRGBA) image.Image {
	if p := i.source.page; p != nil && p.stored != nil && p.stored.Bounds() == img.Rect {
		return p.stored
	}
	return nil
}

func storedBytes(img image.Image) int64 {
	if s, ok := img.(*image.YCbCr); ok {
		return int64(len(s.Y) + len(s.Cb) + len(s.Cr))
	}
	return int64(len(deepPix(img)))
}

// deepPix is the pixels of an image of 16 bits a channel, and nil of any other.
func deepPix(img image.Image) []byte {
	switch img := img.(type) {
	case *image.Gray16:
		return img.Pix
	case *image.RGBA64: // of a PNG without alpha
		return img.Pix
	case *image.NRGBA64:
		return img.Pix
	default:
		return nil
	}
}

// deepen gives the pixels of img that are deep's, of the same size, the 16 bits a channel of deep, and others their 8 bits
// spread over 16. gray says that img is opaque and gray.
func deepen(img *image.NRGBA, deep image.Image, gray bool) image.Image {
	out := image.NewNRGBA64(img.Rect)
	_, single := deep.(*image.Gray16)
	pix := deepPix(deep)
	eachRow(img, func(y int, row []byte) bool {
		line := out.Pix[y*out.Stride:]
		for i, v := range row {
			line[2*i], line[2*i+1] = v, v
		}
		for x := range len(row) / 4 {
			sample := [8]byte{6: 255, 7: 255}
			if single {
				g := pix[2*(y*img.Rect.Dx()+x):]
				copy(sample[:], []byte{g[0], g[1], g[0], g[1], g[0], g[1]})
			} else {
				copy(sample[:], pix[8*(y*img.Rect.Dx()+x):])
			}
			if [4]byte(row[4*x:]) == [4]byte{sample[0], sample[2], sample[4], sample[6]} {
				copy(line[8*x:], sample[:])
			}
		}
		return true
	})
	if !gray {
		return out
	}
	flat := image.NewGray16(img.Rect)
	for i := range len(flat.Pix) / 2 {
		copy(flat.Pix[2*i:], out.Pix[8*i:8*i+2])
	}
	return flat
}
