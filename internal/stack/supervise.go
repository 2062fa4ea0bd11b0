package stack

import (
	"context"
	"errors"
	"fmt"
	"os"
	"sync"

	"plait/internal/stack/process"
)

// parts returns the embedded servers in the order in which they must stop.
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

// Done returns a channel that is closed when the stack has failed: an embedded server has ended, or a child has failed too often. Err
// returns the cause. The caller must then stop the stack.
func (s *Stack) Done() <-chan struct{} { return s.done }

// Err returns the cause of the stack's failure, or nil while Done is open.
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

// fail records err and closes Done, unless the stack is stopping or has failed before.
func (s *Stack) fail(err error) {
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.stopping || s.err != nil {
		return
	}
	s.err = err
	s.options.Logger.Error("the stack has failed", "error", err)
	close(s.done)
}

// Stop stops the children, then Temporal, then Postgres, each with the signal on which it shuts down gracefully, and unlocks the data
// folder. When ctx ends, Stop kills the processes that still run; no stored data is lost. Later calls return the result of the first.
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
