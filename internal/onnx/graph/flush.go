package graph

import (
	"encoding/binary"
	"math"

	"google.golang.org/protobuf/encoding/protowire"
)

// tiny is the absolute value below which a weight counts as zero.
const tiny = 1e-20

// FlushTiny sets weights whose absolute value is below [tiny] to zero, in place in the bytes of a model.
//
// A processor multiplies subnormal numbers about a hundred times slower. Training leaves such weights in channels that have no effect
// any more: two of the 160 layers of PP-OCRv6 detection have 255,000 of them, which took two thirds of its time. The outputs stay the
// same to the last bit. The alternative, the processor's flush-to-zero mode, would have to be set on every thread that may run a model,
// and would change other arithmetic there.
//
// FlushTiny ignores bytes that are not a model; the library refuses them.
func FlushTiny(model []byte) {
	_ = each(model, modelGraph, func(graph []byte) {
		_ = each(graph, graphInitializer, flushTensor)
	})
}

func flushTensor(tensor []byte) {
	var kind uint64
	if err := each(tensor, tensorType, func(b []byte) { kind, _ = protowire.ConsumeVarint(b) }); err != nil || Type(kind) != Float {
		return
	}
	_ = each(tensor, tensorRawData, func(raw []byte) {
		for ; len(raw) >= 4; raw = raw[4:] {
			f := math.Float32frombits(binary.LittleEndian.Uint32(raw))
			if f > -tiny && f < tiny {
				clear(raw[:4])
			}
		}
	})
}
