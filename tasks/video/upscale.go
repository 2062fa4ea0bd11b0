package videotasks

import (
	"bytes"
	"cmp"
	"context"
	"errors"
	"io"
	"slices"

	"plait/internal/core"
	"plait/internal/records"
	videorecords "plait/internal/records/video"
	"plait/internal/video"
	"plait/tasks"
)

// planUpscale plans the task of a request to enlarge a video. A worker examines the video, because that takes ffmpeg; a file that is none by
// its first bytes is refused here.
func (s *Service) planUpscale(ctx context.Context, r Request, m video.Model) (p tasks.Plan, err error) {
	o := video.Options{Model: m.Name, Engine: m.Engine, Type: video.VideoUpscale}
	switch {
	case r.Prompt != "" || r.NegativePrompt != "" || r.Image != nil:
		err = core.NewError(core.CodeInvalidInput, "input has more than a video: video_upscale takes no prompt and no image")
	case r.Resolution != "" || r.Duration != nil || r.Seed != nil || or(r.Watermark, false):
		err = core.NewError(core.CodeInvalidInput, "parameters has more than scale: video_upscale keeps everything but the size of frames")
	case r.Video == nil:
		err = core.NewError(core.CodeInvalidInput, "input.video is missing: video_upscale needs one")
	default:
		err = cmp.Or(r.scale(m, &o), checkVideo(*r.Video))
	}
	if err != nil {
		return p, err
	}
	input := r.Video.Content()
	input.Name = "video"
	if err := input.Identify(ctx); err != nil {
		return p, err
	}
	p = r.NewPlan(video.Kind)
	p.Items, p.Options, p.Covers = []tasks.Content{input}, o.JSON(), o
	p.Details = func(taskID string) []records.Statement { return videorecords.Create(taskID, o) }
	return p, nil
}

// headBytes is enough for the first bytes of every container: two packets of an MPEG transport stream.
const headBytes = 189

// checkVideo fails with INVALID_VIDEO for a file whose first bytes are those of no container that is read.
func checkVideo(f tasks.Upload) error {
	head := make([]byte, headBytes)
	n, err := f.File.ReadAt(head, 0)
	if err != nil && !errors.Is(err, io.EOF) {
		return core.Wrap(core.CodeUnavailable, err, "the upload cannot be read")
	}
	head = head[:n]
	if len(head) >= 8 && slices.Contains(movAtoms, string(head[4:8])) {
		return nil
	}
	for _, start := range []string{"\x1a\x45\xdf\xa3", "RIFF", "nut/multimedia container"} {
		if bytes.HasPrefix(head, []byte(start)) {
			return nil
		}
	}
	if len(head) == headBytes && head[0] == transportSync && head[headBytes-1] == transportSync {
		return nil
	}
	return core.NewError(core.CodeInvalidVideo, "input.video: the file is none of MP4, MOV, Matroska, WebM, AVI, MPEG-TS and NUT")
}

// movAtoms are the types of the first atom of MP4 and MOV files (QuickTime File Format), and transportSync is the first byte of each packet
// of 188 bytes of a transport stream (ISO/IEC 13818-1).
var movAtoms = []string{"ftyp", "moov", "mdat", "free", "skip", "wide", "pnot"}

const transportSync = 0x47
