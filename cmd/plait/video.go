package main

import (
	"context"
	"errors"
	"fmt"
	"path/filepath"
	"strings"

	"github.com/spf13/cobra"

	"plait/api/client"
	"plait/api/client/progress"
	"plait/api/schema"
	videoclient "plait/api/video/client"
	videoschema "plait/api/video/schema"
	videoinstallation "plait/installation/video"
	"plait/internal/config"
	"plait/internal/core"
	"plait/internal/files"
	"plait/internal/video"
	videotasks "plait/tasks/video"
)

func newVideo(a *app) *cobra.Command {
	return group(&cobra.Command{Use: "video", Short: "Make videos from images and prompts, and enlarge videos"},
		newVideoGenerate(a), newVideoEstimate(a), newVideoStatus(a), newVideoCancel(a), newVideoUpscale(a), newVideoComic(a), newVideoProfile(a))
}

// videoFlags are the choices of `plait video generate`.
type videoFlags struct {
	server, out                         string
	model, prompt, negative, resolution string
	duration                            int
	seed                                int64
	keepPrompt, watermark, asJSON       bool
}

func newVideoGenerate(a *app) *cobra.Command {
	f := &videoFlags{}
	c := &cobra.Command{
		Use:   "generate [IMAGE] --prompt TEXT",
		Short: "Make a video from an image, or from a prompt alone",
		Long: `Make a video from an image, or from a prompt alone, watch it, and write it beside the image or to the file that -o names.

The model motion is part of this program and needs no device: it moves a camera over the image as the prompt says (pan, tilt, zoom in or
out, parallax; slowly or fast). Other models are those of the file that video.catalog names.

Exit status: 0 done, 1 failed, 2 wrong usage, 130 interrupted.`,
		Example: `  plait video generate page.png --prompt "slow zoom in"
  plait video generate --model wan2.1 --prompt "a whale over a lighthouse" -o whale.mp4`,
		Args: func(_ *cobra.Command, args []string) error {
			if len(args) > 1 {
				return fmt.Errorf("name one IMAGE, not %d", len(args))
			}
			return nil
		},
		RunE: a.configured(f.run),
	}
	addServer(c, &f.server)
	c.Flags().StringVar(&f.model, "model", video.MotionName, "model that makes the video")
	c.Flags().StringVar(&f.prompt, "prompt", "", "what the video shows")
	c.Flags().StringVar(&f.negative, "negative-prompt", "", "what the video does not show")
	c.Flags().StringVar(&f.resolution, "resolution", "", "480P, 720P or 1080P (default 480P)")
	c.Flags().IntVar(&f.duration, "duration", 0, "seconds (default: that of the model)")
	c.Flags().Int64Var(&f.seed, "seed", 0, "seed; the same seed gives the same video (default: drawn)")
	c.Flags().BoolVar(&f.keepPrompt, "keep-prompt", false, "use the prompt as it is, without a language model")
	c.Flags().BoolVar(&f.watermark, "watermark", false, `show "AI生成" at the lower right`)
	c.Flags().BoolVar(&f.asJSON, "json", false, "print one JSON line an event")
	c.Flags().StringVarP(&f.out, "out", "o", "", "where to write the video")
	return c
}

func (f *videoFlags) run(c *cobra.Command, l *config.Loaded, args []string) error {
	request, target, err := f.request(c, args)
	if err != nil {
		return err
	}
	s := newSession(c, l, f.server, progress.New(c.OutOrStdout(), f.asJSON, kinds.Progress()))
	if f.server == "" && f.model == video.MotionName {
		if err := videoinstallation.Fetch(c.Context(), l, c.ErrOrStderr()); err != nil {
			return err
		}
	}
	return s.make("The task goes on when the stack runs again: plait tasks lists it.", target, func(ctx context.Context, api *client.Client) (schema.Task, error) {
		return videoclient.Client{Client: api}.Create(ctx, request, "")
	})
}

// request checks everything that can be checked before anything starts.
func (f *videoFlags) request(c *cobra.Command, args []string) (r videoschema.Request, target files.Result, err error) {
	if strings.TrimSpace(f.prompt) == "" {
		return r, target, usageError(c, errors.New("--prompt is missing"))
	}
	keep := !f.keepPrompt
	r = videoschema.Request{
		Model: f.model, Type: string(video.TextToVideo), Input: &videoschema.Input{Prompt: f.prompt, NegativePrompt: f.negative},
		Parameters: &videoschema.Parameters{Resolution: f.resolution, PromptExtend: &keep, Watermark: &f.watermark,
			Duration: given(c, "duration", f.duration), Seed: given(c, "seed", f.seed)},
	}
	target.File = f.out
	if len(args) == 1 {
		r.Type = string(video.ImageToVideo)
		if r.Input.Image, err = videoclient.ImageURI(args[0], videotasks.MaxImageBytes); err != nil {
			return r, target, files.In(args[0], err)
		}
		if f.out == "" {
			target.File = strings.TrimSuffix(args[0], filepath.Ext(args[0])) + ".mp4"
		}
	}
	if target.File == "" {
		return r, target, usageError(c, errors.New("-o is missing: without an image it names the file of the video"))
	}
	return r, target, target.Check(args)
}

func newVideoStatus(a *app) *cobra.Command {
	t := &taskCommand{command: &cobra.Command{
		Use: "status TASK", Short: "Print the state of a video",
		Long: "Print the state of a video. With --json it is the object of the API, which has a link to the video that needs no key.",
	}}
	t.command.Flags().BoolVar(&t.asJSON, "json", false, "print the object of the API")
	t.run = func(ctx context.Context, _ *session, api *client.Client, id string) error {
		state, err := videoclient.Client{Client: api}.State(ctx, id)
		if err != nil {
			return err
		}
		return answer(t.command, t.asJSON, state.Data, "%s\n", describeVideo(state.Data))
	}
	return t.new(a)
}

// describeVideo is a line about a video.
func describeVideo(d videoschema.Data) string {
	line := d.ID + "  " + string(d.Status)
	switch {
	case d.Status == video.StatusRunning && d.Progress != nil:
		line += fmt.Sprintf("  %d%%", *d.Progress)
	case d.QueuePosition > 0:
		line += fmt.Sprintf("  number %d in the queue", d.QueuePosition)
	case d.Code != "":
		line += "  " + d.Code + ": " + d.Message
	case d.Input != nil && d.Input.VideoURL != "":
		line += "  " + d.Input.VideoURL
	}
	return line
}

func newVideoCancel(a *app) *cobra.Command {
	t := &taskCommand{command: &cobra.Command{
		Use: "cancel TASK", Short: "Cancel a video that waits",
		Long: `Cancel a video that no engine has taken up. One that is being made is not canceled by this command: "plait cancel" ends it
with what was done so far.`,
	}}
	t.run = func(ctx context.Context, _ *session, api *client.Client, id string) error {
		videos := videoclient.Client{Client: api}
		state, err := videos.State(ctx, id)
		if err == nil && state.Data.Status != video.StatusQueued {
			err = core.Errorf(core.CodeConflict, "the video is %s", state.Data.Status)
		}
		if err != nil {
			return err
		}
		deleted, err := videos.Delete(ctx, id)
		if err == nil {
			_, err = fmt.Fprintf(t.command.OutOrStdout(), "%s  %s\n", id, deleted.Output.Status)
		}
		return err
	}
	return t.new(a)
}
