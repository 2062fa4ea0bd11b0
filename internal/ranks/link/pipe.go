package link

import (
	"io"
	"sync"
)

// pipeFrames is how many frames one side of a pipe may be ahead.
const pipeFrames = 64

// Pipe returns the two sides of a connection within a process.
func Pipe() (a, b Conn) {
	closed, once := make(chan struct{}), &sync.Once{}
	there, back := make(chan []byte, pipeFrames), make(chan []byte, pipeFrames)
	return &pipe{to: there, from: back, closed: closed, once: once}, &pipe{to: back, from: there, closed: closed, once: once}
}

type pipe struct {
	to     chan<- []byte
	from   <-chan []byte
	closed chan struct{}
	once   *sync.Once
}

func (p *pipe) Send(b []byte) error {
	select {
	case p.to <- b:
		return nil
	case <-p.closed:
		return io.ErrClosedPipe
	}
}

func (p *pipe) Receive() ([]byte, error) {
	select {
	case b := <-p.from:
		return b, nil
	case <-p.closed:
		return nil, io.ErrClosedPipe
	}
}

func (p *pipe) Close() error {
	p.once.Do(func() { close(p.closed) })
	return nil
}
