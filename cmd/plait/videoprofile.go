package main

import (
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"os"

	"github.com/spf13/cobra"

	videoinstallation "plait/installation/video"
	"plait/internal/config"
	"plait/internal/core"
	"plait/internal/video/window"
)

// profileFlags are the choices of `plait video profile`.
type profileFlags struct {
	windowFlags
	size              window.Size
	times, svg, trace string
	windows           int
	asJSON            bool
}

func newVideoProfile(a *app) *cobra.Command {
	f := &profileFlags{size: window.Size{Width: 640, Height: 360}, windows: 8}
	c := &cobra.Command{
		Use:   "profile",
		Short: "Measure the stages of a streaming model, and predict and run its schedules",
		Long: `Measure how long each part of a streaming model takes for a window of frames, choose where its blocks are divided between two devices, predict
the time of each schedule, and run one of them on noise.

With --svg or --trace, the predicted and the actual timeline of each device are drawn below one another; a device that waits is hatched.
A trace can be opened in chrome://tracing or Perfetto.

With --times, nothing is measured: the stages only take the times of a file, which has the field "profile" of --json. This shows what
other devices would give.

Exit status: 0 done, 1 failed, 2 wrong usage, 130 interrupted.`,
		Example: `  plait video profile --size 640x360
  plait video profile --size 640x360 --devices cuda:0,cuda:1 --schedule aggressive --svg timeline.svg`,
		RunE: a.configured(f.run),
	}
	f.add(c)
	c.Flags().Var(reading(&f.size, "string", f.size.String(), parseSize), "size", "size of the frames that come in")
	c.Flags().Var(upTo(&f.windows, maxProfiled), "windows", "number of windows to run")
	c.Flags().StringVar(&f.times, "times", "", "file with the times of stages, instead of measuring them")
	c.Flags().StringVar(&f.svg, "svg", "", "file for the drawing of the timelines")
	c.Flags().StringVar(&f.trace, "trace", "", "file for the timelines in Chrome's trace format")
	c.Flags().BoolVar(&f.asJSON, "json", false, "print JSON")
	return c
}

// maxProfiled bounds the number of windows that a profile runs.
const maxProfiled = 10_000

func (f *profileFlags) run(c *cobra.Command, l *config.Loaded, _ []string) error {
	configured, err := videoinstallation.UpscaleConfig(l, f.UpscaleOptions)
	if err != nil {
		return err
	}
	measure := f.measure
	if f.times != "" {
		measure = f.replay
	}
	r, err := measure(c, l, configured)
	if err != nil {
		return err
	}
	return errors.Join(f.print(c, r), drawTo(f.svg, r.Charts, window.DrawSVG), drawTo(f.trace, r.Charts, window.WriteTrace))
}

// measure reports what a model takes.
func (f *profileFlags) measure(c *cobra.Command, l *config.Loaded, configured window.Config) (window.Report, error) {
	configured.Size = f.size
	model, err := videoinstallation.UpscaleModel(c.Context(), l, f.UpscaleOptions, c.ErrOrStderr())
	if err != nil {
		return window.Report{}, err
	}
	return window.Rehearse(c.Context(), model, configured, f.windows)
}

// replay reports what the times of a file give.
func (f *profileFlags) replay(c *cobra.Command, _ *config.Loaded, configured window.Config) (window.Report, error) {
	text, err := os.ReadFile(f.times)
	if err != nil {
		return window.Report{}, err
	}
	var of window.Report
	if err := json.Unmarshal(text, &of); err != nil {
		return window.Report{}, core.Errorf(core.CodeInvalidInput, "%s has no times of stages: %w", f.times, err)
	}
	return of.Profile.Rehearse(c.Context(), configured, f.windows)
}

// parseSize reads a size such as 640x360.
func parseSize(text string) (s window.Size, err error) {
	if _, err := fmt.Sscanf(text, "%dx%d", &s.Width, &s.Height); err != nil || s.Width < 1 || s.Height < 1 {
		return s, core.Errorf(core.CodeInvalidInput, "%q is not WIDTHxHEIGHT", text)
	}
	return s, nil
}

// drawTo writes timelines to a file, if it is named.
func drawTo(path string, charts []window.Chart, draw func(io.Writer, []window.Chart) error) error {
	if path == "" {
		return nil
	}
	f, err := os.Create(path)
	if err != nil {
		return err
	}
	return errors.Join(draw(f, charts), f.Close())
}

func (f *profileFlags) print(c *cobra.Command, r window.Report) error {
	if f.asJSON {
		return lineEncoder(c.OutOrStdout()).Encode(r)
	}
	return r.Print(c.OutOrStdout())
}
