package picture

import "encoding/binary"

// probeBMP checks the headers of a Windows bitmap, and that the file contains all rows. Sizes are signed 32-bit numbers and rows are
// padded to four bytes, so all arithmetic is in 64 bits.
func probeBMP(b []byte, l Limits) (Info, error) {
	const fileHeader = 14
	if len(b) < fileHeader+40 {
		return Info{}, invalid("the BMP is truncated in its header")
	}
	offset, infoSize := int64(binary.LittleEndian.Uint32(b[10:])), binary.LittleEndian.Uint32(b[14:])
	if infoSize != 40 && infoSize != 108 && infoSize != 124 {
		return Info{}, invalid("the BMP has a header of %d bytes; 40, 108 and 124 are read", infoSize)
	}
	if len(b) < fileHeader+int(infoSize) {
		return Info{}, invalid("the BMP is truncated in its header")
	}
	width, height := int64(int32(binary.LittleEndian.Uint32(b[18:]))), int64(int32(binary.LittleEndian.Uint32(b[22:])))
	if height < 0 { // rows from top to bottom
		height = -height
	}
	if err := l.checkSize(width, height); err != nil {
		return Info{}, err
	}
	planes, depth := binary.LittleEndian.Uint16(b[26:]), int64(binary.LittleEndian.Uint16(b[28:]))
	switch compression := binary.LittleEndian.Uint32(b[30:]); {
	case planes == 1 && compression == 0:
	case planes == 1 && compression == bmpBitFields && plainMasks(b, infoSize):
	case planes == 1 && compression == bmpBitFields:
		return Info{}, invalid("the BMP orders its channels in a way that is not read; save it as a plain one or as PNG")
	default:
		return Info{}, invalid("the BMP is compressed; only plain ones are read")
	}
	info := Info{Format: BMP, Orientation: 1, Color: ColorRGB, Depth: 8}
	switch depth {
	case 1, 2, 4, 8:
		info.Color, info.Depth = ColorPalette, int(depth)
	case 24:
	case 32:
		info.Alpha = infoSize > 40
	default:
		return Info{}, invalid("the BMP has %d bits a pixel; 1, 2, 4, 8, 24 and 32 are read", depth)
	}
	rowSize := (width*depth + 31) / 32 * 4
	if offset < fileHeader+int64(infoSize) || offset+rowSize*height > int64(len(b)) {
		return Info{}, invalid("the BMP is truncated: its rows need %d bytes", rowSize*height)
	}
	if info.Color == ColorPalette {
		info.Palette = bmpPalette(b[fileHeader+infoSize:offset], binary.LittleEndian.Uint32(b[46:]), int(depth))
	}
	x, y := binary.LittleEndian.Uint32(b[38:]), binary.LittleEndian.Uint32(b[42:])
	if x != 0 && y != 0 {
		info.Density = Density{X: x, Y: y, Unit: DensityMeter}
	}
	info.upright(int(width), int(height))
	return info, nil
}

// bmpBitFields is the compression of files with explicit masks of the channels (BI_BITFIELDS).
const bmpBitFields = 3

// plainMasks reports whether the masks of the channels are those of a plain file of 32 bits with alpha, the only ones that the decoder
// supports.
func plainMasks(b []byte, infoSize uint32) bool {
	if infoSize == 40 {
		return false
	}
	for i, want := range []uint32{0xff0000, 0xff00, 0xff, 0xff000000} {
		if binary.LittleEndian.Uint32(b[54+4*i:]) != want {
			return false
		}
	}
	return true
}

// bmpPalette converts a color table (blue, green, red, unused) to R, G, B, A bytes. A count of 0 means all colors of the depth.
func bmpPalette(table []byte, count uint32, depth int) []byte {
	if count == 0 || count > 1<<depth {
		count = 1 << depth
	}
	var palette []byte
	for ; count > 0 && len(table) >= 4; count-- {
		palette = append(palette, table[2], table[1], table[0], 255)
		table = table[4:]
	}
	return palette
}
