package engine

import (
	"runtime"

	"plait/internal/assets"
	"plait/internal/config"
	"plait/internal/onnx"
	"plait/internal/picture"
)

// maxRuns bounds the runs of a model at once on a CPU: as many as config.Config.DeviceSlots has pages.
const maxRuns = 4

// Configured is what the settings make of an engine.
func Configured(c *config.Config) (Config, error) {
	set, err := assets.Open(c.AssetsDir)
	if err != nil {
		return Config{}, err
	}
	slots, threads := c.DeviceSlots(), c.Device.Threads
	if threads == 0 {
		threads = max(runtime.NumCPU()/slots, 1)
	}
	added, err := AddedModels(c)
	if err != nil {
		return Config{}, err
	}
	places, runThreads := runs(onnx.Device(c.Device.Kind), slots, threads)
	return Config{
		Assets: set, Device: onnx.Device(c.Device.Kind), DeviceID: c.Device.ID, Library: c.Device.Library,
		Precision: onnx.Precision(c.Device.Precision), Models: added,
		Threads: runThreads, Places: places, Workers: threads, Fonts: c.Lettering.Fonts, KeepCase: c.Lettering.KeepCase, Limits: PictureLimits(c),
	}, nil
}

// runs is how many runs of a model go on at once, and on how many threads each, where so many pages have so many threads each.
// On a CPU the tiles and the lines of a page alone run side by side: two on one thread each finish before one after the other on
// two threads.
func runs(device onnx.Device, slots, threads int) (places, runThreads int) {
	if device != onnx.CPU {
		return slots, threads
	}
	places = max(slots, min(slots*threads, maxRuns))
	return places, max(slots*threads/places, 1)
}

// AddedModels are those of the manifest; none without one.
func AddedModels(c *config.Config) ([]onnx.Entry, error) {
	if c.Models.Manifest == "" {
		return nil, nil
	}
	return onnx.ReadManifest(c.Models.Manifest)
}

// PictureLimits are those of a page.
func PictureLimits(c *config.Config) picture.Limits {
	return picture.Limits{MaxPixels: c.Limits.MaxPixels, MaxSide: c.Limits.MaxSide, MaxBytes: int64(c.Limits.MaxPageBytes)}
}
