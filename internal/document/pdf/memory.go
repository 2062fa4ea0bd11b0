package pdf

import (
	"sync"
	"sync/atomic"

	"golang.org/x/sys/unix"
)

// linearMemory is the memory of an instance of PDFium: address space for all that it may use, of which the system gives what is touched. It
// grows without a copy, and is given back at once when the instance ends. On the Go heap, a memory that grows takes three times its size.
type linearMemory struct {
	reserved []byte
	// used is how much of it the instance has asked for. WebAssembly has no way to give it back.
	used atomic.Uint64

	mu sync.Mutex
	// running is set while a call runs, and freed when the instance was closed meanwhile: its code stops later, and uses the memory until then.
	running, freed bool
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

// enter begins a call of the instance. The memory stays until its end, which leave is.
func (m *linearMemory) enter() (leave func()) {
	m.mu.Lock()
	defer m.mu.Unlock()
	m.running = true
	return func() {
		m.mu.Lock()
		defer m.mu.Unlock()
		if m.running = false; m.freed {
			m.unmap()
		}
	}
}

// Free implements [experimental.LinearMemory].
func (m *linearMemory) Free() {
	m.mu.Lock()
	defer m.mu.Unlock()
	if m.freed = true; !m.running {
		m.unmap()
	}
}

func (m *linearMemory) unmap() {
	if m.reserved != nil {
		_ = unix.Munmap(m.reserved) // it was mapped with this length
	}
	m.reserved = nil
}
