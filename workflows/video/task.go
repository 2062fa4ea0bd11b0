// Package video contains the workflow of videos: [Task] lets a language model rewrite the prompt if the client wants that, and then an
// engine make the video. A prompt that cannot be rewritten is used as it is. A video that exists is enlarged instead, and one that its model
// makes smaller than it was asked for is enlarged besides.
package video

import (
	"time"

	"go.temporal.io/sdk/temporal"
	"go.temporal.io/sdk/workflow"

	"plait/internal/core"
	"plait/internal/video"
	"plait/workflows"
)

// QueueOf is the task queue of an engine. Whatever server or host of the engine is free takes the next video.
func QueueOf(engine string) string { return "plait-video-engine-" + engine }

// QueueExtend carries the rewriting of prompts, which needs no device.
const QueueExtend = "plait-video-prompts"

const (
	// extendPatience is how long a video waits for a rewritten prompt.
	extendPatience = 2 * time.Minute
	// extendTries bounds the attempts: the video is made with the client's prompt in the end.
	extendTries = 3
	// generateTimeout is more than the slowest model takes for a video.
	generateTimeout = 2 * time.Hour
	// upscaleTimeout is more than enlarging the longest video takes. What an attempt has done is not lost with it.
	upscaleTimeout = 48 * time.Hour
)

// Task is the workflow of a task of videos.
func Task(ctx workflow.Context, in workflows.TaskInput) (core.TaskResult, error) {
	var o video.Options
	if err := in.DecodeOptions(&o); err != nil {
		return core.TaskResult{}, err
	}
	return workflows.Run(ctx, in, workflows.Routine{Begin: func(_ workflow.Context, item *workflows.ItemRun) workflows.Process {
		return func(ctx workflow.Context) (core.Mode, error) {
			if o.Type == video.VideoUpscale {
				return upscale(ctx, item, video.StageGenerate, video.UpscaleInput{Item: item.Item, Options: o})
			}
			return run(ctx, item, o)
		}
	}})
}

// upscale lets the devices of a host enlarge a video together. When one of them fails, or takes its process with it, the compensating branch
// uses one device alone, from the last point that was stored.
func upscale(ctx workflow.Context, item *workflows.ItemRun, stage core.Stage, in video.UpscaleInput) (core.Mode, error) {
	options := workflows.DeviceStep(QueueOf(video.UpscaleName))
	options.StartToCloseTimeout = upscaleTimeout
	together := options
	retries := *options.RetryPolicy
	retries.NonRetryableErrorTypes = append(retries.NonRetryableErrorTypes, string(core.CodeDevice))
	together.RetryPolicy = &retries
	step := workflows.Step{Stage: stage, Name: video.StepUpscale, Options: together}
	err := item.Step(ctx, step, in, nil)
	if err == nil || ctx.Err() != nil {
		return video.ModeGenerate, err
	}
	// A step whose processes are lost again and again ends with INTERNAL.
	if code := workflows.FailureOf(err).Code; code != core.CodeDevice && code != core.CodeInternal {
		return video.ModeGenerate, err
	}
	step = workflows.Step{Stage: video.StageFallback, Name: video.StepUpscale, Options: options}
	in.Fallback = true
	return video.ModeFallback, item.Step(ctx, step, in, nil)
}

// run lets an engine make the video.
func run(ctx workflow.Context, item *workflows.ItemRun, o video.Options) (core.Mode, error) {
	if o.PromptExtend {
		step := workflows.Step{Stage: video.StageExtend, Name: video.StepExtend, Options: extendStep()}
		if err := item.Step(ctx, step, video.ExtendInput{Item: item.Item, Options: o}, nil); err != nil {
			if ctx.Err() != nil {
				return video.ModeGenerate, err
			}
			workflow.GetLogger(ctx).Warn("the prompt is used as it is", "error", err)
		}
	}
	options := workflows.DeviceStep(QueueOf(o.Engine))
	options.StartToCloseTimeout = generateTimeout
	step := workflows.Step{Stage: video.StageGenerate, Name: video.StepGenerate, Options: options}
	var made core.BlobRef
	if err := item.Step(ctx, step, video.GenerateInput{Item: item.Item, Options: o}, &made); err != nil || o.Generated == nil {
		return video.ModeGenerate, err
	}
	return upscale(ctx, item, video.StageUpscale, video.UpscaleInput{Item: item.Item, Options: o, Source: made})
}

func extendStep() workflow.ActivityOptions {
	options := workflows.ModelStep(QueueExtend)
	options.ScheduleToCloseTimeout, options.StartToCloseTimeout = extendPatience, extendPatience
	retries := temporal.RetryPolicy{MaximumAttempts: extendTries}
	if options.RetryPolicy != nil {
		retries = *options.RetryPolicy
		retries.MaximumAttempts = extendTries
	}
	options.RetryPolicy = &retries
	return options
}
