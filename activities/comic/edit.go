package comic

import (
	"context"
	"time"

	"plait/activities"
	"plait/internal/comic"
	"plait/internal/core"
	"plait/internal/lease"
	"plait/internal/memory"
	"plait/internal/translate/glossary"
)

// Edit renders a finished page again with the regions and translations in the records, and calls no model. The detect context of the page
// stays in this process for the next edit. A page that shows its edits already is rendered as it is, so that its next edit, which changes
// some places of it, is shown at once. When the input names the context of an earlier edit and that is gone, it fails with the codes of the split contract.
func (a *Activities) Edit(ctx context.Context, in comic.EditInput) (comic.EditOutput, error) {
	stage := comic.StagePage
	if in.LeaseID != "" {
		stage = comic.StageRender
	}
	ctx, leave := activities.Heartbeat(ctx, stage == comic.StagePage)
	defer leave()
	started := time.Now()
	output, err := activities.Guarded(func() (comic.EditOutput, error) { return a.edit(ctx, stage, in) })
	a.metrics.editEnded(core.CodeOf(err), time.Since(started))
	if err != nil {
		return output, a.Unrecorded(ctx, in.Page, comic.StepEdit, in.LeaseID != "", err)
	}
	output.Elapsed = core.ElapsedMS{"total": time.Since(started).Milliseconds()}
	return output, nil
}

// RecordEditFailure records why the result of a page does not show its edits.
func (a *Activities) RecordEditFailure(ctx context.Context, in comic.RecordEditFailureInput) error {
	return a.RecordFailed(ctx, a.pages.FailEdit(ctx, in.Page, in.Failure))
}

func (a *Activities) edit(ctx context.Context, stage core.Stage, in comic.EditInput) (comic.EditOutput, error) {
	page, err := a.pages.Page(ctx, in.Page.TaskID, in.Page.Index)
	if err != nil {
		return comic.EditOutput{}, err
	}
	output := comic.EditOutput{Lease: core.Lease{LeaseID: in.LeaseID, HostQueue: a.Queue, TTLSeconds: int(a.Leases.TTL().Seconds())}}
	// Where nothing is pending, a person has opened the page, or an earlier attempt or edit has rendered this revision.
	pending := page.Edit != nil && page.Edit.Rendered < page.Edit.Revision
	if pending {
		output.Revision = page.Edit.Revision
	} else if in.LeaseID != "" {
		return a.kept(ctx, in, output)
	}
	// The texts are read after the revision: newer texts are only rendered again, but older ones must not count as this revision.
	recorded, err := a.pages.Lettering(ctx, in.Page.TaskID, in.Page.Index)
	if err != nil {
		return output, err
	}
	terms, err := a.terms(ctx, in.Page, in.Options)
	if err != nil {
		return output, err
	}
	r := &editRun{a: a, stage: stage, in: in, from: page.FromLang, regions: recorded.Regions, translations: glossary.Mark(terms, recorded.Translations)}
	defer func() { r.memory.Release() }()
	if err := r.render(ctx); err != nil {
		return output, err
	}
	if pending {
		if err := r.finish(ctx, output.Revision); err != nil {
			return output, err
		}
	}
	if r.fresh != nil {
		// Pages that wait for their first render need the room more.
		kept := Context{Value: r.fresh, ImageHash: in.Page.Blob, Regions: len(r.regions)}
		output.LeaseID = a.Leases.Put(lease.Entry{Value: kept, Spare: true, Memory: r.memory})
	}
	return a.rendered(ctx, in.Page, output)
}

// kept completes the output of an edit with nothing to do. It fails as the lookup of the lease does.
func (a *Activities) kept(ctx context.Context, in comic.EditInput, output comic.EditOutput) (comic.EditOutput, error) {
	found, err := contextOf(a.Leases, in.LeaseID, in.Page.Blob)
	if err != nil {
		return output, err
	}
	found.Memory.Release()
	return a.rendered(ctx, in.Page, output)
}

// rendered completes the output of an edit whose result is recorded.
func (a *Activities) rendered(ctx context.Context, page core.Item, output comic.EditOutput) (comic.EditOutput, error) {
	waiting, err := a.pages.Untranslated(ctx, page)
	output.Untranslated = len(waiting) > 0
	return output, err
}

// editRun is one rendering of an edited page.
type editRun struct {
	a     *Activities
	stage core.Stage
	in    comic.EditInput
	// from is the language of the page.
	from         string
	regions      []comic.Region
	translations []core.Translation
	image        []byte
	report       comic.RenderReport
	// read are the regions that were read in this run.
	read []comic.Region
	// fresh is a context to keep for the next edit, or nil.
	fresh lease.Value
	// memory is the reservation for the page.
	memory *memory.Reservation
}

func (r *editRun) render(ctx context.Context) error {
	if r.in.LeaseID == "" {
		return r.renderAnew(ctx)
	}
	entry, err := contextOf(r.a.Leases, r.in.LeaseID, r.in.Page.Blob)
	if err != nil {
		return err
	}
	r.memory, entry.Regions = entry.Memory, len(r.regions)
	revised, err := r.a.engine.Revise(entry.Value, r.regions)
	if err != nil {
		return err
	}
	r.image, r.report, err = r.a.device.Letter(ctx, r.stage, revised, func() (Lettered, error) {
		if revised, err = r.readDrawn(ctx, revised); err != nil {
			return nil, err
		}
		// Nothing is to be done where the same regions are replaced as before.
		if entry.Value, err = r.a.engine.Prepare(ctx, revised, r.translations); err != nil {
			return nil, err
		}
		r.a.Leases.Exchange(r.in.LeaseID, entry)
		return r.a.engine.Letter(ctx, entry.Value, r.translations)
	})
	return err
}

// renderAnew renders the page from its image. If it has no text, the result is the original.
func (r *editRun) renderAnew(ctx context.Context) error {
	page, err := r.a.image(ctx, r.in.Page)
	if err != nil {
		return err
	}
	if r.memory, err = r.a.device.Reserve(ctx, page); err != nil {
		return err
	}
	r.image, r.report, err = r.a.device.Take(ctx, r.stage, page, func(decoded Decoded) (Lettered, error) {
		c, err := r.readDrawn(ctx, decoded.With(r.regions, r.in.Options))
		if err != nil {
			return nil, err
		}
		if c, err = r.a.engine.Prepare(ctx, c, r.translations); err != nil {
			return nil, err
		}
		r.fresh = c
		return r.a.engine.Letter(ctx, c, r.translations)
	})
	return err
}

// finish records what was read and rendered.
func (r *editRun) finish(ctx context.Context, revision int) error {
	if err := r.saveReadings(ctx); err != nil {
		return err
	}
	result := comic.PageOutput{Overflow: r.report.Overflow, Annotated: r.report.Annotated, Missing: r.report.Missing}
	if err := r.a.keep(ctx, r.in.Page, r.image, r.report.Layers, &result); err != nil {
		return err
	}
	if err := r.a.pages.FinishEdit(ctx, r.in.Page, revision, result); err != nil {
		return err
	}
	r.a.noteMissing(r.in.Page, r.report)
	return nil
}
