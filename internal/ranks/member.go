package ranks

import (
	"context"
	"encoding/json"
	"errors"
	"runtime"
	"slices"
	"sync"
	"time"

	"plait/internal/core"
	"plait/internal/ranks/link"
	"plait/internal/ranks/segment"
)

// Step is a request as a rank applies it.
type Step struct {
	// Seq is the number of the request. It is one more than that of the step before, but for the first after the rank joined.
	Seq uint64
	// Meta is that of the request.
	Meta json.RawMessage
	// Inputs are the decoded inputs. They must not be changed, nor be used after the step.
	Inputs [][]byte
	// Err is why the request failed before it was applied; Meta and Inputs are then missing.
	Err error
}

// Answer is what a rank answers to a request.
type Answer struct {
	Meta json.RawMessage
	Data []byte
}

// Handler applies the steps of a rank, one after the other. Its answer to a failed request is ignored. ctx ends when the request is canceled
// or the rank leaves its group.
type Handler func(ctx context.Context, s Step) (Answer, error)

// Member says what a rank other than the leader is.
type Member struct {
	// Rank is from 1.
	Rank     int
	Decoders Decoders
	Handler  Handler
	// Threads is how many inputs are decoded at once. 0 means the number of CPU cores.
	Threads int
	// Store has the memory of inputs.
	Store *segment.Store
}

// maxInput bounds an input and an answer.
const maxInput = 4 << 30

// Join takes part in the group of a leader until the connection or ctx ends, and returns after everything that it started has ended and
// all memory is free.
//
// Errors: CodeUnavailable when the leader is lost; the context's.
func (m Member) Join(ctx context.Context, conn link.Conn, shared bool) error {
	_, err := m.join(ctx, conn, shared)
	return err
}

// join also tells whether the leader took the rank in.
func (m Member) join(ctx context.Context, conn link.Conn, shared bool) (joined bool, err error) {
	l := link.New(conn, m.Store, shared, maxInput)
	if m.Rank == 0 { // it is in the process of its leader
		l.Trust()
	}
	stop := context.AfterFunc(ctx, l.Close)
	defer stop()
	within, cancel := context.WithCancel(ctx)
	defer cancel()
	threads := m.Threads
	if threads < 1 {
		threads = runtime.NumCPU()
	}
	reserve(threads)
	r := &rank{Member: m, ctx: within, link: l, inputs: map[string]*held{}, wake: make(chan struct{}, 1)}
	r.pool = newPool(within, &r.work, threads)
	l.Send(link.Message{Head: message{Verb: verbJoin, Rank: m.Rank}.encode()})
	r.work.Go(r.apply)
	err = r.receive()
	l.Close()
	cancel()
	r.work.Wait()
	for _, h := range r.inputs {
		h.content.Release()
	}
	return r.next > 0, errors.Join(context.Cause(ctx), err)
}

// held is an input on a rank.
type held struct {
	content *segment.Segment // nil until it is ready
	cancel  context.CancelFunc
	dropped bool
}

// queued is a step that waits to be applied.
type queued struct {
	message
	ctx    context.Context
	cancel context.CancelFunc
}

// rank is a member of a group.
type rank struct {
	Member
	ctx  context.Context
	link *link.Link
	pool pool
	work sync.WaitGroup

	mu     sync.Mutex
	inputs map[string]*held
	steps  []*queued // the first is being applied
	next   uint64    // the number of the next step that arrives, or 0
	wake   chan struct{}
}

// receive does what the leader says.
func (r *rank) receive() error {
	for {
		got, err := r.link.Receive()
		if err != nil {
			return err
		}
		m, err := decodeMessage(got.Head)
		if err == nil {
			err = r.obey(m, got.Payload)
		}
		if err != nil {
			return err
		}
	}
}

