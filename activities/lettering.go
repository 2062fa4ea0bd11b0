package activities

import (
	"context"
	"maps"
	"time"

	"plait/internal/ctxcache"
	"plait/internal/pipeline"
	"plait/internal/translate/glossary"
)

// lettering is the second half of a page on its way.
type lettering struct {
	engine       Engine
	context      ctxcache.Context
	translations []pipeline.Translation
	// terms are what lettering keeps whole.
	terms []glossary.Entry
	// tooLong are translations that shorter ones are to be asked for. There is no image then.
	tooLong []pipeline.TightText
	// fitting is how long it took to tell them.
	fitting time.Duration
	image   []byte
	report  pipeline.RenderReport
}

// do letters the page in a turn of the device.
func (l *lettering) do(ctx context.Context, device *Device, stage pipeline.Stage, askShorter bool) (err error) {
	l.image, l.report, err = device.Take(ctx, stage, nil, func(Decoded) (Lettered, error) { return l.draw(ctx, askShorter) })
	return err
}

// draw letters the page, unless it is to ask for shorter texts and finds some too long: it returns none then. It holds the device.
func (l *lettering) draw(ctx context.Context, askShorter bool) (Lettered, error) {
	l.tooLong = nil
	translations := glossary.Mark(l.terms, l.translations)
	if askShorter {
		if err := l.fit(ctx, translations); err != nil || len(l.tooLong) > 0 {
			return nil, err
		}
	}
	return l.engine.Letter(ctx, l.context, translations)
}

// fit tells what is too long. What is erased here is not erased again.
func (l *lettering) fit(ctx context.Context, translations []pipeline.Translation) (err error) {
	began := time.Now()
	defer func() { l.fitting += time.Since(began) }()
	if l.context, err = l.engine.Prepare(ctx, l.context, translations); err != nil {
		return err
	}
	l.tooLong, err = l.engine.Tight(ctx, l.context, translations)
	return err
}

// elapsed is what was measured of the page, with the time of telling what is too long.
func (l *lettering) elapsed() pipeline.ElapsedMS {
	if l.fitting == 0 {
		return l.report.Elapsed
	}
	all := pipeline.ElapsedMS{"fit": l.fitting.Milliseconds()}
	maps.Copy(all, l.report.Elapsed)
	all["total"] += all["fit"]
	return all
}

// terms are what names and terms are called in the translations of a page.
func (a *Activities) terms(ctx context.Context, p pipeline.PageRef, o pipeline.Options) ([]glossary.Entry, error) {
	return a.records.Glossary(ctx, p.Tenant, p.TaskID, o.To)
}
