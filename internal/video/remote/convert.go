package remote

import (
	"context"
	"math"
	"os"

	"plait/internal/core"
	"plait/internal/video"
	"plait/internal/video/ffmpeg"
)

// convert draws the mark, and makes a video that browsers play of one that they do not.
func (e *Engine) convert(ctx context.Context, j video.Job) error {
	program, err := e.Program(ctx)
	if err != nil {
		return err
	}
	info, err := program.Probe(ctx, j.Path)
	if err != nil || info.Damage != "" {
		return nil // whoever asked for the video examines it
	}
	if j.Mark == nil && info.Codec == "h264" && info.PixelFormat == "yuv420p" {
		return nil
	}
	raw := j.Path + ".raw"
	if err := os.Rename(j.Path, raw); err != nil {
		return core.Wrap(core.CodeUnavailable, err, "the file of the video cannot be written")
	}
	defer func() { _ = os.Remove(raw) }()
	return recode(ctx, program, info, raw, j)
}

// recode writes the frames of a file, with its sound, as another one.
func recode(ctx context.Context, program *ffmpeg.Program, info ffmpeg.Info, raw string, j video.Job) error {
	width, height := info.Upright()
	width, height = width/2*2, height/2*2
	in, err := program.Decode(ctx, raw, ffmpeg.Decoding{Width: width, Height: height})
	if err != nil {
		return err
	}
	defer in.Close()
	const exact = 1000
	rate := ffmpeg.Rational{Num: int64(math.Round(info.Rate() * exact)), Den: exact}
	out, err := program.Encode(ctx, j.Path, ffmpeg.Encoding{Width: width, Height: height, Rate: rate, Sound: raw, Info: info})
	if err != nil {
		return err
	}
	frame := make([]byte, in.Size())
	for {
		err := in.Next(frame)
		if ffmpeg.IsEnd(err) {
			return out.Close()
		}
		if err == nil && j.Mark != nil {
			err = j.Mark(frame, width, height)
		}
		if err == nil {
			err = out.Write(frame)
		}
		if err != nil {
			out.Cancel()
			return err
		}
	}
}
