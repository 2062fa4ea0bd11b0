package ncnn_test

import (
	"encoding/binary"
	"math"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"plait/internal/video/ncnn"
)

const param = `7767517
4 4
Input        data  0 1 x
Convolution  conv  1 1 x y 0=1 1=1 4=0 5=1 6=3
PReLU        relu  1 1 y z 0=1
Interp       half  1 1 z out 0=3 1=5.000000e-01
`

// bin has the weights 1, -2 and 0.5 as float16 with two bytes of zeros, the bias 3, and the slope 0.25.
func bin() []byte {
	b := []byte{0x47, 0x6b, 0x30, 0x01, 0x00, 0x3c, 0x00, 0xc0, 0x00, 0x38, 0, 0}
	b = binary.LittleEndian.AppendUint32(b, math.Float32bits(3))
	return binary.LittleEndian.AppendUint32(b, math.Float32bits(0.25))
}

func TestRead(t *testing.T) {
	t.Parallel()
	network, err := ncnn.Read([]byte(param), bin())
	require.NoError(t, err)
	require.Len(t, network, 4)
	require.Equal(t, ncnn.Layer{
		Type: ncnn.Convolution, Name: "conv", In: []string{"x"}, Out: []string{"y"},
		Params: map[int]string{0: "1", 1: "1", 4: "0", 5: "1", 6: "3"}, Weights: []float32{1, -2, 0.5}, Bias: []float32{3},
	}, network[1])
	require.Equal(t, []float32{0.25}, network[2].Weights)
	scale, err := network[3].Float(1, 1)
	require.NoError(t, err)
	require.InDelta(t, 0.5, scale, 0)
	mode, err := network[3].Int(0, 0)
	require.NoError(t, err)
	require.Equal(t, 3, mode)
}

func TestReadRefuses(t *testing.T) {
	t.Parallel()
	for name, c := range map[string]struct {
		old, new string
		bin      []byte
		message  string
	}{
		"magic":          {"7767517", "7767518", bin(), "it does not begin with 7767517"},
		"layers missing": {"4 4", "5 4", bin(), "it has 4 of 5 layers"},
		"type":           {"PReLU ", "Swish ", bin(), `layers of the type "Swish" are not known`},
		"parameter":      {"0=1 1=1", "0=1 x=1", bin(), `"x=1" is not a parameter`},
		"negative":       {"6=3", "6=-3", bin(), "before -3 numbers"},
		"short":          {"4 4", "4 4", bin()[:19], "the file ends before 1 numbers"},
		"long":           {"4 4", "4 4", append(bin(), 0), "1 bytes are left"},
		"tag":            {"4 4", "4 4", append([]byte{1}, bin()[1:]...), "the tag 0x1306b01 is not known"},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			_, err := ncnn.Read([]byte(strings.Replace(param, c.old, c.new, 1)), c.bin)
			require.ErrorContains(t, err, c.message)
		})
	}
}

func FuzzRead(f *testing.F) {
	f.Add([]byte(param), bin())
	f.Fuzz(func(t *testing.T, param, bin []byte) {
		network, err := ncnn.Read(param, bin)
		if err != nil {
			return
		}
		numbers := 0
		for _, l := range network {
			numbers += len(l.Weights) + len(l.Bias)
		}
		require.LessOrEqual(t, 2*numbers, len(bin))
	})
}
