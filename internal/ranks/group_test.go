package ranks_test

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"slices"
	"strings"
	"sync"
	"testing"
	"testing/synctest"
	"time"

	"github.com/prometheus/client_golang/prometheus"
	"github.com/stretchr/testify/require"

	"plait/internal/core"
	"plait/internal/ranks"
	"plait/internal/ranks/link"
	"plait/internal/ranks/segment"
)

// decoders has double, which writes each byte twice and refuses inputs that begin with X, and hang, which ends when it is canceled.
var decoders = ranks.Decoders{
	"double": {
		Size: func(input []byte) (int64, error) { return int64(2 * len(input)), nil },
		Decode: func(_ context.Context, input, to []byte) error {
			if bytes.HasPrefix(input, []byte("X")) {
				return core.NewError(core.CodeInvalidImage, "it begins with X")
			}
			for i, b := range input {
				to[2*i], to[2*i+1] = b, b
			}
			return nil
		},
	},
	"hang": {
		Size:   func(input []byte) (int64, error) { return int64(len(input)), nil },
		Decode: func(ctx context.Context, _, _ []byte) error { <-ctx.Done(); return ctx.Err() },
	},
	"panic": {
		Size:   func(input []byte) (int64, error) { return int64(len(input)), nil },
		Decode: func(context.Context, []byte, []byte) error { panic("of a decoder") },
	},
}

// journal writes down what a rank applied.
type journal struct {
	mu    sync.Mutex
	lines []string
}

func (j *journal) handle(_ context.Context, s ranks.Step) (ranks.Answer, error) {
	j.mu.Lock()
	defer j.mu.Unlock()
	line := fmt.Sprintf("%d %s", s.Seq, s.Meta)
	var data []byte
	for _, in := range s.Inputs {
		line += fmt.Sprintf(" %.6q*%d", in, len(in))
		data = append(data, in...)
	}
	if s.Err != nil {
		line += " " + string(core.CodeOf(s.Err))
	}
	j.lines = append(j.lines, line)
	return ranks.Answer{Meta: s.Meta, Data: data}, nil
}

func (j *journal) read() []string {
	j.mu.Lock()
	defer j.mu.Unlock()
	return slices.Clone(j.lines)
}

// group is a leader and other ranks within the process.
type group struct {
	leader   *ranks.Leader
	journals []*journal
	store    *segment.Store
}

// newGroup starts a group that ends with the test, and checks that it leaves nothing. change may change the options.
func newGroup(t *testing.T, n int, change func(*ranks.Options)) *group {
	t.Helper()
	g := &group{store: &segment.Store{}}
	for range n {
		g.journals = append(g.journals, &journal{})
	}
	o := ranks.Options{Ranks: n, Handler: g.journals[0].handle, Decoders: decoders, Cache: 1 << 20, Threads: 2, Store: g.store}
	if change != nil {
		change(&o)
	}
	var err error
	g.leader, err = ranks.NewLeader(o)
	require.NoError(t, err)
	t.Cleanup(func() {
		g.leader.Close()
		synctest.Wait()
		segments, size := g.store.Live()
		require.Zero(t, segments)
		require.Zero(t, size)
	})
	return g
}

// join connects a rank, and returns what its end is sent to.
func (g *group) join(ctx context.Context, rank int, wrap func(link.Conn) link.Conn) <-chan error {
	return g.joinFrom(ctx, rank, true, wrap)
}

// joinFrom connects a rank of this host, or of another.
func (g *group) joinFrom(ctx context.Context, rank int, here bool, wrap func(link.Conn) link.Conn) <-chan error {
	this, there := link.Pipe()
	if wrap != nil {
		this, there = wrap(this), wrap(there)
	}
	ended := make(chan error, 1)
	go func() {
		ended <- ranks.Member{Rank: rank, Decoders: decoders, Handler: g.journals[rank].handle, Threads: 2, Store: g.store}.Join(ctx, there, here)
	}()
	g.leader.Accept(this, here)
	return ended
}

func meta(n int) json.RawMessage { return json.RawMessage(fmt.Sprint(n)) }

func input(decoder string, size int, content byte) ranks.Input {
	return ranks.Input{Decoder: decoder, Data: bytes.Repeat([]byte{content}, size)}
}

