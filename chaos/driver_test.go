package chaos_test

import (
	"context"
	"math/rand/v2"
	"sync"
	"time"

	"github.com/stretchr/testify/require"

	"plait/internal/core"
)

const (
	// The pause before each fault, which is what the work has to recover in.
	minPause, maxPause = 1500 * time.Millisecond, 4500 * time.Millisecond
	// stormSeed keeps the draws of the faults apart from those of the chapters.
	stormSeed = 0x5704
)

// storm is the driver of the faults.
type storm struct {
	*installation
	customer *customer
	r        *rand.Rand
	// over is closed when the last fault has struck: what was broken for a while is made whole then.
	over    chan struct{}
	healing sync.WaitGroup
	posting sync.WaitGroup

	mu sync.Mutex
	// struck counts the faults by kind; corrupted are the blobs whose bytes were changed, and where.
	struck    map[string]int
	corrupted map[core.BlobRef]string
	failures  []string

	// What came of it, for the summary.
	stormed   time.Duration
	bill      bill
	leftovers map[string]int
	fallbacks map[string]int
}

func newStorm(in *installation, c *customer) *storm {
	return &storm{
		installation: in, customer: c, r: rand.New(rand.NewPCG(*seed, stormSeed)), over: make(chan struct{}),
		struck: map[string]int{}, corrupted: map[core.BlobRef]string{}, leftovers: map[string]int{},
	}
}

// rage has a chapter served before each fault, and goes through all kinds of faults again and again, in another order each time.
func (s *storm) rage(chapters []chapter) {
	s.t.Helper()
	s.toModel.aim(hostOf(s.stormy.URL()))
	ctx, cancel := context.WithTimeout(context.WithoutCancel(s.t.Context()), *duration+patienceFor(len(chapters)))
	s.t.Cleanup(cancel)
	began := time.Now()
	var deck []fault
	for _, ch := range chapters {
		s.posting.Go(func() { s.customer.serve(ctx, ch) })
		if len(deck) == 0 {
			deck = faults()
			s.r.Shuffle(len(deck), func(i, j int) { deck[i], deck[j] = deck[j], deck[i] })
		}
		<-s.after(s.between(minPause, maxPause))
		what, struck := deck[0].strike(s)
		if struck {
			s.struck[deck[0].kind]++
		}
		s.journal.tell(deck[0].kind, "%s", what)
		deck = deck[1:]
	}
	<-s.after(maxPause)
	s.stormed = time.Since(began)
	close(s.over)
	s.healing.Wait()
	s.journal.tell("over", "%d faults have struck", len(chapters))
	s.mu.Lock()
	defer s.mu.Unlock()
	require.Empty(s.t, s.failures)
}

// weather waits until all that was accepted has ended, with nothing broken any more.
func (s *storm) weather() map[int]outcomeOfTask {
	s.t.Helper()
	ctx, cancel := context.WithTimeout(s.t.Context(), patienceFor(len(s.customer.tasks())))
	defer cancel()
	s.posting.Wait()
	require.Empty(s.t, s.customer.complaints, "seed %d", *seed)
	tasks, err := s.customer.untilEnded(ctx)
	require.NoError(s.t, err, "seed %d", *seed)
	ended := map[int]outcomeOfTask{}
	for number, task := range tasks {
		ended[number] = outcomeOfTask{task: task, pages: s.customer.outcomes(ctx, task)}
	}
	s.journal.tell("ended", "all %d tasks", len(ended))
	return ended
}

func (s *storm) between(least, most time.Duration) time.Duration {
	return least + time.Duration(s.r.Int64N(int64(most-least)))
}

// after is closed when d has passed or the storm is over.
func (s *storm) after(d time.Duration) <-chan struct{} {
	passed := make(chan struct{})
	go func() {
		defer close(passed)
		select {
		case <-s.over:
		case <-time.After(d):
		}
	}()
	return passed
}

// heal does something once the time has come, or the storm is over.
func (s *storm) heal(at <-chan struct{}, do func()) {
	s.healing.Go(func() {
		<-at
		do()
	})
}

func (s *storm) fail(err error) {
	if err == nil {
		return
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	s.failures = append(s.failures, err.Error())
}

func pick[T any](r *rand.Rand, list []T) T { return list[r.IntN(len(list))] }
