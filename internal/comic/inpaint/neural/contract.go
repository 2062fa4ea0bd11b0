package neural

import (
	"image"

	"plait/internal/core"
	"plait/internal/onnx"
)

// contract is the format of the inputs and outputs of a model.
type contract struct {
	kind onnx.ElementType
	// multiple is what the sides must be multiples of, if the file does not fix them.
	multiple int
	// low and high are the values of black and white, in inputs and outputs.
	low, high float32
	output    string
}

var contracts = map[string]contract{
	onnx.ContractLaMa:  {multiple: 64, low: 0, high: 1, output: "output"},
	onnx.ContractAOT:   {multiple: 8, low: -1, high: 1, output: "output"},
	onnx.ContractMIGAN: {kind: onnx.Uint8, multiple: 1, low: 0, high: 255, output: "result"},
}

// Model returns the function that makes the manifest entry of an inpainting model with the named contract.
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

// size returns the size of the model input for a crop, and the size of the crop in it, at most its own, in pixels.
func (p *Painter) size(c image.Point) (input, crop image.Point) {
	scale, m := min(1, mostSide/float64(max(c.X, c.Y))), p.contract.multiple
	if p.fixed != (image.Point{}) {
		scale = min(1, float64(p.fixed.X)/float64(c.X), float64(p.fixed.Y)/float64(c.Y))
	}
	crop = image.Pt(max(int(float64(c.X)*scale+0.5), 1), max(int(float64(c.Y)*scale+0.5), 1))
	if p.fixed != (image.Point{}) {
		return p.fixed, crop
	}
	return crop.Add(image.Pt(m-1, m-1)).Div(m).Mul(m), crop
}

// encode writes a picture and its holes to the inputs of the model.
func (c contract) encode(img *image.RGBA, hole []bool, picture, mask onnx.Tensor) {
	n := len(hole)
	for i, h := range hole {
		for k := range 3 {
			v := img.Pix[4*i+k]
			if c.kind == onnx.Uint8 {
				picture.Bytes[k*n+i] = v
				continue
			}
			picture.Data[k*n+i] = c.low + float32(v)/255*(c.high-c.low)
			if h {
				picture.Data[k*n+i] = 0
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

// decode reads the output of the model into img. It fails with CodeDevice if a value is NaN.
func (c contract) decode(out onnx.Tensor, img *image.RGBA) error {
	n := len(img.Pix) / 4
	for i := range n {
		for k := range 3 {
			if c.kind == onnx.Uint8 {
				img.Pix[4*i+k] = out.Bytes[k*n+i]
				continue
			}
			v := out.Data[k*n+i]
			if v != v {
				return core.Errorf(core.CodeDevice, "the output of the inpainting model is not a number")
			}
			img.Pix[4*i+k] = uint8(min(max((v-c.low)/(c.high-c.low)*255+0.5, 0), 255))
		}
	}
	return nil
}
