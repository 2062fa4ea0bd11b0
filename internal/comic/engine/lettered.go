package engine

import (
	"context"
	"image"

	"plait/internal/comic"
	"plait/internal/comic/layers"
)

// Lettered is a page with its translations, still as pixels.
type Lettered struct {
	context *Context
	// image is nil if nothing was translated.
	image *image.NRGBA
	// erased is what the erased page has and the original has not.
	erased *layers.Patch
	// report lacks the times.
	report comic.RenderReport
	watch  *stopwatch
}

// Encode writes the page as a file in the original format. Without a translation it returns the original file, byte for byte. The report
// covers all steps on the page since it has a context, including [Engine.Prepare]. It needs no device. It fails as
// [picture.Picture.Encode] does.
func (l *Lettered) Encode(ctx context.Context) ([]byte, comic.RenderReport, error) {
	watch, encoded, report := l.watch.goOn(), l.context.original, l.report
	if l.image != nil {
		var err error
		if encoded, err = l.context.picture.EncodeAgain(ctx, l.image, l.context.picture.Format, l.context.written); err != nil {
			return nil, comic.RenderReport{}, err
		}
		watch.lap("encode")
	}
	report.Elapsed = watch.total()
	return encoded, report, nil
}

// Layers is the page taken apart, as [layers.Page.Pack] writes it: what was painted over the original, and the lettering. It is nil without
// a translation. It needs no device, and may run beside Encode. It fails with the error of ctx.
func (l *Lettered) Layers(ctx context.Context) ([]byte, error) {
	if l.image == nil {
		return nil, nil
	}
	page, err := layers.Split(ctx, l.context.picture, l.erased, l.image)
	if err != nil {
		return nil, err
	}
	return page.Pack(ctx)
}
