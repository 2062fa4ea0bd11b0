package engine

import (
	"context"

	"plait/internal/picture"
)

// Decoded is a page as pixels, on which nothing was looked for. It is never changed.
type Decoded struct {
	engine   *Engine
	picture  *picture.Picture
	original []byte
	watch    *stopwatch
}

// Decode makes pixels of an encoded page. No model has a part in it, so it needs no device. It fails with CodeInvalidImage and
// CodeImageTooLarge, and when ctx ends.
func (e *Engine) Decode(ctx context.Context, image []byte) (*Decoded, error) {
	watch := newStopwatch()
	page, err := picture.Decode(ctx, image, e.limits)
	if err != nil {
		return nil, err
	}
	watch.lap("decode")
	return &Decoded{engine: e, picture: page, original: image, watch: watch}, nil
}
