package ffmpeg

import (
	"bufio"
	"fmt"
	"io"
	"math"
	"regexp"
	"slices"
	"strconv"
	"strings"

	"plait/internal/core"
)

// parsePackets reads what the muxer framecrc writes: header lines such as "#dimensions 0: 640x360", and for each packet its stream,
// decoding time, presentation time, duration, size and checksum, and flags where they are not those of a key frame. Stream 0 is the
// video, others are audio. At most limit frames are allowed.
func parsePackets(r io.Reader, limit int) (Info, error) {
	p := packetParser{info: Info{}, limit: limit}
	lines := bufio.NewScanner(r)
	for lines.Scan() {
		if err := p.line(lines.Text()); err != nil {
			return Info{}, err
		}
	}
	if err := lines.Err(); err != nil {
		return Info{}, fmt.Errorf("packets of the video: %w", err)
	}
	return p.end()
}

type packetParser struct {
	info  Info
	limit int
	last  int64 // the time of the frame whose duration LastDuration is
}

// headers are the header lines that are read: key, stream and value.
var headers = regexp.MustCompile(`^#(tb|media_type|codec_id|dimensions|sample_rate) (\d{1,3}): (\S+)$`)

func (p *packetParser) line(line string) error {
	if !strings.HasPrefix(line, "#") {
		return p.packet(line)
	}
	m := headers.FindStringSubmatch(line)
	if m == nil {
		return nil // software, extradata, sample aspect, channel layout
	}
	if m[2] != "0" {
		return p.audio(m[1], m[2], m[3])
	}
	switch m[1] {
	case "tb":
		_, err := fmt.Sscanf(m[3], "%d/%d", &p.info.TimeBase.Num, &p.info.TimeBase.Den)
		if err != nil || p.info.TimeBase.Num <= 0 || p.info.TimeBase.Den <= 0 {
			return fmt.Errorf("time base %q", m[3])
		}
	case "codec_id":
		p.info.Codec = m[3]
	case "dimensions":
		_, err := fmt.Sscanf(m[3], "%dx%d", &p.info.Width, &p.info.Height)
		if err != nil || p.info.Width <= 0 || p.info.Height <= 0 || p.info.Width > math.MaxInt32 || p.info.Height > math.MaxInt32 {
			return core.Errorf(core.CodeInvalidVideo, "the video has frames of %s pixels", m[3])
		}
	}
	return nil
}

// audio reads a header line of an audio track.
func (p *packetParser) audio(key, stream, value string) error {
	track, err := strconv.Atoi(stream)
	if err != nil || track < 1 || track > len(p.info.Audio)+1 {
		return fmt.Errorf("audio track %q", stream)
	}
	if track > len(p.info.Audio) {
		p.info.Audio = append(p.info.Audio, Audio{})
	}
	switch a := &p.info.Audio[track-1]; key {
	case "codec_id":
		a.Codec = value
	case "sample_rate":
		if a.SampleRate, err = strconv.Atoi(value); err != nil {
			return fmt.Errorf("sample rate %q", value)
		}
	}
	return nil
}

// discarded is the flag of a packet that is decoded and not shown (AV_PKT_FLAG_DISCARD).
const discarded = 4

func (p *packetParser) packet(line string) error {
	fields := strings.Split(line, ",")
	if len(fields) < 6 {
		return fmt.Errorf("packet %q", line)
	}
	if strings.TrimSpace(fields[0]) != "0" {
		return nil
	}
	for _, field := range fields[6:] {
		if hex, ok := strings.CutPrefix(strings.TrimSpace(field), "F=0x"); ok {
			if flags, err := strconv.ParseUint(hex, 16, 32); err != nil {
				return fmt.Errorf("packet %q", line)
			} else if flags&discarded != 0 {
				return nil
			}
		}
	}
	shown, err := strconv.ParseInt(strings.TrimSpace(fields[2]), 10, 64)
	if err != nil || shown < -math.MaxInt32*1000 || shown > math.MaxInt64/4 {
		return core.NewError(core.CodeInvalidVideo, "the video does not say when its frames are shown")
	}
	lasts, err := strconv.ParseInt(strings.TrimSpace(fields[3]), 10, 64)
	if err != nil || lasts < 0 || lasts > math.MaxInt64/4 {
		return fmt.Errorf("packet %q", line)
	}
	if len(p.info.Times) == p.limit {
		return core.Errorf(core.CodeTooLarge, "the video has more than %d frames", p.limit)
	}
	if len(p.info.Times) == 0 || shown > p.last {
		p.last, p.info.LastDuration = shown, lasts
	}
	p.info.Times = append(p.info.Times, shown)
	return nil
}

func (p *packetParser) end() (Info, error) {
	i := p.info
	switch {
	case i.Codec == "" || i.Width == 0 || i.TimeBase.Den == 0:
		return Info{}, core.NewError(core.CodeInvalidVideo, "the file has no video track")
	case len(i.Times) == 0:
		return Info{}, core.NewError(core.CodeInvalidVideo, "the video has no frames")
	}
	slices.Sort(i.Times)
	if i.LastDuration == 0 && len(i.Times) > 1 { // the container does not say: as long as the one before
		i.LastDuration = i.Times[len(i.Times)-1] - i.Times[len(i.Times)-2]
	}
	return i, nil
}

// What the filter showinfo says about the first frame. Lines of metadata, which come from the file, are indented and never match.
var (
	shownFrame = regexp.MustCompile(`(?m)^\[Parsed_showinfo_0 @ [^\]]*\] n: +0 .* fmt:(\w+) .* i:([PTB]) `)
	shownTurn  = regexp.MustCompile(`(?m)^\[Parsed_showinfo_0 @ [^\]]*\] +side data - .*displaymatrix: rotation of (-?\d+\.\d+) degrees`)
	shownColor = regexp.MustCompile(`(?m)^\[Parsed_showinfo_0 @ [^\]]*\] color_range:(\S+) color_space:(\S+) color_primaries:(\S+) color_trc:(\S+)`)
)

// parseFrame adds what showinfo says about the first frame.
func parseFrame(text string, info *Info) error {
	frame := shownFrame.FindStringSubmatch(text)
	if frame == nil {
		return core.NewError(core.CodeInvalidVideo, "the first frame of the video cannot be decoded")
	}
	info.PixelFormat, info.Interlaced = frame[1], frame[2] != "P"
	if turn := shownTurn.FindStringSubmatch(text); turn != nil {
		counterclockwise, err := strconv.ParseFloat(turn[1], 64)
		if err != nil || math.Abs(counterclockwise) > 360 {
			return core.NewError(core.CodeInvalidVideo, "the video is turned by an unknown angle")
		}
		info.Rotation = (360 - int(math.Round(counterclockwise/90))*90) % 360
		if info.Rotation < 0 {
			info.Rotation += 360
		}
	}
	if color := shownColor.FindStringSubmatch(text); color != nil {
		info.Color = Color{Range: color[1], Space: color[2], Primaries: color[3], Transfer: color[4]}
	}
	return nil
}

func firstLine(text string) string {
	line, _, _ := strings.Cut(text, "\n")
	return line
}
