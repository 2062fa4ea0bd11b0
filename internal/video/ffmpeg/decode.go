package ffmpeg

import (
	"bufio"
	"context"
	"errors"
	"fmt"
	"io"
	"os/exec"
	"strconv"
	"strings"

	"plait/internal/core"
)

// Decoding says what frames a file is read as.
type Decoding struct {
	// Width and Height are the size of the frames, to which those of the file are scaled if they have another: usually that of
	// [Info.Upright]. A file whose frames change their size keeps giving this one.
	Width, Height int
	// Rate makes the frames evenly spaced, by repeating and leaving out some. Zero: each frame once.
	Rate Rational
	// Skip and Count cut out a range of the frames. A Count of zero means all.
	Skip, Count int
}

// Frames reads the frames of a file one by one.
type Frames struct {
	ctx    context.Context
	cancel context.CancelFunc
	cmd    *exec.Cmd
	out    *bufio.Reader
	said   *tail
	size   int
	left   int
	err    error // of the end; io.EOF after the last frame
}

// Decode starts reading the video track of a file. The caller closes the frames. Errors: INVALID_VIDEO, TOO_LARGE.
func (p *Program) Decode(ctx context.Context, path string, d Decoding) (*Frames, error) {
	if err := p.check(path); err != nil {
		return nil, err
	}
	if d.Width <= 0 || d.Height <= 0 || d.Width > p.limits.Pixels/d.Height {
		return nil, core.Errorf(core.CodeTooLarge, "frames of %dx%d pixels are not read", d.Width, d.Height)
	}
	args := append([]string{"-v", "error"}, p.input(path)...)
	args = append(args, "-map", "0:V:0", "-vf", d.filters(), "-fps_mode", "passthrough")
	if d.Count > 0 {
		args = append(args, "-frames:v", strconv.Itoa(d.Count))
	}
	args = append(args, "-pix_fmt", "rgb24", "-f", "rawvideo", "pipe:1")
	ctx, cancel := context.WithCancel(ctx)
	cmd, said := p.command(ctx, args...)
	out, err := cmd.StdoutPipe()
	if err == nil {
		err = cmd.Start()
	}
	if err != nil {
		cancel()
		return nil, fmt.Errorf("start ffmpeg: %w", err)
	}
	size := 3 * d.Width * d.Height
	return &Frames{ctx: ctx, cancel: cancel, cmd: cmd, out: bufio.NewReader(out), said: said, size: size, left: p.limits.Frames}, nil
}

// exact makes the conversion of colors the same on every processor.
const exact = "flags=bicubic+accurate_rnd+full_chroma_int+bitexact"

func (d Decoding) filters() string {
	var f []string
	if d.Skip > 0 {
		f = append(f, fmt.Sprintf("select=gte(n\\,%d)", d.Skip))
	}
	if d.Rate.Num > 0 {
		f = append(f, fmt.Sprintf("fps=%d/%d", d.Rate.Num, d.Rate.Den))
	}
	return strings.Join(append(f, fmt.Sprintf("scale=%d:%d:%s", d.Width, d.Height, exact)), ",")
}

// Size is the number of bytes of a frame.
func (f *Frames) Size() int { return f.size }

// Next reads a frame into the first [Frames.Size] bytes of frame. After the last frame it returns io.EOF. Errors: INVALID_VIDEO,
// TOO_LARGE, and that of the context.
func (f *Frames) Next(frame []byte) error {
	if f.err != nil {
		return f.err
	}
	_, err := io.ReadFull(f.out, frame[:f.size])
	switch {
	case err == nil && f.left == 0:
		f.finish(core.NewError(core.CodeTooLarge, "the video has more frames than allowed"))
	case err == nil:
		f.left--
	case errors.Is(err, io.EOF):
		f.finish(unreadable(f.ctx, ended(f.ctx, f.cmd.Wait(), f.said)))
		if f.err == nil {
			f.err = io.EOF
		}
	default: // a part of a frame
		f.finish(unreadable(f.ctx, errors.Join(err, ended(f.ctx, f.cmd.Wait(), f.said))))
	}
	return f.err
}

// Damage returns the first complaint of ffmpeg about the file so far; empty for a sound file. It is known after the last frame.
func (f *Frames) Damage() string {
	if f.cmd.ProcessState == nil {
		return ""
	}
	return firstLine(f.said.String())
}

func (f *Frames) finish(err error) {
	f.err = err
	f.cancel()
}

// Close ends the program where it still runs, and frees what it holds.
func (f *Frames) Close() {
	f.cancel()
	if f.cmd.ProcessState == nil {
		_ = f.cmd.Wait()
	}
	if f.err == nil {
		f.err = io.ErrClosedPipe
	}
}

// IsEnd reports whether an error of [Frames.Next] says that the last frame was read.
func IsEnd(err error) bool { return err == io.EOF } //nolint:errorlint // Next returns it bare
