package engine

import (
	"cmp"
	"runtime"
	"slices"

	"plait/internal/assets"
	"plait/internal/config"
	"plait/internal/onnx"
	"plait/internal/picture"
)

// maxRuns bounds the concurrent runs of a model for a page; config.Config.DeviceSlots bounds pages by the same number.
const maxRuns = 4

// Configured derives the configuration of an engine from the settings.
func Configured(c *config.Config) (Config, error) {
	set, err := assets.Open(c.AssetsDir)
	if err != nil {
		return Config{}, err
	}
	slots := c.DeviceSlots()
	threads := cmp.Or(c.Device.Threads, max(runtime.NumCPU()/slots, 1))
	added, err := AddedModels(c)
	if err != nil {
		return Config{}, err
	}
	device, shapes := onnx.Device(c.Device.Kind), 0
	if device == onnx.CUDA {
		shapes = c.Device.Shapes
	}
	places, runThreads := runs(device, slots, threads)
	return Config{
		Assets: set, Models: added, Fast: c.Models.Fast, Places: places, Workers: threads, Fonts: c.Lettering.Fonts,
		KeepCase: c.Lettering.KeepCase, Limits: PictureLimits(c),
		Runtime: onnx.Config{
			Device: device, DeviceID: c.Device.ID, LibraryPath: c.Device.Library, Precision: onnx.Precision(c.Device.Precision),
			Shapes: shapes, Threads: runThreads,
		},
	}, nil
}

// runs is the number of concurrent runs of a model, and of threads for each, given the number of pages at once and of threads for each
// page. On a CPU and on CUDA even the tiles and the lines of a single page run concurrently: two runs on one thread each finish earlier than
// two successive runs on two threads, and runs on CUDA wait for their launch more than for the device.
func runs(device onnx.Device, slots, threads int) (places, runThreads int) {
	if device != onnx.CPU && device != onnx.CUDA {
		return slots, threads
	}
	places = max(slots, min(slots*threads, maxRuns))
	return places, max(slots*threads/places, 1)
}

// AddedModels are the entries of the configured manifest that read and letter comics; none without a manifest.
func AddedModels(c *config.Config) ([]onnx.Entry, error) {
	if c.Models.Manifest == "" {
		return nil, nil
	}
	list, err := onnx.ReadManifest(c.Models.Manifest)
	return slices.DeleteFunc(list, func(e onnx.Entry) bool { return e.Kind == onnx.KindLayout }), err
}

// PictureLimits are the limits for the picture of a page.
func PictureLimits(c *config.Config) picture.Limits {
	return picture.Limits{MaxPixels: c.Limits.MaxPixels, MaxSide: c.Limits.MaxSide, MaxBytes: int64(c.Limits.MaxPageBytes)}
}
