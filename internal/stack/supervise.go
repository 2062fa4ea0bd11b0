package stack

import (
	"context"
	"errors"
	"fmt"
	"os"
	"sync"

	"plait/internal/stack/process"
)

// parts are the embedded servers in the order in which they stop.
func (s *Stack) parts() []*process.Process {
	var list []*process.Process
	if s.temporal != nil {
		list = append(list, s.temporal.Process())
	}
	if s.postgres != nil {
		list = append(list, s.postgres.Process())
	}
	return list
}

// Done is closed when a part died that should not have; Err says which. The stack is of no use then and must be stopped.
func (s *Stack) Done() <-chan struct{} { return s.done }

// Err is why Done is closed; nil before.
func (s *Stack) Err() error {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.err
}

func (s *Stack) watchParts() {
	for _, p := range s.parts() {
		go func() {
			err := p.Err()
			if err == nil {
				err = errors.New("ended")
			}
			s.fail(&process.ChildError{Name: p.Name(), Err: err, LogTail: p.Tail()})
		}()
	}
}

// fail makes err the stack's, unless it is stopping or has failed before.
func (s *Stack) fail(err error) {
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.stopping || s.err != nil {
		return
	}
	s.err = err
	s.options.Logger.Error("a part of the stack died", "error", err)
	close(s.done)
}

// Stop stops the children, then Temporal, then Postgres, each by the signal it drains on, and gives the data folder back. What has
// not stopped when ctx ends is killed; nothing is lost by it. Calls after the first return what the first did.
func (s *Stack) Stop(ctx context.Context) error {
	s.stopOnce.Do(func() { s.stopErr = s.stop(ctx) })
	return s.stopErr
}

func (s *Stack) stop(ctx context.Context) error {
	s.mu.Lock()
	s.stopping = true
	children := s.children
	s.mu.Unlock()

	errs := []error{s.retract(), stopChildren(ctx, children)}
	for _, p := range s.parts() {
		errs = append(errs, p.Stop(ctx))
	}
	for _, dir := range s.sockets {
		errs = append(errs, os.RemoveAll(dir))
	}
	return errors.Join(append(errs, s.joiners.Unlock(), s.lock.Unlock())...)
}

func stopChildren(ctx context.Context, children []*child) error {
	errs := make([]error, len(children))
	var all sync.WaitGroup
	for i, c := range children {
		all.Go(func() { errs[i] = c.stop(ctx) })
	}
	all.Wait()
	if err := errors.Join(errs...); err != nil {
		return fmt.Errorf("stop children: %w", err)
	}
	return nil
}
