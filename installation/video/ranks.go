package videoinstallation

import (
	"context"
	"crypto/rand"
	"encoding/json"
	"errors"
	"io"
	"log/slog"
	"net"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"sync"
	"syscall"
	"time"

	"plait/internal/config"
	"plait/internal/core"
	"plait/internal/onnx"
	"plait/internal/ranks"
	"plait/internal/ranks/link"
	"plait/internal/ranks/segment"
	"plait/internal/ranks/supervise"
	"plait/internal/stack/process"
	"plait/internal/video/upscale"
	"plait/internal/video/window"
	"plait/internal/video/window/remote"
)

// job says how the other rank opens its part of a model.
type job struct {
	Model        string `json:"model,omitempty"`
	Scale        int    `json:"scale"`
	FrameByFrame bool   `json:"frame_by_frame"`
	Digest       string `json:"digest"`
	Device       string `json:"device"`
	// Threads is the number of CPU threads; 0 means all of the host.
	Threads int `json:"threads"`
}

// Group is the ranks that enlarge videos, one video at a time.
type Group struct {
	Leader *ranks.Leader
	// listen is set when rank 1 is on another host.
	listen string
	ctx    context.Context
	cancel context.CancelCauseFunc
	work   sync.WaitGroup
	folder string
}

const (
	// windowTimeout is the longest time of a window on rank 1, with loading its model.
	windowTimeout = 10 * time.Minute
	// inFlight bounds the inputs of windows: those of 2 windows of 1080p frames have about 1.1 GB.
	inFlight = 4 << 30
)

// RanksOptions say how a group keeps its rank 1.
type RanksOptions struct {
	// Listen is the address at which rank 1 joins from another host, with the token of the configuration. When it is empty, rank 1 is a
	// process of this host, which is kept running.
	Listen string
	// Patience is how long a video waits for rank 1 when it is not there; 0 means a window's longest time.
	Patience time.Duration
	// Again keeps starting a process that ends soon after its start, and reports to Log. Without it, the group ends then.
	Again time.Duration
	Log   *slog.Logger
}

// StartRanks starts a group for the devices of c, the second of which is that of rank 1. The context that [Group.Context] returns ends when
// the group cannot go on.
//
// Errors: CodeInvalidInput when there are not two devices, or no token; CodeUnavailable when the address cannot be used.
func StartRanks(ctx context.Context, l *config.Loaded, c *window.Config, o RanksOptions) (*Group, error) {
	if len(c.Devices) < remote.Ranks {
		return nil, core.Errorf(core.CodeInvalidInput, "%d ranks need %d devices, such as cpu:0,cpu:1", remote.Ranks, remote.Ranks)
	}
	if o.Listen != "" && c.Devices[0].Kind == onnx.CPU {
		c.Devices[0].Threads = runtime.NumCPU()
	}
	g := &Group{listen: o.Listen}
	g.ctx, g.cancel = context.WithCancelCause(ctx)
	var err error
	if g.Leader, err = ranks.NewLeader(ranks.Options{
		Ranks: remote.Ranks, Decoders: remote.Decoders(), InFlight: inFlight, Timeout: windowTimeout, Patience: o.Patience, Store: &segment.Store{},
		Handler: func(context.Context, ranks.Step) (ranks.Answer, error) { return ranks.Answer{}, nil },
	}); err != nil {
		return nil, err
	}
	if err := g.start(l, o); err != nil {
		return nil, errors.Join(err, g.Close())
	}
	return g, nil
}

// Share lets rank 1 run the last blocks of a model for c. Both ranks open it by the options.
func (g *Group) Share(o UpscaleOptions, m window.Manifest, c *window.Config) error {
	digest, err := m.Digest()
	if err != nil {
		return err
	}
	j := job{Model: o.Model, Scale: o.Scale, FrameByFrame: o.FrameByFrame, Digest: digest, Device: c.Devices[1].String()}
	if g.listen == "" {
		j.Threads = c.Devices[1].Threads
	}
	if j.Model != "" {
		if j.Model, err = filepath.Abs(j.Model); err != nil {
			return err
		}
	}
	text, err := json.Marshal(j)
	if err != nil {
		return err
	}
	c.Tail = remote.Tail(g.Leader, text)
	return nil
}

