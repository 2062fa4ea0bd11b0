package realesr

import (
	"fmt"

	"plait/internal/onnx/graph"
	"plait/internal/video/window"
)

// builder adds the operators of [temporal] to a model.
type builder struct{ m graph.Model }

func (b *builder) in(name string, shape ...int64) {
	b.m.Inputs = append(b.m.Inputs, graph.Value{Name: name, Shape: shape})
}

func (b *builder) out(name string, shape ...int64) {
	b.m.Outputs = append(b.m.Outputs, graph.Value{Name: name, Shape: shape})
}

func (b *builder) op(op, out string, in ...string) {
	b.m.Nodes = append(b.m.Nodes, graph.Node{Op: op, In: in, Out: []string{out}})
}

// constant adds a number, and returns its name.
func (b *builder) constant(v float32) string { return b.constantOf([]int64{1}, v) }

func (b *builder) constantOf(shape []int64, v float32) string {
	name := fmt.Sprintf("constant %d", len(b.m.Initializers))
	b.m.Initializers = append(b.m.Initializers, graph.Tensor{Name: name, Shape: shape, Floats: []float32{v}})
	return name
}

// mean adds the mean over axes, which stay with the length 1.
func (b *builder) mean(out, in string, axes ...int64) {
	b.m.Nodes = append(b.m.Nodes, graph.Node{Op: "ReduceMean", In: []string{in}, Out: []string{out}, Attributes: map[string]any{"axes": axes}})
}

// max adds the greatest value over an axis, which stays with the length 1.
func (b *builder) max(out, in string, axis int64) {
	b.m.Nodes = append(b.m.Nodes, graph.Node{Op: "ReduceMax", In: []string{in}, Out: []string{out}, Attributes: map[string]any{"axes": []int64{axis}}})
}

// pool adds the mean or the greatest value of the size x size pixels around each.
func (b *builder) pool(op, out, in string, size int64) {
	pad := size / 2
	b.m.Nodes = append(b.m.Nodes, graph.Node{Op: op, In: []string{in}, Out: []string{out}, Attributes: map[string]any{
		"kernel_shape": []int64{size, size}, "pads": []int64{pad, pad, pad, pad}, "strides": []int64{1, 1},
	}})
}

// ramp adds a value that is 0 at zero and 1 at one, on a line between them, and stays there outside.
func (b *builder) ramp(out, in string, zero, one float64) {
	b.op("Sub", out+" off", in, b.constant(float32(zero)))
	b.op("Mul", out+" line", out+" off", b.constant(float32(1/(one-zero))))
	b.op("Clip", out, out+" line", b.constantOf(nil, 0), b.constantOf(nil, 1))
}

// mix adds now + part * (before - now).
func (b *builder) mix(out, now, before, part string) {
	b.op("Sub", out+" step", before, now)
	b.op("Mul", out+" kept", out+" step", part)
	b.op("Add", out, now, out+" kept")
}

// dimensions parses dimensions that are written here.
func dimensions(texts ...string) []window.Dimension {
	all := make([]window.Dimension, len(texts))
	for i, text := range texts {
		d, err := window.ParseDimension(text)
		if err != nil {
			panic(err) // the text is written in this package
		}
		all[i] = d
	}
	return all
}

func times(operand string, n int) string { return fmt.Sprintf("%s*%d", operand, n) }
