package onnx

import (
	"math/bits"
	"sync"
)

// scratch keeps the memory of tensors between runs, so that the many pages of a chapter do not each allocate theirs.
// What is not used again goes back to the collector.
type scratch struct {
	// pools holds, by capacity, a *sync.Pool of *[]float32. There are four capacities an octave: few keys, and at most
	// a quarter of the memory unused.
	pools sync.Map
}

// leastScratch is the capacity below which allocating is as cheap as keeping.
const leastScratch = 1 << 10

// capacity is the least capacity that holds n elements.
func capacity(n int) int {
	if n <= leastScratch {
		return leastScratch
	}
	step := 1 << (bits.Len(uint(n-1)) - 3)
	return (n + step - 1) / step * step
}

func (s *scratch) pool(capacity int) *sync.Pool {
	p, known := s.pools.Load(capacity)
	if !known {
		p, _ = s.pools.LoadOrStore(capacity, &sync.Pool{})
	}
	return p.(*sync.Pool)
}

// Borrow is a tensor of zeros, of float32, in memory that an earlier [Pool.Return] gave back where there is some.
func (p *Pool) Borrow(shape ...int64) Tensor {
	t := p.BorrowUnset(shape...)
	clear(t.Data)
	return t
}

// BorrowUnset is [Pool.Borrow] for what is written whole, as outputs are: the elements may be anything.
func (p *Pool) BorrowUnset(shape ...int64) Tensor {
	n := size(shape)
	c := capacity(n)
	if kept, _ := p.scratch.pool(c).Get().(*[]float32); kept != nil {
		return Tensor{Shape: shape, Data: (*kept)[:n]}
	}
	return Tensor{Shape: shape, Data: make([]float32, c)[:n]}
}

// Return gives the memory of borrowed tensors back. They must not be used afterwards. Tensors that were not borrowed
// are left to the collector.
func (p *Pool) Return(tensors ...Tensor) {
	for _, t := range tensors {
		data := t.Data
		if c := cap(data); c > 0 && c == capacity(c) {
			p.scratch.pool(c).Put(&data)
		}
	}
}
