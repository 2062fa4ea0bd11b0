// Package graph writes ONNX models, in the format of a file: from nodes ([Model]), from other files that run one after the other ([Chain]),
// or from one that computes the same more slowly ([Simplify], [FlushTiny]).
//
// The Go packages that read and write this format belong to inference engines of their own. The format is protobuf, and what is written
// here needs a few of its messages.
package graph

import (
	"encoding/binary"
	"maps"
	"math"
	"slices"

	"google.golang.org/protobuf/encoding/protowire"
)

// Type is the element type of a value, by its number in onnx.proto3.
type Type uint64

// The element types. A Value or Tensor without one is Float.
const (
	Float Type = 1
	Uint8 Type = 2
	Int64 Type = 7
	Bool  Type = 9
	Half  Type = 10
)

// Model is a model. Each node must follow the nodes whose outputs it reads.
type Model struct {
	Inputs, Outputs []Value
	Initializers    []Tensor
	Nodes           []Node
	Metadata        map[string]string
}

// Value is an input or output; a negative dimension is open.
type Value struct {
	Name  string
	Type  Type
	Shape []int64
}

// Tensor is a constant with either Floats or Ints.
type Tensor struct {
	Name   string
	Shape  []int64
	Floats []float32
	Ints   []int64
}

// Node is an operator of opset 13. The value of an attribute is an int64, a []int64, a float32 or a string.
type Node struct {
	Op         string
	In, Out    []string
	Attributes map[string]any
}

// The versions of the format that models declare. Every ONNX Runtime since 1.8 reads them.
const (
	irVersion = 8
	opset     = 13
)

// message is a protobuf message under construction. Field numbers are those of onnx.proto3.
type message []byte

func (m message) number(field protowire.Number, v uint64) message {
	return protowire.AppendVarint(protowire.AppendTag(m, field, protowire.VarintType), v)
}

func (m message) bytes(field protowire.Number, b []byte) message {
	return protowire.AppendBytes(protowire.AppendTag(m, field, protowire.BytesType), b)
}

func (m message) text(field protowire.Number, s string) message { return m.bytes(field, []byte(s)) }

// Bytes returns the model in the format of a file.
func (g Model) Bytes() []byte {
	var graph message
	for _, n := range g.Nodes {
		graph = graph.bytes(1, n.message())
	}
	graph = graph.text(2, "plait")
	for _, t := range g.Initializers {
		graph = graph.bytes(5, t.message())
	}
	for _, v := range g.Inputs {
		graph = graph.bytes(11, v.message())
	}
	for _, v := range g.Outputs {
		graph = graph.bytes(12, v.message())
	}
	m := message{}.number(1, irVersion).bytes(7, graph).bytes(8, message{}.number(2, opset))
	for _, key := range slices.Sorted(maps.Keys(g.Metadata)) {
		m = m.bytes(14, message{}.text(1, key).text(2, g.Metadata[key]))
	}
	return m
}

func (v Value) message() message {
	var shape message
	for _, d := range v.Shape {
		if d < 0 {
			shape = shape.bytes(1, nil)
		} else {
			shape = shape.bytes(1, message{}.number(1, uint64(d)))
		}
	}
	tensor := message{}.number(1, uint64(max(v.Type, Float))).bytes(2, shape)
	return message{}.text(1, v.Name).bytes(2, message{}.bytes(1, tensor))
}

func (t Tensor) message() message {
	var raw []byte
	kind := Float
	for _, f := range t.Floats {
		raw = binary.LittleEndian.AppendUint32(raw, math.Float32bits(f))
	}
	for _, i := range t.Ints {
		kind = Int64
		raw = binary.LittleEndian.AppendUint64(raw, uint64(i))
	}
	var m message
	for _, d := range t.Shape {
		m = m.number(1, uint64(d))
	}
	return m.number(2, uint64(kind)).text(8, t.Name).bytes(9, raw)
}

func (n Node) message() message {
	var m message
	for _, in := range n.In {
		m = m.text(1, in)
	}
	for _, out := range n.Out {
		m = m.text(2, out)
	}
	m = m.text(4, n.Op)
	for _, name := range slices.Sorted(maps.Keys(n.Attributes)) {
		a := message{}.text(1, name)
		switch v := n.Attributes[name].(type) {
		case int64:
			a = a.number(3, uint64(v)).number(20, 2)
		case []int64:
			for _, i := range v {
				a = a.number(8, uint64(i))
			}
			a = a.number(20, 7)
		case string:
			a = a.text(4, v).number(20, 3)
		case float32:
			a = protowire.AppendFixed32(protowire.AppendTag(a, 2, protowire.Fixed32Type), math.Float32bits(v))
			a = a.number(20, 1)
		}
		m = m.bytes(5, a)
	}
	return m
}
