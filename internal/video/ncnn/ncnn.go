// Package ncnn reads networks in the format of ncnn: a text file with the layers (.param), and a file with their weights (.bin).
//
// It knows the layers of plain upscaling networks: Input, Split, Convolution, PReLU, PixelShuffle, Interp and BinaryOp. Numbers of
// parameters are those of ncnn's param format; weights are float32, or float16 where a tag before them says so.
package ncnn

import (
	"bufio"
	"encoding/binary"
	"errors"
	"fmt"
	"math"
	"strconv"
	"strings"

	"github.com/x448/float16"
)

// Network is the layers of a file, in the order in which they run.
type Network []Layer

// Layer is one operator.
type Layer struct {
	Type, Name string
	// In and Out are the names of what it reads and writes.
	In, Out []string
	// Params are the values of the parameters by their numbers, as they are written.
	Params map[int]string
	// Weights are those of a Convolution, [output, input, height, width], or the slopes of a PReLU. Bias is that of a Convolution.
	Weights, Bias []float32
}

// Types of layers with weights.
const (
	Convolution = "Convolution"
	PReLU       = "PReLU"
)

// Numbers of parameters.
const (
	outputs     = 0 // Convolution
	hasBias     = 5
	weightCount = 6
	slopes      = 0 // PReLU
)

// Bounds of what is read.
const (
	maxLayers  = 10_000
	maxBlobs   = 16 // that one layer reads, or writes
	maxWeights = 1 << 28
)

// magic begins a param file.
const magic = "7767517"

// Tags before the weights of a layer.
const (
	tagFloat32 = 0
	tagFloat16 = 0x01306B47
)

// Read parses the content of a param file and the bin file that belongs to it. It fails for anything that it does not know, and for bytes
// that are left over.
func Read(param, bin []byte) (Network, error) {
	network, err := parse(string(param))
	if err != nil {
		return nil, fmt.Errorf("param: %w", err)
	}
	w := weights{left: bin}
	for i := range network {
		if err := w.layer(&network[i]); err != nil {
			return nil, fmt.Errorf("weights of layer %q: %w", network[i].Name, err)
		}
	}
	if len(w.left) > 0 {
		return nil, fmt.Errorf("%d bytes are left after the weights of the last layer", len(w.left))
	}
	return network, nil
}

func parse(text string) (Network, error) {
	lines := bufio.NewScanner(strings.NewReader(text))
	if !lines.Scan() || strings.TrimSpace(lines.Text()) != magic {
		return nil, errors.New("it does not begin with " + magic)
	}
	var layers, blobs int
	if !lines.Scan() {
		return nil, errors.New("it ends before the number of layers")
	}
	if _, err := fmt.Sscan(lines.Text(), &layers, &blobs); err != nil || layers < 1 || layers > maxLayers {
		return nil, fmt.Errorf("%q is not a number of layers and one of blobs", lines.Text())
	}
	var network Network
	for lines.Scan() {
		if strings.TrimSpace(lines.Text()) == "" {
			continue
		}
		layer, err := parseLayer(strings.Fields(lines.Text()))
		if err != nil {
			return nil, fmt.Errorf("layer %d: %w", len(network)+1, err)
		}
		if network = append(network, layer); len(network) > layers {
			return nil, fmt.Errorf("it has more than %d layers", layers)
		}
	}
	if err := lines.Err(); err != nil {
		return nil, err
	}
	if len(network) != layers {
		return nil, fmt.Errorf("it has %d of %d layers", len(network), layers)
	}
	return network, nil
}

