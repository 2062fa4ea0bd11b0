package main

import (
	"fmt"

	"github.com/spf13/cobra"

	videoschema "plait/api/video/schema"
	videoinstallation "plait/installation/video"
	"plait/internal/config"
	"plait/internal/video"
	videotasks "plait/tasks/video"
)

// videoEstimateFlags are the choices of `plait video estimate`.
type videoEstimateFlags struct {
	model, resolution string
	duration          int
	asJSON            bool
}

func newVideoEstimate(a *app) *cobra.Command {
	f := &videoEstimateFlags{}
	c := &cobra.Command{
		Use:   "estimate",
		Short: "Print what a video would cost",
		Long: `Print what a video of a model would cost, by the prices in the file that video.catalog names, in the currency of translator.prices. Nothing
is made. A model without a price costs nothing.

Exit status: 0 done, 1 failed, 2 wrong usage.`,
		Example: `  plait video estimate --model wan2.1 --resolution 720P --duration 5`,
		RunE:    a.configured(f.run),
	}
	c.Flags().StringVar(&f.model, "model", video.MotionName, "model that would make the video")
	c.Flags().StringVar(&f.resolution, "resolution", "", "480P, 720P or 1080P (default 480P)")
	c.Flags().IntVar(&f.duration, "duration", 0, "seconds (default: that of the model)")
	c.Flags().BoolVar(&f.asJSON, "json", false, "print JSON")
	return c
}

func (f *videoEstimateFlags) run(c *cobra.Command, l *config.Loaded, _ []string) error {
	r := videotasks.Request{Model: f.model, Resolution: f.resolution}
	if c.Flags().Changed("duration") {
		r.Duration = &f.duration
	}
	e, err := videoinstallation.Estimate(l, r)
	if err != nil {
		return err
	}
	what, price := e.Model, video.Amount(e.PriceMicros)
	if e.Duration != 0 {
		what = fmt.Sprintf("%s, %s, %d seconds", e.Model, e.Resolution, e.Duration)
	}
	return answer(c, f.asJSON, videoschema.Estimate{Model: e.Model, Resolution: e.Resolution, Duration: e.Duration, Price: price}, "%s\ncost %.4f\n", what, price)
}
