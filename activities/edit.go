package activities

import (
	"context"
	"time"

	"plait/internal/ctxcache"
	"plait/internal/pipeline"
	"plait/internal/records"
	"plait/internal/translate/glossary"
)

// Edit renders a page that has a result again, with the translations that the records have now, and asks no model. The
// page's detect context stays in this process for the next edit. With a context of an earlier edit it fails with the codes
// of the split contract when that context is not there any more.
func (a *Activities) Edit(ctx context.Context, in pipeline.EditInput) (pipeline.EditOutput, error) {
	stage := pipeline.StagePage
	if in.ContextID != "" {
		stage = pipeline.StageRender
	}
	ctx, leave := attend(ctx, stage)
	defer leave()
	started := time.Now()
	output, err := guarded(func() (pipeline.EditOutput, error) { return a.edit(ctx, stage, in) })
	a.metrics.editEnded(pipeline.CodeOf(err), time.Since(started))
	if err != nil {
		return output, a.unrecorded(ctx, stage, in.Page, pipeline.StepEdit, err)
	}
	output.Elapsed = pipeline.ElapsedMS{"total": time.Since(started).Milliseconds()}
	return output, nil
}

// RecordEditFailure says on the page why its edits are not in its result.
func (a *Activities) RecordEditFailure(ctx context.Context, in pipeline.RecordEditFailureInput) error {
	return a.taskFailure(ctx, a.records.FailEdit(ctx, in.Page, in.Failure))
}

func (a *Activities) edit(ctx context.Context, stage pipeline.Stage, in pipeline.EditInput) (pipeline.EditOutput, error) {
	page, err := a.records.Page(ctx, in.Page.TaskID, in.Page.Index)
	if err != nil {
		return pipeline.EditOutput{}, err
	}
	output := pipeline.EditOutput{ContextID: in.ContextID, HostQueue: a.hostQueue, TTLSeconds: int(a.contexts.TTL().Seconds())}
	if page.Edit == nil || page.Edit.Rendered == page.Edit.Revision {
		return output, nil // an earlier attempt, or the edit before, has done it
	}
	output.Revision = page.Edit.Revision
	// Read after the revision: texts of a later one are rendered again, and those of an earlier one never taken for it.
	recorded, err := a.records.Regions(ctx, in.Page.TaskID, in.Page.Index)
	if err != nil {
		return output, err
	}
	terms, err := a.terms(ctx, in.Page, in.Options)
	if err != nil {
		return output, err
	}
	r := &editRun{a: a, in: in, recorded: recorded, terms: terms}
	err = a.device.Hold(ctx, stage, func() error { return r.render(ctx) })
	if err != nil {
		return output, err
	}
	result := pipeline.PageOutput{Tight: r.report.Tight}
	if err := a.keep(ctx, in.Page, r.image, &result); err != nil {
		return output, err
	}
	if err := a.records.FinishEdit(ctx, in.Page, output.Revision, result); err != nil {
		return output, err
	}
	if r.fresh != nil {
		// Pages that wait for their first render need their contexts more.
		output.ContextID = a.contexts.Put(ctxcache.Entry{Context: r.fresh, ImageHash: in.Page.Blob, Regions: len(recorded), Spare: true})
	}
	return output, nil
}

// editRun is one rendering of an edited page.
type editRun struct {
	a        *Activities
	in       pipeline.EditInput
	recorded []records.Region
	terms    []glossary.Entry
	image    []byte
	report   pipeline.RenderReport
	// fresh is a context for the next edit, or nil.
	fresh ctxcache.Context
}

func (r *editRun) render(ctx context.Context) error {
	translations := make([]pipeline.Translation, len(r.recorded))
	for i, region := range r.recorded {
		translations[i] = pipeline.Translation{Index: region.Index, Text: region.Translation}
	}
	translations = glossary.Mark(r.terms, translations)
	if r.in.ContextID != "" {
		entry, err := r.a.contexts.Lookup(r.in.ContextID, r.in.Page.Blob, translations)
		if err != nil {
			return err
		}
		r.image, r.report, err = r.a.engine.Render(ctx, entry.Context, translations)
		return err
	}
	return r.renderAnew(ctx, translations)
}

// renderAnew detects the page once more. A host that reads it otherwise than the one before finds the regions by their
// texts and places; what was not there then stays as it is drawn.
func (r *editRun) renderAnew(ctx context.Context, translations []pipeline.Translation) error {
	page, err := r.a.image(ctx, r.in.Page)
	if err != nil {
		return err
	}
	c, found, err := r.a.engine.Detect(ctx, page, r.in.Options)
	if err != nil {
		return err
	}
	alike := madeOf(translations, r.recorded, found.Regions)
	if !alike {
		r.a.log.Warn("the page reads otherwise on this host", "page", r.in.Page.String(), "regions", len(found.Regions), "before", len(r.recorded))
		var rest []pipeline.Region
		translations, rest = carryOver(r.recorded, found.Regions, true)
		for _, region := range rest {
			translations = append(translations, pipeline.Translation{Index: region.Index})
		}
		translations = glossary.Mark(r.terms, translations)
	}
	if len(found.Regions) == 0 {
		r.image = page
		return nil
	}
	if c, err = r.a.engine.Prepare(ctx, c, translations); err != nil {
		return err
	}
	if r.image, r.report, err = r.a.engine.Render(ctx, c, translations); err == nil && alike {
		r.fresh = c
	}
	return err
}
