package link

import (
	"encoding/binary"
	"hash/crc32"

	"plait/internal/core"
)

// kind is what a frame is.
type kind byte

const (
	kindAlive  kind = iota // says that the sender lives
	kindWhole              // a message with its whole payload in the frame, or without one
	kindBegin              // a message whose payload follows in chunks; size is that of the payload
	kindChunk              // a part of the payload
	kindAbort              // the payload is not needed any more: its message does not arrive
	kindShared             // a message whose payload is in shared memory
	kindOpened             // the receiver has opened the shared memory of message id
	kindCount
)

// frame is the unit that a [Conn] carries.
type frame struct {
	kind kind
	// number counts the frames of one direction from 1.
	number uint64
	// id is the number of the message, from 1.
	id   uint64
	size int64
	// shared is the descriptor and the process of shared memory.
	process, file uint32
	name, head    []byte
	body          []byte
}

// A frame is, in little-endian order: a CRC-32C of all that follows, kind, number, id, size, process, file, the lengths of name and head,
// name, head, body.
const frameHead = 4 + 1 + 8 + 8 + 8 + 4 + 4 + 2 + 4

const (
	// chunkBytes is the size of a part of a payload. It bounds how long another message waits for its turn.
	chunkBytes = 256 << 10
	// maxHead bounds the head of a message, and maxFrame a frame.
	maxHead  = 1 << 20
	maxName  = 200
	maxFrame = frameHead + maxName + maxHead + chunkBytes
)

var castagnoli = crc32.MakeTable(crc32.Castagnoli)

func (f frame) encode() []byte {
	b := make([]byte, 4, frameHead+len(f.name)+len(f.head)+len(f.body))
	b = append(b, byte(f.kind))
	b = binary.LittleEndian.AppendUint64(b, f.number)
	b = binary.LittleEndian.AppendUint64(b, f.id)
	b = binary.LittleEndian.AppendUint64(b, uint64(f.size))
	b = binary.LittleEndian.AppendUint32(b, f.process)
	b = binary.LittleEndian.AppendUint32(b, f.file)
	b = binary.LittleEndian.AppendUint16(b, uint16(len(f.name)))
	b = binary.LittleEndian.AppendUint32(b, uint32(len(f.head)))
	b = append(append(append(b, f.name...), f.head...), f.body...)
	binary.LittleEndian.PutUint32(b, crc32.Checksum(b[4:], castagnoli))
	return b
}

// decodeFrame reads a frame, which keeps parts of b. Errors: CodeUnavailable.
func decodeFrame(b []byte) (frame, error) {
	if len(b) < frameHead || len(b) > maxFrame || binary.LittleEndian.Uint32(b) != crc32.Checksum(b[4:], castagnoli) {
		return frame{}, damaged("a part of it is not what was sent")
	}
	f := frame{
		kind: kind(b[4]), number: binary.LittleEndian.Uint64(b[5:]), id: binary.LittleEndian.Uint64(b[13:]),
		size: int64(binary.LittleEndian.Uint64(b[21:])), process: binary.LittleEndian.Uint32(b[29:]), file: binary.LittleEndian.Uint32(b[33:]),
	}
	name, head := int(binary.LittleEndian.Uint16(b[37:])), int(binary.LittleEndian.Uint32(b[39:]))
	rest := b[frameHead:]
	if f.kind >= kindCount || f.size < 0 || name > maxName || head > maxHead || name+head > len(rest) {
		return frame{}, damaged("a part of it has impossible lengths")
	}
	f.name, f.head, f.body = rest[:name], rest[name:name+head], rest[name+head:]
	return f, nil
}

func damaged(how string) error {
	return core.NewError(core.CodeUnavailable, "the stream between two ranks is damaged: "+how)
}
