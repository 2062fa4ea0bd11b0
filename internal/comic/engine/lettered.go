package engine

import (
	"context"
	"image"

	"plait/internal/comic"
)

// Lettered is a page with its translations, still as pixels.
type Lettered struct {
	context *Context
	// image is nil where nothing was translated.
	image    *image.NRGBA
	overflow []int
	// missing are the characters that no font has.
	missing string
	watch   *stopwatch
}

// Encode writes the page as a file like the one it came in; without a translation it is that file, byte for byte. The report is
// of all that was done to the page since it had a context, [Engine.Prepare] too. It needs no device. It fails as [picture.Picture.Encode].
func (l *Lettered) Encode(ctx context.Context) ([]byte, comic.RenderReport, error) {
	watch := l.watch.goOn()
	if l.image == nil {
		return l.context.original, comic.RenderReport{Elapsed: watch.total(), Missing: l.missing}, nil
	}
	encoded, err := l.context.Encode(ctx, l.image, l.context.Format())
	if err != nil {
		return nil, comic.RenderReport{}, err
	}
	watch.lap("encode")
	return encoded, comic.RenderReport{Elapsed: watch.total(), Overflow: l.overflow, Missing: l.missing}, nil
}
