package ranks

import (
	"context"
	"fmt"
	"runtime"
	"sync"

	"plait/internal/core"
	"plait/internal/ranks/segment"
)

// Decoder turns the bytes of an input into what ranks need. It gives the same bytes on every rank.
type Decoder struct {
	// Size returns the number of bytes that Decode writes. It looks at no more than the head of the input.
	Size func(input []byte) (int64, error)
	// Decode writes exactly that many bytes. It ends soon after ctx does.
	Decode func(ctx context.Context, input, to []byte) error
}

// Decoders are decoders by their names. Every rank has the same. The name "" means that inputs stay as they are.
type Decoders map[string]Decoder

// pool decodes inputs, a fixed number at once, on threads that give way to the others of the process.
type pool chan func()

// newPool returns a pool that works until ctx ends. Its goroutines belong to work.
func newPool(ctx context.Context, work *sync.WaitGroup, threads int) pool {
	p := make(pool)
	for range max(1, threads) {
		work.Go(func() {
			runtime.LockOSThread() // and not unlocked: the thread ends with its low priority
			giveWay()
			for {
				select {
				case decode := <-p:
					decode()
				case <-ctx.Done():
					return
				}
			}
		})
	}
	return p
}

// beside is how many goroutines run beside those that decode: the leader's loop, and a link.
const beside = 2

// reserve lets the loop and the links run while this many inputs are decoded. A decoder that is Go code occupies one of the places that
// GOMAXPROCS counts for up to 10 ms at a time; with no more places than decoders, each message would wait as long.
func reserve(threads int) {
	if n := threads + beside; runtime.GOMAXPROCS(0) < n {
		runtime.GOMAXPROCS(n)
	}
}

// use waits for a thread, and works on it. ctx ends no later than that of the pool. Errors: those of work, the context's.
func (p pool) use(ctx context.Context, work func() error) error {
	ended := make(chan error, 1)
	select {
	case p <- func() { ended <- guard(ctx, work) }:
		return <-ended
	case <-ctx.Done():
		return ctx.Err()
	}
}

// guard works unless ctx has ended. A decoder reads bytes from outside: what it does to one input must not end the rank.
func guard(ctx context.Context, work func() error) (err error) {
	defer func() {
		if r := recover(); r != nil {
			err = core.Errorf(core.CodeInternal, "the decoder failed: %v", r)
		}
	}()
	if ctx.Err() != nil {
		return ctx.Err()
	}
	return work()
}

// decode returns the decoded form of an input as a segment.
func (d Decoders) decode(ctx context.Context, store *segment.Store, key, name string, input []byte) (*segment.Segment, error) {
	if name == "" {
		return store.Copy(key, input)
	}
	size, err := d.size(name, input)
	if err != nil {
		return nil, err
	}
	return store.New(key, size, func(to []byte) error {
		if err := d[name].Decode(ctx, input, to); err != nil {
			return err
		}
		return ctx.Err()
	})
}

// maxDecoded bounds what becomes of an input.
const maxDecoded = 4 << 30

// size returns the size of the decoded form. Errors: CodeInvalidInput, CodeTooLarge; those of the decoder.
func (d Decoders) size(name string, input []byte) (int64, error) {
	if name == "" {
		return int64(len(input)), nil
	}
	decoder, known := d[name]
	if !known {
		return 0, core.Errorf(core.CodeInvalidInput, "no decoder has the name %q", name)
	}
	size, err := decoder.Size(input)
	if err != nil {
		return 0, err
	}
	if size < 0 || size > maxDecoded {
		return 0, core.NewError(core.CodeTooLarge, fmt.Sprintf("an input would become %d bytes, of at most %d", size, int64(maxDecoded)))
	}
	return size, nil
}
