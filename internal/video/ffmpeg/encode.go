package ffmpeg

import (
	"context"
	"errors"
	"fmt"
	"io"
	"os/exec"
	"slices"
	"strconv"

	"plait/internal/core"
)

// Encoding says how frames are written.
type Encoding struct {
	Width, Height int      // of every frame; both even
	Rate          Rational // frames a second
	Quality       int      // x264's constant rate factor: 0 is lossless, 18 looks so, 51 is worst; zero means 18
	// Sound is the file from which the frames were read and whose sound goes into the result, and Info describes it; an empty path is none.
	// Sound of a codec that MP4 does not have becomes AAC.
	Sound string
	Info  Info
}

// defaultQuality is the rate factor from which people see no difference.
const defaultQuality = 18

// Encoder writes frames to a file.
type Encoder struct {
	ctx    context.Context
	cancel context.CancelFunc
	cmd    *exec.Cmd
	in     io.WriteCloser
	said   *tail
	size   int
	frames int
	closed bool
}

// x264Threads is fixed, since the number of threads changes what x264 writes.
const x264Threads = "4"

// Encode starts writing an H.264 video (High profile, 4:2:0, BT.709) in MP4 to path, which it replaces. Its index comes first, so that
// a player starts before it has the whole file. The file is whole when [Encoder.Close] returns nil.
func (p *Program) Encode(ctx context.Context, path string, e Encoding) (*Encoder, error) {
	return p.encode(ctx, e, "scale=out_color_matrix=bt709:out_range=tv:"+exact+",format=yuv420p,setparams=color_primaries=bt709:color_trc=bt709", []string{
		"-colorspace", "bt709", "-color_primaries", "bt709", "-color_trc", "bt709", "-color_range", "tv",
		"-map_metadata", "-1", "-movflags", "+faststart", "-f", "mp4", "file:" + path,
	})
}

// encode starts the program with these filters for the frames, and these arguments for the file.
func (p *Program) encode(ctx context.Context, e Encoding, filters string, file []string) (*Encoder, error) {
	if e.Width <= 0 || e.Height <= 0 || e.Width%2 != 0 || e.Height%2 != 0 || e.Rate.Num <= 0 || e.Rate.Den <= 0 {
		return nil, core.Errorf(core.CodeInvalidInput, "no video has frames of %dx%d pixels, %d/%d a second", e.Width, e.Height, e.Rate.Num, e.Rate.Den)
	}
	quality := e.Quality
	if quality == 0 {
		quality = defaultQuality
	}
	rate := fmt.Sprintf("%d/%d", e.Rate.Num, e.Rate.Den)
	ctx, cancel := context.WithCancel(ctx)
	cmd, said := p.command(ctx, append([]string{
		"-v", "error", "-y",
		"-f", "rawvideo", "-pixel_format", "rgb24", "-video_size", fmt.Sprintf("%dx%d", e.Width, e.Height), "-framerate", rate, "-i", "pipe:0",
	}, slices.Concat(p.sound(e), []string{
		"-vf", filters, "-c:v", "libx264", "-preset", "medium", "-profile:v", "high", "-crf", strconv.Itoa(quality), "-threads", x264Threads,
		"-fflags", "+bitexact", "-flags:v", "+bitexact",
	}, file)...)...)
	in, err := cmd.StdinPipe()
	if err == nil {
		err = cmd.Start()
	}
	if err != nil {
		cancel()
		return nil, fmt.Errorf("start ffmpeg: %w", err)
	}
	return &Encoder{ctx: ctx, cancel: cancel, cmd: cmd, in: in, said: said, size: 3 * e.Width * e.Height}, nil
}

// sound returns the arguments for the sound of an encoding. Its time counts from the first frame, as that of the frames does.
func (p *Program) sound(e Encoding) []string {
	if e.Sound == "" {
		return nil
	}
	codec := "copy"
	if e.Info.Container() != containerMP4 {
		codec = "aac"
	}
	args := append([]string{"-itsoffset", strconv.FormatFloat(-e.Info.first(), 'f', 6, 64)}, p.input(e.Sound)...)
	return append(args, "-map", "0:v", "-map", "1:a?", "-c:a", codec, "-strict", "experimental", "-flags:a", "+bitexact")
}

// first returns the time of the first frame in seconds.
func (i Info) first() float64 {
	if len(i.Times) == 0 {
		return 0
	}
	return float64(i.Times[0]) * float64(i.TimeBase.Num) / float64(i.TimeBase.Den)
}

// Write adds a frame. After an error the file is worth nothing; the caller still closes the encoder.
func (e *Encoder) Write(frame []byte) error {
	if len(frame) != e.size {
		return fmt.Errorf("a frame of %d bytes, not %d", len(frame), e.size)
	}
	if _, err := e.in.Write(frame); err != nil {
		return errors.Join(fmt.Errorf("write a frame: %w", err), e.end())
	}
	e.frames++
	return nil
}

// Close waits until the file is whole. Further calls do nothing.
func (e *Encoder) Close() error {
	if e.closed {
		return nil
	}
	if e.frames == 0 {
		e.cancel()
		return errors.Join(errors.New("a video without frames"), e.end())
	}
	return e.end()
}

// Cancel ends the program and leaves a part of a file. It does nothing after Close.
func (e *Encoder) Cancel() {
	e.cancel()
	_ = e.end()
}

func (e *Encoder) end() error {
	if e.closed {
		return nil
	}
	e.closed = true
	defer e.cancel()
	closed := e.in.Close()
	if err := ended(e.ctx, e.cmd.Wait(), e.said); err != nil {
		return err
	}
	return closed
}
