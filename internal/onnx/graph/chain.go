package graph

import (
	"errors"
	"fmt"
	"slices"
	"strconv"

	"google.golang.org/protobuf/encoding/protowire"
)

// Field numbers of onnx.proto3.
const (
	modelIRVersion protowire.Number = 1
	modelGraph     protowire.Number = 7
	modelOpset     protowire.Number = 8
	modelFunctions protowire.Number = 25

	graphNode        protowire.Number = 1
	graphName        protowire.Number = 2
	graphInitializer protowire.Number = 5
	graphInput       protowire.Number = 11
	graphOutput      protowire.Number = 12
	graphValueInfo   protowire.Number = 13
	graphSparse      protowire.Number = 15

	nodeInput     protowire.Number = 1
	nodeOutput    protowire.Number = 2
	nodeName      protowire.Number = 3
	nodeAttribute protowire.Number = 5

	attributeGraph  protowire.Number = 6
	attributeGraphs protowire.Number = 11

	tensorName         protowire.Number = 8
	tensorDataLocation protowire.Number = 14

	valueName protowire.Number = 1
	valueType protowire.Number = 2

	typeTensor     protowire.Number = 1
	tensorShape    protowire.Number = 2
	shapeDimension protowire.Number = 1
	dimensionParam protowire.Number = 2
)

// maxDepth bounds the depth of graphs in graphs.
const maxDepth = 16

// Chain joins the files of models into one model that runs them one after the other: the output named out of each is the input named in
// of the next. The result has the input in of the first, the output out of the last, and all other ports of all models, named I/PORT
// with the index I of their model from 0. One session then runs them all, and what they hand to each other stays where it was computed.
//
// Errors: a file that is not a model, that has no such port, or that declares other operator versions than the first; a model with
// functions, sparse weights or weights in files of their own.
func Chain(files [][]byte, in, out string) ([]byte, error) {
	if len(files) == 0 {
		return nil, errors.New("no models")
	}
	var joined, opset message
	var version uint64
	for i, file := range files {
		part, err := parsePart(file)
		if err != nil {
			return nil, fmt.Errorf("model %d: %w", i, err)
		}
		if i == 0 {
			opset = part.opset
		} else if !slices.Equal(opset, part.opset) {
			return nil, fmt.Errorf("model %d declares other operator versions than model 0", i)
		}
		version = max(version, part.version)
		l := link{prefix: strconv.Itoa(i) + "/", in: in, out: out, first: i == 0, last: i == len(files)-1}
		if i > 0 {
			l.inName = fmt.Sprintf("%d/%s", i-1, out)
		}
		if joined, err = l.graph(joined, part.graph, 0); err != nil {
			return nil, fmt.Errorf("model %d: %w", i, err)
		}
		if !l.foundIn || !l.foundOut {
			return nil, fmt.Errorf("model %d has no input %q or no output %q", i, in, out)
		}
	}
	joined = joined.text(graphName, "plait")
	return append(message{}.number(modelIRVersion, version).bytes(modelGraph, joined), opset...), nil
}

// part is what Chain needs of one file.
type part struct {
	version uint64
	graph   []byte
	opset   message // the fields with operator versions, with their tags
}

func parsePart(file []byte) (part, error) {
	var p part
	err := fields(file, func(number protowire.Number, whole, content []byte) error {
		switch number {
		case modelIRVersion:
			p.version, _ = protowire.ConsumeVarint(content)
		case modelGraph:
			p.graph = content
		case modelOpset:
			p.opset = append(p.opset, whole...)
		case modelFunctions:
			return errors.New("it has functions, which cannot be joined")
		default: // who made it, and texts for people
		}
		return nil
	})
	if err == nil && p.graph == nil {
		err = errors.New("it has no graph")
	}
	return p, err
}

// link renames the values of one model of a chain.
type link struct {
	prefix      string
	in, out     string
	first, last bool
	// inName is the name of the value that takes the place of input in, but for the first model.
	inName            string
	foundIn, foundOut bool
}

// value returns the new name of a value.
func (l *link) value(name string) string {
	switch {
	case name == "": // an optional input that is absent
		return ""
	case name == l.in && l.first, name == l.out && l.last:
		return name
	case name == l.in:
		return l.inName
	default:
		return l.prefix + name
	}
}

