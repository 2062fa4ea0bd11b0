package videoinstallation

import (
	"context"
	"errors"
	"fmt"
	"io"
	"runtime"
	"sync"
	"time"

	videosteps "plait/activities/video"
	"plait/installation"
	"plait/internal/assets"
	"plait/internal/assets/install"
	"plait/internal/config"
	"plait/internal/core"
	"plait/internal/memory"
	"plait/internal/onnx"
	"plait/internal/ranks"
	"plait/internal/video/ffmpeg"
	"plait/internal/video/realesr"
	"plait/internal/video/window"
)

// UpscaleOptions says which model enlarges video, and how.
type UpscaleOptions struct {
	// Model is the path of a manifest, or empty for realesr-animevideov3.
	Model string
	// Scale is how many times wider and higher frames become. A manifest has a scale of its own.
	Scale int
	// FrameByFrame leaves out what connects frames in realesr-animevideov3.
	FrameByFrame bool
	// Devices is a list as [window.ParseDevices] reads it, or empty for the configured device: on a CPU with several cores, two devices
	// share them.
	Devices string
	// Schedule is what the devices do at once, and Cut where the blocks are divided between two of them.
	Schedule window.Schedule
	Cut      window.Cut
}

// UpscaleModel returns the model. It fetches that of the program where it is missing, and writes to out what it fetches.
//
// Errors: CodeInvalidInput, CodeModelMissing.
func UpscaleModel(ctx context.Context, l *config.Loaded, o UpscaleOptions, out io.Writer) (window.Manifest, error) {
	if o.Model != "" {
		m, err := window.ReadManifest(o.Model)
		if err == nil && o.Scale != 0 && o.Scale != m.Scale {
			err = core.Errorf(core.CodeInvalidInput, "the model %q enlarges video %d times, not %d times", m.Name, m.Scale, o.Scale)
		}
		return m, err
	}
	if o.Scale == 0 {
		o.Scale = 2
	}
	if err := fetchModel(ctx, l, out); err != nil {
		return window.Manifest{}, err
	}
	return realesr.Open(l.AssetsDir, realesr.Options{Scale: o.Scale, FrameByFrame: o.FrameByFrame})
}

// UpscaleConfig returns how the model runs, but for the size of frames.
//
// Errors: CodeInvalidInput, CodeModelMissing.
func UpscaleConfig(l *config.Loaded, o UpscaleOptions) (window.Config, error) {
	c := window.Config{Schedule: o.Schedule, Cut: o.Cut}
	var err error
	if c.Memory, err = memory.Limit(); err != nil {
		return c, err
	}
	list := o.Devices
	if list == "" {
		list = fmt.Sprintf("%s:%d", l.Device.Kind, l.Device.ID)
		if onnx.Device(l.Device.Kind) == onnx.CPU && runtime.NumCPU() > 1 {
			list = "cpu:0,cpu:1"
		}
	}
	if c.Devices, err = window.ParseDevices(list); err != nil {
		return c, err
	}
	if c.Library = l.Device.Library; c.Library != "" {
		return c, nil
	}
	set, err := assets.Open(l.AssetsDir)
	if err == nil {
		c.Library, err = set.Path(assets.OnnxRuntime)
	}
	if err != nil {
		return c, core.Wrap(core.CodeModelMissing, err, err.Error())
	}
	return c, nil
}

// Program returns ffmpeg. It fetches it where it is missing, and writes to out what it fetches. Errors: CodeModelMissing.
func Program(ctx context.Context, l *config.Loaded, out io.Writer) (*ffmpeg.Program, error) {
	if err := Fetch(ctx, l, out); err != nil {
		return nil, err
	}
	path, err := ffmpeg.Find(l.Video.FFmpeg, l.AssetsDir)
	if err != nil {
		return nil, err
	}
	program := ffmpeg.New(path, ffmpeg.DefaultLimits)
	_, err = program.Version(ctx)
	return program, err
}

// fetchModel fetches the model, unless its folder is there.
func fetchModel(ctx context.Context, l *config.Loaded, out io.Writer) error {
	_, err := assets.Upscale.Open(l.AssetsDir)
	var missing *assets.MissingError
	if !errors.As(err, &missing) {
		return err
	}
	dir, err := assets.Upscale.Dir(l.AssetsDir)
	if err == nil {
		err = install.Run(ctx, out, assets.Upscale, dir, assets.Platform())
	}
	if err != nil {
		return core.Wrap(core.CodeModelMissing, err, realesr.Name+" is missing and cannot be fetched: run `make assets-upscale`")
	}
	return nil
}

const (
	// rankPatience is how long a video of a worker waits for a rank that is not there, before it is enlarged without it.
	rankPatience = 30 * time.Second
	// rankAgain is when a worker tries again to start a rank that does not run.
	rankAgain = time.Minute
)

// upscaler returns how a worker enlarges videos, and what ends with it.
func upscaler(ctx context.Context, w installation.Worker) (*videosteps.Upscaler, func() error, error) {
	l := w.Config
	c, err := UpscaleConfig(l, UpscaleOptions{Devices: l.Video.UpscaleDevices, Schedule: window.Schedule(l.Video.UpscaleSchedule), Cut: window.CutAuto})
	if err != nil {
		return nil, nil, core.Wrap(core.CodeOf(err), err, "video.upscale_devices: "+core.PublicMessage(err))
	}
	models := &models{worker: w, read: map[int]window.Manifest{}}
	u := &videosteps.Upscaler{Model: models.open, Slots: l.Video.UpscaleSlots}
	if l.Video.UpscaleRanks == 1 {
		u.Config = c
		return u, func() error { return nil }, nil
	}
	if u.Slots > 1 {
		return nil, nil, core.NewError(core.CodeInvalidInput, "video.upscale_slots is 1 where video.upscale_ranks is 2: a group of ranks enlarges one video at a time")
	}
	// Steps that run when the worker is stopped still need the group.
	group, err := StartRanks(context.WithoutCancel(ctx), l, &c, RanksOptions{Listen: l.Video.UpscaleListen, Patience: rankPatience, Again: rankAgain, Log: w.Log})
	if err != nil {
		return nil, nil, err
	}
	ranks.NewMetrics(w.Registry).Watch(group.Leader)
	u.Config = c
	u.Share = func(scale int, m window.Manifest, c *window.Config) error {
		return group.Share(UpscaleOptions{Scale: scale}, m, c)
	}
	return u, group.Close, nil
}

// models are those that the process has read, by their scale.
type models struct {
	worker installation.Worker

	mu   sync.Mutex
	read map[int]window.Manifest
}

// open returns the model of a scale. Concurrent callers wait for one download.
func (m *models) open(ctx context.Context, scale int) (window.Manifest, error) {
	m.mu.Lock()
	defer m.mu.Unlock()
	if found, ok := m.read[scale]; ok {
		return found, nil
	}
	out := logged(m.worker.Log, realesr.Name)
	found, err := UpscaleModel(ctx, m.worker.Config, UpscaleOptions{Scale: scale}, out)
	_ = out.Close()
	if err == nil {
		m.read[scale] = found
	}
	return found, err
}
