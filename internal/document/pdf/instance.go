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

// birthplace is the context from which the library derives that of each instance, once, when the instance starts. One starts at a time, and its
// context is that of the birthplace meanwhile: an instance can be interrupted alone. The library has another way, Kill, but that writes what the
// code that runs reads.
type birthplace struct {
	root    context.Context
	current atomic.Pointer[context.Context]
}

func newBirthplace(root context.Context) *birthplace {
	b := &birthplace{root: root}
	b.current.Store(&root)
	return b
}

// next makes the context of the instance that starts.
func (b *birthplace) next() context.CancelFunc {
	ctx, cancel := context.WithCancel(b.root)
	b.current.Store(&ctx)
	return cancel
}

// Deadline implements [context.Context].
func (b *birthplace) Deadline() (time.Time, bool) { return (*b.current.Load()).Deadline() }

// Done implements [context.Context].
func (b *birthplace) Done() <-chan struct{} { return (*b.current.Load()).Done() }

// Err implements [context.Context].
func (b *birthplace) Err() error { return (*b.current.Load()).Err() }

// Value implements [context.Context].
func (b *birthplace) Value(key any) any { return (*b.current.Load()).Value(key) }

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
	i, err := e.born(release)
	if err != nil {
		release()
		return nil, core.Wrap(core.CodeUnavailable, err, "PDFium does not start")
	}
	return i, nil
}

// born starts an instance, which takes 30 ms.
func (e *Engine) born(release func()) (*instance, error) {
	e.starting.Lock()
	defer e.starting.Unlock()
	e.started = nil
	interrupt := e.birthplace.next()
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
