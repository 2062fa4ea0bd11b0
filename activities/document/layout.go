package document

import (
	"context"
	"time"

	"plait/activities"
	"plait/internal/core"
	"plait/internal/document"
	"plait/internal/document/engine"
	documentrecords "plait/internal/records/document"
)

// Layout reads the blocks of a page into the records. It fails with INVALID_DOCUMENT and TOO_LARGE for a page that cannot be read.
func (a *Activities) Layout(ctx context.Context, in document.LayoutInput) (document.LayoutOutput, error) {
	run := a.Run(ctx, in.Item, document.StageLayout, in.Options.Mode)
	work := func(ctx context.Context, _ documentrecords.Page) (out document.LayoutOutput, err error) {
		started := time.Now()
		found, err := a.layout(ctx, in.Item, in.Options)
		if err != nil {
			return out, err
		}
		for _, b := range found.Blocks {
			if b.Untranslated == "" {
				out.Texts++
			}
		}
		out.RunsOn, out.RunsIn = document.RunsOn(found.Blocks), document.RunsIn(found.Blocks)
		page := found.Page
		return out, a.documents.SaveLayout(ctx, run, documentrecords.Layout{
			Page: documentrecords.PageInfo{
				Number: page.Index, Label: page.Label, Width: page.Crop.X1 - page.Crop.X0, Height: page.Crop.Y1 - page.Crop.Y0,
				Rotate: page.Rotate, Scanned: found.Scanned, ContentHash: found.Hash,
			},
			Blocks: found.Blocks, CountTokens: a.countTokens, Elapsed: core.ElapsedMS{"total": time.Since(started).Milliseconds()},
		})
	}
	return do(ctx, a, activities.Step[document.LayoutOutput]{Run: run}, work)
}

func (a *Activities) layout(ctx context.Context, item core.Item, o document.Options) (found engine.Layout, err error) {
	page, err := o.Page(item.Index)
	if err != nil {
		return found, err
	}
	err = a.files.with(ctx, item.Blob, func(f *openFile) error {
		found, err = a.engine.Layout(ctx, f.File, page, o.Confidence)
		return err
	})
	return found, err
}
