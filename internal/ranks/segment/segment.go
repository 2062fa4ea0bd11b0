// Package segment keeps bytes in memory that the processes of one host share: one copy for all of them, which nobody can change, and which
// the kernel frees when its last user lets go of it or dies.
//
// On Linux a segment of [SharedBytes] or more is a sealed memfd (memfd_create(2)). It has no place in a file system, so that processes that
// are killed leave nothing behind. Another process opens it through /proc while its maker holds it. Elsewhere, and below that size, a
// segment is memory of one process, and what sends it copies it.
package segment

import (
	"fmt"
	"sync/atomic"

	"plait/internal/core"
)

// SharedBytes is the least size of a segment that processes share. Below it, copying takes less time than the system calls.
const SharedBytes = 64 << 10

// Store makes and opens segments, and counts those that are there. The zero value is ready.
type Store struct {
	live, bytes atomic.Int64
}

// Live returns the number of segments that were not freed, and their bytes. Segments that processes share count in each of them.
func (s *Store) Live() (segments, bytes int64) { return s.live.Load(), s.bytes.Load() }

// Segment is memory that does not change. It is freed with its last reference.
type Segment struct {
	store *Store
	name  string
	data  []byte
	refs  atomic.Int32
	// file is the descriptor of shared memory, or -1.
	file int
}

// Handle says where another process of the host finds a segment, while a reference to it is held here.
type Handle struct {
	PID, FD int
	Name    string
	Size    int64
}

// New returns a segment with the values that fill writes, which gets exactly size bytes. Names are those of content: a hash. Fill must not
// keep the bytes.
//
// Errors: CodeUnavailable when there is no memory; those of fill.
func (s *Store) New(name string, size int64, fill func([]byte) error) (*Segment, error) {
	if size >= SharedBytes && sharing {
		data, file, err := makeShared(name, size, fill)
		if err != nil {
			return nil, err
		}
		return s.add(name, data, file), nil
	}
	data := make([]byte, size)
	if err := fill(data); err != nil {
		return nil, err
	}
	return s.add(name, data, -1), nil
}

// Copy returns a segment with the values of data.
func (s *Store) Copy(name string, data []byte) (*Segment, error) {
	return s.New(name, int64(len(data)), func(to []byte) error { copy(to, data); return nil })
}

// Open opens a segment of another process, or of this one.
//
// Errors: CodeUnavailable when its maker has freed it.
func (s *Store) Open(h Handle) (*Segment, error) {
	if h.PID < 1 || h.FD < 0 || h.Size < SharedBytes {
		return nil, core.Errorf(core.CodeUnavailable, "no shared memory has the place %d/%d and %d bytes", h.PID, h.FD, h.Size)
	}
	data, err := openShared(h)
	if err != nil {
		return nil, core.Errorf(core.CodeUnavailable, "the shared memory %s cannot be opened: %w", h.Name, err)
	}
	return s.add(h.Name, data, -1), nil
}

func (s *Store) add(name string, data []byte, file int) *Segment {
	g := &Segment{store: s, name: name, data: data, file: file}
	g.refs.Store(1)
	s.live.Add(1)
	s.bytes.Add(int64(len(data)))
	return g
}

// Name returns the name of the segment.
func (g *Segment) Name() string { return g.name }

// Bytes returns the content. It must not be changed, nor be used after the last reference was released.
func (g *Segment) Bytes() []byte { return g.data }

// Handle returns where other processes of the host find the segment, or false if it is memory of this process alone.
func (g *Segment) Handle() (Handle, bool) {
	if g.file < 0 {
		return Handle{}, false
	}
	return Handle{PID: pid, FD: g.file, Name: g.name, Size: int64(len(g.data))}, true
}

// Retain adds a reference, and returns the segment.
func (g *Segment) Retain() *Segment {
	g.refs.Add(1)
	return g
}

// Release gives a reference back. It does nothing for nil.
func (g *Segment) Release() {
	if g == nil {
		return
	}
	switch left := g.refs.Add(-1); {
	case left == 0:
		g.store.live.Add(-1)
		g.store.bytes.Add(-int64(len(g.data)))
		free(g.data, g.file)
		g.data = nil
	case left < 0:
		panic(fmt.Sprintf("segment %s was released twice", g.name))
	}
}
