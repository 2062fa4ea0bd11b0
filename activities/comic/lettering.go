package comic

import (
	"context"

	"plait/internal/comic"
	"plait/internal/core"
	"plait/internal/lease"
	"plait/internal/translate/glossary"
)

// lettering is the second half of a page on its way.
type lettering struct {
	engine       Engine
	context      lease.Value
	translations []core.Translation
	// terms are what lettering keeps whole.
	terms []glossary.Entry
	// tooLong are translations that shorter ones are to be asked for. There is no image then.
	tooLong []comic.OverflowText
	image   []byte
	report  comic.RenderReport
}

// do letters the page once the device admits it.
func (l *lettering) do(ctx context.Context, device *Device, stage core.Stage, askShorter bool) (err error) {
	l.image, l.report, err = device.Letter(ctx, stage, l.context, func() (Lettered, error) { return l.draw(ctx, askShorter) })
	return err
}

// draw letters the page, unless it is to ask for shorter texts and finds some too long: it returns none then. It holds the device.
func (l *lettering) draw(ctx context.Context, askShorter bool) (_ Lettered, err error) {
	l.tooLong = nil
	translations := glossary.Mark(l.terms, l.translations)
	if askShorter {
		// What is erased here is not erased again.
		if l.context, err = l.engine.Prepare(ctx, l.context, translations); err != nil {
			return nil, err
		}
		if l.tooLong, err = l.engine.Overflow(ctx, l.context, translations); err != nil || len(l.tooLong) > 0 {
			return nil, err
		}
	}
	return l.engine.Letter(ctx, l.context, translations)
}

// terms are what names and terms are called in the translations of a page.
func (a *Activities) terms(ctx context.Context, p core.Item, o comic.Options) ([]glossary.Entry, error) {
	return a.Records.Glossary(ctx, p.Tenant, p.TaskID, o.To)
}

// noteMissing says once a page which characters of its translations no font has.
func (a *Activities) noteMissing(page core.Item, report comic.RenderReport) {
	if report.Missing != "" {
		a.log.Warn("no font has some characters: left out", "page", page.String(), "characters", comic.CodePoints(report.Missing))
	}
}
