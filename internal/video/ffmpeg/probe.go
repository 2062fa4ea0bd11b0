package ffmpeg

import (
	"context"
	"io"
	"time"

	"plait/internal/core"
)

// Info describes a video file.
type Info struct {
	Codec         string // as ffmpeg names it, such as h264
	PixelFormat   string // as ffmpeg names it, such as yuv420p or yuv420p10le
	Width, Height int    // of a frame as it is stored, before Rotation
	Rotation      int    // degrees clockwise by which a player turns frames: 0, 90, 180 or 270
	Interlaced    bool
	Color         Color
	TimeBase      Rational // seconds of one unit of Times
	Times         []int64  // when each frame is shown, in units of TimeBase, ascending
	LastDuration  int64    // how long the last frame is shown, in units of TimeBase
	Audio         []Audio
	// Damage is the first complaint of ffmpeg about the file, which may be readable nevertheless; empty for a sound file.
	Damage string
}

// Color says how the samples of a frame are meant, in ffmpeg's words, such as bt709; "unknown" where the file does not say.
type Color struct{ Range, Space, Primaries, Transfer string }

// Audio describes a track of sound.
type Audio struct {
	Codec      string
	SampleRate int // Hz
}

// Rational is a fraction of positive numbers.
type Rational struct{ Num, Den int64 }

// Upright returns the size of a frame as it is shown, with Rotation applied.
func (i Info) Upright() (width, height int) {
	if i.Rotation%180 != 0 {
		return i.Height, i.Width
	}
	return i.Width, i.Height
}

// Frames is the number of frames.
func (i Info) Frames() int { return len(i.Times) }

// Duration is the time from the first frame to the end of the last.
func (i Info) Duration() time.Duration {
	return i.TimeBase.duration(i.span())
}

// Rate returns the mean number of frames a second.
func (i Info) Rate() float64 {
	return float64(len(i.Times)) / i.Duration().Seconds()
}

// Constant reports whether every frame is shown for the same time, within one unit of the time base.
func (i Info) Constant() bool {
	if len(i.Times) < 2 {
		return true
	}
	shortest, longest := i.Times[1]-i.Times[0], i.Times[1]-i.Times[0]
	for k := 1; k < len(i.Times); k++ {
		shortest, longest = min(shortest, i.Times[k]-i.Times[k-1]), max(longest, i.Times[k]-i.Times[k-1])
	}
	return longest-shortest <= 1
}

func (i Info) span() int64 {
	if len(i.Times) == 0 {
		return 0
	}
	return i.Times[len(i.Times)-1] - i.Times[0] + i.LastDuration
}

func (r Rational) duration(units int64) time.Duration {
	return time.Duration(float64(units) * float64(r.Num) / float64(r.Den) * float64(time.Second))
}

// Probe reads a file's packets and its first frame, and no other. Errors: INVALID_VIDEO, also for a file without a video track, and
// TOO_LARGE.
func (p *Program) Probe(ctx context.Context, path string) (Info, error) {
	if err := p.check(path); err != nil {
		return Info{}, err
	}
	info, err := p.packets(ctx, path)
	if err != nil {
		return Info{}, unreadable(ctx, err)
	}
	if err := p.firstFrame(ctx, path, &info); err != nil {
		return Info{}, unreadable(ctx, err)
	}
	return info, p.limits.allow(info)
}

// packets lists the packets of the first video track and of all audio tracks, and decodes none.
func (p *Program) packets(ctx context.Context, path string) (Info, error) {
	args := append([]string{"-v", "error"}, p.input(path)...)
	cmd, said := p.command(ctx, append(args, "-map", "0:V:0", "-map", "0:a?", "-c", "copy", "-f", "framecrc", "pipe:1")...)
	out, err := cmd.StdoutPipe()
	if err != nil {
		return Info{}, err
	}
	if err := cmd.Start(); err != nil {
		return Info{}, err
	}
	info, parsed := parsePackets(out, p.limits.Frames)
	if parsed != nil {
		_ = cmd.Process.Kill()
	}
	_, _ = io.Copy(io.Discard, out)
	if err := ended(ctx, cmd.Wait(), said); err != nil && (parsed == nil || core.CodeOf(parsed) != core.CodeTooLarge) {
		return Info{}, err
	}
	info.Damage = firstLine(said.String())
	return info, parsed
}

// firstFrame decodes one frame and adds what only frames tell.
func (p *Program) firstFrame(ctx context.Context, path string, info *Info) error {
	args := append([]string{"-v", "info", "-noautorotate"}, p.input(path)...)
	cmd, said := p.command(ctx, append(args, "-map", "0:V:0", "-frames:v", "1", "-vf", "showinfo", "-f", "null", "pipe:1")...)
	shown := &head{}
	cmd.Stderr = io.MultiWriter(said, shown)
	if err := ended(ctx, cmd.Run(), said); err != nil {
		return err
	}
	return parseFrame(string(shown.kept), info)
}

// allow refuses a video beyond the limits.
func (l Limits) allow(i Info) error {
	if i.Width*i.Height > l.Pixels {
		return core.Errorf(core.CodeTooLarge, "a frame of the video has %dx%d pixels; %d pixels are allowed", i.Width, i.Height, l.Pixels)
	}
	if i.Duration() > l.Duration {
		return core.Errorf(core.CodeTooLarge, "the video lasts %v; %v are allowed", i.Duration().Round(time.Second), l.Duration)
	}
	return nil
}
