package activities

import (
	"context"
	"time"

	"plait/internal/ctxcache"
	"plait/internal/pipeline"
	"plait/internal/records"
)

// Detect finds and reads the regions of a page and keeps its detect context in this process. A page without text ends
// here.
func (a *Activities) Detect(ctx context.Context, in pipeline.DetectInput) (pipeline.DetectOutput, error) {
	if err := a.inOrder(ctx, in); err != nil {
		return pipeline.DetectOutput{}, err
	}
	began := time.Now()
	run := a.run(ctx, in.Page, pipeline.StageDetect, pipeline.ModeSplit)
	if run.Attempt += in.Attempts; in.Yield { // what came before its turn has not begun
		run.Attempt = in.Page.Attempts + 1
	}
	return perform(ctx, a, run, endedWithoutText, func(ctx context.Context, _ records.Page) (pipeline.DetectOutput, error) {
		image, err := a.image(ctx, in.Page)
		if err != nil {
			return pipeline.DetectOutput{}, err
		}
		left, found, err := a.device.Detect(ctx, run.Stage, image, in.Options)
		if err != nil {
			return pipeline.DetectOutput{}, err
		}
		found.ImageHash = in.Page.Blob
		if err := a.records.SaveDetect(ctx, run, found); err != nil {
			return pipeline.DetectOutput{}, err
		}
		if len(found.Regions) == 0 {
			return found, a.records.FinishPage(ctx, run, withoutText(in.Page, run.Mode, found))
		}
		found.ContextID = a.contexts.Put(ctxcache.Entry{Context: left, ImageHash: in.Page.Blob, Regions: len(found.Regions)})
		found.HostQueue = a.hostQueue
		found.TTLSeconds = int(a.contexts.TTL().Seconds())
		found.QueueWaitMS = a.queueWait.upper().Milliseconds()
		found.StepMS = time.Since(began).Milliseconds()
		return found, nil
	})
}

// image reads a page and makes sure that its bytes have its name.
func (a *Activities) image(ctx context.Context, p pipeline.PageRef) ([]byte, error) {
	return a.blobs.Read(ctx, p.Blob, a.maxImageBytes)
}

// withoutText is the end of a page on which there is nothing to translate: the result is the original.
func withoutText(p pipeline.PageRef, mode pipeline.Mode, found pipeline.DetectOutput) pipeline.PageOutput {
	return pipeline.PageOutput{Result: p.Blob, Mode: mode, NoChangeReason: pipeline.NoText, Elapsed: found.Elapsed}
}

// endedWithoutText answers a detect that already ended its page.
func endedWithoutText(p records.Page) (pipeline.DetectOutput, bool) {
	if p.Status != pipeline.StatusSuccess || p.NoChangeReason != pipeline.NoText {
		return pipeline.DetectOutput{}, false
	}
	return pipeline.DetectOutput{
		ImageHash: p.Ref.Blob, Width: p.Width, Height: p.Height, FromLang: p.FromLang, Elapsed: p.Elapsed,
	}, true
}

// succeeded answers a step that already finished its page.
func succeeded(p records.Page) (pipeline.PageOutput, bool) {
	return p.Output(), p.Status == pipeline.StatusSuccess
}
