package onnx

import (
	"context"
	"errors"
	"fmt"
	"runtime"
	"slices"
	"sync"

	ort "github.com/yalue/onnxruntime_go"
)

// shapesOnCUDA is how many shapes of inputs a model is ready for on CUDA, unless [Config.Shapes] says otherwise: lines of text up to 1024
// pixels long, which have 40 widths of which pages use fewer, or the tiles of pages of several sizes.
const shapesOnCUDA = 32

// sessions are the sessions of a model, each for one shape of the inputs. The library plans the convolutions of a session for the shape of
// a run on CUDA, and plans again when the next run has another shape: a recognizer reads a line in 3 ms if its width is that of the line
// before, and otherwise in 430 ms (measured on an H100). Other devices need no plan, and one session for all shapes.
type sessions struct {
	// first runs any shape if there is no other.
	first *ort.DynamicAdvancedSession
	most  int
	open  func() (*ort.DynamicAdvancedSession, error)

	mu sync.Mutex
	// list has the session that was used last at its end.
	list []*session
}

// session is a session and the shape that it is planned for: empty before its first run.
//
// All its runs happen on one thread: the CUDA provider keeps a context of some 0.2 GB of the device's memory for each thread that a session
// has run on.
type session struct {
	shape string
	work  chan func()
	// opened is nil before the first run. It is for the session's thread alone.
	opened *ort.DynamicAdvancedSession
}

// start starts the thread of a session.
func start(opened *ort.DynamicAdvancedSession) *session {
	s := &session{work: make(chan func()), opened: opened}
	go func() {
		runtime.LockOSThread() // never unlocked: the thread ends with the goroutine
		for work := range s.work {
			work()
		}
	}()
	return s
}

// do calls work on the session's thread and waits for it. It fails with the error of ctx if ctx ends before the thread is free.
func (s *session) do(ctx context.Context, work func()) error {
	done := make(chan struct{})
	select {
	case s.work <- func() { defer close(done); work() }:
		<-done
		return nil
	case <-ctx.Done():
		return ctx.Err()
	}
}

// newSessions makes the first of at most so many sessions.
func newSessions(most int, open func() (*ort.DynamicAdvancedSession, error)) (*sessions, error) {
	first, err := open()
	if err != nil {
		return nil, err
	}
	s := &sessions{first: first, most: most}
	if most > 1 {
		s.open = open
		s.list = []*session{start(first)}
	}
	return s, nil
}

// run calls work with the session for inputs of these shapes. If there is none, and no room for another, the one that was not used for
// longest is planned anew. It fails with the error of ctx if ctx ends before the session is free.
func (s *sessions) run(ctx context.Context, inputs []Tensor, work func(*ort.DynamicAdvancedSession) error) error {
	if s.most == 1 {
		return work(s.first)
	}
	chosen := s.choose(shapeOf(inputs))
	var err error
	waited := chosen.do(ctx, func() {
		if chosen.opened == nil {
			chosen.opened, err = s.open()
		}
		if err == nil {
			err = work(chosen.opened)
		}
	})
	return firstError(waited, err)
}

func shapeOf(inputs []Tensor) string {
	shapes := make([][]int64, len(inputs))
	for i, t := range inputs {
		shapes[i] = t.Shape
	}
	return fmt.Sprint(shapes)
}

func (s *sessions) choose(shape string) *session {
	s.mu.Lock()
	defer s.mu.Unlock()
	at := slices.IndexFunc(s.list, func(have *session) bool { return have.shape == shape || have.shape == "" })
	switch {
	case at >= 0:
	case len(s.list) < s.most:
		at = len(s.list)
		s.list = append(s.list, start(nil))
	default:
		at = 0
	}
	chosen := s.list[at]
	chosen.shape = shape
	s.list = append(slices.Delete(s.list, at, at+1), chosen)
	return chosen
}

// destroy frees the sessions and ends their threads. None may be in use.
func (s *sessions) destroy() error {
	if s.most == 1 {
		return s.first.Destroy()
	}
	var errs []error
	for _, have := range s.list {
		var err error
		waited := have.do(context.Background(), func() {
			if have.opened != nil {
				err = have.opened.Destroy()
			}
		})
		errs = append(errs, waited, err)
		close(have.work)
	}
	return errors.Join(errs...)
}
