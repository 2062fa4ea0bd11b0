package activities

import (
	"bytes"
	"context"
	"crypto/sha256"

	"plait/internal/comic"
	"plait/internal/core"
	"plait/internal/records"
)

// Render finishes a page from the detect context that this process keeps. It fails with the codes of the split
// contract when the context is not the one that the caller means.
func (a *Activities) Render(ctx context.Context, in comic.RenderInput) (comic.PageOutput, error) {
	a.queueWait.see(ctx)
	run := a.run(ctx, in.Page, comic.StageRender, comic.ModeSplit)
	return perform(ctx, a, run, succeeded, func(ctx context.Context, _ records.Page) (comic.PageOutput, error) {
		entry, err := a.contexts.Lookup(in.ContextID, in.ImageHash, in.Translations)
		if err != nil {
			return comic.PageOutput{}, err
		}
		terms, err := a.terms(ctx, in.Page, in.Options)
		if err != nil {
			return comic.PageOutput{}, err
		}
		l := &lettering{engine: a.engine, context: entry.Context, translations: in.Translations, terms: terms}
		if err := l.do(ctx, a.device, run.Stage, in.AskShorter); err != nil {
			return comic.PageOutput{}, err
		}
		if len(l.tooLong) > 0 {
			// What was erased to tell is not erased again for the shorter texts.
			a.contexts.Exchange(in.ContextID, l.context)
			output := comic.PageOutput{Mode: run.Mode, Regions: entry.Regions, TooLong: l.tooLong}
			return output, a.records.EndStage(ctx, run, "", "", nil)
		}
		output, err := a.finish(ctx, run, l.image, comic.PageOutput{
			Regions: entry.Regions, Overflow: l.report.Overflow, Missing: l.report.Missing,
			Shortened: shortened(in.Translations, in.Shortened), Elapsed: l.report.Elapsed,
		})
		if err != nil {
			return comic.PageOutput{}, err
		}
		a.noteMissing(in.Page, l.report)
		// Only now: a render that failed may be tried again with the same context.
		a.contexts.Drop(in.ContextID)
		return output, nil
	})
}

// DropContext frees a detect context. One that is gone already is as good as freed.
func (a *Activities) DropContext(_ context.Context, in comic.DropContextInput) error {
	a.contexts.Drop(in.ContextID)
	return nil
}

// finish stores the image of a finished page and ends its row.
func (a *Activities) finish(
	ctx context.Context, run records.StageRun, image []byte, output comic.PageOutput,
) (comic.PageOutput, error) {
	output.Mode = run.Mode
	if err := a.keep(ctx, run.Page, image, &output); err != nil {
		return output, err
	}
	if err := a.records.FinishPage(ctx, run, output); err != nil {
		return output, err
	}
	a.metrics.lettered(output)
	return output, nil
}

// keep stores the image of a page as its result.
func (a *Activities) keep(ctx context.Context, page core.Item, image []byte, output *comic.PageOutput) error {
	output.Result = core.NewBlobRef(sha256.Sum256(image))
	output.OutputChanged = output.Result != page.Blob
	// Held before it is put: another task that has the same bytes may be deleted in between.
	if err := a.records.HoldBlobs(ctx, page.TaskID, []core.BlobRef{output.Result}); err != nil {
		return err
	}
	_, _, err := a.blobs.Put(ctx, bytes.NewReader(image), int64(len(image)))
	return err
}
