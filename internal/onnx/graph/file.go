package graph

import (
	"encoding/binary"
	"errors"
	"math"
	"slices"

	"google.golang.org/protobuf/encoding/protowire"
)

// Field numbers of onnx.proto3 for a reader of nodes and weights.
const (
	nodeOp     protowire.Number = 4
	nodeDomain protowire.Number = 7

	attributeName protowire.Number = 1
	attributeInt  protowire.Number = 3
	attributeText protowire.Number = 4
	attributeInts protowire.Number = 8

	tensorDimension protowire.Number = 1
	tensorType      protowire.Number = 2
	tensorFloatData protowire.Number = 4
	tensorRawData   protowire.Number = 9
)

// file is a model that was read from a file, so that some of its nodes can be replaced. The rest of it stays as it is, byte by byte.
type file struct {
	// model has the fields around the graph, and graph those besides the nodes.
	model, graph message
	nodes        []*fileNode
	// weights are the initializers by name, in the format of the file.
	weights map[string][]byte
	// ports are the names of the outputs of the model.
	ports map[string]bool
}

// fileNode is a node of a file, of which Node has what replacements ask about.
type fileNode struct {
	Node
	// rest has the fields besides the inputs and outputs. It is nil for a new node.
	rest message
}

// errIndivisible refuses a file with parts that may read any of its values by name.
var errIndivisible = errors.New("it has graphs in nodes, or functions")

func parseFile(b []byte) (*file, error) {
	f := &file{weights: map[string][]byte{}, ports: map[string]bool{}}
	err := fields(b, func(number protowire.Number, whole, content []byte) error {
		switch number {
		case modelGraph:
			return f.parseGraph(content)
		case modelFunctions:
			return errIndivisible
		default:
			f.model = append(f.model, whole...)
			return nil
		}
	})
	return f, err
}

func (f *file) parseGraph(graph []byte) error {
	var inputs []string
	err := fields(graph, func(number protowire.Number, whole, content []byte) error {
		var err error
		switch number {
		case graphNode:
			n := &fileNode{Node: Node{Attributes: map[string]any{}}}
			f.nodes = append(f.nodes, n)
			return fields(content, n.parse)
		case graphInitializer:
			err = each(content, tensorName, func(name []byte) { f.weights[string(name)] = content })
		case graphOutput:
			err = each(content, valueName, func(name []byte) { f.ports[string(name)] = true })
		case graphInput:
			err = each(content, valueName, func(name []byte) { inputs = append(inputs, string(name)) })
		case graphValueInfo:
			return nil // the shapes of inner values follow from their nodes
		default: // who made it, and texts for people
		}
		f.graph = append(f.graph, whole...)
		return err
	})
	for _, name := range inputs {
		delete(f.weights, name) // what a run gives takes its place
	}
	return err
}

// parse reads one field of a node.
func (n *fileNode) parse(number protowire.Number, whole, content []byte) error {
	var err error
	switch number {
	case nodeInput:
		n.In = append(n.In, string(content))
		return nil
	case nodeOutput:
		n.Out = append(n.Out, string(content))
		return nil
	case nodeOp:
		n.Op = string(content)
	case nodeDomain:
		if len(content) > 0 {
			defer func() { n.Op = "" }()
		}
	case nodeAttribute:
		err = n.parseAttribute(content)
	default: // texts for people
	}
	n.rest = append(n.rest, whole...)
	return err
}

func (n *fileNode) parseAttribute(b []byte) error {
	var name string
	var value any
	var list []int64
	err := fields(b, func(number protowire.Number, _, content []byte) error {
		switch number {
		case attributeName:
			name = string(content)
		case attributeInt:
			v, _ := protowire.ConsumeVarint(content)
			value = int64(v)
		case attributeText:
			value = string(content)
		case attributeInts:
			list = append(list, integers(content)...)
			value = list
		case attributeGraph, attributeGraphs:
			return errIndivisible
		default: // its type, which follows from the value, and types of values that no replacement asks about
		}
		return nil
	})
	n.Attributes[name] = value
	return err
}

