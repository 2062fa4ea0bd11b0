package ranks_test

import (
	"bytes"
	"context"
	"fmt"
	"math/rand/v2"
	"strconv"
	"strings"
	"sync"
	"testing"
	"testing/synctest"
	"time"

	"github.com/stretchr/testify/require"

	"plait/internal/core"
	"plait/internal/ranks"
	"plait/internal/ranks/link"
)

// dice are random numbers that several goroutines share.
type dice struct {
	mu     sync.Mutex
	random *rand.Rand
}

func newDice(seed uint64) *dice { return &dice{random: rand.New(rand.NewPCG(seed, 1))} }

func (d *dice) below(n int) int {
	d.mu.Lock()
	defer d.mu.Unlock()
	return d.random.IntN(n)
}

// storm spoils connections while it blows.
type storm struct {
	*dice
	mu    sync.Mutex
	over  bool
	ended chan struct{} // closed with it
}

func newStorm(seed uint64) *storm { return &storm{dice: newDice(seed), ended: make(chan struct{})} }

func (s *storm) end() {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.over = true
	close(s.ended)
}

func (s *storm) blows() bool {
	s.mu.Lock()
	defer s.mu.Unlock()
	return !s.over
}

// spoiled is a connection in the storm.
type spoiled struct {
	link.Conn
	storm *storm
	mu    sync.Mutex
	late  []byte // overtaken by the next frame
}

func (s *storm) spoil(c link.Conn) link.Conn { return &spoiled{Conn: c, storm: s} }

// wait lets virtual time pass.
func wait(d time.Duration) { <-time.After(d) }

// Send delays, freezes, reorders, corrupts and cuts.
func (c *spoiled) Send(b []byte) error {
	c.mu.Lock()
	defer c.mu.Unlock()
	late := c.late
	c.late = nil
	if c.storm.blows() {
		switch c.storm.below(150) {
		case 0, 1, 2, 3, 4, 5, 6, 7:
			wait(time.Duration(c.storm.below(200)) * time.Millisecond)
		case 8:
			wait(time.Duration(c.storm.below(3000)) * time.Millisecond)
		case 9:
			if late == nil {
				c.late = b
				return nil
			}
		case 10:
			b = bytes.Clone(b)
			b[c.storm.below(len(b))] ^= byte(1 + c.storm.below(255))
		case 11:
			return c.Close()
		}
	}
	if err := c.Conn.Send(b); err != nil || late == nil {
		return err
	}
	return c.Conn.Send(late)
}

// member keeps a rank in the group: it is killed now and then, and joins again.
func (g *group) member(ctx context.Context, rank int, s *storm) {
	for ctx.Err() == nil {
		life, kill := context.WithCancel(ctx)
		ended := g.join(life, rank, s.spoil)
		var fate <-chan time.Time
		if s.below(2) == 0 {
			fate = time.After(time.Duration(s.below(4000)) * time.Millisecond)
		}
		select {
		case <-fate:
			if s.blows() {
				kill()
			}
			<-ended
		case <-ended:
		}
		kill()
		g.journals[rank].cut()
		wait(200 * time.Millisecond)
	}
}

// cut marks where a rank left the group.
func (j *journal) cut() {
	j.mu.Lock()
	defer j.mu.Unlock()
	j.lines = append(j.lines, "left")
}

// client makes requests, some with inputs that fail, and cancels some.
func (g *group) client(t *testing.T, n int, d *dice) {
	t.Helper()
	for i := range 5 {
		ctx, cancel := context.WithCancel(t.Context())
		decoder := []string{"", "double", "double"}[d.below(3)]
		size := 1 + d.below(300)
		if d.below(8) == 0 {
			size = 40_000 + d.below(60_000)
		}
		in := input(decoder, size, "abcX"[d.below(4)])
		in.Once = d.below(3) == 0
		if d.below(4) == 0 {
			time.AfterFunc(time.Duration(d.below(300))*time.Millisecond, cancel)
		}
		begin := time.Now()
		answers, err := g.leader.Do(ctx, ranks.Request{Meta: meta(100*n + i), Mode: ranks.Modes[d.below(len(ranks.Modes))], Inputs: []ranks.Input{in}})
		require.Less(t, time.Since(begin), 31*time.Second)
		if err == nil {
			for _, a := range answers {
				require.True(t, bytes.Equal(answers[0].Data, a.Data))
			}
		} else {
			require.Contains(t, []core.Code{core.CodeHostLost, core.CodeCanceled, core.CodeInvalidImage}, core.CodeOf(err), "%v", err)
		}
		cancel()
	}
}

// sequences compares what ranks have applied: numbers go up by one while a rank is in the group, and a number has the same request, or the
// same error, everywhere.
func sequences(t *testing.T, journals []*journal) {
	t.Helper()
	first := map[uint64]string{}
	for rank, j := range journals {
		last := uint64(0)
		for _, line := range j.read() {
			if line == "left" {
				last = 0
				continue
			}
			number, _, _ := strings.Cut(line, " ")
			seq, err := strconv.ParseUint(number, 10, 64)
			require.NoError(t, err)
			if last > 0 {
				require.Equal(t, last+1, seq, "rank %d", rank)
			}
			last = seq
			if first[seq] == "" { // a rank that is stopped need not have applied all
				first[seq] = line
			}
			require.Equal(t, first[seq], line, "rank %d", rank)
		}
	}
}

// In a thousand storms, each with its seed, messages between ranks are delayed, reordered and corrupted, connections freeze and break, and
// ranks are killed. Every request ends in its time; all ranks apply the same; afterwards the group works; and all memory is free.
func TestStorms(t *testing.T) {
	t.Parallel()
	const storms, groups = 1000, 2
	for part := range groups {
		t.Run(fmt.Sprint("seeds from ", part*storms/groups), func(t *testing.T) {
			t.Parallel()
			for seed := part * storms / groups; seed < (part+1)*storms/groups; seed++ {
				synctest.Test(t, func(t *testing.T) { weather(t, uint64(seed)) })
				if t.Failed() {
					t.Fatalf("in the storm of seed %d", seed)
				}
			}
		})
	}
}

// weather is the storm of a seed.
func weather(t *testing.T, seed uint64) {
	t.Helper()
	s := newStorm(seed)
	n := 2 + s.below(3)
	g := newGroup(t, n, func(o *ranks.Options) {
		o.Timeout, o.Cache, o.InFlight = 30*time.Second, int64(s.below(2))*100_000, 500_000
	})
	ctx, stop := context.WithCancel(t.Context())
	var members, clients sync.WaitGroup
	for rank := 1; rank < n; rank++ {
		members.Go(func() { g.member(ctx, rank, s) })
	}
	for i := range 3 {
		clients.Go(func() { g.client(t, i, newDice(seed*10+uint64(i))) })
	}
	if s.below(10) == 0 { // the leader ends on the way
		wait(time.Duration(s.below(2000)) * time.Millisecond)
		stop()
		g.leader.Close()
	}
	clients.Wait()
	s.end()
	_, err := g.leader.Do(t.Context(), ranks.Request{Inputs: []ranks.Input{input("double", 70_000, 'z')}})
	if core.CodeOf(err) != core.CodeCanceled || !strings.Contains(fmt.Sprint(err), "has ended") {
		require.NoError(t, err)
	}
	stop()
	members.Wait()
	g.leader.Close()
	sequences(t, g.journals)
}
