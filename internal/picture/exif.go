package picture

import "encoding/binary"

// exifOrientation reads the tag Orientation (0x0112) of the first directory of a TIFF block, as EXIF embeds it (CIPA DC-008, 4.5.2 and
// 4.6.4). It returns 1, upright, for data that it cannot read: damaged metadata is no reason to refuse the picture.
func exifOrientation(tiff []byte) int {
	const upright, tagOrientation, typeShort, entrySize = 1, 0x0112, 3, 12
	if len(tiff) < 8 {
		return upright
	}
	var order binary.ByteOrder
	switch string(tiff[:4]) {
	case "II*\x00":
		order = binary.LittleEndian
	case "MM\x00*":
		order = binary.BigEndian
	default:
		return upright
	}
	offset := uint64(order.Uint32(tiff[4:]))
	if offset+2 > uint64(len(tiff)) {
		return upright
	}
	count := int(order.Uint16(tiff[offset:]))
	entries := tiff[offset+2:]
	for i := 0; i < count && len(entries) >= entrySize; i++ {
		entry := entries[:entrySize]
		entries = entries[entrySize:]
		if order.Uint16(entry) != tagOrientation || order.Uint16(entry[2:]) != typeShort || order.Uint32(entry[4:]) != 1 {
			continue
		}
		if v := int(order.Uint16(entry[8:])); v >= 1 && v <= 8 {
			return v
		}
		return upright
	}
	return upright
}
