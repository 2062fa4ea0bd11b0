package ranks

import (
	"context"
	"fmt"
	"runtime"

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

// pool bounds how many inputs a rank decodes at once.
type pool chan struct{}

func newPool(threads int) pool { return make(pool, max(1, threads)) }

// beside is how many goroutines run beside those that decode: the leader's loop, and a link.
const beside = 2

// reserve lets the loop and the links run while this many inputs are decoded. A decoder that is Go code occupies one of the places that
// GOMAXPROCS counts for up to 10 ms at a time; with no more places than decoders, each message would wait as long.
func reserve(threads int) {
	if n := threads + beside; runtime.GOMAXPROCS(0) < n {
		runtime.GOMAXPROCS(n)
	}
}

// use waits for a place, and works. Errors: those of work, the context's.
func (p pool) use(ctx context.Context, work func() error) (err error) {
	select {
	case p <- struct{}{}:
		defer func() { <-p }()
	case <-ctx.Done():
		return ctx.Err()
	}
	// A decoder reads bytes from outside. What it does to one input must not end the rank.
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
