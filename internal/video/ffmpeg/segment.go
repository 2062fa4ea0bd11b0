package ffmpeg

import (
	"bytes"
	"cmp"
	"context"
	"encoding/binary"
	"errors"
	"fmt"
	"io"
	"strconv"

	"plait/internal/core"
)

// Segment says how the frames of a part of a video are written, which [Program.Join] joins with the others.
type Segment struct {
	Width, Height int
	// ToWidth and ToHeight are the size in which the frames are written; zero means that in which they come.
	ToWidth, ToHeight int
	Rate              Rational // about how many frames a second there are, for the encoder to share out bits
	Quality           int      // as in [Encoding]
	// Color is that of the file from which the frames were read. The samples get the same matrix and range, and the tags stay.
	Color Color
}

// EncodeSegment starts writing frames as a raw H.264 stream to path, which it replaces. It begins with a key frame and has no frames that
// are decoded before others and shown after them, so that streams can be joined, and given times, without another encoding.
func (p *Program) EncodeSegment(ctx context.Context, path string, s Segment) (*Encoder, error) {
	e := Encoding{Width: s.Width, Height: s.Height, Rate: s.Rate, Quality: s.Quality}
	filters := fmt.Sprintf("scale=%d:%d", cmp.Or(s.ToWidth, s.Width), cmp.Or(s.ToHeight, s.Height)) + ":out_color_matrix=" + s.Color.matrix() + ":out_range=" + s.Color.samples() + ":" + exact + ",format=yuv420p,setparams=range=" + s.Color.samples()
	for _, tag := range []struct{ filter, value string }{
		{":colorspace=", s.Color.Space}, {":color_primaries=", s.Color.Primaries}, {":color_trc=", s.Color.Transfer},
	} {
		if !known(tag.value) {
			tag.value = "unknown"
		}
		filters += tag.filter + tag.value
	}
	args := []string{"-bf", "0", "-x264-params", "aud=1"}
	return p.encode(ctx, e, filters, append(args, "-f", "h264", "file:"+path))
}

func known(tag string) bool {
	return tag != "" && tag != "unknown" && tag != "unspecified" && tag != "reserved"
}

// matrix returns the name, for the filter scale, of the matrix with which frames were read. A file without a tag was read with that of
// BT.601.
func (c Color) matrix() string {
	switch c.Space {
	case "bt709", "bt470bg", "smpte170m", "smpte240m", "bt2020", "fcc":
		return c.Space
	case "bt2020nc", "bt2020c":
		return "bt2020"
	default:
		return "bt601"
	}
}

// samples returns the range of the samples: tv or pc.
func (c Color) samples() string {
	if c.Range == "pc" {
		return "pc"
	}
	return "tv"
}

// Joining says what becomes one file.
type Joining struct {
	// Source is the file from which the frames came, and whose sound goes into the result. Info describes it.
	Source string
	Info   Info
	// Container is the format of the result, as [Info.Container] returns it; empty is that in which the sound can be kept. Sound of a codec
	// that the format does not have becomes AAC.
	Container string
	// Width and Height are the size of the frames of the segments.
	Width, Height int
	// Segments returns the content of each segment in order, or [io.EOF] after the last. All frames of Source are in them.
	Segments func() ([]byte, error)
}

// Join writes segments to path, which it replaces, as MP4, or as Matroska if the sound of the source is of a codec that MP4 does not have
// ([Info.Container]), unless the format is given. Each frame has the time of that of the source. No frame is encoded again.
//
// Errors: INVALID_VIDEO if the source has another number of frames than it says.
func (p *Program) Join(ctx context.Context, path string, j Joining) error {
	container := cmp.Or(j.Container, j.Info.Container())
	args := []string{"-v", "error", "-y", "-itsoffset", strconv.FormatFloat(j.Info.first(), 'f', 6, 64), "-f", "ivf", "-i", "pipe:0"}
	args = append(args, p.input(j.Source)...)
	args = append(args, "-map", "0:v", "-map", "1:a?", "-c", "copy", "-map_metadata", "-1", "-map_chapters", "-1", "-fflags", "+bitexact")
	if container != j.Info.Container() {
		args = append(args, "-c:a", "aac")
	}
	if container == containerMP4 {
		args = append(args, "-video_track_timescale", strconv.FormatInt(j.Info.TimeBase.Den, 10), "-movflags", "+faststart", "-strict", "experimental")
	}
	ctx, cancel := context.WithCancel(ctx)
	defer cancel()
	cmd, said := p.command(ctx, append(args, "-f", container, "file:"+path)...)
	in, err := cmd.StdinPipe()
	if err == nil {
		err = cmd.Start()
	}
	if err != nil {
		return fmt.Errorf("start ffmpeg: %w", err)
	}
	written := j.write(in)
	if core.CodeOf(written) == core.CodeInvalidVideo {
		cancel() // the file would look whole
	}
	_ = in.Close()
	if err := ended(ctx, cmd.Wait(), said); err != nil && written == nil {
		return err
	}
	return written
}

// Container returns the name of the format in which the sound of the file can be kept: mp4 or matroska.
func (i Info) Container() string {
	for _, a := range i.Audio {
		switch a.Codec {
		case "aac", "mp3", "ac3", "opus", "flac":
		default:
			return "matroska"
		}
	}
	return containerMP4
}

const containerMP4 = "mp4"

// write writes the frames of segments in the format IVF, which has a time for each.
func (j Joining) write(w io.Writer) error {
	head := append([]byte("DKIF\x00\x00\x20\x00H264"), 0, 0, 0, 0)
	binary.LittleEndian.PutUint16(head[12:], uint16(j.Width))
	binary.LittleEndian.PutUint16(head[14:], uint16(j.Height))
	head = binary.LittleEndian.AppendUint32(head, uint32(j.Info.TimeBase.Den))
	head = binary.LittleEndian.AppendUint32(head, uint32(j.Info.TimeBase.Num))
	head = binary.LittleEndian.AppendUint32(head, uint32(len(j.Info.Times)))
	if _, err := w.Write(append(head, 0, 0, 0, 0)); err != nil {
		return err
	}
	frame := 0
	for {
		segment, err := j.Segments()
		if errors.Is(err, io.EOF) {
			break
		}
		if err != nil {
			return err
		}
		for _, unit := range accessUnits(segment) {
			if frame < len(j.Info.Times) {
				header := binary.LittleEndian.AppendUint32(nil, uint32(len(unit)))
				header = binary.LittleEndian.AppendUint64(header, uint64(j.Info.Times[frame]-j.Info.Times[0]))
				if _, err := w.Write(append(header, unit...)); err != nil {
					return err
				}
			}
			frame++
		}
	}
	if frame != len(j.Info.Times) {
		return core.Errorf(core.CodeInvalidVideo, "the video is damaged: it has %d frames, of which %d can be read", len(j.Info.Times), frame)
	}
	return nil
}

// delimiter begins each frame of a stream that [Program.EncodeSegment] writes: a start code, and a NAL unit of the type 9.
var delimiter = []byte{0, 0, 0, 1, 9}

// accessUnits divides a stream into the bytes of its frames.
func accessUnits(stream []byte) [][]byte {
	var units [][]byte
	for len(stream) > 0 {
		next := bytes.Index(stream[1:], delimiter) + 1
		if next == 0 {
			next = len(stream)
		}
		units = append(units, stream[:next])
		stream = stream[next:]
	}
	return units
}
