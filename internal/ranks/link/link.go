// Package link carries messages between two ranks, each with a head and perhaps a payload of up to 4 GiB.
//
// On one host the payload stays where it is, in shared memory, and the message names it; what sends it holds it until the receiver has
// opened it. Between hosts the payload goes in parts. Each part has a checksum and a number. A link that receives a damaged part, or one
// out of order, ends: the ranks connect again. A link also ends when nothing, not even a sign of life, arrives for [Silence].
package link

import (
	"errors"
	"slices"
	"sync"
	"time"

	"plait/internal/core"
	"plait/internal/ranks/segment"
)

// Conn carries frames of bytes in order. Send may block; Close ends both methods, on both sides.
type Conn interface {
	Send(frame []byte) error
	Receive() ([]byte, error)
	Close() error
}

// Message is what a link carries.
type Message struct {
	// Head has at most 1 MiB.
	Head []byte
	// Payload may be nil. [Link.Send] takes the reference over, and [Link.Receive] gives one to its caller.
	Payload *segment.Segment
	// Stop ends the sending of the message while it waits or is on its way; it then does not arrive. It may be nil.
	Stop <-chan struct{}
}

const (
	// Silence is how long nothing may arrive before a link ends.
	Silence = signs * aliveEvery
	// aliveEvery is how often a link says that it lives, and signs is how often it does so without hearing anything before it ends. What
	// counts is not the time itself: a process that had no processor for a while does not take the other side for dead.
	aliveEvery = 375 * time.Millisecond
	signs      = 4
	// maxPayload bounds payloads.
	maxPayload = 4 << 30
)

// Link is one side of a connection. Its methods may be called by any goroutine, Receive by one.
type Link struct {
	conn   Conn
	store  *segment.Store
	shared bool
	limit  int64

	mu      sync.Mutex
	queue   []Message
	control []frame // signs of life and what was opened, which go before messages
	held    map[uint64]*segment.Segment
	err     error
	// quiet is how many signs of life went out since something was heard. It stays 0 for a side that is trusted.
	quiet   int
	trusted bool

	wake   chan struct{}
	closed chan struct{}
	done   sync.WaitGroup

	// of the receiver
	received uint64
	parts    map[uint64]*assembly
}

// assembly is a payload of which parts have arrived.
type assembly struct {
	head []byte
	name string
	data []byte
	have int
}

// New returns a link over a connection. shared says that the other side is on this host. Payloads of more than limit bytes are refused.
func New(conn Conn, store *segment.Store, shared bool, limit int64) *Link {
	l := &Link{
		conn: conn, store: store, shared: shared, limit: min(limit, maxPayload), held: map[uint64]*segment.Segment{},
		wake: make(chan struct{}, 1), closed: make(chan struct{}), parts: map[uint64]*assembly{},
	}
	l.done.Go(l.write)
	l.done.Go(l.watch)
	return l
}

// Trust lets the link live although nothing arrives: the other side is in this process.
func (l *Link) Trust() {
	l.mu.Lock()
	defer l.mu.Unlock()
	l.trusted = true
}

// Send queues a message. It never blocks. A message that is queued when the link ends is lost, with its reference.
func (l *Link) Send(m Message) {
	l.mu.Lock()
	if l.err != nil {
		l.mu.Unlock()
		m.Payload.Release()
		return
	}
	l.queue = append(l.queue, m)
	l.mu.Unlock()
	l.nudge()
}

func (l *Link) nudge() {
	select {
	case l.wake <- struct{}{}:
	default:
	}
}

func (l *Link) sendControl(f frame) {
	l.mu.Lock()
	l.control = append(l.control, f)
	l.mu.Unlock()
	l.nudge()
}

// Done is closed when the link has ended.
func (l *Link) Done() <-chan struct{} { return l.closed }

// Err returns why the link has ended, or nil.
func (l *Link) Err() error {
	l.mu.Lock()
	defer l.mu.Unlock()
	return l.err
}

// Close ends the link, and waits until nothing of it works any more. What it held is released.
func (l *Link) Close() {
	l.fail(core.NewError(core.CodeUnavailable, "the link between two ranks was closed"))
	l.done.Wait()
}

// fail ends the link for the first reason.
func (l *Link) fail(err error) {
	l.mu.Lock()
	if l.err != nil {
		l.mu.Unlock()
		return
	}
	l.err = err
	queue, held := l.queue, l.held
	l.queue, l.held, l.control = nil, nil, nil
	l.mu.Unlock()
	close(l.closed)
	_ = l.conn.Close() // it has ended for a reason that is known
	for _, m := range queue {
		m.Payload.Release()
	}
	for _, s := range held {
		s.Release()
	}
}

// watch says that this side lives, and ends the link when nothing comes from the other.
func (l *Link) watch() {
	ticker := time.NewTicker(aliveEvery)
	defer ticker.Stop()
	for {
		select {
		case <-l.closed:
			return
		case <-ticker.C:
		}
		l.mu.Lock()
		if !l.trusted {
			l.quiet++
		}
		silent := l.quiet > signs
		l.mu.Unlock()
		if silent {
			l.fail(core.Errorf(core.CodeUnavailable, "the other rank was silent for %s", Silence))
			return
		}
		l.sendControl(frame{kind: kindAlive})
	}
}

// write sends what is queued.
func (l *Link) write() {
	w := writer{conn: l.conn, link: l}
	for {
		l.mu.Lock()
		control := l.control
		l.control = nil
		var next *Message
		if len(l.queue) > 0 {
			next = &Message{}
			*next = l.queue[0]
			l.queue = slices.Delete(l.queue, 0, 1)
		}
		l.mu.Unlock()
		err := w.sendAll(control)
		if next != nil {
			err = errors.Join(err, w.message(*next))
		}
		if err != nil {
			l.fail(core.Errorf(core.CodeUnavailable, "the stream to another rank has ended: %w", err))
			return
		}
		if next != nil {
			continue
		}
		select {
		case <-l.wake:
		case <-l.closed:
			return
		}
	}
}

