package onnx

import (
	"math/bits"
	"sync"
)

// scratch keeps the memory of tensors between runs, so that the pages of a chapter need not each allocate it. The garbage collector frees
// memory that is not reused.
type scratch struct {
	// pools maps a capacity to a *sync.Pool of *[]float32. There are four capacities between one power of two and the next, so that there
	// are few keys and at most a quarter of the memory is unused.
	pools sync.Map
}

// leastScratch is the capacity, in elements, below which reuse is no faster than allocation.
const leastScratch = 1 << 10

// capacity returns the smallest capacity for n elements.
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

// Borrow returns a float32 tensor of zeros. It reuses memory from an earlier [Pool.Return] if there is some.
func (p *Pool) Borrow(shape ...int64) Tensor {
	t := p.BorrowUnset(shape...)
	clear(t.Data)
	return t
}

// BorrowUnset is like [Pool.Borrow], but the elements have arbitrary values. It is for tensors that are overwritten completely, such as
// outputs.
func (p *Pool) BorrowUnset(shape ...int64) Tensor {
	n := size(shape)
	c := capacity(n)
	if kept, _ := p.scratch.pool(c).Get().(*[]float32); kept != nil {
		return Tensor{Shape: shape, Data: (*kept)[:n]}
	}
	return Tensor{Shape: shape, Data: make([]float32, c)[:n]}
}

// Return returns borrowed tensors, so that their memory can be reused. They must not be used afterwards. Return ignores tensors that were
// not borrowed, unless they have one of the capacities of borrowed tensors.
func (p *Pool) Return(tensors ...Tensor) {
	for _, t := range tensors {
		data := t.Data
		if c := cap(data); c > 0 && c == capacity(c) {
			p.scratch.pool(c).Put(&data)
		}
	}
}
