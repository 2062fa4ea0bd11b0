package main

import (
	"context"
	"runtime"

	"plait/internal/assets"
	"plait/internal/comic/engine"
	"plait/internal/config"
	"plait/internal/onnx"
)

// maxAutoSlots bounds the slots of a CPU, because each takes up to 0.4 GB (measured on pages of 1240x1751 pixels).
const maxAutoSlots = 4

// deviceSlots is how many pages this host has on its device at once. A CPU takes one a core: two pages on one thread
// each finish before one after the other on two threads.
func deviceSlots(l *config.Loaded) int {
	switch {
	case l.Worker.DeviceSlots > 0:
		return l.Worker.DeviceSlots
	case onnx.Device(l.Device.Kind) == onnx.CPU:
		return min(runtime.NumCPU(), maxAutoSlots)
	default:
		return 1
	}
}

// openEngine loads the engine of this host.
func openEngine(ctx context.Context, l *config.Loaded) (*engine.Engine, error) {
	c, err := engineConfig(l)
	if err != nil {
		return nil, err
	}
	return engine.Open(ctx, c)
}

// engineConfig is what the engine of this host is made of.
func engineConfig(l *config.Loaded) (engine.Config, error) {
	set, err := assets.Open(l.AssetsDir)
	if err != nil {
		return engine.Config{}, err
	}
	slots, threads := deviceSlots(l), l.Device.Threads
	if threads == 0 {
		threads = max(runtime.NumCPU()/slots, 1)
	}
	added, err := addedModels(l)
	if err != nil {
		return engine.Config{}, err
	}
	places, runThreads := runs(onnx.Device(l.Device.Kind), slots, threads)
	return engine.Config{
		Assets: set, Device: onnx.Device(l.Device.Kind), DeviceID: l.Device.ID, Library: l.Device.Library,
		Precision: onnx.Precision(l.Device.Precision), Models: added,
		Threads: runThreads, Places: places, Workers: threads, Fonts: l.Lettering.Fonts, KeepCase: l.Lettering.KeepCase, Limits: pictureLimits(l),
	}, nil
}

// runs is how many runs of a model go on at once, and on how many threads each, where so many pages have so many threads each.
// On a CPU the tiles and the lines of a page alone run side by side: two on one thread each finish before one after the other on
// two threads.
func runs(device onnx.Device, slots, threads int) (places, runThreads int) {
	if device != onnx.CPU {
		return slots, threads
	}
	places = max(slots, min(slots*threads, maxAutoSlots))
	return places, max(slots*threads/places, 1)
}

// addedModels are those of the manifest; none without one.
func addedModels(l *config.Loaded) ([]onnx.Entry, error) {
	if l.Models.Manifest == "" {
		return nil, nil
	}
	return onnx.ReadManifest(l.Models.Manifest)
}

// sourceCheck refuses source languages that no model of the configuration reads.
func sourceCheck(l *config.Loaded) (func(from string) error, error) {
	added, err := addedModels(l)
	return func(from string) error { return engine.CheckSource(added, from) }, err
}
