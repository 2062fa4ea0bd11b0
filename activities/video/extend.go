package video

import (
	"context"
	"time"

	"plait/activities"
	"plait/internal/records"
	"plait/internal/video"
)

// ExtendPrompt lets a language model rewrite the prompt. Without one the prompt stays as it is.
func (a *Activities) ExtendPrompt(ctx context.Context, in video.ExtendInput) (struct{}, error) {
	run := a.Run(ctx, in.Item, video.StageExtend, video.ModeGenerate)
	run.Rank = video.Rank(video.StageExtend)
	return activities.Step[struct{}]{
		Kind: video.Kind, Run: run, Pays: true,
		Work: func(ctx context.Context, _ records.Item) (struct{}, error) {
			started := time.Now()
			text, err := a.Extend(ctx, in.Item, in.Options)
			if err != nil {
				return struct{}{}, err
			}
			var prompt *string
			if text != "" {
				prompt = &text
			}
			elapsed := map[string]int64{"total": time.Since(started).Milliseconds()}
			return struct{}{}, a.videos.SavePrompt(ctx, run, prompt, elapsed)
		},
	}.Do(ctx, a.Host)
}
