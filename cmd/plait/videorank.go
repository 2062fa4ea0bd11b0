package main

import (
	"errors"

	"github.com/spf13/cobra"

	videoinstallation "plait/installation/video"
	"plait/internal/config"
)

func newVideoRank(a *app) *cobra.Command {
	var leader string
	c := &cobra.Command{
		Use:   "rank --leader ADDRESS",
		Short: "Run the second part of a model for a video that another host enlarges",
		Long: `Take part in enlarging a video: "plait video upscale --ranks 2 --listen ADDRESS" on another host runs the first part of the model, and this
command the second. Both hosts have the same video.ranks_token, and the same model at the same path. The command ends when it is
interrupted, or when there is no leader for half a minute.

The two hosts exchange frames without encryption: let them use a network of their own.

Exit status: 1 failed, 2 wrong usage, 130 interrupted.`,
		Example: `  plait video rank --leader 10.0.0.5:7400`,
		RunE: a.configured(func(c *cobra.Command, l *config.Loaded, _ []string) error {
			if leader == "" {
				return usageError(c, errors.New("--leader is missing: the address of the leader"))
			}
			return videoinstallation.RunRank(c.Context(), l, leader, c.ErrOrStderr())
		}),
	}
	c.Flags().StringVar(&leader, "leader", "", "host:port of the leader, or unix: and the path of its socket")
	return c
}
