package ranks

import (
	"context"
	"errors"
	"slices"
	"time"

	"plait/internal/core"
	"plait/internal/ranks/link"
)

// request is a request in the loop.
type request struct {
	Request
	seq    uint64
	keys   []string
	weight int64
	began  time.Time
	ticket *Ticket
	stop   context.CancelFunc

	entries []*entry
	started bool
	err     error
	// pending has the ranks that have not answered yet.
	pending map[int]bool
	// ended is set when the ticket has the end of the request, freed when its inputs are given back.
	ended, freed bool
}

// submit gives a request its number.
func (l *Leader) submit(q *request) {
	l.last++
	q.seq = l.last
	q.ticket.answers = make([]Answer, l.options.Ranks)
	l.waiting = append(l.waiting, q)
	l.stats.Requests++
	for rank, s := range l.seats {
		if s.overdue {
			l.refuse(q, missing(rank))
		}
	}
}

func missing(rank int) *core.Error {
	return core.Errorf(core.CodeHostLost, "rank %d has not joined the group within the time of the request", rank)
}

// advance starts the requests whose turn it is, and sends those out that are ready, in order.
func (l *Leader) advance() {
	for {
		l.start()
		if !l.decide() {
			return
		}
	}
}

// start sends the inputs of requests out. A request in an exclusive mode begins when all before it were decided, and those after it begin
// when it was.
func (l *Leader) start() {
	for i, q := range l.waiting {
		if !q.started && q.err == nil {
			if q.Mode.exclusive() && i > 0 {
				return
			}
			l.begin(q)
		}
		if q.Mode.exclusive() && q.err == nil && !l.isReady(q) {
			return
		}
	}
}

func (l *Leader) begin(q *request) {
	q.started = true
	l.stats.QueueWait.add(time.Since(q.began))
	if q.Mode == Auto {
		q.Mode = l.choose(q)
	}
	l.stats.Modes[q.Mode]++
	for i, in := range q.Inputs {
		q.entries = append(q.entries, l.acquire(q.keys[i], in, q.Mode.lazy()))
	}
}

// choose returns the mode of a request that leaves it to the leader. The ranks of one host share its memory and its processors: what each
// would decode for itself takes the time of the others. Where a rank is on another host, sending what was decoded may take longer.
func (l *Leader) choose(q *request) Mode {
	if !slices.ContainsFunc(l.seats, func(s seat) bool { return s.far }) {
		return Async
	}
	for _, in := range q.Inputs {
		size := int64(len(in.Data))
		if l.learned.choose(circumstancesOf(in.Decoder, size, len(l.waiting)), size, l.options.AutoBytes) == AsyncLazy {
			return AsyncLazy
		}
	}
	return Async
}

// isReady tells whether the inputs of a request are on all ranks. It takes over the error of an input that failed.
func (l *Leader) isReady(q *request) bool {
	for _, s := range l.seats {
		if s.link == nil {
			return false
		}
	}
	for _, e := range q.entries {
		if e.err != nil && q.err == nil {
			q.err = e.err
		}
		if !e.ready() {
			return false
		}
	}
	return q.started
}

// decide sends the first requests out that are ready or failed, and tells whether there were any.
func (l *Leader) decide() bool {
	n := 0
	for _, q := range l.waiting {
		for _, e := range q.entries {
			if e.err != nil && q.err == nil {
				q.err = e.err
			}
		}
		if q.err == nil && !l.isReady(q) {
			break
		}
		n++
		l.decided = q.seq
		m := message{Verb: verbApply, Seq: q.seq}
		if q.err != nil {
			l.send(m.fail(q.err))
			l.end(q, q.err)
			l.free(q)
			continue
		}
		m.Meta = q.Meta
		q.pending = map[int]bool{}
		for rank := range l.seats {
			q.pending[rank] = true
		}
		for _, e := range q.entries {
			m.Keys = append(m.Keys, e.key)
		}
		l.applied[q.seq] = q
		l.send(m)
	}
	l.waiting = slices.Delete(l.waiting, 0, n)
	return n > 0
}

// send sends a message to all ranks that are there.
func (l *Leader) send(m message) {
	head := m.encode()
	for _, s := range l.seats {
		if s.link != nil {
			s.link.Send(link.Message{Head: head})
		}
	}
}

