package comic

import (
	"context"

	"plait/internal/comic"
	"plait/internal/core"
	"plait/internal/lease"
	comicrecords "plait/internal/records/comic"
	"plait/internal/translate/glossary"
)

// lettering is the second half of processing a page.
type lettering struct {
	engine       Engine
	context      lease.Value
	translations []core.Translation
	// terms are words that lettering does not divide.
	terms []glossary.Entry
	// tooLong are the translations that need shorter ones. If there are any, image is nil.
	tooLong []comic.OverflowText
	image   []byte
	report  comic.RenderReport
}

// do letters the page once the device admits it.
func (l *lettering) do(ctx context.Context, device *Device, stage core.Stage, askShorter bool) (err error) {
	l.image, l.report, err = device.Letter(ctx, stage, l.context, func() (Lettered, error) { return l.draw(ctx, askShorter) })
	return err
}

// draw letters the page. With askShorter it returns nil when texts are too long. It runs while the device is held.
func (l *lettering) draw(ctx context.Context, askShorter bool) (_ Lettered, err error) {
	l.tooLong = nil
	translations := glossary.Mark(l.terms, l.translations)
	if askShorter {
		// Prepare keeps the erased page, so that the next call does not erase it again.
		if l.context, err = l.engine.Prepare(ctx, l.context, translations); err != nil {
			return nil, err
		}
		if l.tooLong, err = l.engine.Overflow(ctx, l.context, translations); err != nil || len(l.tooLong) > 0 {
			return nil, err
		}
	}
	return l.engine.Letter(ctx, l.context, translations)
}

// revised returns the context of a page with what people chose for its regions on the same image before, if anything.
func (a *Activities) revised(c lease.Value, recorded comicrecords.Lettering, regions int) (lease.Value, error) {
	if !recorded.Overridden() || len(recorded.Regions) != regions {
		return c, nil
	}
	return a.engine.Revise(c, recorded.Regions)
}

// terms are the names and terms of a page with their translations.
func (a *Activities) terms(ctx context.Context, p core.Item, o comic.Options) ([]glossary.Entry, error) {
	return a.Records.Glossary(ctx, p.Tenant, p.TaskID, o.To)
}

// noteMissing logs, once a page, which characters of its translations no font has.
func (a *Activities) noteMissing(page core.Item, report comic.RenderReport) {
	if report.Missing != "" {
		a.log.Warn("no font has some characters: left out", "page", page.String(), "characters", comic.CodePoints(report.Missing))
	}
}
