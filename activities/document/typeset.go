package document

import (
	"context"
	"encoding/json"
	"time"

	"plait/activities"
	"plait/internal/core"
	"plait/internal/document"
	"plait/internal/document/engine"
	"plait/internal/document/pdf"
	"plait/internal/document/typeset"
	"plait/internal/records"
	documentrecords "plait/internal/records/document"
)

// Typeset sets the translations of a page, and ends the page: its result is the edit, as JSON.
func (a *Activities) Typeset(ctx context.Context, in document.TypesetInput) (core.BlobRef, error) {
	run := a.Run(ctx, in.Item, document.StageTypeset, in.Mode)
	work := func(ctx context.Context, page documentrecords.Page) (core.BlobRef, error) {
		started := time.Now()
		edit, blocks, err := a.set(ctx, in, page)
		if err != nil {
			return "", err
		}
		set := outcomeOf(blocks)
		if set.Result, err = a.KeepResult(ctx, in.Item, edit); err != nil {
			return "", err
		}
		set.Mode, set.Elapsed = in.Mode, core.ElapsedMS{"total": time.Since(started).Milliseconds()}
		return set.Result, a.documents.FinishPage(ctx, run, set)
	}
	recorded := func(i records.Item) (core.BlobRef, bool) { return i.Result, i.Status == core.StatusSuccess }
	return do(ctx, a, activities.Step[core.BlobRef]{Run: run, Recorded: recorded}, work)
}

// set sets the translations of a page, each as large as it fits, and returns the edit as JSON.
func (a *Activities) set(ctx context.Context, in document.TypesetInput, page documentrecords.Page) ([]byte, []engine.SetBlock, error) {
	blocks, err := a.documents.Blocks(ctx, in.Item.TaskID, in.Item.Index)
	if err != nil {
		return nil, nil, err
	}
	var edit document.Edit
	var set []engine.SetBlock
	err = a.files.with(ctx, in.Item.Blob, func(f *openFile) (err error) {
		edit, set, err = a.edit(ctx, f.File, page, blocks, in.Options.To, typeset.Scales{})
		return err
	})
	if err != nil {
		return nil, nil, err
	}
	content, err := json.Marshal(edit)
	if err != nil {
		return nil, nil, core.Wrap(core.CodeInternal, err, "an edit cannot be encoded")
	}
	return content, set, nil
}

// edit sets the translations of a page. Scales bound the sizes of its texts.
func (a *Activities) edit(
	ctx context.Context, f *pdf.File, page documentrecords.Page, blocks []documentrecords.Block, to string, scales typeset.Scales,
) (document.Edit, []engine.SetBlock, error) {
	translated := make([]engine.Translated, len(blocks))
	some := false
	for i, b := range blocks {
		translated[i] = engine.Translated{Block: b.Block, Translation: b.Translation}
		some = some || b.Translation != ""
	}
	if !some {
		return document.Edit{Index: page.Number}, nil, nil
	}
	content, err := f.Content(ctx, page.Number)
	if err != nil {
		return document.Edit{}, nil, err
	}
	if engine.Hash(content) != page.ContentHash {
		return document.Edit{}, nil, core.Errorf(core.CodeInternal, "page %d does not have the content of its layout", page.Number+1)
	}
	edit, set := a.engine.Set(content, translated, to, scales)
	if page.Scanned {
		edit, err = a.engine.ClearScan(ctx, f, content, edit, translated)
	}
	return edit, set, err
}

// outcomeOf collects how the texts of a page were set.
func outcomeOf(blocks []engine.SetBlock) (set documentrecords.Set) {
	for _, b := range blocks {
		if b.Reason != "" {
			set.Unset = append(set.Unset, documentrecords.BlockReason{Index: b.Index, Reason: b.Reason})
			continue
		}
		set.Scales = append(set.Scales, documentrecords.BlockScale{Index: b.Index, Scale: b.Scale})
		if b.Overflow {
			set.Overflow++
		}
	}
	return set
}
