package picture

import (
	"context"
	"image"
	"runtime"

	"golang.org/x/sync/errgroup"
)

// rowsAtOnce is the number of rows that are converted between two checks of the context.
const rowsAtOnce = 128

// toUpright turns a decoded image of any kind into upright NRGBA on all cores, row by row, so that no second image is needed.
func toUpright(ctx context.Context, src image.Image, info Info) (*image.NRGBA, error) {
	if opaque, ok := src.(*image.RGBA); ok { // of a PNG or a BMP without alpha
		src = &image.NRGBA{Pix: opaque.Pix, Stride: opaque.Stride, Rect: opaque.Rect}
	}
	if n, ok := src.(*image.NRGBA); ok && info.Orientation == 1 && n.Rect.Min == (image.Point{}) && n.Stride == 4*info.Width {
		return n, nil
	}
	dst := image.NewNRGBA(image.Rect(0, 0, info.Width, info.Height))
	bounds := src.Bounds()
	group, groupContext := errgroup.WithContext(ctx)
	group.SetLimit(runtime.GOMAXPROCS(0))
	for from := 0; from < bounds.Dy(); from += rowsAtOnce {
		group.Go(func() error {
			convert, row := rowConverter(src, info.Format), make([]byte, 4*bounds.Dx())
			for y := from; y < min(from+rowsAtOnce, bounds.Dy()); y++ {
				convert(y, row)
				// The image of a GIF may cover a part of its canvas; GIF has no orientation.
				place(dst, row, bounds.Min.X, bounds.Min.Y+y, info.Orientation)
			}
			return groupContext.Err()
		})
	}
	if err := group.Wait(); err != nil {
		return nil, err
	}
	return dst, nil
}

// place writes a stored row, which begins at x0,y of the stored image, where the orientation shows it. The orientation
// says on which sides of the shown image the stored row 0 and column 0 lie (CIPA DC-008, 4.6.4, Orientation).
func place(dst *image.NRGBA, row []byte, x0, y, orientation int) {
	w, h := dst.Rect.Dx(), dst.Rect.Dy()
	var at, step int // the offset of the first pixel, and of each next one
	pixel := func(x, y int) int { return y*dst.Stride + 4*x }
	switch orientation {
	case 2: // row 0 top, column 0 right
		at, step = pixel(w-1-x0, y), -4
	case 3: // bottom, right
		at, step = pixel(w-1-x0, h-1-y), -4
	case 4: // bottom, left
		at, step = pixel(x0, h-1-y), 4
	case 5: // left, top
		at, step = pixel(y, x0), dst.Stride
	case 6: // right, top
		at, step = pixel(w-1-y, x0), dst.Stride
	case 7: // right, bottom
		at, step = pixel(w-1-y, h-1-x0), -dst.Stride
	case 8: // left, bottom
		at, step = pixel(y, h-1-x0), -dst.Stride
	default: // top, left
		copy(dst.Pix[pixel(x0, y):], row)
		return
	}
	for ; len(row) > 0; row = row[4:] {
		copy(dst.Pix[at:at+4], row)
		at += step
	}
}
