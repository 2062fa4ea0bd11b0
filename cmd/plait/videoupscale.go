package main

import (
	"context"
	"errors"
	"fmt"
	"path/filepath"
	"strings"

	"github.com/spf13/cobra"

	videoinstallation "plait/installation/video"
	"plait/internal/config"
	"plait/internal/core"
	"plait/internal/files"
	"plait/internal/ranks"
	"plait/internal/video/upscale"
	"plait/internal/video/window"
)

// windowFlags are the choices of commands that run a streaming model.
type windowFlags struct {
	videoinstallation.UpscaleOptions
}

func (f *windowFlags) add(c *cobra.Command) {
	c.Flags().StringVar(&f.Model, "model", "", "manifest of a streaming model (default: realesr-animevideov3)")
	c.Flags().IntVar(&f.Scale, "scale", 0, "how many times wider and higher frames become: 2 or 4 (default 2, or that of --model)")
	c.Flags().BoolVar(&f.FrameByFrame, "frame-by-frame", false, "enlarge each frame on its own: still areas flicker with the noise of the source")
	f.Schedule, f.Cut = window.Basic, window.CutAuto
	c.Flags().Var(reading(&f.Devices, "string", "", parseDevices), "devices", "one device, two, or a third that prepares, such as cuda:0,cuda:1 (default: the configured one; on a CPU cpu:0,cpu:1)")
	c.Flags().Var(choice(&f.Schedule, window.Schedules...), "schedule", "what the devices do at once: sequential, basic or aggressive")
	c.Flags().Var(reading(&f.Cut, "string", "auto", window.ParseCut), "cut", "where the blocks of the model are divided between two devices: auto, half or a number")
}

// parseDevices is a list of devices, once it is known that it can be read.
func parseDevices(list string) (string, error) {
	_, err := window.ParseDevices(list)
	return list, err
}

// upscaleFlags are the choices of `plait video upscale`.
type upscaleFlags struct {
	windowFlags
	server  string
	out     string
	quality int
	ranks   int
	listen  string
	asJSON  bool
}

func newVideoUpscale(a *app) *cobra.Command {
	f := &upscaleFlags{quality: 18, ranks: 1}
	c := &cobra.Command{
		Use:   "upscale VIDEO",
		Short: "Enlarge a video on this machine, or on a server",
		Long: `Enlarge a video with realesr-animevideov3, a network for drawn video, or with another streaming model, and write it beside the video or to
the file that -o names. Sound, the time of each frame and the tags of colors stay as they are; turned frames are stored upright. The command
needs no server and no database, and fetches the model and ffmpeg when it is first used.

While it works, a folder beside the result, named as the result with .part, has what is done. After an interruption the same command goes on
from there, and the result is byte for byte the same. The folder is removed at the end.

With --ranks 2, a second process runs the last blocks of the model on the second device. It is started again when it dies. With --listen,
it is "plait worker --rank 1 --leader" on another host.

With --server the API of a server enlarges it, with realesr-animevideov3 and on devices of its own: the video is uploaded, and the result is an
MP4 file in any case.

The result is an MP4 file, or a Matroska file if the sound is of a codec that MP4 does not have.

Exit status: 0 done, 1 failed, 2 wrong usage, 130 interrupted.`,
		Example: `  plait video upscale clip.mp4
  plait video upscale clip.mp4 --scale 4 --devices cuda:0,cuda:1 --schedule aggressive -o large.mp4`,
		Args: oneArgument("VIDEO"),
		RunE: a.configured(f.run),
	}
	f.add(c)
	c.Flags().StringVar(&f.server, "server", "", "use the API at this address, with the key in "+config.EnvAPIKey+", instead of this machine")
	c.Flags().StringVarP(&f.out, "out", "o", "", "where to write the video")
	c.Flags().Var(upTo(&f.quality, 51), "quality", "constant rate factor of x264: 1 is best, 51 worst")
	c.Flags().Var(upTo(&f.ranks, 2), "ranks", "processes that share the model: 1 or 2")
	c.Flags().StringVar(&f.listen, "listen", "", "host:port at which the second rank, on another host, joins")
	c.Flags().BoolVar(&f.asJSON, "json", false, "print one JSON line for each window, and one for the result; with --server, one for each event")
	return c
}

