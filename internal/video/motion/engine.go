package motion

import (
	"context"
	"errors"

	"plait/internal/video"
	"plait/internal/video/ffmpeg"
)

// Engine makes videos of pictures as files. It is safe for concurrent use.
type Engine struct {
	// Program returns the program that writes the files.
	Program func(ctx context.Context) (*ffmpeg.Program, error)
}

// Generate makes the video of a job. Its errors are those of ffmpeg and of the job.
func (e *Engine) Generate(ctx context.Context, j video.Job) (err error) {
	program, err := e.Program(ctx)
	if err != nil {
		return err
	}
	if err := j.Begin(ctx); err != nil {
		return err
	}
	picture, err := j.Picture(ctx)
	if err != nil {
		return err
	}
	o := j.Options
	out, err := program.Encode(ctx, j.Path, ffmpeg.Encoding{Width: o.Width, Height: o.Height, Rate: ffmpeg.Rational{Num: FrameRate, Den: 1}})
	if err != nil {
		return err
	}
	frames, written := o.Duration*FrameRate, 0
	err = Render(ctx, picture, o.Width, o.Height, frames, Plan(j.Prompt, o.Seed), func(frame []byte) error {
		if j.Mark != nil {
			if err := j.Mark(frame, o.Width, o.Height); err != nil {
				return err
			}
		}
		if err := out.Write(frame); err != nil {
			return err
		}
		written++
		return j.Progress(ctx, 100*written/frames)
	})
	if err != nil {
		out.Cancel()
		return err
	}
	return errors.Join(err, out.Close())
}

// Forget does nothing: a video leaves nothing behind but its file.
func (e *Engine) Forget(context.Context, video.Job) error { return nil }
