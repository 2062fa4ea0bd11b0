package picture

import (
	"bytes"
	"compress/zlib"
	"context"
	"encoding/binary"

	"plait/internal/core"
)

// EncodeRows writes a PNG of 8 bits a sample with alpha, of the size, the profile and the density of like. fill sets each row in turn, as
// R, G, B, A with alpha not premultiplied, in a buffer that it gets again. Unlike [Encode] it never has the whole picture in memory, and is
// made for pictures that are mostly transparent: it filters no row. It fails with the context's error.
func EncodeRows(ctx context.Context, like Info, fill func(y int, row []byte)) ([]byte, error) {
	var data bytes.Buffer
	z, err := zlib.NewWriterLevel(&data, zlib.BestSpeed)
	if err != nil {
		return nil, core.Wrap(core.CodeInternal, err, "the picture cannot be written")
	}
	line := make([]byte, 1+4*like.Width) // the first byte says that the row is not filtered
	for y := range like.Height {
		if err := ctx.Err(); err != nil {
			return nil, err
		}
		fill(y, line[1:])
		_, _ = z.Write(line) // a bytes.Buffer takes everything
	}
	_ = z.Close()
	head := binary.BigEndian.AppendUint32(nil, uint32(like.Width))
	head = binary.BigEndian.AppendUint32(head, uint32(like.Height))
	file := appendPNGChunk([]byte(pngSignature), "IHDR", append(head, 8, 6, 0, 0, 0)) // RGB with alpha, not interlaced
	file = appendPNGChunk(file, "IDAT", data.Bytes())
	return withPNGChunks(appendPNGChunk(file, "IEND", nil), like, profileFor(like, profileRGB)), nil
}