func (r *rank) obey(m message, payload *segment.Segment) error {
	r.mu.Lock()
	defer r.mu.Unlock()
	switch {
	case m.Verb == verbWelcome && r.next == 0:
		r.next = m.Seq
	case m.Verb == verbOffer && payload != nil && r.inputs[m.Key] == nil:
		r.offered(m, payload)
		return nil
	case m.Verb == verbDrop:
		r.drop(m.Key)
	case m.Verb == verbApply && m.Seq == r.next:
		r.next++
		q := &queued{message: m}
		q.ctx, q.cancel = context.WithCancel(r.ctx)
		r.steps = append(r.steps, q)
		select {
		case r.wake <- struct{}{}:
		default:
		}
	case m.Verb == verbCancel:
		for _, q := range r.steps {
			if q.Seq == m.Seq {
				q.cancel()
			}
		}
	default:
		payload.Release()
		return core.Errorf(core.CodeUnavailable, "the leader sent %s %d out of order", m.Verb, m.Seq)
	}
	payload.Release()
	return nil
}

// offered keeps an input, and decodes it if it is not yet.
func (r *rank) offered(m message, payload *segment.Segment) {
	h := &held{}
	r.inputs[m.Key] = h
	if m.Decoder == "" {
		h.content, h.cancel = payload, func() {}
		r.send(message{Verb: verbReady, Key: m.Key, Size: int64(len(payload.Bytes()))}, nil)
		return
	}
	var ctx context.Context
	ctx, h.cancel = context.WithCancel(r.ctx)
	r.work.Go(func() {
		defer h.cancel()
		var content *segment.Segment
		begin := time.Now()
		err := r.pool.use(ctx, func() (err error) {
			begin = time.Now()
			content, err = r.Decoders.decode(ctx, r.Store, m.Key, m.Decoder, payload.Bytes())
			return err
		})
		payload.Release()
		r.decoded(m.Key, h, content, time.Since(begin), err)
	})
}

// decoded keeps what a decoder made, unless it was dropped meanwhile.
func (r *rank) decoded(key string, h *held, content *segment.Segment, took time.Duration, err error) {
	r.mu.Lock()
	defer r.mu.Unlock()
	if h.dropped {
		content.Release()
		return
	}
	h.content = content
	answer := message{Verb: verbReady, Key: key, Took: took}
	if content != nil {
		answer.Size = int64(len(content.Bytes()))
	}
	r.send(answer.fail(err), nil)
}

func (r *rank) drop(key string) {
	h := r.inputs[key]
	if h == nil {
		return
	}
	delete(r.inputs, key)
	h.dropped = true
	h.cancel()
	h.content.Release()
}

func (r *rank) send(m message, payload *segment.Segment) {
	r.link.Send(link.Message{Head: m.encode(), Payload: payload})
}

// apply applies the steps in order.
func (r *rank) apply() {
	for {
		r.mu.Lock()
		var q *queued
		var s Step
		if len(r.steps) > 0 {
			q = r.steps[0]
			s = r.step(q)
		}
		r.mu.Unlock()
		if q == nil {
			select {
			case <-r.wake:
				continue
			case <-r.ctx.Done():
				return
			}
		}
		answer, err := r.Handler(q.ctx, s)
		q.cancel()
		if r.ctx.Err() != nil {
			return
		}
		r.mu.Lock()
		r.steps = slices.Delete(r.steps, 0, 1)
		r.mu.Unlock()
		if q.Code == "" {
			r.answer(q.Seq, answer, err)
		}
	}
}

// step returns what a handler gets. The inputs that the leader names are there: it says so after they were ready here, and drops them after
// it has the answer.
func (r *rank) step(q *queued) Step {
	s := Step{Seq: q.Seq, Meta: q.Meta, Err: q.err()}
	for _, key := range q.Keys {
		h := r.inputs[key]
		if h == nil || h.content == nil {
			return Step{Seq: q.Seq, Err: core.Errorf(core.CodeInternal, "input %s is not on rank %d", key, r.Rank)}
		}
		s.Inputs = append(s.Inputs, h.content.Bytes())
	}
	return s
}

func (r *rank) answer(seq uint64, a Answer, err error) {
	m := message{Verb: verbResult, Seq: seq, Meta: a.Meta}
	var payload *segment.Segment
	if err == nil && len(a.Data) > 0 {
		payload, err = r.Store.Copy("answer", a.Data)
	}
	r.send(m.fail(err), payload)
}
