package pdf

import (
	"github.com/tetratelabs/wazero/experimental"
	"golang.org/x/sys/unix"
)

// linearMemory is the memory of an instance of PDFium: address space for all that it may use, of which the system gives what is touched. It
// grows without a copy, and is given back at once when the instance ends. On the Go heap, a memory that grows takes three times its size.
type linearMemory struct{ reserved []byte }

// allocate reserves the memory of an instance.
func allocate(_, most uint64) experimental.LinearMemory {
	reserved, err := unix.Mmap(-1, 0, int(most), unix.PROT_READ|unix.PROT_WRITE, unix.MAP_PRIVATE|unix.MAP_ANON|unix.MAP_NORESERVE)
	if err != nil {
		return &linearMemory{} // which cannot grow, so that the instance does not start
	}
	return &linearMemory{reserved}
}

// Reallocate implements [experimental.LinearMemory].
func (m *linearMemory) Reallocate(size uint64) []byte {
	if size > uint64(len(m.reserved)) {
		return nil
	}
	return m.reserved[:size:size]
}

// Free implements [experimental.LinearMemory].
func (m *linearMemory) Free() {
	if m.reserved != nil {
		_ = unix.Munmap(m.reserved) // it was mapped with this length
	}
	m.reserved = nil
}
