package main

import (
	"context"
	"runtime"

	"plait/internal/assets"
	"plait/internal/comic"
	"plait/internal/config"
	"plait/internal/ctxcache"
	"plait/internal/onnx"
	"plait/internal/pipeline"
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

// hostEngine is the engine as the activities know it: they keep contexts without looking into them.
type hostEngine struct{ *comic.Engine }

func (e hostEngine) Detect(ctx context.Context, image []byte, o pipeline.Options) (ctxcache.Context, pipeline.DetectOutput, error) {
	c, out, err := e.Engine.Detect(ctx, image, o)
	if err != nil {
		return nil, out, err
	}
	return c, out, nil
}

func (e hostEngine) Render(ctx context.Context, c ctxcache.Context, translations []pipeline.Translation) ([]byte, pipeline.ElapsedMS, error) {
	known, ok := c.(*comic.Context)
	if !ok {
		return nil, nil, pipeline.Errorf(pipeline.CodeInternal, "a context of %T in the cache of this engine", c)
	}
	return e.Engine.Render(ctx, known, translations)
}
