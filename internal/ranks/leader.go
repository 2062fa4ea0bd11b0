package ranks

import (
	"cmp"
	"context"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"fmt"
	"maps"
	"runtime"
	"slices"
	"sync"
	"sync/atomic"
	"time"

	"golang.org/x/sync/semaphore"

	"plait/internal/core"
	"plait/internal/ranks/link"
	"plait/internal/ranks/segment"
)

// MaxRanks bounds the ranks of a group.
const MaxRanks = 16

// Options say what a group is.
type Options struct {
	// Ranks is the number of ranks with the leader: 1 to [MaxRanks].
	Ranks int
	// Handler applies the steps of rank 0. Decoders are those of all ranks.
	Handler  Handler
	Decoders Decoders
	// InFlight bounds the bytes of inputs, as they come and decoded, of requests that have not ended. A request that needs more than is
	// left waits. 0 means 1 GiB.
	InFlight int64
	// Cache is the number of bytes that inputs may take after their requests have ended. 0 means that none stay.
	Cache int64
	// AutoBytes is the size from which [Auto] lets each rank of several hosts decode, until it has measured what is faster. 0 means 10 MB.
	AutoBytes int64
	// Timeout is the longest time of a request, also while the group waits for a rank. 0 means a minute.
	Timeout time.Duration
	// Patience is how long requests wait for a rank that is not there; later ones fail at once, until it joins. 0 means no other bound than
	// Timeout.
	Patience time.Duration
	// Threads is how many inputs are decoded at once. 0 means the number of CPU cores.
	Threads int
	// Store has the memory of inputs.
	Store *segment.Store
}

// Request is something that all ranks apply.
type Request struct {
	Meta   json.RawMessage
	Inputs []Input
	// Mode is [Auto] if it is empty.
	Mode Mode
}

// Input is an input of a request. Data must not be changed any more.
type Input struct {
	Data    []byte
	Decoder string
	// Once says that no other request has the same input: it is neither hashed nor kept.
	Once bool
}

// Leader is rank 0 of a group, and decides for all of it.
type Leader struct {
	options Options
	budget  *semaphore.Weighted
	pool    pool
	ctx     context.Context
	cancel  context.CancelFunc
	events  chan func()
	ended   chan struct{}
	work    sync.WaitGroup
	once    atomic.Uint64 // the inputs that have no name of their content

	// Of the loop alone.
	seats   []seat
	last    uint64 // the number of the request that came last
	decided uint64 // that of the request that was sent to the ranks, or failed, last
	waiting []*request
	applied map[uint64]*request
	entries map[string]*entry // by the names of inputs
	byKey   map[string]*entry
	offers  uint64
	cached  []*entry // those that no request needs, the one that was used longest ago first
	bytes   int64    // of cached
	learned learned
	stats   Stats
}

// seat is the place of a rank.
type seat struct {
	link *link.Link
	// far is set for a rank of another host.
	far bool
	// left is how often a rank has left the seat. overdue is set when it was empty for longer than requests wait.
	left    int
	overdue bool
}

// NewLeader returns a leader, which is also rank 0.
//
// Errors: CodeInvalidInput.
func NewLeader(o Options) (*Leader, error) {
	if o.Ranks < 1 || o.Ranks > MaxRanks {
		return nil, core.Errorf(core.CodeInvalidInput, "a group has 1 to %d ranks, not %d", MaxRanks, o.Ranks)
	}
	o.InFlight = cmp.Or(o.InFlight, 1<<30)
	o.AutoBytes = cmp.Or(o.AutoBytes, 10_000_000)
	o.Timeout = cmp.Or(o.Timeout, time.Minute)
	o.Threads = cmp.Or(o.Threads, runtime.NumCPU())
	reserve(o.Threads)
	ctx, cancel := context.WithCancel(context.Background())
	l := &Leader{
		options: o, budget: semaphore.NewWeighted(o.InFlight), ctx: ctx, cancel: cancel,
		events: make(chan func()), ended: make(chan struct{}), seats: make([]seat, o.Ranks), applied: map[uint64]*request{},
		entries: map[string]*entry{}, byKey: map[string]*entry{}, learned: learned{},
		stats: Stats{Modes: map[Mode]int{}, Ranks: make([]RankStats, o.Ranks)},
	}
	l.pool = newPool(ctx, &l.work, o.Threads)
	for rank := range l.seats {
		l.expect(rank)
	}
	go l.loop()
	l.work.Go(l.takePart)
	return l, nil
}

// takePart keeps rank 0 in the group. It leaves when an input finds no memory, as another rank does.
func (l *Leader) takePart() {
	o := l.options
	m := Member{Decoders: o.Decoders, Handler: o.Handler, Threads: o.Threads, Store: o.Store}
	for {
		here, there := link.Pipe()
		l.accept(here, true, 0)
		_ = m.Join(l.ctx, there, true) // the link has ended, or the leader has
		select {
		case <-time.After(again):
		case <-l.ctx.Done():
			return
		}
	}
}

// Accept takes a rank other than the leader into the group when it connects. shared says that it is on this host. It does not wait, and is
// not called after Close.
func (l *Leader) Accept(conn link.Conn, shared bool) { l.accept(conn, shared, 1) }

// accept takes a rank of at least this number in.
func (l *Leader) accept(conn link.Conn, shared bool, least int) {
	l.work.Go(func() {
		to := link.New(conn, l.options.Store, shared, maxInput)
		if least == 0 {
			to.Trust()
		}
		stop := context.AfterFunc(l.ctx, to.Close)
		defer stop()
		defer to.Close()
		l.listen(to, shared, least)
	})
}