// writer numbers frames and messages.
type writer struct {
	conn         Conn
	link         *Link
	number, last uint64
}

func (w *writer) send(f frame) error {
	w.number++
	f.number = w.number
	return w.conn.Send(f.encode())
}

func (w *writer) sendAll(frames []frame) error {
	for _, f := range frames {
		if err := w.send(f); err != nil {
			return err
		}
	}
	return nil
}

func stopped(stop <-chan struct{}) bool {
	select {
	case <-stop:
		return true
	default:
		return false
	}
}

func (w *writer) message(m Message) error {
	w.last++
	if m.Payload == nil {
		return w.send(frame{kind: kindWhole, id: w.last, head: m.Head})
	}
	if stopped(m.Stop) {
		m.Payload.Release()
		return nil
	}
	if h, ok := m.Payload.Handle(); ok && w.link.shared {
		id := w.last
		w.link.hold(id, m.Payload)
		return w.send(frame{kind: kindShared, id: id, size: h.Size, process: uint32(h.PID), file: uint32(h.FD), name: []byte(h.Name), head: m.Head})
	}
	defer m.Payload.Release()
	return w.chunks(m)
}

// chunks sends a message with its payload in parts. Control frames go between them.
func (w *writer) chunks(m Message) error {
	data := m.Payload.Bytes()
	if err := w.send(frame{kind: kindBegin, id: w.last, size: int64(len(data)), name: []byte(m.Payload.Name()), head: m.Head}); err != nil {
		return err
	}
	for len(data) > 0 {
		if stopped(m.Stop) {
			return w.send(frame{kind: kindAbort, id: w.last})
		}
		n := min(len(data), chunkBytes)
		if err := w.send(frame{kind: kindChunk, id: w.last, body: data[:n]}); err != nil {
			return err
		}
		data = data[n:]
		w.link.mu.Lock()
		control := w.link.control
		w.link.control = nil
		w.link.mu.Unlock()
		if err := w.sendAll(control); err != nil {
			return err
		}
	}
	return nil
}

// hold keeps a payload until the other side has opened it.
func (l *Link) hold(id uint64, s *segment.Segment) {
	l.mu.Lock()
	defer l.mu.Unlock()
	if l.held == nil {
		s.Release()
		return
	}
	l.held[id] = s
}

// Receive returns the next message. After the link has ended it fails with CodeUnavailable.
func (l *Link) Receive() (Message, error) {
	for {
		m, err := l.next()
		if err != nil {
			l.fail(err)
			return Message{}, l.Err()
		}
		if m != nil {
			return *m, nil
		}
	}
}

// next receives a frame, and returns the message that it completes, if it does.
func (l *Link) next() (*Message, error) {
	b, err := l.conn.Receive()
	switch {
	case core.CodeOf(err) == core.CodeUnauthorized:
		return nil, err
	case err != nil:
		return nil, core.Errorf(core.CodeUnavailable, "the stream from another rank has ended: %w", err)
	}
	f, err := decodeFrame(b)
	if err != nil {
		return nil, err
	}
	if l.received++; f.number != l.received {
		return nil, damaged("its parts are out of order")
	}
	l.mu.Lock()
	l.quiet = 0
	l.mu.Unlock()
	switch f.kind {
	case kindWhole:
		return &Message{Head: f.head}, nil
	case kindBegin:
		return l.begin(f)
	case kindChunk:
		return l.chunk(f)
	case kindAbort:
		delete(l.parts, f.id)
	case kindShared:
		return l.open(f)
	case kindOpened:
		l.opened(f.id)
	case kindAlive, kindCount:
	}
	return nil, nil
}

func (l *Link) begin(f frame) (*Message, error) {
	if f.size > l.limit {
		return nil, core.Errorf(core.CodeTooLarge, "another rank sends %d bytes, of at most %d", f.size, l.limit)
	}
	// Memory comes with the parts, so that a size alone takes none.
	a := &assembly{head: f.head, name: string(f.name), data: make([]byte, 0, min(f.size, 16*chunkBytes)), have: int(f.size)}
	l.parts[f.id] = a
	return l.complete(f.id, a)
}

func (l *Link) chunk(f frame) (*Message, error) {
	a := l.parts[f.id]
	if a == nil || len(a.data)+len(f.body) > a.have || len(f.body) == 0 {
		return nil, damaged("a part of a payload does not belong to one")
	}
	a.data = append(a.data, f.body...)
	return l.complete(f.id, a)
}

// complete returns the message of a payload of which all parts are there.
func (l *Link) complete(id uint64, a *assembly) (*Message, error) {
	if len(a.data) < a.have {
		return nil, nil
	}
	delete(l.parts, id)
	payload, err := l.store.Copy(a.name, a.data)
	if err != nil {
		return nil, err
	}
	return &Message{Head: a.head, Payload: payload}, nil
}

// open opens the shared memory of a message, and tells the other side.
func (l *Link) open(f frame) (*Message, error) {
	payload, err := l.store.Open(segment.Handle{PID: int(f.process), FD: int(f.file), Name: string(f.name), Size: f.size})
	if err != nil {
		return nil, err
	}
	l.sendControl(frame{kind: kindOpened, id: f.id})
	return &Message{Head: f.head, Payload: payload}, nil
}

func (l *Link) opened(id uint64) {
	l.mu.Lock()
	s := l.held[id]
	delete(l.held, id)
	l.mu.Unlock()
	s.Release()
}
