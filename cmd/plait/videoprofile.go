package main

import (
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"os"
	"slices"
	"text/tabwriter"
	"time"

	"github.com/spf13/cobra"

	videoinstallation "plait/installation/video"
	"plait/internal/config"
	"plait/internal/core"
	"plait/internal/video/window"
)

// profileFlags are the choices of `plait video profile`.
type profileFlags struct {
	windowFlags
	size, times, svg, trace string
	windows                 int
	asJSON                  bool
}

func newVideoProfile(a *app) *cobra.Command {
	f := &profileFlags{}
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
	c.Flags().StringVar(&f.size, "size", "640x360", "size of the frames that come in")
	c.Flags().IntVar(&f.windows, "windows", 8, "number of windows to run")
	c.Flags().StringVar(&f.times, "times", "", "file with the times of stages, instead of measuring them")
	c.Flags().StringVar(&f.svg, "svg", "", "file for the drawing of the timelines")
	c.Flags().StringVar(&f.trace, "trace", "", "file for the timelines in Chrome's trace format")
	c.Flags().BoolVar(&f.asJSON, "json", false, "print JSON")
	return c
}

// profiled is what `plait video profile --json` prints.
type profiled struct {
	Profile  window.Profile `json:"profile"` // nanoseconds
	Devices  []string       `json:"devices"`
	Cut      int            `json:"cut"`
	Windows  int            `json:"windows"`
	Schedule string         `json:"schedule"`
	// Predicted has the makespan of each schedule in seconds, Actual that of Schedule.
	Predicted   map[window.Schedule]float64 `json:"predicted_seconds"`
	Actual      float64                     `json:"actual_seconds"`
	Utilization map[string]float64          `json:"utilization"`
}

// maxProfiled bounds the number of windows that a profile runs.
const maxProfiled = 10_000

func (f *profileFlags) run(c *cobra.Command, l *config.Loaded, _ []string) error {
	if f.windows < 1 || f.windows > maxProfiled {
		return usageError(c, fmt.Errorf("--windows is 1 to %d, not %d", maxProfiled, f.windows))
	}
	configured, err := videoinstallation.UpscaleConfig(l, f.UpscaleOptions)
	if err != nil {
		return err
	}
	var profile window.Profile
	var run func(cut int) (*window.Timeline, error)
	if f.times != "" {
		profile, run, err = f.replay(c, configured)
	} else {
		profile, run, err = f.measure(c, l, configured)
	}
	if err != nil {
		return err
	}
	names := window.DeviceNames(configured.Devices)
	cut := profile.CutOf(configured.Cut, len(names))
	actual, err := run(cut)
	if err != nil {
		return err
	}
	p := profiled{
		Profile: profile, Devices: names, Cut: cut, Windows: f.windows, Schedule: f.Schedule,
		Predicted: map[window.Schedule]float64{}, Actual: actual.Makespan.Seconds(), Utilization: map[string]float64{},
	}
	for _, s := range window.Schedules {
		p.Predicted[s] = profile.Predict(s, cut, f.windows, names).Makespan.Seconds()
	}
	for _, name := range names {
		p.Utilization[name] = actual.Utilization(name)
	}
	charts := []window.Chart{
		{Title: "predicted, " + f.Schedule, Timeline: profile.Predict(configured.Schedule, cut, f.windows, names)},
		{Title: "actual, " + f.Schedule, Timeline: actual},
	}
	return errors.Join(f.print(c, p), drawTo(f.svg, charts, window.DrawSVG), drawTo(f.trace, charts, window.WriteTrace))
}

// measure returns the times of a model, and how to run it.
func (f *profileFlags) measure(c *cobra.Command, l *config.Loaded, configured window.Config) (window.Profile, func(int) (*window.Timeline, error), error) {
	if n, err := fmt.Sscanf(f.size, "%dx%d", &configured.Size.Width, &configured.Size.Height); err != nil || n != 2 {
		return window.Profile{}, nil, usageError(c, fmt.Errorf("--size is WIDTHxHEIGHT, not %q", f.size))
	}
	model, err := videoinstallation.UpscaleModel(c.Context(), l, f.UpscaleOptions, c.ErrOrStderr())
	if err != nil {
		return window.Profile{}, nil, err
	}
	profile, err := window.Measure(c.Context(), model, configured)
	return profile, func(cut int) (*window.Timeline, error) {
		configured.Cut = window.Cut(cut)
		opened, err := window.Open(c.Context(), model, configured)
		if err != nil {
			return nil, err
		}
		defer opened.Close()
		return opened.Try(c.Context(), f.windows)
	}, err
}

// replay returns the times of a file, and how to take them.
func (f *profileFlags) replay(c *cobra.Command, configured window.Config) (window.Profile, func(int) (*window.Timeline, error), error) {
	text, err := os.ReadFile(f.times)
	if err != nil {
		return window.Profile{}, nil, err
	}
	var p profiled
	if err := json.Unmarshal(text, &p); err != nil {
		return window.Profile{}, nil, core.Errorf(core.CodeInvalidInput, "%s has no times of stages: %w", f.times, err)
	}
	if err := p.Profile.Check(); err != nil {
		return window.Profile{}, nil, err
	}
	return p.Profile, func(cut int) (*window.Timeline, error) {
		return p.Profile.Replay(c.Context(), configured.Schedule, cut, f.windows, window.DeviceNames(configured.Devices))
	}, nil
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

func (f *profileFlags) print(c *cobra.Command, p profiled) error {
	if f.asJSON {
		return lineEncoder(c.OutOrStdout()).Encode(p)
	}
	t := tabwriter.NewWriter(c.OutOrStdout(), 0, 0, 2, ' ', 0)
	fmt.Fprintln(t, "STAGE\tTIME OF A WINDOW")
	fmt.Fprintf(t, "prepare\t%s\n", milliseconds(p.Profile.Prepare))
	fmt.Fprintf(t, "%d blocks\t%s to %s each\n", len(p.Profile.Blocks), milliseconds(slices.Min(p.Profile.Blocks)), milliseconds(slices.Max(p.Profile.Blocks)))
	fmt.Fprintf(t, "decode\t%s\n", milliseconds(p.Profile.Decode))
	fmt.Fprintf(t, "color\t%s\n\n", milliseconds(p.Profile.Color))
	fmt.Fprintf(t, "The first %d blocks run on %s, the others on %s.\n\n", p.Cut, p.Devices[0], p.Devices[min(1, len(p.Devices)-1)])
	fmt.Fprintf(t, "SCHEDULE\tPREDICTED FOR %d WINDOWS\tACTUAL\n", p.Windows)
	for _, s := range window.Schedules {
		actual := ""
		if string(s) == p.Schedule {
			actual = fmt.Sprintf("%.2f s", p.Actual)
		}
		fmt.Fprintf(t, "%s\t%.2f s\t%s\n", s, p.Predicted[s], actual)
	}
	for _, name := range p.Devices {
		fmt.Fprintf(t, "\n%s works %.0f %% of the time.", name, 100*p.Utilization[name])
	}
	fmt.Fprintln(t)
	return t.Flush()
}

func milliseconds(d time.Duration) string { return fmt.Sprintf("%.1f ms", d.Seconds()*1000) }
