// Package ffmpeg reads and writes video files with the program ffmpeg, which runs as a process of its own and is never linked.
//
// [Program.Probe] describes a file, [Program.Decode] reads its frames from a pipe, and [Program.Encode] writes frames to an H.264 file
// in MP4. A frame is one picture of 8-bit R, G, B samples without padding, row by row from the top left: 3*width*height bytes.
//
// A file is outside input. ffmpeg opens it by the protocols file and pipe alone, with the demuxers and decoders named here, and within
// [Limits]; it is killed with the context. Encoding is deterministic: equal frames give equal files for one version of ffmpeg, on any
// number of cores.
//
// Errors are those of plait/internal/core: INVALID_VIDEO for a file that cannot be read, TOO_LARGE for one beyond a limit, and
// MODEL_MISSING where there is no program.
package ffmpeg

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"os/exec"
	"strconv"
	"strings"
	"time"

	"plait/internal/assets"
	"plait/internal/core"
)

// Limits bounds what ffmpeg reads.
type Limits struct {
	Bytes    int64         // of a file
	Pixels   int           // of a frame
	Frames   int           // of a file
	Duration time.Duration // of a file
	Time     time.Duration // of the processor, for one run of ffmpeg
}

// DefaultLimits holds an hour of 4K at 60 frames a second.
var DefaultLimits = Limits{Bytes: 16 << 30, Pixels: 4096 * 4096, Frames: 1 << 18, Duration: 2 * time.Hour, Time: 24 * time.Hour}

// Program is ffmpeg with the limits of what it reads. It is safe for concurrent use.
type Program struct {
	path   string
	limits Limits
}

// New returns the program at path, as [Find] returns it.
func New(path string, limits Limits) *Program { return &Program{path: path, limits: limits} }

// Find returns the path of the program. The choices, in order: configured if it is not empty, ffmpeg on the PATH, the one that
// `make assets-video` put beside the asset folder assetsDir (empty: beside the program). Errors: MODEL_MISSING.
func Find(configured, assetsDir string) (string, error) {
	if configured != "" {
		path, err := exec.LookPath(configured)
		if err != nil {
			return "", core.Wrap(core.CodeModelMissing, err, "the configured ffmpeg is not a program")
		}
		return path, nil
	}
	if path, err := exec.LookPath("ffmpeg"); err == nil {
		return path, nil
	}
	return Fetched(assetsDir)
}

// Fetched returns the path of the program that `make assets-video` fetches. Errors: MODEL_MISSING.
func Fetched(assetsDir string) (string, error) {
	set, err := assets.Video.Open(assetsDir)
	if err == nil {
		var path string
		if path, err = set.Path(assets.FFmpeg); err == nil {
			return path, nil
		}
	}
	return "", core.Wrap(core.CodeModelMissing, err, "ffmpeg is missing: install it, or run `make assets-video`")
}

// Version returns the first line that the program prints about itself, after checking that it encodes H.264.
func (p *Program) Version(ctx context.Context) (string, error) {
	var out, encoders bytes.Buffer
	if err := p.run(ctx, &out, "-version"); err != nil {
		return "", core.Wrap(core.CodeModelMissing, err, "ffmpeg does not run")
	}
	if err := p.run(ctx, &encoders, "-encoders"); err != nil {
		return "", core.Wrap(core.CodeModelMissing, err, "ffmpeg does not run")
	}
	if !strings.Contains(encoders.String(), " libx264 ") {
		return "", core.NewError(core.CodeModelMissing, "this ffmpeg is built without libx264: install another, or run `make assets-video`")
	}
	version, _, _ := strings.Cut(out.String(), "\n")
	return version, nil
}

// The containers that are read, by the names of their demuxers, and the codecs, by the names of their decoders.
const (
	demuxers = "mov,matroska,avi,mpegts,nut"
	decoders = "h264,hevc,vp8,vp9,av1,libdav1d,libvpx,libvpx-vp9,mpeg4,mpeg2video,mjpeg,prores,ffv1,rawvideo," +
		"aac,mp3,mp3float,opus,libopus,vorbis,flac,ac3,pcm_s16le,pcm_s24le"
)

// input returns the arguments that open the file at path.
func (p *Program) input(path string) []string {
	return []string{
		"-protocol_whitelist", "file,pipe", "-format_whitelist", demuxers, "-codec_whitelist", decoders,
		"-max_pixels", strconv.Itoa(p.limits.Pixels), "-max_streams", "64", "-i", "file:" + path,
	}
}

// check refuses what is not a file, and a file that is too large.
func (p *Program) check(path string) error {
	info, err := os.Stat(path)
	if err != nil {
		return fmt.Errorf("open the video: %w", err)
	}
	if !info.Mode().IsRegular() || info.Size() == 0 {
		return core.NewError(core.CodeInvalidVideo, "the video is empty")
	}
	if info.Size() > p.limits.Bytes {
		return core.Errorf(core.CodeTooLarge, "the video has %d bytes; %d are allowed", info.Size(), p.limits.Bytes)
	}
	return nil
}

// command returns a run of the program that is killed with ctx, and what it says on its standard error.
func (p *Program) command(ctx context.Context, args ...string) (*exec.Cmd, *tail) {
	all := append([]string{"-hide_banner", "-nostdin", "-nostats", "-timelimit", strconv.Itoa(int(p.limits.Time.Seconds()))}, args...)
	cmd := exec.CommandContext(ctx, p.path, all...)
	said := &tail{}
	cmd.Stderr = said
	cmd.WaitDelay = 5 * time.Second // for pipes, once it has been killed
	return cmd, said
}

// run runs the program to its end. The error has the words of the program.
func (p *Program) run(ctx context.Context, out io.Writer, args ...string) error {
	cmd, said := p.command(ctx, args...)
	cmd.Stdout = out
	return ended(ctx, cmd.Run(), said)
}

// ended turns the end of a run into an error: the context's, or what the program said last.
func ended(ctx context.Context, err error, said *tail) error {
	switch {
	case err == nil:
		return nil
	case ctx.Err() != nil:
		return fmt.Errorf("ffmpeg: %w", ctx.Err())
	default:
		return fmt.Errorf("ffmpeg: %w: %s", err, strings.ReplaceAll(said.String(), "\n", "; "))
	}
}

// unreadable is the error of a file that ffmpeg does not read. The words of ffmpeg name files, so they are for logs alone.
func unreadable(ctx context.Context, err error) error {
	var limit *core.Error
	if err == nil || ctx.Err() != nil || errors.As(err, &limit) {
		return err
	}
	return core.Wrap(core.CodeInvalidVideo, err, "the video is damaged, or of a format that is not read")
}

// tail keeps the end of what a program says.
type tail struct{ kept []byte }

// tailSize is enough for the last dozens of messages.
const tailSize = 16 << 10

// Write keeps the last bytes of b. It never fails.
func (t *tail) Write(b []byte) (int, error) {
	t.kept = append(t.kept, b...)
	if over := len(t.kept) - tailSize; over > 0 {
		t.kept = append(t.kept[:0], t.kept[over:]...)
	}
	return len(b), nil
}

// String returns what was kept, without the space around it.
func (t *tail) String() string { return strings.TrimSpace(string(t.kept)) }

// head keeps the beginning of what a program says.
type head struct{ kept []byte }

// headSize is enough for the metadata and the first frame of a file.
const headSize = 1 << 20

// Write keeps the first bytes of all. It never fails.
func (h *head) Write(b []byte) (int, error) {
	h.kept = append(h.kept, b[:min(len(b), headSize-len(h.kept))]...)
	return len(b), nil
}
