package onnx

import (
	"context"
	"fmt"
	"slices"
	"sync"

	ort "github.com/yalue/onnxruntime_go"
)

// shapesOnCUDA is how many shapes of inputs a model is ready for on CUDA, unless [Config.Shapes] says otherwise: lines of text up to 1024
// pixels long in steps of 32, or the tiles of pages of several sizes.
const shapesOnCUDA = 32

// sessions are the sessions of a model, each for one shape of the inputs. The library plans the convolutions of a session for the shape of
// a run on CUDA, and plans again when the next run has another shape: a recognizer reads a line in 3 ms if its width is that of the line
// before, and otherwise in 430 ms (measured on an H100). Other devices need no plan, and one session for all shapes.
type sessions struct {
	// first runs any shape if there is no other.
	first *ort.DynamicAdvancedSession
	most  int
	make  func() (*ort.DynamicAdvancedSession, error)

	mu sync.Mutex
	// list has the session that was used last at its end.
	list []*session
}

// session is a session and the shape that it is planned for: empty before its first run.
type session struct {
	shape string
	get   func() (*ort.DynamicAdvancedSession, error)
	// busy holds a value during a run. Each simultaneous run of a session would have its own memory on the device, and keep it.
	busy chan struct{}
}

func newSession(get func() (*ort.DynamicAdvancedSession, error)) *session {
	return &session{get: get, busy: make(chan struct{}, 1)}
}

// newSessions makes the first of at most so many sessions.
func newSessions(most int, open func() (*ort.DynamicAdvancedSession, error)) (*sessions, error) {
	first, err := open()
	if err != nil {
		return nil, err
	}
	s := &sessions{first: first, most: most, list: []*session{newSession(func() (*ort.DynamicAdvancedSession, error) { return first, nil })}}
	if most > 1 {
		s.make = open
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
	select {
	case chosen.busy <- struct{}{}:
		defer func() { <-chosen.busy }()
	case <-ctx.Done():
		return ctx.Err()
	}
	opened, err := chosen.get()
	if err != nil {
		s.drop(chosen)
		return err
	}
	return work(opened)
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
		s.list = append(s.list, newSession(sync.OnceValues(s.make)))
	default:
		at = 0
	}
	chosen := s.list[at]
	chosen.shape = shape
	s.list = append(slices.Delete(s.list, at, at+1), chosen)
	return chosen
}

// drop forgets a session that could not be opened, so that a later run tries again.
func (s *sessions) drop(failed *session) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.list = slices.DeleteFunc(s.list, func(have *session) bool { return have == failed })
}

// destroy frees the sessions. None may be in use.
func (s *sessions) destroy() error {
	var first error
	for _, have := range s.list {
		opened, err := have.get()
		if err == nil {
			err = opened.Destroy()
		}
		first = firstError(first, err)
	}
	return first
}
