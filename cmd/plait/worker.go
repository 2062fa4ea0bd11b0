package main

import (
	"errors"
	"strings"

	"github.com/spf13/cobra"

	"plait/installation"
	videoinstallation "plait/installation/video"
	"plait/internal/config"
	"plait/internal/core"
	"plait/workers"
)

func newWorker(a *app) *cobra.Command {
	f := &workerFlags{ranks: 1}
	c := &cobra.Command{
		Use:   "worker",
		Short: "Run a worker: workflows, the device's steps, translation",
		Long: `Run a worker of one or more roles until it is stopped; a stop lets running steps end.

  control    runs the workflows, and repairs what a crash left behind
  gpu        owns the device: reads, erases and letters pages
  translate  calls the translator, away from any device
  document   lays out and writes documents
  video      makes videos, or asks servers for them
  upscale    owns devices, and enlarges videos on them

With --ranks 2, the role upscale runs a model in two processes, each with a device of its own. The second is started again when it dies; with
--listen it is "plait worker --rank 1" on another host, which has the same video.ranks_token and the same model at the same path, and ends when
there is no leader for half a minute. Frames travel without encryption: let the hosts use a network of their own.`,
		Example: `  plait worker --role upscale --ranks 2
  plait worker --role upscale --ranks 2 --listen 10.0.0.5:7400
  plait worker --rank 1 --leader 10.0.0.5:7400`,
		RunE: a.configured(f.run),
	}
	f.add(c)
	return c
}

// workerFlags are the choices of `plait worker`.
type workerFlags struct {
	roles  []string
	ranks  int
	listen string
	rank   int
	leader string
}

func (f *workerFlags) add(c *cobra.Command) {
	c.Flags().StringSliceVar(&f.roles, "role", strings.Split(core.Join(kinds.Roles(), ","), ","), "roles of this worker")
	c.Flags().Var(upTo(&f.ranks, 2), "ranks", "processes of the role upscale that share a model: 1 or 2 (video.upscale_ranks)")
	c.Flags().StringVar(&f.listen, "listen", "", "host:port at which rank 1 joins from another host (video.upscale_listen)")
	c.Flags().IntVar(&f.rank, "rank", 0, "number of this process in a group of the role upscale; 1 needs --leader")
	c.Flags().StringVar(&f.leader, "leader", "", "host:port of the worker that leads the group, or unix: and the path of its socket")
}

func (f *workerFlags) run(c *cobra.Command, l *config.Loaded, _ []string) error {
	roles, err := workers.ParseRoles(f.roles, kinds.Roles())
	switch {
	case err != nil:
		return usageError(c, err)
	case (f.rank != 0) != (f.leader != "") || f.rank < 0 || f.rank > 1:
		return usageError(c, errors.New("--rank 1 and --leader belong together"))
	case f.leader != "":
		return videoinstallation.RunRank(c.Context(), l, f.leader, c.ErrOrStderr())
	}
	if c.Flags().Changed("ranks") {
		l.Video.UpscaleRanks = f.ranks
	}
	if c.Flags().Changed("listen") {
		l.Video.UpscaleListen = f.listen
	}
	if l.Video.UpscaleListen != "" && l.Video.UpscaleRanks < 2 {
		return usageError(c, errors.New("--listen needs --ranks 2"))
	}
	if err := installation.Locate(c.Context(), l); err != nil {
		return err
	}
	return installation.RunWorker(c.Context(), l, kinds, readVersion().Version, roles, installation.NewLogger(c.ErrOrStderr(), l.Log))
}