func (f *upscaleFlags) run(c *cobra.Command, l *config.Loaded, args []string) error {
	if f.server != "" {
		return f.runByServer(c, l, args[0])
	}
	if f.listen != "" && f.ranks != 2 {
		return usageError(c, errors.New("--listen needs --ranks 2"))
	}
	ctx, notes := c.Context(), c.ErrOrStderr()
	configured, err := videoinstallation.UpscaleConfig(l, f.UpscaleOptions)
	if err != nil {
		return err
	}
	program, err := videoinstallation.Program(ctx, l, notes)
	if err != nil {
		return err
	}
	model, err := videoinstallation.UpscaleModel(ctx, l, f.UpscaleOptions, notes)
	if err != nil {
		return err
	}
	info, err := upscale.Check(ctx, program, args[0], model.Scale)
	if err != nil {
		return &files.Error{Path: args[0], Err: err}
	}
	target, err := f.target(args[0], model.Scale, info.Container())
	if err != nil {
		return err
	}
	work, err := upscale.OpenWork(ctx, target+".part")
	if err != nil {
		return err
	}
	defer work.Close()
	result, ranks, err := f.enlarge(ctx, l, work.Keeps(upscale.Job{
		Program: program, Model: model, Config: configured, Source: args[0], Target: target, Quality: f.quality, Wrote: f.report(c),
	}))
	if err != nil {
		return err
	}
	if err := f.print(c, target, result, ranks); err != nil {
		return err
	}
	return work.Remove()
}

// enlarge runs a job, on one rank or two.
func (f *upscaleFlags) enlarge(ctx context.Context, l *config.Loaded, job upscale.Job) (upscale.Result, *ranks.Stats, error) {
	if f.ranks == 2 {
		return videoinstallation.UpscaleOnRanks(ctx, l, f.UpscaleOptions, f.listen, job)
	}
	result, err := upscale.Run(ctx, job)
	return result, nil, err
}

// target returns the path of the result.
func (f *upscaleFlags) target(source string, scale int, container string) (string, error) {
	ending := ".mp4"
	if container == "matroska" {
		ending = ".mkv"
	}
	target := f.out
	if target == "" {
		target = fmt.Sprintf("%s.%dx%s", strings.TrimSuffix(source, filepath.Ext(source)), scale, ending)
	}
	switch {
	case !strings.EqualFold(filepath.Ext(target), ending):
		return "", core.Errorf(core.CodeInvalidInput, "the name of the result must end with %s: its sound is of a codec for %s", ending, container)
	case files.Absolute(target) == files.Absolute(source):
		return "", core.NewError(core.CodeInvalidInput, "the result would replace the video")
	default:
		return target, nil
	}
}

// upscaleLine is a line of --json.
type upscaleLine struct {
	Frames   int                `json:"frames"`
	Total    int                `json:"total"`
	File     string             `json:"file,omitempty"`
	Width    int                `json:"width,omitempty"`
	Height   int                `json:"height,omitempty"`
	Resumed  int                `json:"resumed_frames,omitempty"`
	Schedule window.Schedule    `json:"schedule,omitempty"`
	Cut      *int               `json:"cut,omitempty"`
	Seconds  float64            `json:"processing_seconds,omitempty"`
	Busy     map[string]float64 `json:"busy_seconds,omitempty"`
	// Ranks is what went to the other rank.
	Ranks *ranks.Stats `json:"ranks,omitempty"`
}

func (f *upscaleFlags) report(c *cobra.Command) func(frames, total int) {
	if f.asJSON {
		lines := lineEncoder(c.OutOrStdout())
		return func(frames, total int) { _ = lines.Encode(upscaleLine{Frames: frames, Total: total}) }
	}
	percent := -1
	return func(frames, total int) {
		if now := 100 * frames / max(total, 1); now != percent {
			percent = now
			fmt.Fprintf(c.ErrOrStderr(), "%d of %d frames (%d %%)\n", frames, total, percent)
		}
	}
}

func (f *upscaleFlags) print(c *cobra.Command, target string, r upscale.Result, stats *ranks.Stats) error {
	line := upscaleLine{
		Frames: r.Info.Frames(), Total: r.Info.Frames(), File: target, Width: r.Size.Width, Height: r.Size.Height, Resumed: r.Resumed,
		Schedule: f.Schedule, Cut: &r.Cut, Seconds: r.Timeline.Makespan.Seconds(), Busy: map[string]float64{}, Ranks: stats,
	}
	for device, busy := range r.Timeline.Busy {
		line.Busy[device] = busy.Seconds()
	}
	return answer(c, f.asJSON, line, "%d frames of %s → %s\n", line.Frames, r.Size, target)
}