func TestAllRanksApplyTheSame(t *testing.T) {
	t.Parallel()
	for _, mode := range ranks.Modes {
		t.Run(string(mode), func(t *testing.T) {
			t.Parallel()
			synctest.Test(t, func(t *testing.T) {
				g := newGroup(t, 3, nil)
				g.join(t.Context(), 1, nil)
				g.join(t.Context(), 2, nil)
				var tickets []*ranks.Ticket
				for i := range 20 {
					data := input("double", 1+i%5*segment.SharedBytes, byte('a'+i%7))
					if i == 13 {
						data.Data[0] = 'X'
					}
					ticket, err := g.leader.Submit(t.Context(), ranks.Request{Meta: meta(i), Mode: mode, Inputs: []ranks.Input{data, input("", 3, 'z')}})
					require.NoError(t, err)
					tickets = append(tickets, ticket)
				}
				for i, ticket := range tickets {
					answers, err := ticket.Wait()
					if i == 13 {
						require.Equal(t, core.CodeInvalidImage, core.CodeOf(err))
						continue
					}
					require.NoError(t, err)
					require.Len(t, answers, 3)
					for _, a := range answers {
						require.JSONEq(t, fmt.Sprint(i), string(a.Meta))
						require.Len(t, a.Data, 2*(1+i%5*segment.SharedBytes)+3)
					}
				}
				synctest.Wait()
				want := g.journals[0].read()
				require.Len(t, want, 20)
				require.Equal(t, "14  INVALID_IMAGE", want[13])
				require.Equal(t, want, g.journals[1].read())
				require.Equal(t, want, g.journals[2].read())
			})
		})
	}
}

// The same input is sent and decoded once, while it is on its way and afterwards.
func TestAnInputIsSentOnce(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		g := newGroup(t, 2, nil)
		g.join(t.Context(), 1, nil)
		r := ranks.Request{Inputs: []ranks.Input{input("double", 100_000, 'a')}, Mode: ranks.Async}
		first, err := g.leader.Submit(t.Context(), r)
		require.NoError(t, err)
		_, err = g.leader.Do(t.Context(), r)
		require.NoError(t, err)
		_, err = first.Wait()
		require.NoError(t, err)
		_, err = g.leader.Do(t.Context(), r)
		require.NoError(t, err)
		s := g.leader.Stats()
		require.Equal(t, 1, s.Misses)
		require.Equal(t, 2, s.Hits)
		require.Equal(t, 1, s.Decode.Count)
		require.EqualValues(t, 200_000, s.Ranks[1].Bytes)

		// Others take its room, and it is sent again.
		for i := range 6 {
			_, err = g.leader.Do(t.Context(), ranks.Request{Inputs: []ranks.Input{input("", 250_000, byte(i))}})
			require.NoError(t, err)
		}
		_, err = g.leader.Do(t.Context(), r)
		require.NoError(t, err)
		require.Equal(t, 2, g.leader.Stats().Hits)
	})
}

// A request is canceled while it waits for its turn, while it is decoded, and while it is applied. Its memory is free at once.
func TestCancel(t *testing.T) {
	t.Parallel()
	for _, mode := range ranks.Modes {
		t.Run(string(mode), func(t *testing.T) {
			t.Parallel()
			synctest.Test(t, func(t *testing.T) {
				g := newGroup(t, 2, nil)
				g.join(t.Context(), 1, nil)
				ctx, cancel := context.WithCancel(t.Context())
				decoded, err := g.leader.Submit(ctx, ranks.Request{Mode: mode, Inputs: []ranks.Input{input("hang", 100_000, 'a')}})
				require.NoError(t, err)
				waits, err := g.leader.Submit(ctx, ranks.Request{Mode: mode, Inputs: []ranks.Input{input("hang", 100_000, 'b')}})
				require.NoError(t, err)
				after, err := g.leader.Submit(t.Context(), ranks.Request{Mode: mode, Meta: meta(3)})
				require.NoError(t, err)
				synctest.Wait()
				require.Empty(t, g.journals[1].read())
				cancel()
				for _, ticket := range []*ranks.Ticket{decoded, waits} {
					_, err = ticket.Wait()
					require.Equal(t, core.CodeCanceled, core.CodeOf(err))
				}
				_, err = after.Wait()
				require.NoError(t, err)
				synctest.Wait()
				segments, _ := g.store.Live()
				require.Zero(t, segments)
				want := []string{"1  CANCELED", "2  CANCELED", "3 3"}
				require.Equal(t, want, g.journals[0].read())
				require.Equal(t, want, g.journals[1].read())
				require.Equal(t, 2, g.leader.Stats().Canceled)
			})
		})
	}
}