// end gives the ticket of a request its end. Only the first counts.
func (l *Leader) end(q *request, err error) {
	if q.ended {
		return
	}
	q.ended = true
	switch {
	case core.CodeOf(err) == core.CodeCanceled:
		l.stats.Canceled++
	case err != nil:
		l.stats.Failed++
	}
	q.stop()
	q.ticket.err = err
	if err != nil {
		q.ticket.answers = nil
	}
	close(q.ticket.done)
}

// free gives the inputs and the budget of a request back.
func (l *Leader) free(q *request) {
	if q.freed {
		return
	}
	q.freed = true
	for _, e := range q.entries {
		l.release(e)
	}
	q.entries, q.Inputs = nil, nil
	l.budget.Release(q.weight)
}

// expire ends a request whose context has ended.
func (l *Leader) expire(q *request, cause error) {
	if q.ended {
		return
	}
	err := core.Wrap(core.CodeCanceled, cause, "the request was canceled")
	if errors.Is(cause, context.DeadlineExceeded) {
		err = core.Wrap(core.CodeCanceled, cause, "the time of the request was over")
		for rank, s := range l.seats {
			if s.link == nil {
				err = missing(rank)
			}
		}
	}
	if l.applied[q.seq] == q {
		l.end(q, err)
		l.send(message{Verb: verbCancel, Seq: q.seq})
		return
	}
	l.refuse(q, err)
}

// refuse ends a request that was not applied. It keeps its place in the order, as an error.
func (l *Leader) refuse(q *request, err error) {
	l.end(q, err)
	q.err = err
	l.free(q)
}

// result takes the answer of a rank.
func (l *Leader) result(rank int, from *link.Link, m message, data []byte) {
	q := l.applied[m.Seq]
	if l.seats[rank].link != from || q == nil || !q.pending[rank] {
		return
	}
	if err := m.err(); err != nil {
		l.end(q, err)
	} else if !q.ended {
		q.ticket.answers[rank] = Answer{Meta: m.Meta, Data: data}
	}
	l.answered(q, rank)
}

// answered is called when nothing more comes from a rank. The inputs of a request are needed until it was called for all.
func (l *Leader) answered(q *request, rank int) {
	delete(q.pending, rank)
	if len(q.pending) == 0 {
		delete(l.applied, q.seq)
		l.end(q, nil)
		l.free(q)
	}
}

// join gives a rank its seat. One that sits there already was lost without a word.
func (l *Leader) join(rank int, from *link.Link, shared bool) {
	if old := l.seats[rank].link; old != nil {
		l.leave(rank, old)
		l.work.Go(old.Close)
	}
	s := &l.seats[rank]
	s.link, s.far, s.overdue = from, !shared, false
	l.stats.Ranks[rank].Joined++
	from.Send(link.Message{Head: message{Verb: verbWelcome, Seq: l.decided + 1, Ranks: l.options.Ranks}.encode()})
	for _, e := range l.entries {
		l.offer(e, rank)
	}
}

// leave takes a lost rank out. Requests that it has not answered fail. What no request needs leaves the cache of all, so that a rank that
// joins later need not have it.
func (l *Leader) leave(rank int, from *link.Link) {
	if rank < 0 || l.seats[rank].link != from {
		return
	}
	l.seats[rank].link = nil
	l.seats[rank].left++
	l.expect(rank)
	for len(l.cached) > 0 {
		l.evict()
	}
	for _, e := range l.entries {
		e.missing[rank] = true
	}
	for _, q := range l.applied {
		if q.pending[rank] {
			l.end(q, core.Errorf(core.CodeHostLost, "rank %d was lost", rank))
			l.send(message{Verb: verbCancel, Seq: q.seq})
			l.answered(q, rank)
		}
	}
}

// expect waits for a rank that is not there, as long as requests do.
func (l *Leader) expect(rank int) {
	if l.options.Patience <= 0 {
		return
	}
	left := l.seats[rank].left
	time.AfterFunc(l.options.Patience, func() {
		l.post(func() {
			if s := &l.seats[rank]; s.link != nil || s.left != left {
				return
			}
			l.seats[rank].overdue = true
			for _, q := range l.waiting {
				l.refuse(q, missing(rank))
			}
		})
	})
}

// shutdown ends all requests and gives their memory back.
func (l *Leader) shutdown() {
	err := errEnded()
	for {
		select {
		case event := <-l.events: // a request that was on its way
			event()
			continue
		default:
		}
		break
	}
	for _, q := range l.waiting {
		l.end(q, err)
		l.free(q)
	}
	for _, q := range l.applied {
		l.end(q, err)
		l.free(q)
	}
	for len(l.cached) > 0 {
		l.evict()
	}
}
