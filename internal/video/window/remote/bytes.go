package remote

import (
	"encoding/binary"
	"math"

	"plait/internal/ranks"
)

// levels is the largest value of a sample: frames are samples divided by it.
const levels = 255

// valueOf and bitsOf have the value of each sample.
var valueOf, bitsOf = func() (values [levels + 1]float32, bits [levels + 1]uint32) {
	for i := range values {
		values[i] = float32(i) / levels
		bits[i] = math.Float32bits(values[i])
	}
	return values, bits
}()

// frames returns frames as an input: as samples if they are some, for which a quarter of the bytes travel, else as they are.
func frames(values []float32) ranks.Input {
	small := make([]byte, len(values))
	for i, v := range values {
		small[i] = byte(min(max(v, 0), 1)*levels + 0.5)
		if valueOf[small[i]] != v {
			return ranks.Input{Data: toBytes(values)}
		}
	}
	return ranks.Input{Data: small, Decoder: samples}
}

// toBytes returns values as float32 in little-endian order.
func toBytes(values []float32) []byte {
	b := make([]byte, 4*len(values))
	for i, v := range values {
		binary.LittleEndian.PutUint32(b[4*i:], math.Float32bits(v))
	}
	return b
}

func fromBits(b []byte) float32 { return math.Float32frombits(binary.LittleEndian.Uint32(b)) }
