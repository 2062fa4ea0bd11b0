// Package upscaleinstallation finds what enlarging video needs, the model, ffmpeg and devices, and fetches what is missing when it is
// first used.
package upscaleinstallation

import (
	"context"
	"errors"
	"fmt"
	"io"
	"runtime"

	videoinstallation "plait/installation/video"
	"plait/internal/assets"
	"plait/internal/assets/install"
	"plait/internal/config"
	"plait/internal/core"
	"plait/internal/memory"
	"plait/internal/onnx"
	"plait/internal/video/ffmpeg"
	"plait/internal/video/realesr"
	"plait/internal/video/window"
)

// Options says which model runs, and how.
type Options struct {
	// Model is the path of a manifest, or empty for realesr-animevideov3.
	Model string
	// Scale is how many times wider and higher frames become. A manifest has a scale of its own.
	Scale int
	// FrameByFrame leaves out what connects frames in realesr-animevideov3.
	FrameByFrame bool
	// Devices is a list as [window.ParseDevices] reads it, or empty for the configured device: on a CPU with several cores, two devices
	// share them.
	Devices string
	// Schedule and Cut are as [window.ParseSchedule] and [window.ParseCut] read them.
	Schedule, Cut string
}

// Model returns the model. It fetches that of the program where it is missing, and writes to out what it fetches.
//
// Errors: CodeInvalidInput, CodeModelMissing.
func Model(ctx context.Context, l *config.Loaded, o Options, out io.Writer) (window.Manifest, error) {
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
	if err := fetch(ctx, l, out); err != nil {
		return window.Manifest{}, err
	}
	return realesr.Open(l.AssetsDir, realesr.Options{Scale: o.Scale, FrameByFrame: o.FrameByFrame})
}

// Config returns how the model runs, but for the size of frames.
//
// Errors: CodeInvalidInput, CodeModelMissing.
func Config(l *config.Loaded, o Options) (window.Config, error) {
	var c window.Config
	var err error
	if c.Schedule, err = window.ParseSchedule(o.Schedule); err != nil {
		return c, err
	}
	if c.Cut, err = window.ParseCut(o.Cut); err != nil {
		return c, err
	}
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
	if err := videoinstallation.Fetch(ctx, l, out); err != nil {
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

// fetch fetches the model, unless its folder is there.
func fetch(ctx context.Context, l *config.Loaded, out io.Writer) error {
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
