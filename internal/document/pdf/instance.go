package pdf

import (
	"context"
	"errors"
	"fmt"
	"sync/atomic"
	"time"

	"github.com/klippa-app/go-pdfium"

	"plait/internal/core"
)

// instance is an instance of PDFium. One goroutine at a time uses it and ends it.
type instance struct {
	pdfium pdfium.Pdfium
	memory *linearMemory
	// interrupt stops the code that runs. The instance is of no use afterwards.
	interrupt context.CancelFunc
	// release lets another instance start.
	release func()
}

// maxTime bounds one call of PDFium for one page. Real pages take less than two seconds.
const maxTime = 30 * time.Second

var errTooSlow = core.NewError(core.CodeInvalidDocument, "the page takes too long to read")

// call calls work with PDFium, and interrupts it when ctx ends first. The instance is only good for its end after an error. A panic, such as that
// of interrupted or crashed code, is one.
func (i *instance) call(ctx context.Context, work func(pdfium.Pdfium) error) (err error) {
	if err := ctx.Err(); err != nil {
		return err
	}
	ctx, cancel := context.WithTimeoutCause(ctx, maxTime, errTooSlow)
	defer cancel()
	stop := context.AfterFunc(ctx, i.interrupt)
	defer func() {
		if p := recover(); p != nil {
			err = fmt.Errorf("PDFium crashed: %v", p)
		}
		if !stop() {
			err = context.Cause(ctx)
		}
	}()
	return work(i.pdfium)
}

// end gives back what the instance holds: by closing it in order, or by killing it if it is interrupted or may be damaged.
func (i *instance) end(stop func() error) error {
	err := stop()
	i.interrupt()
	i.memory.free()
	i.release()
	return err
}

func (i *instance) close() error { return i.end(i.pdfium.Close) }

// lose kills an instance that may be damaged.
func (i *instance) lose() {
	_ = i.end(i.pdfium.Kill) // it fails only for an instance that is closed
}

// startContext is the context from which the library derives that of each instance, once, when the instance starts. One instance starts at a
// time, and startContext is a context of that one alone meanwhile, so that each can be interrupted alone. The library has another way, Kill,
// but that writes what the code that runs reads.
type startContext struct {
	root    context.Context
	current atomic.Pointer[context.Context]
}

func newStartContext(root context.Context) *startContext {
	s := &startContext{root: root}
	s.current.Store(&root)
	return s
}

// next makes the context of the instance that starts.
func (s *startContext) next() context.CancelFunc {
	ctx, cancel := context.WithCancel(s.root)
	s.current.Store(&ctx)
	return cancel
}

// Deadline implements [context.Context].
func (s *startContext) Deadline() (time.Time, bool) { return (*s.current.Load()).Deadline() }

// Done implements [context.Context].
func (s *startContext) Done() <-chan struct{} { return (*s.current.Load()).Done() }

// Err implements [context.Context].
func (s *startContext) Err() error { return (*s.current.Load()).Err() }

// Value implements [context.Context].
func (s *startContext) Value(key any) any { return (*s.current.Load()).Value(key) }

// instance waits for an instance, until ctx ends.
func (e *Engine) instance(ctx context.Context) (*instance, error) {
	if err := e.start(ctx); err != nil {
		return nil, err
	}
	select {
	case e.instances <- struct{}{}:
	case <-ctx.Done():
		return nil, ctx.Err()
	}
	release := func() { <-e.instances }
	i, err := e.startInstance(release)
	if err != nil {
		release()
		return nil, core.Wrap(core.CodeUnavailable, err, "PDFium does not start")
	}
	return i, nil
}

// startInstance starts an instance, which takes 30 ms.
func (e *Engine) startInstance(release func()) (*instance, error) {
	e.starting.Lock()
	defer e.starting.Unlock()
	e.started = nil
	interrupt := e.startContext.next()
	started, err := e.pool.GetInstanceWithContext(context.Background())
	if err == nil && e.started == nil {
		err = errors.New("an instance without a memory")
	}
	if err != nil {
		interrupt()
		if e.started != nil {
			e.started.free()
		}
		return nil, err
	}
	return &instance{pdfium: started, memory: e.started, interrupt: interrupt, release: release}, nil
}
