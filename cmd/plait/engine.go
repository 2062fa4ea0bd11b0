package main

import (
	"context"
	"runtime"

	"plait/internal/assets"
	"plait/internal/comic"
	"plait/internal/config"
	"plait/internal/onnx"
)

// openEngine loads the engine of this host. With several device slots on a CPU, pages share the cores: two pages on
// one thread each finish before one after the other on two threads.
func openEngine(ctx context.Context, l *config.Loaded) (*comic.Engine, error) {
	set, err := assets.Open(l.AssetsDir)
	if err != nil {
		return nil, err
	}
	threads := l.Device.Threads
	if threads == 0 {
		threads = max(runtime.NumCPU()/l.Worker.DeviceSlots, 1)
	}
	return comic.Open(ctx, comic.Config{
		Assets: set, Device: onnx.Device(l.Device.Kind), DeviceID: l.Device.ID, Library: l.Device.Library,
		Threads: threads, Places: l.Worker.DeviceSlots, Limits: pictureLimits(l),
	})
}
