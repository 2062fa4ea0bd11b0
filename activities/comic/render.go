package comic

import (
	"context"

	"plait/activities"
	"plait/internal/comic"
	"plait/internal/core"
	"plait/internal/records"
	comicrecords "plait/internal/records/comic"
)

// Render renders a page from the detect context in this process. It fails with the codes of the split contract when that is not the
// context of the input.
func (a *Activities) Render(ctx context.Context, in comic.RenderInput) (comic.PageOutput, error) {
	run := a.Run(ctx, in.Page, comic.StageRender, comic.ModeSplit)
	work := func(ctx context.Context, _ comicrecords.Page) (comic.PageOutput, error) {
		entry, err := FindContext(a.Leases, in.LeaseID, in.ImageHash, in.Translations)
		if err != nil {
			return comic.PageOutput{}, err
		}
		defer entry.Memory.Release()
		terms, err := a.terms(ctx, in.Page, in.Options)
		if err != nil {
			return comic.PageOutput{}, err
		}
		recorded, err := a.pages.Lettering(ctx, in.Page.TaskID, in.Page.Index)
		if err != nil {
			return comic.PageOutput{}, err
		}
		if entry.Value, err = a.revised(entry.Value, recorded, entry.Regions); err != nil {
			return comic.PageOutput{}, err
		}
		l := &lettering{engine: a.engine, context: entry.Value, translations: in.Translations, terms: terms}
		if err := l.do(ctx, a.device, run.Stage, in.AskShorter); err != nil {
			return comic.PageOutput{}, err
		}
		if len(l.tooLong) > 0 {
			// Prepare has erased the page, so that rendering the shorter texts does not erase it again.
			entry.Value = l.context
			a.Leases.Exchange(in.LeaseID, entry)
			output := comic.PageOutput{Mode: run.Mode, Regions: entry.Regions, TooLong: l.tooLong}
			return output, a.Records.EndStage(ctx, run, "", "", nil)
		}
		output, err := a.finish(ctx, run, l, comic.PageOutput{
			Regions: entry.Regions, Overflow: l.report.Overflow, Annotated: l.report.Annotated, Missing: l.report.Missing,
			Shortened: shortened(in.Translations, in.Shortened), Elapsed: l.report.Elapsed,
		})
		if err != nil {
			return comic.PageOutput{}, err
		}
		a.noteMissing(in.Page, l.report)
		// The context is dropped only after success, because a failed render is retried with it.
		a.Leases.Drop(in.LeaseID)
		return output, nil
	}
	step := activities.Step[comic.PageOutput]{Run: run, UsesLease: true}
	return do(ctx, a, step, succeeded, work)
}

// finish stores what a page was lettered to and ends the page in the records.
func (a *Activities) finish(
	ctx context.Context, run records.StageRun, l *lettering, output comic.PageOutput,
) (comic.PageOutput, error) {
	output.Mode = run.Mode
	if err := a.keep(ctx, run.Item, l.image, l.report.Layers, &output); err != nil {
		return output, err
	}
	if err := a.pages.FinishPage(ctx, run, output); err != nil {
		return output, err
	}
	a.metrics.lettered(output)
	return output, nil
}

// keep stores the image of a page as its result, and its layers, if it has any.
func (a *Activities) keep(ctx context.Context, page core.Item, image, layers []byte, output *comic.PageOutput) error {
	files := [][]byte{image}
	if len(layers) > 0 {
		files = append(files, layers)
	}
	refs, err := a.KeepResults(ctx, page, files...)
	if err != nil {
		return err
	}
	output.Result, output.OutputChanged = refs[0], refs[0] != page.Blob
	if len(refs) > 1 {
		output.Layers = refs[1]
	}
	return nil
}
