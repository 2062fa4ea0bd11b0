package onnx

import (
	"encoding/binary"
	"math"

	"google.golang.org/protobuf/encoding/protowire"
)

// tiny is the absolute value below which a weight counts as zero.
const tiny = 1e-20

// Field numbers of messages, and a data type, of the ONNX format (onnx.proto3).
const (
	modelGraph       protowire.Number = 7
	graphInitializer protowire.Number = 5
	tensorDataType   protowire.Number = 2
	tensorRawData    protowire.Number = 9

	tensorTypeFloat = 1
)

// flushTiny sets weights whose absolute value is below [tiny] to zero, in place in the bytes of a model.
//
// A processor multiplies subnormal numbers about a hundred times slower. Training leaves such weights in channels that have no effect
// any more: two of the 160 layers of PP-OCRv6 detection have 255,000 of them, which took two thirds of its time. The outputs stay the
// same to the last bit. The alternative, the processor's flush-to-zero mode, would have to be set on every thread that may run a model,
// and would change other arithmetic there.
//
// flushTiny ignores bytes that are not a model; the library refuses them.
func flushTiny(model []byte) {
	eachField(model, modelGraph, func(graph []byte) {
		eachField(graph, graphInitializer, flushTensor)
	})
}

func flushTensor(tensor []byte) {
	if dataType(tensor) != tensorTypeFloat {
		return
	}
	eachField(tensor, tensorRawData, func(raw []byte) {
		for ; len(raw) >= 4; raw = raw[4:] {
			f := math.Float32frombits(binary.LittleEndian.Uint32(raw))
			if f > -tiny && f < tiny {
				clear(raw[:4])
			}
		}
	})
}

func dataType(tensor []byte) uint64 {
	for len(tensor) > 0 {
		number, kind, n := protowire.ConsumeTag(tensor)
		if n < 0 {
			return 0
		}
		tensor = tensor[n:]
		if number == tensorDataType && kind == protowire.VarintType {
			v, _ := protowire.ConsumeVarint(tensor)
			return v
		}
		if n = protowire.ConsumeFieldValue(number, kind, tensor); n < 0 {
			return 0
		}
		tensor = tensor[n:]
	}
	return 0
}

// eachField calls visit with the content of each length-delimited field with this number. The content shares the memory of b.
func eachField(b []byte, want protowire.Number, visit func([]byte)) {
	for len(b) > 0 {
		number, kind, n := protowire.ConsumeTag(b)
		if n < 0 {
			return
		}
		b = b[n:]
		if number == want && kind == protowire.BytesType {
			value, n := protowire.ConsumeBytes(b)
			if n < 0 {
				return
			}
			visit(value)
			b = b[n:]
			continue
		}
		if n = protowire.ConsumeFieldValue(number, kind, b); n < 0 {
			return
		}
		b = b[n:]
	}
}
