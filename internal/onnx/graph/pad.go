package graph

import (
	"fmt"
	"slices"
)

// padChannels adds channels of zeros to the results of convolutions, so that their number is a multiple of block, and reports whether it
// added any.
//
// For convolutions, ONNX Runtime stores channels in blocks. Where a result that is pooled, joined to another or shorter than one block has no
// whole blocks, it goes back to the order of the file, which took 16 of the 155 ms of text detection. What channels of zeros add costs 3 ms.
func (f *file) padChannels(block int64) bool {
	padded := false
	done := map[string]bool{}
	for _, n := range f.nodes {
		if shape := f.dense(n); shape == nil || done[n.Out[0]] {
			continue
		}
		b := &bundle{file: f, values: map[string]bool{}}
		whole := b.add(n.Out[0])
		for value := range b.values {
			done[value] = true
		}
		if !whole || !slices.ContainsFunc(b.sources, func(n *fileNode) bool { return f.dense(n)[0]%block != 0 }) {
			continue
		}
		if layers := b.layers(block); layers != nil {
			b.pad(layers)
			padded = true
		}
	}
	return padded
}

// dense returns the shape of the weights of a convolution of pictures in which each channel of the result is of all channels, and nil for
// other nodes.
func (f *file) dense(n *fileNode) []int64 {
	if n.Op != "Conv" || len(n.In) < 2 || len(n.Out) != 1 || n.Attributes["group"] != nil && n.Attributes["group"] != int64(1) {
		return nil
	}
	shape := f.shape(n.In[1])
	if len(shape) != 4 || len(n.In) > 2 && len(f.shape(n.In[2])) != 1 {
		return nil
	}
	return shape
}

// bundle is values whose channels are padded together, because the nodes between them keep zeros in their places.
type bundle struct {
	file   *file
	values map[string]bool
	// sources are the convolutions that return the values, and sinks those that read them.
	sources, sinks []*fileNode
}

// add adds a value and those from which and to which its channels go, and reports whether all of them can be padded.
func (b *bundle) add(value string) bool {
	if b.values[value] {
		return true
	}
	b.values[value] = true
	if b.file.ports[value] {
		return false
	}
	made := false
	for _, n := range b.file.nodes {
		switch {
		case slices.Contains(n.Out, value):
			made = true
			if b.file.dense(n) != nil {
				b.sources = append(b.sources, n)
			} else if !b.through(n) {
				return false
			}
		case !slices.Contains(n.In, value):
		case b.file.dense(n) != nil && !slices.Contains(n.In[1:], value):
			b.sinks = append(b.sinks, n)
		case !b.through(n):
			return false
		}
	}
	return made
}

// through adds the values that a node reads and returns, and reports whether it keeps zeros in their places.
func (b *bundle) through(n *fileNode) bool {
	if len(n.Out) != 1 {
		return false
	}
	in := n.In
	switch n.Op {
	case "Relu", "MaxPool":
	case "Add":
		i := b.file.shift(n)
		if i < 0 {
			return false
		}
		in = []string{n.In[1-i]}
	case "Concat":
		if n.Attributes["axis"] != int64(1) {
			return false
		}
	default:
		return false
	}
	for _, value := range in {
		if !b.add(value) {
			return false
		}
	}
	return b.add(n.Out[0])
}

// layer is consecutive channels of a value: real ones, and zeros to make them full.
type layer struct{ real, full int64 }

// layers returns the layers of each value, or nil if those of a node do not fit.
func (b *bundle) layers(block int64) map[string][]layer {
	layers := map[string][]layer{}
	for _, n := range b.file.nodes {
		shape := b.file.dense(n)
		if slices.Contains(b.sinks, n) && shape[1] != realChannels(layers[n.In[0]]) {
			return nil
		}
		if len(n.Out) != 1 || !b.values[n.Out[0]] {
			continue
		}
		var result []layer
		switch n.Op {
		case "Conv":
			result = []layer{{shape[0], (shape[0] + block - 1) / block * block}}
			if len(n.In) > 2 && b.file.shape(n.In[2])[0] != shape[0] {
				return nil
			}
		case "Concat":
			for _, in := range n.In {
				result = append(result, layers[in]...)
			}
		case "Add":
			i := b.file.shift(n)
			result = layers[n.In[1-i]]
			if shape := b.file.shape(n.In[i]); varies(shape) && shape[len(shape)-3] != realChannels(result) {
				return nil
			}
		default:
			result = layers[n.In[0]]
		}
		layers[n.Out[0]] = result
	}
	return layers
}

// realChannels returns the number of channels without those of zeros.
func realChannels(layers []layer) (n int64) {
	for _, l := range layers {
		n += l.real
	}
	return n
}

// varies reports whether a constant of this shape has a value for each channel.
func varies(shape []int64) bool { return len(shape) >= 3 && shape[len(shape)-3] != 1 }

// pad pads the weights of the nodes at both ends and between.
func (b *bundle) pad(layers map[string][]layer) {
	for _, n := range b.file.nodes {
		if slices.Contains(b.sinks, n) {
			n.In[1] = b.file.spread(n.In[1], n.Out[0], 1, layers[n.In[0]])
		}
		switch {
		case len(n.Out) != 1 || !b.values[n.Out[0]]:
		case n.Op == "Conv":
			for i := range n.In[1:] {
				n.In[1+i] = b.file.spread(n.In[1+i], n.Out[0], 0, layers[n.Out[0]])
			}
		case n.Op == "Add":
			i := b.file.shift(n)
			if shape := b.file.shape(n.In[i]); varies(shape) {
				n.In[i] = b.file.spread(n.In[i], n.Out[0], len(shape)-3, layers[n.Out[0]])
			}
		}
	}
}

// spread adds an initializer in which zeros fill the layers along an axis of another, and returns its name. It is for one node.
func (f *file) spread(name, node string, axis int, layers []layer) string {
	t := f.weight(name)
	inner, outer := int64(1), int64(1)
	for i, d := range t.Shape {
		switch {
		case i < axis:
			outer *= d
		case i > axis:
			inner *= d
		}
	}
	padded := Tensor{Name: fmt.Sprintf("%s/padded/%s/%d", node, name, axis), Shape: slices.Clone(t.Shape)}
	padded.Shape[axis] = 0
	for range outer {
		for _, l := range layers {
			padded.Floats = append(padded.Floats, t.Floats[:l.real*inner]...)
			padded.Floats = append(padded.Floats, make([]float32, (l.full-l.real)*inner)...)
			t.Floats = t.Floats[l.real*inner:]
		}
	}
	for _, l := range layers {
		padded.Shape[axis] += l.full
	}
	f.add(padded)
	return padded.Name
}