// graph appends the renamed fields of a graph to m. depth is 0 for the graph of the model.
func (l *link) graph(m message, graph []byte, depth int) (message, error) {
	if depth > maxDepth {
		return nil, errors.New("its graphs are nested too deeply")
	}
	err := fields(graph, func(number protowire.Number, whole, content []byte) error {
		var renamed message
		var err error
		switch number {
		case graphNode:
			renamed, err = l.node(content, depth)
		case graphInitializer:
			renamed, err = l.tensor(content)
		case graphInput, graphOutput, graphValueInfo:
			var name string
			if renamed, name, err = l.port(content); err == nil && depth == 0 {
				if l.joins(number, name) {
					return nil
				}
			}
		case graphSparse:
			return errors.New("it has sparse weights, which cannot be joined")
		case graphName:
			if depth == 0 {
				return nil
			}
			m = append(m, whole...)
			return nil
		default: // texts for people
			return nil
		}
		if err != nil {
			return err
		}
		m = m.bytes(number, renamed)
		return nil
	})
	return m, err
}

// joins notes the ports at which models are joined, and reports whether the port of the file becomes an inner value.
func (l *link) joins(number protowire.Number, name string) bool {
	switch {
	case number == graphInput && name == l.in:
		l.foundIn = true
		return !l.first
	case number == graphOutput && name == l.out:
		l.foundOut = true
		return !l.last
	default:
		return false
	}
}

func (l *link) node(node []byte, depth int) (message, error) {
	var m message
	err := fields(node, func(number protowire.Number, whole, content []byte) error {
		switch number {
		case nodeInput, nodeOutput:
			m = m.text(number, l.value(string(content)))
		case nodeName:
			m = m.text(number, l.prefix+string(content))
		case nodeAttribute:
			attribute, err := l.attribute(content, depth)
			if err != nil {
				return err
			}
			m = m.bytes(number, attribute)
		default:
			m = append(m, whole...)
		}
		return nil
	})
	return m, err
}

func (l *link) attribute(attribute []byte, depth int) (message, error) {
	var m message
	err := fields(attribute, func(number protowire.Number, whole, content []byte) error {
		if number != attributeGraph && number != attributeGraphs {
			m = append(m, whole...)
			return nil
		}
		inner, err := l.graph(nil, content, depth+1)
		m = m.bytes(number, inner)
		return err
	})
	return m, err
}

func (l *link) tensor(tensor []byte) (message, error) {
	var m message
	err := fields(tensor, func(number protowire.Number, whole, content []byte) error {
		switch number {
		case tensorName:
			m = m.text(number, l.value(string(content)))
		case tensorDataLocation:
			if v, _ := protowire.ConsumeVarint(content); v != 0 {
				return errors.New("its weights are in files of their own, which cannot be joined")
			}
		default:
			m = append(m, whole...)
		}
		return nil
	})
	return m, err
}

// port renames a value with its type, and returns its name in the file.
func (l *link) port(value []byte) (m message, name string, err error) {
	err = fields(value, func(number protowire.Number, whole, content []byte) error {
		switch number {
		case valueName:
			name = string(content)
			m = m.text(number, l.value(name))
		case valueType:
			renamed, err := l.path(content, typeTensor, tensorShape, shapeDimension, dimensionParam)
			m = m.bytes(number, renamed)
			return err
		default:
			m = append(m, whole...)
		}
		return nil
	})
	return m, name, err
}

// path gives the texts at a path of fields the prefix: two models may call different sizes by one name.
func (l *link) path(content []byte, path ...protowire.Number) (message, error) {
	if len(path) == 0 {
		return message(l.prefix + string(content)), nil
	}
	var m message
	err := fields(content, func(number protowire.Number, whole, content []byte) error {
		if number != path[0] {
			m = append(m, whole...)
			return nil
		}
		renamed, err := l.path(content, path[1:]...)
		m = m.bytes(number, renamed)
		return err
	})
	return m, err
}

// fields calls visit with each field of a message: the whole field with its tag, and its content without its length.
func fields(b []byte, visit func(number protowire.Number, whole, content []byte) error) error {
	for len(b) > 0 {
		number, kind, tag := protowire.ConsumeTag(b)
		if tag < 0 {
			return errors.New("it is not an ONNX model")
		}
		size := protowire.ConsumeFieldValue(number, kind, b[tag:])
		if size < 0 {
			return errors.New("it is not an ONNX model")
		}
		content := b[tag : tag+size]
		if kind == protowire.BytesType {
			content, _ = protowire.ConsumeBytes(content)
		}
		if err := visit(number, b[:tag+size], content); err != nil {
			return err
		}
		b = b[tag+size:]
	}
	return nil
}

// each calls visit with the content of each field with one number. The content shares the memory of b.
func each(b []byte, want protowire.Number, visit func(content []byte)) error {
	return fields(b, func(number protowire.Number, _, content []byte) error {
		if number == want {
			visit(content)
		}
		return nil
	})
}
