package picture

import (
	"image"
	"image/color"
	"image/draw"
)

// rowConverter returns a function that writes row y of src, counted from the top of its bounds, as R, G, B, A bytes with alpha not
// premultiplied.
func rowConverter(src image.Image, format Format) func(y int, row []byte) {
	switch src := src.(type) {
	case *image.NRGBA:
		return func(y int, row []byte) { copy(row, src.Pix[y*src.Stride:]) }
	case *image.Gray:
		return func(y int, row []byte) {
			for x, v := range src.Pix[y*src.Stride:][:len(row)/4] {
				setPixel(row[4*x:], v, v, v, 255)
			}
		}
	case *image.Paletted:
		return paletteRows(src)
	case *image.YCbCr:
		if format == WebP {
			return studioRows(src, nil, 0)
		}
		return jpegRows(src)
	case *image.NYCbCrA:
		return studioRows(&src.YCbCr, src.A, src.AStride)
	default: // RGBA of opaque files, and CMYK
		return drawnRows(src)
	}
}

func setPixel(p []byte, r, g, b, a byte) {
	_ = p[3]
	p[0], p[1], p[2], p[3] = r, g, b, a
}

// paletteRows converts rows with a precomputed table of colors. An index outside the palette is opaque black, as in every viewer.
func paletteRows(src *image.Paletted) func(y int, row []byte) {
	table := [256]color.NRGBA{}
	for i := range table {
		table[i].A = 255
	}
	for i, c := range src.Palette {
		if i < len(table) {
			table[i], _ = color.NRGBAModel.Convert(c).(color.NRGBA)
		}
	}
	return func(y int, row []byte) {
		for x, index := range src.Pix[y*src.Stride:][:len(row)/4] {
			c := table[index]
			setPixel(row[4*x:], c.R, c.G, c.B, c.A)
		}
	}
}

// drawnRows converts rows of opaque images with the fast paths of image/draw.
func drawnRows(src image.Image) func(y int, row []byte) {
	bounds := src.Bounds()
	return func(y int, row []byte) {
		line := &image.RGBA{Pix: row, Stride: len(row), Rect: image.Rect(0, 0, len(row)/4, 1)}
		draw.Draw(line, line.Rect, src, bounds.Min.Add(image.Pt(0, y)), draw.Src)
	}
}

// studioRows converts the color of WebP's lossy form, BT.601 with luma 16..235, with the 14-bit factors of libwebp
// (src/dsp/yuv.h), and its "fancy" upsampling of chroma (src/dsp/upsampling.c). The standard library's YCbCr is JPEG's, with
// luma 0..255: black would come out as gray.
func studioRows(src *image.YCbCr, alpha []byte, alphaStride int) func(y int, row []byte) {
	clip := func(v int) byte { return byte(min(max(v>>6, 0), 255)) }
	c := chroma{across: true, down: true, half: [2]int{8, 8}}
	cb, cr := c.of(src)
	return func(y int, row []byte) {
		c.row(cb, src.Cb, y)
		c.row(cr, src.Cr, y)
		for x := range len(row) / 4 {
			luma := 19077 * int(src.Y[y*src.YStride+x]) >> 8
			u, v := int(cb[x]), int(cr[x])
			a := byte(255)
			if alpha != nil {
				a = alpha[y*alphaStride+x]
			}
			setPixel(row[4*x:],
				clip(luma+26149*v>>8-14234),
				clip(luma-6419*u>>8-13320*v>>8+8708),
				clip(luma+33050*u>>8-17685),
				a)
		}
	}
}