// listen receives what a rank sends until its link ends.
func (l *Leader) listen(from *link.Link, shared bool, least int) {
	rank := -1
	defer func() { l.post(func() { l.leave(rank, from) }) }()
	for {
		got, err := from.Receive()
		if err != nil {
			return
		}
		m, err := decodeMessage(got.Head)
		var data []byte
		if got.Payload != nil {
			data = slices.Clone(got.Payload.Bytes())
			got.Payload.Release()
		}
		switch {
		case err != nil:
			return
		case m.Verb == verbJoin && rank < 0 && m.Rank >= least && m.Rank < l.options.Ranks:
			rank = m.Rank
			l.post(func() { l.join(rank, from, shared) })
		case m.Verb == verbReady && rank >= 0:
			l.post(func() { l.ready(rank, from, m) })
		case m.Verb == verbResult && rank >= 0:
			l.post(func() { l.result(rank, from, m, data) })
		default:
			return
		}
	}
}

// post has the loop do something, unless it has ended.
func (l *Leader) post(event func()) {
	select {
	case l.events <- event:
	case <-l.ended:
	}
}

// loop owns the state. Nothing that it does waits. It has a thread of its own: one that mostly sleeps is not stopped in the middle of an
// event for others that have used less of their time, as one that decodes too would be.
func (l *Leader) loop() {
	runtime.LockOSThread()
	defer runtime.UnlockOSThread()
	defer close(l.ended)
	for {
		select {
		case event := <-l.events:
			begin, used := time.Now(), threadTime()
			event()
			l.advance()
			l.stats.Loop.add(time.Since(begin))
			l.stats.LoopWork.add(threadTime() - used)
		case <-l.ctx.Done():
			l.shutdown()
			return
		}
	}
}

// Close ends the group. Requests that have not ended fail with CodeCanceled. It waits until all that the leader started has ended.
func (l *Leader) Close() {
	l.cancel()
	<-l.ended
	l.work.Wait()
}

// Ticket is a request on its way.
type Ticket struct {
	done    chan struct{}
	answers []Answer
	err     error
}

// Wait returns the answer of each rank.
//
// Errors: that of the input or of the rank which failed first; CodeHostLost when a rank was lost, or has not joined; CodeCanceled when the
// request was canceled or its time was over.
func (t *Ticket) Wait() ([]Answer, error) {
	<-t.done
	return t.answers, t.err
}

// Do is Submit, then Wait.
func (l *Leader) Do(ctx context.Context, r Request) ([]Answer, error) {
	t, err := l.Submit(ctx, r)
	if err != nil {
		return nil, err
	}
	return t.Wait()
}

// Submit gives a request its place among all. It waits only while too many bytes are in flight. The end of ctx cancels the request,
// wherever it is.
//
// Errors: CodeInvalidInput and CodeTooLarge for inputs that cannot be sent; those of the decoders for inputs that are not theirs;
// CodeCanceled.
func (l *Leader) Submit(ctx context.Context, r Request) (*Ticket, error) {
	q := &request{Request: r, began: time.Now(), ticket: &Ticket{done: make(chan struct{})}}
	q.Mode = cmp.Or(r.Mode, Auto)
	if _, err := ParseMode(string(q.Mode)); err != nil {
		return nil, err
	}
	for _, in := range r.Inputs {
		size, err := l.options.Decoders.size(in.Decoder, in.Data)
		if err != nil {
			return nil, err
		}
		q.weight += int64(len(in.Data)) + size
		q.keys = append(q.keys, l.name(in))
	}
	if q.weight > l.options.InFlight {
		return nil, core.Errorf(core.CodeTooLarge, "the inputs of a request need %d bytes, of at most %d", q.weight, l.options.InFlight)
	}
	ctx, q.stop = context.WithTimeout(ctx, l.options.Timeout)
	ends := context.AfterFunc(l.ctx, q.stop)
	err := l.budget.Acquire(ctx, q.weight)
	ends()
	if err != nil {
		q.stop()
		if l.ctx.Err() != nil {
			return nil, errEnded()
		}
		return nil, core.Wrap(core.CodeCanceled, err, "the request ended while too many bytes were in flight")
	}
	cancel, unwatch := q.stop, context.AfterFunc(ctx, func() { l.post(func() { l.expire(q, ctx.Err()) }) })
	q.stop = func() { unwatch(); cancel() }
	select {
	case l.events <- func() { l.submit(q) }:
		return q.ticket, nil
	case <-l.ended:
		q.stop()
		if !q.freed { // by its end, which came first; the loop changes it no more
			l.budget.Release(q.weight)
		}
		return nil, errEnded()
	}
}

func errEnded() error { return core.NewError(core.CodeCanceled, "the group of ranks has ended") }

// name returns the name of an input: that of its content, or one of its own.
func (l *Leader) name(in Input) string {
	if in.Once {
		return fmt.Sprintf("once %d %s", l.once.Add(1), in.Decoder)
	}
	sum := sha256.Sum256(in.Data)
	return hex.EncodeToString(sum[:]) + in.Decoder
}

// Stats returns what the leader has done so far.
func (l *Leader) Stats() Stats {
	var s Stats
	copied := make(chan struct{})
	read := func() {
		s = l.stats
		s.Modes, s.Ranks = maps.Clone(s.Modes), slices.Clone(s.Ranks)
		close(copied)
	}
	select {
	case l.events <- read:
		<-copied
	case <-l.ended:
		read()
	}
	return s
}
