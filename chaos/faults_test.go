package chaos_test

import (
	"fmt"
	"maps"
	"net/http"
	"slices"
	"strings"
	"time"

	"plait/internal/llmtest"
)

// fault is one kind of trouble. strike makes it, says what it did, and reports whether there was anything to strike; it draws
// from the storm's seed alone.
type fault struct {
	kind   string
	strike func(*storm) (what string, struck bool)
}

// faults are all kinds, each as often as it comes in a round.
func faults() []fault {
	return []fault{
		{"kill gpu", killOne(func(s *storm) []*kept { return s.gpus })},
		{"kill gpu", killOne(func(s *storm) []*kept { return s.gpus })},
		{"kill translate", killOne(func(s *storm) []*kept { return s.speech })},
		{"kill translate", killOne(func(s *storm) []*kept { return s.speech })},
		{"kill control", killOne(func(s *storm) []*kept { return s.controls })},
		{"kill api", killOne(func(s *storm) []*kept { return []*kept{s.api} })},
		{"kill postgres", crash(func(s *storm) *server { return s.postgres })},
		{"kill temporal", crash(func(s *storm) *server { return s.temporal })},
		{"cut postgres", cutAll(func(s *storm) []*proxy { return []*proxy{s.toPostgres} })},
		{"cut temporal", cutAll(func(s *storm) []*proxy { return slices.Collect(maps.Values(s.toTemporal)) })},
		{"cut model", cutAll(func(s *storm) []*proxy { return []*proxy{s.toModel} })},
		{"cut api", cutAll(func(s *storm) []*proxy { return []*proxy{s.toAPI} })},
		{"part", partFromTemporal},
		{"restart", restart},
		{"drain", drain},
		{"freeze", freeze},
		{"fill disk", fillDisk},
		{"corrupt original", corruptOriginal},
		{"corrupt result", corruptResult},
		{"expire contexts", expireContexts},
		{"hang model", hangModel},
		{"fail model", failModel},
		{"refuse", refuse},
		{"skew clock", skewClock},
	}
}

func killOne(of func(*storm) []*kept) func(*storm) (string, bool) {
	return func(s *storm) (string, bool) {
		k := pick(s.r, of(s))
		return lifeName(k.name, k.kill()), true
	}
}

// crash kills a server, which is away for some seconds.
func crash(of func(*storm) *server) func(*storm) (string, bool) {
	return func(s *storm) (string, bool) {
		down := s.between(0, 6*time.Second)
		back := s.after(down)
		s.healing.Go(func() {
			server := of(s)
			s.fail(server.crash(back))
			s.journal.tell("back", "%s answers", server.name)
		})
		return fmt.Sprintf("for %s and its start", down.Round(time.Millisecond)), true
	}
}

func cutAll(of func(*storm) []*proxy) func(*storm) (string, bool) {
	return func(s *storm) (string, bool) {
		broken := 0
		for _, p := range of(s) {
			broken += p.cut()
		}
		return fmt.Sprintf("%d connections", broken), true
	}
}

// partFromTemporal keeps Temporal out of a worker's reach, and nothing else, for longer than its heartbeats may be missing: its
// steps go on, and are given to others.
func partFromTemporal(s *storm) (string, bool) {
	k, d := pick(s.r, s.workers()), s.between(5*time.Second, 35*time.Second)
	s.toTemporal[k.name].part()
	s.heal(s.after(d), s.toTemporal[k.name].join)
	return fmt.Sprintf("%s from temporal, for %s", lifeName(k.name, k.life()), d.Round(time.Millisecond)), true
}

// restart asks a worker to stop, as an upgrade does.
func restart(s *storm) (string, bool) {
	k := pick(s.r, s.workers())
	return lifeName(k.name, k.restart()), true
}

// freeze stops a worker from running for longer than its heartbeats may be missing, as a host that swaps or migrates does.
func freeze(s *storm) (string, bool) {
	k := pick(s.r, s.workers())
	d := s.between(3*time.Second, 25*time.Second)
	number := k.freeze()
	s.heal(s.after(d), k.melt)
	return fmt.Sprintf("%s for %s", lifeName(k.name, number), d.Round(time.Millisecond)), true
}

// Files may have so many bytes while the disk is full: every page is larger.
const fullDisk, freeDisk = 64, 1 << 40

func fillDisk(s *storm) (string, bool) {
	d := s.between(3*time.Second, 10*time.Second)
	for _, k := range s.writers() {
		k.order(orderDisk, fullDisk)
	}
	s.heal(s.after(d), func() {
		for _, k := range s.writers() {
			k.order(orderDisk, freeDisk)
		}
		s.journal.tell("healed", "the disk takes blobs again")
	})
	return fmt.Sprintf("for %s", d.Round(time.Millisecond)), true
}

// expireContexts gives one host, for its next life, contexts that do not last for a model call.
func expireContexts(s *storm) (string, bool) {
	k := pick(s.r, s.gpus)
	s.shorten(k.name)
	return fmt.Sprintf("%s comes back with contexts that last %s", lifeName(k.name, k.restart()), shortTTL), true
}

// hangModel leaves the next calls without an answer.
func hangModel(s *storm) (string, bool) {
	calls, d := 1+s.r.IntN(4), s.between(2*time.Second, 12*time.Second)
	for range calls {
		s.stormy.Next(llmtest.Hang())
	}
	s.heal(s.after(d), s.stormy.Release)
	return fmt.Sprintf("%d calls, for %s", calls, d.Round(time.Millisecond)), true
}

func failModel(s *storm) (string, bool) {
	calls := 1 + s.r.IntN(4)
	var what []string
	for range calls {
		switch s.r.IntN(3) {
		case 0:
			s.stormy.Next(llmtest.Status(http.StatusInternalServerError))
			what = append(what, "500")
		case 1:
			s.stormy.Next(llmtest.RateLimit("1"))
			what = append(what, "429")
		default:
			s.stormy.Next(llmtest.Cut())
			what = append(what, "cut")
		}
	}
	return strings.Join(what, ", "), true
}

// refuse has the provider refuse some calls, as it does when a key has run out: the pages fail, and are asked for again later.
func refuse(s *storm) (string, bool) {
	calls := 1 + s.r.IntN(3)
	for range calls {
		s.stormy.Next(llmtest.Status(http.StatusUnauthorized))
	}
	return fmt.Sprintf("%d calls", calls), true
}

// farAhead is beyond all that a page waits for: see stepPatience in plait/workflows.
const farAhead = 100 * time.Hour

// skewClock puts the clock of a worker days ahead of Temporal's, or behind.
func skewClock(s *storm) (string, bool) {
	k, ahead, d := pick(s.r, s.workers()), farAhead, s.between(3*time.Second, 12*time.Second)
	if s.r.IntN(3) == 0 {
		ahead = -ahead
	}
	k.order(orderClock, ahead)
	s.heal(s.after(d), func() { k.order(orderClock, time.Duration(0)) })
	return fmt.Sprintf("%s by %s, for %s", lifeName(k.name, k.life()), ahead, d.Round(time.Millisecond)), true
}

func (s *storm) workers() []*kept { return s.parts()[1:] }

func hostOf(url string) string { return strings.TrimPrefix(url, "http://") }