func TestCancelReachesHandlers(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		canceled := make(chan struct{})
		g := newGroup(t, 1, func(o *ranks.Options) {
			o.Handler = func(ctx context.Context, _ ranks.Step) (ranks.Answer, error) {
				<-ctx.Done()
				close(canceled)
				return ranks.Answer{}, ctx.Err()
			}
		})
		ctx, cancel := context.WithCancel(t.Context())
		ticket, err := g.leader.Submit(ctx, ranks.Request{})
		require.NoError(t, err)
		synctest.Wait()
		cancel()
		_, err = ticket.Wait()
		require.Equal(t, core.CodeCanceled, core.CodeOf(err))
		<-canceled
	})
}

// What is too much waits until there is room, and no longer than its time.
func TestBytesInFlightAreBounded(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		release := make(chan struct{})
		g := newGroup(t, 1, func(o *ranks.Options) {
			o.InFlight, o.Timeout = 1000, 10*time.Second
			o.Handler = func(context.Context, ranks.Step) (ranks.Answer, error) { <-release; return ranks.Answer{}, nil }
		})
		_, err := g.leader.Submit(t.Context(), ranks.Request{Inputs: []ranks.Input{input("", 501, 'a')}})
		require.Equal(t, core.CodeTooLarge, core.CodeOf(err))
		first, err := g.leader.Submit(t.Context(), ranks.Request{Inputs: []ranks.Input{input("", 400, 'a')}})
		require.NoError(t, err)
		begin := time.Now()
		_, err = g.leader.Submit(t.Context(), ranks.Request{Inputs: []ranks.Input{input("", 400, 'b')}})
		require.Equal(t, core.CodeCanceled, core.CodeOf(err))
		require.Equal(t, 10*time.Second, time.Since(begin))
		close(release)
		_, _ = first.Wait()
		_, err = g.leader.Do(t.Context(), ranks.Request{Inputs: []ranks.Input{input("", 400, 'b')}})
		require.NoError(t, err)
	})
}

func TestBadRequests(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		g := newGroup(t, 1, nil)
		for name, c := range map[string]struct {
			request ranks.Request
			code    core.Code
		}{
			"mode":    {ranks.Request{Mode: "fast"}, core.CodeInvalidInput},
			"decoder": {ranks.Request{Inputs: []ranks.Input{input("none", 1, 0)}}, core.CodeInvalidInput},
			"panic":   {ranks.Request{Inputs: []ranks.Input{input("panic", 1, 0)}}, core.CodeInternal},
		} {
			_, err := g.leader.Do(t.Context(), c.request)
			require.Equal(t, c.code, core.CodeOf(err), name)
		}
	})
	_, err := ranks.NewLeader(ranks.Options{Ranks: 17})
	require.Equal(t, core.CodeInvalidInput, core.CodeOf(err))
}

// A handler that fails on one rank fails the request.
func TestAHandlerFails(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		g := newGroup(t, 2, func(o *ranks.Options) {
			o.Handler = func(context.Context, ranks.Step) (ranks.Answer, error) { return ranks.Answer{}, errors.New("no") }
		})
		g.join(t.Context(), 1, nil)
		_, err := g.leader.Do(t.Context(), ranks.Request{})
		require.ErrorContains(t, err, "no")
	})
}

// A request waits for a rank that has not joined, or was lost, and names it when its time is over.
func TestAMissingRank(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		g := newGroup(t, 2, nil)
		_, err := g.leader.Do(t.Context(), ranks.Request{Inputs: []ranks.Input{input("double", 10, 'a')}})
		require.Equal(t, core.CodeHostLost, core.CodeOf(err))
		require.ErrorContains(t, err, "rank 1 has not joined")

		ctx, cancel := context.WithCancel(t.Context())
		ended := g.join(ctx, 1, nil)
		_, err = g.leader.Do(t.Context(), ranks.Request{Inputs: []ranks.Input{input("double", 10, 'a')}})
		require.NoError(t, err)
		cancel()
		require.ErrorIs(t, <-ended, context.Canceled)
		synctest.Wait()
		waits, err := g.leader.Submit(t.Context(), ranks.Request{Inputs: []ranks.Input{input("double", 10, 'a')}, Meta: meta(3)})
		require.NoError(t, err)
		synctest.Wait()
		g.join(t.Context(), 1, nil)
		_, err = waits.Wait()
		require.NoError(t, err)
		lines := g.journals[1].read()
		require.Equal(t, `3 3 "aaaaaa"*20`, lines[len(lines)-1])
	})
}