// parseLayer reads type, name, the numbers of inputs and outputs, their names, and the parameters.
func parseLayer(fields []string) (Layer, error) {
	if len(fields) < 4 {
		return Layer{}, errors.New("a part is missing")
	}
	l := Layer{Type: fields[0], Name: fields[1], Params: map[int]string{}}
	in, err := count(fields[2])
	if err != nil {
		return Layer{}, err
	}
	out, err := count(fields[3])
	if err != nil {
		return Layer{}, err
	}
	rest := fields[4:]
	if len(rest) < in+out {
		return Layer{}, errors.New("a name is missing")
	}
	l.In, l.Out, rest = rest[:in], rest[in:in+out], rest[in+out:]
	for _, field := range rest {
		key, value, found := strings.Cut(field, "=")
		n, err := strconv.Atoi(key)
		if !found || err != nil {
			return Layer{}, fmt.Errorf("%q is not a parameter", field)
		}
		if _, twice := l.Params[n]; twice {
			return Layer{}, fmt.Errorf("parameter %d is given twice", n)
		}
		l.Params[n] = value
	}
	return l, nil
}

func count(text string) (int, error) {
	n, err := strconv.Atoi(text)
	if err != nil || n < 0 || n > maxBlobs {
		return 0, fmt.Errorf("%q is not a number of blobs", text)
	}
	return n, nil
}

// Int returns a whole number among the parameters, or the default of ncnn if it is absent.
func (l Layer) Int(number, absent int) (int, error) {
	text, given := l.Params[number]
	if !given {
		return absent, nil
	}
	n, err := strconv.Atoi(text)
	if err != nil {
		return 0, fmt.Errorf("layer %q: parameter %d is %q, not a whole number", l.Name, number, text)
	}
	return n, nil
}

// Float returns a number among the parameters, or the default of ncnn if it is absent.
func (l Layer) Float(number int, absent float64) (float64, error) {
	text, given := l.Params[number]
	if !given {
		return absent, nil
	}
	f, err := strconv.ParseFloat(text, 64)
	if err != nil {
		return 0, fmt.Errorf("layer %q: parameter %d is %q, not a number", l.Name, number, text)
	}
	return f, nil
}

// weights takes numbers from the start of a bin file.
type weights struct{ left []byte }

func (w *weights) layer(l *Layer) (err error) {
	switch l.Type {
	case Convolution:
		n, err := l.Int(weightCount, 0)
		if err != nil {
			return err
		}
		if l.Weights, err = w.tagged(n); err != nil {
			return err
		}
		bias, err := l.Int(hasBias, 0)
		if err != nil || bias == 0 {
			return err
		}
		if n, err = l.Int(outputs, 0); err != nil {
			return err
		}
		l.Bias, err = w.floats(n)
		return err
	case PReLU:
		n, err := l.Int(slopes, 0)
		if err != nil {
			return err
		}
		l.Weights, err = w.floats(n)
		return err
	case "Input", "Split", "PixelShuffle", "Interp", "BinaryOp":
		return nil
	default:
		return fmt.Errorf("layers of the type %q are not known", l.Type)
	}
}

// tagged reads a tag and n numbers of the type that it says. Numbers of two bytes are followed by zeros up to a multiple of four bytes.
func (w *weights) tagged(n int) ([]float32, error) {
	if len(w.left) < 4 {
		return nil, errors.New("the file ends")
	}
	tag := binary.LittleEndian.Uint32(w.left)
	w.left = w.left[4:]
	switch tag {
	case tagFloat32:
		return w.floats(n)
	case tagFloat16:
		if n < 1 || n > maxWeights || len(w.left) < (2*n+3)/4*4 {
			return nil, fmt.Errorf("the file ends before %d numbers", n)
		}
		values := make([]float32, n)
		for i := range values {
			values[i] = float16.Frombits(binary.LittleEndian.Uint16(w.left[2*i:])).Float32()
		}
		w.left = w.left[(2*n+3)/4*4:]
		return values, nil
	default:
		return nil, fmt.Errorf("the tag %#x is not known", tag)
	}
}

func (w *weights) floats(n int) ([]float32, error) {
	if n < 1 || n > maxWeights || len(w.left) < 4*n {
		return nil, fmt.Errorf("the file ends before %d numbers", n)
	}
	values := make([]float32, n)
	for i := range values {
		values[i] = math.Float32frombits(binary.LittleEndian.Uint32(w.left[4*i:]))
	}
	w.left = w.left[4*n:]
	return values, nil
}
