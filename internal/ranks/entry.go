package ranks

import (
	"context"
	"fmt"
	"slices"
	"time"

	"plait/internal/ranks/link"
	"plait/internal/ranks/segment"
)

// entry is an input in the loop: what all requests with the same bytes and decoder share.
type entry struct {
	// content is the name of the input; key is that of this entry, and no other entry ever has it.
	content, key string
	decoder      string
	lazy         bool
	circumstances
	began time.Time
	// length is the number of bytes of the input.
	length int64

	// payload is what goes to the ranks; nil until it is there.
	payload *segment.Segment
	// missing has the ranks on which the input is not ready.
	missing map[int]bool
	sent    []time.Time
	// bytes is the memory of the input: that of payload, and what each rank made of it.
	bytes int64
	err   error

	requests int
	once     bool // no other request will need it
	gone     bool
	stop     chan struct{} // closed when the input is not needed any more
}

func (e *entry) ready() bool { return e.payload != nil && len(e.missing) == 0 }

// acquire returns the entry of an input for one more request. An input that is not there is loaded.
func (l *Leader) acquire(content string, in Input, lazy bool) *entry {
	if e := l.entries[content]; e != nil {
		if e.requests == 0 {
			l.cached = slices.DeleteFunc(l.cached, func(other *entry) bool { return other == e })
			l.bytes -= e.bytes
		}
		e.requests++
		l.stats.Hits++
		return e
	}
	l.stats.Misses++
	l.offers++
	e := &entry{
		content: content, key: fmt.Sprintf("%s.%d", content, l.offers), decoder: in.Decoder, lazy: lazy && in.Decoder != "", requests: 1, once: in.Once,
		circumstances: circumstancesOf(in.Decoder, int64(len(in.Data)), len(l.waiting)), began: time.Now(), length: int64(len(in.Data)),
		missing: map[int]bool{}, sent: make([]time.Time, len(l.seats)), stop: make(chan struct{}),
	}
	for rank := range l.seats {
		e.missing[rank] = true
	}
	l.entries[content], l.byKey[e.key] = e, e
	l.load(e, in)
	return e
}

// load makes the payload of an entry beside the loop.
func (l *Leader) load(e *entry, in Input) {
	ctx, cancel := context.WithCancel(l.ctx)
	l.work.Go(func() {
		select {
		case <-e.stop:
			cancel()
		case <-ctx.Done():
		}
	})
	l.work.Go(func() {
		defer cancel()
		var payload *segment.Segment
		var took time.Duration
		err := l.pool.use(ctx, func() (err error) {
			begin := time.Now()
			decoder := in.Decoder
			if e.lazy {
				decoder = ""
			}
			payload, err = l.options.Decoders.decode(ctx, l.options.Store, e.content, decoder, in.Data)
			took = time.Since(begin)
			return err
		})
		select {
		case l.events <- func() { l.loaded(e, payload, took, err) }:
		case <-l.ended:
			payload.Release()
		}
	})
}

func (l *Leader) loaded(e *entry, payload *segment.Segment, took time.Duration, err error) {
	if e.gone {
		l.discard(payload)
		return
	}
	if err != nil {
		l.failed(e, err)
		return
	}
	if e.decoder != "" && !e.lazy {
		l.stats.Decode.add(took)
	}
	e.payload = payload
	e.bytes = int64(len(payload.Bytes()))
	for rank := range l.seats {
		l.offer(e, rank)
	}
}

// offer sends an input to a rank, if both are there.
func (l *Leader) offer(e *entry, rank int) {
	to := l.seats[rank].link
	if to == nil || e.payload == nil {
		return
	}
	m := message{Verb: verbOffer, Key: e.key}
	if e.lazy {
		m.Decoder = e.decoder
	}
	e.sent[rank] = time.Now()
	l.stats.Ranks[rank].Bytes += int64(len(e.payload.Bytes()))
	to.Send(link.Message{Head: m.encode(), Payload: e.payload.Retain(), Stop: e.stop})
}

// ready takes the news that an input is decoded on a rank, or cannot be.
func (l *Leader) ready(rank int, from *link.Link, m message) {
	if l.seats[rank].link != from {
		return
	}
	if e := l.byKey[m.Key]; e != nil {
		l.readyOn(e, rank, m)
	}
}

func (l *Leader) readyOn(e *entry, rank int, m message) {
	if err := m.err(); err != nil {
		l.failed(e, err)
		return
	}
	s := &l.stats.Ranks[rank]
	s.Broadcast.add(time.Since(e.sent[rank]))
	if e.lazy {
		s.Decode.add(m.Took)
		e.bytes += m.Size
	}
	delete(e.missing, rank)
	if e.ready() {
		l.learned.add(e.circumstances, e.lazy, e.length, time.Since(e.began))
	}
}

// failed ends an entry for the requests that need it: they take over its error.
func (l *Leader) failed(e *entry, err error) {
	e.err = err
	l.drop(e)
}

// release gives an entry back that a request does not need any more. It stays in the cache if it is whole.
func (l *Leader) release(e *entry) {
	if e.requests--; e.requests > 0 || e.gone {
		return
	}
	if !e.ready() || e.once {
		l.drop(e)
		return
	}
	l.cached = append(l.cached, e)
	for l.bytes += e.bytes; l.bytes > l.options.Cache && len(l.cached) > 0; {
		l.evict()
	}
}

// evict drops the input of the cache that was used longest ago.
func (l *Leader) evict() {
	e := l.cached[0]
	l.cached = slices.Delete(l.cached, 0, 1)
	l.bytes -= e.bytes
	l.drop(e)
}

// drop takes an input from all ranks, wherever it is on its way.
func (l *Leader) drop(e *entry) {
	if e.gone {
		return
	}
	e.gone = true
	close(e.stop)
	delete(l.entries, e.content)
	delete(l.byKey, e.key)
	if e.payload != nil {
		l.send(message{Verb: verbDrop, Key: e.key})
		l.discard(e.payload)
	}
}

// discard releases memory beside the loop: unmapping a large segment takes milliseconds.
func (l *Leader) discard(s *segment.Segment) {
	if s != nil {
		l.work.Go(s.Release)
	}
}
