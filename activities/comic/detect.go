package comic

import (
	"context"
	"time"

	"plait/activities"
	"plait/internal/comic"
	"plait/internal/core"
	"plait/internal/lease"
	comicrecords "plait/internal/records/comic"
)

// Detect finds and reads the regions of a page and keeps its detect context in this process. A page without text ends here.
func (a *Activities) Detect(ctx context.Context, in comic.DetectInput) (comic.DetectOutput, error) {
	if err := a.inOrder(ctx, in); err != nil {
		return comic.DetectOutput{}, err
	}
	began := time.Now()
	run := a.Run(ctx, in.Page, comic.StageDetect, comic.ModeSplit)
	if run.Attempt += in.Attempts; in.Yield { // a page out of order has not begun
		run.Attempt = in.Page.Attempts + 1
	}
	work := func(ctx context.Context, _ comicrecords.Page) (comic.DetectOutput, error) {
		image, err := a.image(ctx, in.Page)
		if err != nil {
			return comic.DetectOutput{}, err
		}
		left, found, err := a.device.Detect(ctx, run.Stage, image, in.Options)
		if err != nil {
			return comic.DetectOutput{}, err
		}
		defer left.Memory.Release()
		found.ImageHash = in.Page.Blob
		if err := a.pages.SaveDetect(ctx, run, found); err != nil {
			return comic.DetectOutput{}, err
		}
		if len(found.Regions) == 0 {
			return found, a.pages.FinishPage(ctx, run, withoutText(in.Page, run.Mode, found))
		}
		left.ImageHash, left.Regions = in.Page.Blob, len(found.Regions)
		found.Lease = a.Lease(lease.Entry{Value: left, Memory: left.Memory})
		found.StepMS = time.Since(began).Milliseconds()
		return found, nil
	}
	step := activities.Step[comic.DetectOutput]{Run: run, Urgent: !in.Yield}
	return do(ctx, a, step, endedWithoutText, work)
}

// image reads the file of a page and checks it against its name.
func (a *Activities) image(ctx context.Context, p core.Item) ([]byte, error) {
	return a.Blobs.Read(ctx, p.Blob, a.maxImageBytes)
}

// withoutText ends a page without text: its result is the original.
func withoutText(p core.Item, mode core.Mode, found comic.DetectOutput) comic.PageOutput {
	return comic.PageOutput{Result: p.Blob, Mode: mode, NoChangeReason: comic.NoText, Elapsed: found.Elapsed}
}

// endedWithoutText is the output of a detect whose earlier attempt has ended the page.
func endedWithoutText(p comicrecords.Page) (comic.DetectOutput, bool) {
	if p.Status != core.StatusSuccess || p.NoChangeReason != comic.NoText {
		return comic.DetectOutput{}, false
	}
	return comic.DetectOutput{
		ImageHash: p.Ref.Blob, Width: p.Width, Height: p.Height, FromLang: p.FromLang, Elapsed: p.Elapsed,
	}, true
}

// succeeded is the output of a step whose earlier attempt has finished the page.
func succeeded(p comicrecords.Page) (comic.PageOutput, bool) {
	return p.Output(), p.Status == core.StatusSuccess
}
