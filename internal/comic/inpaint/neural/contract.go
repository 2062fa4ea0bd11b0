package neural

import (
	"math"

	"plait/internal/core"
	"plait/internal/onnx"
)

// contract is what a model takes and gives.
type contract struct {
	kind onnx.ElementType
	// sides are multiples of multiple, where the file leaves them open.
	multiple int
	// low and high are black and white, in and out.
	low, high float32
	output    string
}

var contracts = map[string]contract{
	onnx.ContractLaMa:  {multiple: 64, low: 0, high: 1, output: "output"},
	onnx.ContractAOT:   {multiple: 8, low: -1, high: 1, output: "output"},
	onnx.ContractMIGAN: {kind: onnx.Uint8, multiple: 1, low: 0, high: 255, output: "result"},
}

// Model is the manifest entry of an inpainter under the named contract.
func Model(contract string) func(name, path, sha256 string) onnx.Model {
	c := contracts[contract]
	return func(name, path, sha256 string) onnx.Model {
		sides := []int64{onnx.OfFile, 3, onnx.OfFile, onnx.OfFile}
		return onnx.Model{
			Name: name, Path: path, SHA256: sha256,
			Inputs: []onnx.Port{
				{Name: "image", Shape: sides, Type: c.kind},
				{Name: "mask", Shape: []int64{onnx.OfFile, 1, onnx.OfFile, onnx.OfFile}, Type: c.kind},
			},
			Outputs: []onnx.Port{{Name: c.output, Shape: sides, Type: c.kind}},
		}
	}
}

// size is what the model is run on for a crop, and the least scale at which the crop fits into it.
func (p *Painter) size(width, height int) (w, h int, scale float64) {
	if p.width > 0 {
		return p.width, p.height, min(1, float64(p.width)/float64(width), float64(p.height)/float64(height))
	}
	scale = min(1, mostSide/float64(max(width, height)))
	up := func(v int) int {
		m := p.contract.multiple
		return (max(int(math.Round(float64(v)*scale)), 1) + m - 1) / m * m
	}
	return up(width), up(height), scale
}

// encode writes a picture and its holes as the model wants them; three bytes a pixel.
func (c contract) encode(pix []uint8, hole []bool, image, mask onnx.Tensor) {
	n := len(hole)
	for i, h := range hole {
		for k := range 3 {
			v := pix[3*i+k]
			if c.kind == onnx.Uint8 {
				image.Bytes[k*n+i] = v
				continue
			}
			image.Data[k*n+i] = c.low + float32(v)/255*(c.high-c.low)
			if h {
				image.Data[k*n+i] = 0
			}
		}
		switch {
		case c.kind != onnx.Uint8 && h:
			mask.Data[i] = 1
		case c.kind == onnx.Uint8 && !h:
			mask.Bytes[i] = 255
		}
	}
}

// decode reads the model's picture. It fails with CodeDevice on what is no number.
func (c contract) decode(out onnx.Tensor, pix []uint8) error {
	n := len(pix) / 3
	for i := range n {
		for k := range 3 {
			if c.kind == onnx.Uint8 {
				pix[3*i+k] = out.Bytes[k*n+i]
				continue
			}
			v := out.Data[k*n+i]
			if v != v {
				return core.Errorf(core.CodeDevice, "the inpainter gave what is no number")
			}
			pix[3*i+k] = uint8(min(max((v-c.low)/(c.high-c.low)*255+0.5, 0), 255))
		}
	}
	return nil
}
