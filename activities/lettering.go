package activities

import (
	"context"

	"plait/internal/ctxcache"
	"plait/internal/pipeline"
)

// lettering is the second half of a page on its way.
type lettering struct {
	engine       Engine
	context      ctxcache.Context
	translations []pipeline.Translation
	// tooLong are translations that shorter ones are to be asked for. There is no image then.
	tooLong []pipeline.TightText
	image   []byte
	report  pipeline.RenderReport
}

// do letters the page, unless it is to ask for shorter texts and finds some too long. It holds the device.
func (l *lettering) do(ctx context.Context, askShorter bool) (err error) {
	l.tooLong = nil
	if askShorter {
		// What is erased here is not erased again.
		if l.context, err = l.engine.Prepare(ctx, l.context, l.translations); err != nil {
			return err
		}
		if l.tooLong, err = l.engine.Tight(ctx, l.context, l.translations); err != nil || len(l.tooLong) > 0 {
			return err
		}
	}
	l.image, l.report, err = l.engine.Render(ctx, l.context, l.translations)
	return err
}
