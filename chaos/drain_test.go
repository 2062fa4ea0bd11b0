package chaos_test

import (
	"context"
	"fmt"
	"time"

	"plait/internal/records"
)

// drainWithin is more than a host takes to end what it has, whatever else happens to it.
const drainWithin = 3 * time.Minute

// drain takes a GPU host out of service as an operator does: it is told to drain, and once it has drained it is stopped, and
// another takes its place.
func drain(s *storm) (string, bool) {
	k := pick(s.r, s.gpus)
	number := k.life()
	s.healing.Go(func() {
		ctx, cancel := context.WithTimeout(s.t.Context(), drainWithin)
		defer cancel()
		if err := s.drained(ctx, k, number); err != nil {
			s.fail(fmt.Errorf("%s did not drain: %w", lifeName(k.name, number), err))
			return
		}
		if k.life() == number {
			k.restart()
			s.journal.tell("drained", "%s makes way for another", lifeName(k.name, number))
		} else {
			s.journal.tell("drained", "%s ended before", lifeName(k.name, number))
		}
	})
	return lifeName(k.name, number), true
}

// drained asks a host to drain, and returns when that life of it has drained, or is over. Asking is repeated: in its first moments
// and while it is frozen the host is not known to run, and the records may be away.
func (s *storm) drained(ctx context.Context, k *kept, number int) error {
	for k.life() == number {
		_, err := s.records.DrainHost(ctx, k.name)
		if state, looked := s.stateOf(ctx, k.name); err == nil && looked == nil && state == records.HostDrained {
			return nil
		}
		if err := wait(ctx, pollEvery); err != nil {
			return err
		}
	}
	return nil
}

// stateOf is the state of the host of that name that was started last.
func (in *installation) stateOf(ctx context.Context, name string) (state records.HostState, err error) {
	hosts, err := in.records.Hosts(ctx)
	for _, h := range hosts {
		if h.Name == name {
			state = h.State
		}
	}
	return state, err
}