// start waits for ranks, and starts one if it is to be on this host.
func (g *Group) start(l *config.Loaded, o RanksOptions) error {
	var settings net.ListenConfig
	if o.Listen != "" {
		if l.Video.RanksToken == "" {
			return core.NewError(core.CodeInvalidInput, "video.ranks_token is missing: ranks of other hosts show it")
		}
		listener, err := settings.Listen(g.ctx, "tcp", o.Listen)
		if err != nil {
			return core.Errorf(core.CodeUnavailable, "ranks cannot be waited for: %w", err)
		}
		g.serve(listener, l.Video.RanksToken)
		return nil
	}
	program, err := os.Executable()
	if err != nil {
		return err
	}
	if g.folder, err = os.MkdirTemp("", "plait-ranks-"); err != nil {
		return err
	}
	socket := filepath.Join(g.folder, "leader")
	listener, err := settings.Listen(g.ctx, "unix", socket)
	if err != nil {
		return core.Errorf(core.CodeUnavailable, "ranks cannot be waited for: %w", err)
	}
	token := rand.Text()
	g.serve(listener, token)
	g.work.Go(func() {
		g.keep(o, func() *exec.Cmd {
			cmd := exec.Command(program, "worker", "--rank", "1", "--leader", "unix:"+socket) //nolint:noctx // supervise ends it
			cmd.Env = append(os.Environ(), "PLAIT_VIDEO_RANKS_TOKEN="+token, "PLAIT_ASSETS_DIR="+l.AssetsDir, "PLAIT_DEVICE_LIBRARY="+l.Device.Library)
			return cmd
		})
	})
	return nil
}

// keep keeps rank 1 running.
func (g *Group) keep(o RanksOptions, command func() *exec.Cmd) {
	log := o.Log
	if log == nil {
		log = slog.New(slog.DiscardHandler)
	}
	for {
		err := supervise.Run(g.ctx, command, process.Options{
			Name: "rank 1", LogFile: filepath.Join(g.folder, "rank1.log"), StopSignal: syscall.SIGTERM, Logger: log,
		})
		switch {
		case err == nil:
			return
		case o.Again == 0:
			g.cancel(err)
			return
		}
		log.Error("rank 1 does not run; videos are enlarged without it", "error", err, "again_in", o.Again)
		select {
		case <-time.After(o.Again):
		case <-g.ctx.Done():
			return
		}
	}
}

func (g *Group) serve(listener net.Listener, token string) {
	g.work.Go(func() {
		if err := link.Serve(g.ctx, listener, token, g.Leader.Accept); err != nil {
			g.cancel(err)
		}
	})
}

// Context ends when the group ends, with the reason as its cause.
func (g *Group) Context() context.Context { return g.ctx }

// Close ends the ranks, and waits until they have ended.
func (g *Group) Close() error {
	g.cancel(nil)
	g.work.Wait()
	g.Leader.Close()
	if g.folder == "" {
		return nil
	}
	return os.RemoveAll(g.folder)
}

// UpscaleOnRanks runs a job on two ranks, of which the second joins at the address listen, or is a process of this machine if it is empty.
// It also returns what went to the second.
func UpscaleOnRanks(ctx context.Context, l *config.Loaded, o UpscaleOptions, listen string, job upscale.Job) (upscale.Result, *ranks.Stats, error) {
	group, err := StartRanks(ctx, l, &job.Config, RanksOptions{Listen: listen})
	if err != nil {
		return upscale.Result{}, nil, err
	}
	var result upscale.Result
	if err = group.Share(o, job.Model, &job.Config); err == nil {
		result, err = upscale.Run(group.Context(), job)
	}
	if err != nil && ctx.Err() == nil && group.Context().Err() != nil {
		err = context.Cause(group.Context())
	}
	stats := group.Leader.Stats()
	return result, &stats, errors.Join(err, group.Close())
}

// RunRank takes part in the group of the leader at an address until ctx ends.
//
// Errors: those of [ranks.Member.Stay].
func RunRank(ctx context.Context, l *config.Loaded, leader string, out io.Writer) error {
	w := remote.NewWorker(func(ctx context.Context, text json.RawMessage) (window.Manifest, window.Config, error) {
		return openJob(ctx, l, text, out)
	})
	m := ranks.Member{Rank: 1, Decoders: remote.Decoders(), Handler: w.Apply, Store: &segment.Store{}}
	return errors.Join(m.Stay(ctx, leader, l.Video.RanksToken), w.Close())
}

// openJob returns the model of a job, which must be that of the leader.
func openJob(ctx context.Context, l *config.Loaded, text json.RawMessage, out io.Writer) (window.Manifest, window.Config, error) {
	var j job
	if err := json.Unmarshal(text, &j); err != nil {
		return window.Manifest{}, window.Config{}, core.Errorf(core.CodeInvalidInput, "the job of the leader cannot be read: %w", err)
	}
	o := UpscaleOptions{
		Model: j.Model, Scale: j.Scale, FrameByFrame: j.FrameByFrame, Devices: j.Device, Schedule: window.Sequential, Cut: window.CutAuto,
	}
	m, err := UpscaleModel(ctx, l, o, out)
	if err != nil {
		return m, window.Config{}, err
	}
	digest, err := m.Digest()
	if err == nil && digest != j.Digest {
		err = core.Errorf(core.CodeModelMissing, "the model %q is another one on this host than on that of the leader", m.Name)
	}
	if err != nil {
		return m, window.Config{}, err
	}
	c, err := UpscaleConfig(l, o)
	if err == nil && j.Threads > 0 {
		c.Devices[0].Threads = j.Threads
	}
	return m, c, err
}