// Requests wait no longer than the group is patient, and after that not at all, until the rank joins.
func TestPatience(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		g := newGroup(t, 2, func(o *ranks.Options) { o.Patience = 5 * time.Second })
		do := func() (time.Duration, error) {
			begin := time.Now()
			_, err := g.leader.Do(t.Context(), ranks.Request{Inputs: []ranks.Input{input("double", 10, 'a')}})
			return time.Since(begin), err
		}
		for _, waited := range []time.Duration{5 * time.Second, 0} {
			took, err := do()
			require.Equal(t, core.CodeHostLost, core.CodeOf(err))
			require.Equal(t, waited, took)
		}
		ctx, cancel := context.WithCancel(t.Context())
		ended := g.join(ctx, 1, nil)
		synctest.Wait()
		_, err := do()
		require.NoError(t, err)
		cancel()
		<-ended
		synctest.Wait()
		took, err := do()
		require.Equal(t, core.CodeHostLost, core.CodeOf(err))
		require.Equal(t, 5*time.Second, took)
	})
}

// Prometheus gets what the leader has counted.
func TestMetrics(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		registry := prometheus.NewRegistry()
		m := ranks.NewMetrics(registry)
		empty, err := registry.Gather()
		require.NoError(t, err)
		require.Empty(t, empty)
		g := newGroup(t, 2, nil)
		m.Watch(g.leader)
		g.join(t.Context(), 1, nil)
		for range 3 {
			_, err := g.leader.Do(t.Context(), ranks.Request{Inputs: []ranks.Input{input("double", 100_000, 'a')}, Mode: ranks.Lazy})
			require.NoError(t, err)
		}
		got := map[string]float64{}
		families, err := registry.Gather()
		require.NoError(t, err)
		for _, family := range families {
			for _, metric := range family.GetMetric() {
				name := strings.TrimPrefix(family.GetName(), "plait_ranks_")
				for _, label := range metric.GetLabel() {
					name += " " + label.GetValue()
				}
				got[name] = metric.GetCounter().GetValue() + float64(metric.GetHistogram().GetSampleCount())
			}
		}
		require.Positive(t, got["loop_seconds"])
		delete(got, "loop_seconds")
		require.Equal(t, map[string]float64{
			"requests_total sync": 0, "requests_total async": 0, "requests_total lazy": 3, "requests_total async-lazy": 0,
			"failures_total canceled": 0, "failures_total failed": 0, "inputs_total hit": 2, "inputs_total miss": 1,
			"bytes_total 0": 100_000, "bytes_total 1": 100_000, "joins_total 0": 1, "joins_total 1": 1, "queue_wait_seconds": 3,
			"broadcast_seconds 0": 1, "broadcast_seconds 1": 1, "decode_seconds all": 0, "decode_seconds 0": 1, "decode_seconds 1": 1,
		}, got)
	})
}

// On one host the leader decodes for all. Between hosts it depends on the size, and then on what took less time.
func TestAuto(t *testing.T) {
	t.Parallel()
	for _, here := range []bool{true, false} {
		t.Run(fmt.Sprint("one host ", here), func(t *testing.T) {
			t.Parallel()
			synctest.Test(t, func(t *testing.T) {
				g := newGroup(t, 2, func(o *ranks.Options) { o.AutoBytes = 1000 })
				g.joinFrom(t.Context(), 1, here, func(c link.Conn) link.Conn { return slow{c} })
				synctest.Wait()
				do := func(n, size int) map[ranks.Mode]int {
					before := g.leader.Stats().Modes
					for i := range n {
						in := ranks.Input{Decoder: "double", Data: bytes.Repeat([]byte{byte(i)}, size), Once: true}
						_, err := g.leader.Do(t.Context(), ranks.Request{Inputs: []ranks.Input{in}})
						require.NoError(t, err)
					}
					after := g.leader.Stats().Modes
					return map[ranks.Mode]int{ranks.Async: after[ranks.Async] - before[ranks.Async], ranks.AsyncLazy: after[ranks.AsyncLazy] - before[ranks.AsyncLazy]}
				}
				if here {
					require.Equal(t, map[ranks.Mode]int{ranks.Async: 22, ranks.AsyncLazy: 0}, do(22, 100_000))
					return
				}
				require.Equal(t, map[ranks.Mode]int{ranks.Async: 2, ranks.AsyncLazy: 0}, do(2, 900))
				require.Equal(t, map[ranks.Mode]int{ranks.Async: 0, ranks.AsyncLazy: 2}, do(2, 60_000))
				// Both modes were measured; the half of the bytes takes the half of the time.
				do(6, 60_000)
				require.Equal(t, map[ranks.Mode]int{ranks.Async: 0, ranks.AsyncLazy: 20}, do(20, 60_000))
			})
		})
	}
}

// slow is a connection that takes a nanosecond for a byte.
type slow struct{ link.Conn }

func (c slow) Send(b []byte) error {
	wait(time.Duration(len(b)))
	return c.Conn.Send(b)
}
