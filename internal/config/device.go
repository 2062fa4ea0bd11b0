package config

import "runtime"

// The kinds of devices whose default number of slots was measured.
const cpu, cuda = "cpu", "cuda"

// maxAutoSlots bounds the default number of slots, and so the memory: a page of 1240x1751 pixels takes up to 0.4 GB (measured),
// more than an item of any other kind.
const maxAutoSlots = 4

// DeviceSlots returns the number of items that run on the device of a host at the same time, at least 1. The default is one
// for each core, up to 4. On a CPU two items on one thread each finish sooner than one after the other on two threads, and on CUDA most of
// the work on a page is that of the CPU: an H100 with 16 cores reads 4 pages a second one by one, and 16 four at a time. It is 1 on devices
// that were not measured.
func (c *Config) DeviceSlots() int {
	switch {
	case c.Worker.DeviceSlots > 0:
		return c.Worker.DeviceSlots
	case c.Device.Kind == cpu, c.Device.Kind == cuda:
		return min(runtime.NumCPU(), maxAutoSlots)
	default:
		return 1
	}
}
