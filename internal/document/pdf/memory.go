package pdf

import (
	"sync/atomic"

	"golang.org/x/sys/unix"
)

// linearMemory is the memory of an instance of PDFium: address space for all that it may use, of which the system gives what is touched. It
// grows without a copy, and is given back at once when the instance ends. On the Go heap, a memory that grows takes three times its size.
type linearMemory struct {
	reserved []byte
	// used is how much of it the instance has asked for. WebAssembly has no way to give it back.
	used atomic.Uint64
}

// reserve reserves the memory of an instance.
func reserve(most uint64) *linearMemory {
	reserved, err := unix.Mmap(-1, 0, int(most), unix.PROT_READ|unix.PROT_WRITE, unix.MAP_PRIVATE|unix.MAP_ANON|unix.MAP_NORESERVE)
	if err != nil {
		return &linearMemory{} // which cannot grow, so that the instance does not start
	}
	return &linearMemory{reserved: reserved}
}

// Reallocate implements [experimental.LinearMemory].
func (m *linearMemory) Reallocate(size uint64) []byte {
	if size > uint64(len(m.reserved)) {
		return nil
	}
	m.used.Store(size)
	return m.reserved[:size:size]
}

// Free implements [experimental.LinearMemory]. The memory stays: WebAssembly ends as soon as it is interrupted, within a call of the library that
// looks into the memory afterwards.
func (m *linearMemory) Free() {}

// free gives the memory back.
func (m *linearMemory) free() {
	if m.reserved != nil {
		_ = unix.Munmap(m.reserved) // it was mapped with this length
	}
	m.reserved = nil
}