// integers reads the numbers of a field: all of a packed one, or one.
func integers(b []byte) (list []int64) {
	for len(b) > 0 {
		v, size := protowire.ConsumeVarint(b)
		if size < 0 {
			return nil
		}
		list, b = append(list, int64(v)), b[size:]
	}
	return list
}

// weight returns an initializer with its values, if they are floats. Its Floats are nil if there is no such initializer, or if its values are in
// a file of their own.
func (f *file) weight(name string) Tensor {
	shape, raw := f.floats(name)
	t := Tensor{Name: name, Shape: shape}
	if raw != nil {
		t.Floats = make([]float32, len(raw)/4)
	}
	for i := range t.Floats {
		t.Floats[i] = math.Float32frombits(binary.LittleEndian.Uint32(raw[4*i:]))
	}
	return t
}

// shape returns the shape of an initializer of floats, or nil if there is none.
func (f *file) shape(name string) []int64 {
	shape, _ := f.floats(name)
	return shape
}

// floats returns the shape of an initializer of floats, and the bytes of its values.
func (f *file) floats(name string) (shape []int64, raw []byte) {
	var kind uint64
	if err := fields(f.weights[name], func(number protowire.Number, _, content []byte) error {
		switch number {
		case tensorDimension:
			shape = append(shape, integers(content)...)
		case tensorType:
			kind, _ = protowire.ConsumeVarint(content)
		case tensorFloatData, tensorRawData:
			raw = content
		default: // its name, and values of other types
		}
		return nil
	}); err != nil || Type(kind) != Float {
		return nil, nil
	}
	elements := 1
	for _, d := range shape {
		if d < 1 || int64(elements) > int64(len(raw))/d {
			return nil, nil
		}
		elements *= int(d)
	}
	if len(raw) != 4*elements {
		return nil, nil
	}
	return shape, raw
}

// shift returns which input of an addition is a constant for each channel of a picture, or -1.
func (f *file) shift(n *fileNode) int {
	if n.Op != "Add" || len(n.In) != 2 || len(n.Out) != 1 {
		return -1
	}
	return slices.IndexFunc(n.In, func(in string) bool {
		shape, raw := f.floats(in)
		for i, d := range shape {
			if d != 1 && i != len(shape)-3 {
				return false
			}
		}
		return raw != nil && len(shape) <= 4
	})
}

// reader returns the only node that reads a value, or -1 if there are more, or if the value is an output of the model.
func (f *file) reader(value string) int {
	reader := -1
	for i, n := range f.nodes {
		if slices.Contains(n.In, value) {
			if reader >= 0 {
				return -1
			}
			reader = i
		}
	}
	if f.ports[value] {
		return -1
	}
	return reader
}

// dropIdentities lets the readers of a copied value read the value itself.
func (f *file) dropIdentities() {
	origin := map[string]string{}
	f.nodes = slices.DeleteFunc(f.nodes, func(n *fileNode) bool {
		for i, in := range n.In {
			if from, copied := origin[in]; copied {
				n.In[i] = from
			}
		}
		if n.Op != "Identity" || len(n.In) != 1 || len(n.Out) != 1 || f.ports[n.Out[0]] {
			return false
		}
		origin[n.Out[0]] = n.In[0]
		return true
	})
}

// bytes returns the model in the format of a file.
func (f *file) bytes() []byte {
	var graph message
	for _, n := range f.nodes {
		graph = graph.bytes(graphNode, n.bytes())
	}
	return append(message{}.bytes(modelGraph, append(graph, f.graph...)), f.model...)
}

func (n *fileNode) bytes() message {
	if n.rest == nil {
		return n.message()
	}
	var m message
	for _, in := range n.In {
		m = m.text(nodeInput, in)
	}
	for _, out := range n.Out {
		m = m.text(nodeOutput, out)
	}
	return append(m, n.rest...)
}

// add adds an initializer.
func (f *file) add(t Tensor) {
	b := t.message()
	f.weights[t.Name] = b
	f.graph = f.graph.bytes(graphInitializer, b)
}
