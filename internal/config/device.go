package config

import "runtime"

// cpu is the device kind that needs no accelerator.
const cpu = "cpu"

// maxAutoSlots bounds the default number of slots on a CPU, and so the memory: a page of 1240x1751 pixels takes up to 0.4 GB (measured),
// more than an item of any other kind.
const maxAutoSlots = 4

// DeviceSlots returns the number of items that run on the device of a host at the same time, at least 1. The default is 1 on a GPU, and on
// a CPU one for each core, up to 4: two items on one thread each finish sooner than one after the other on two threads.
func (c *Config) DeviceSlots() int {
	switch {
	case c.Worker.DeviceSlots > 0:
		return c.Worker.DeviceSlots
	case c.Device.Kind == cpu:
		return min(runtime.NumCPU(), maxAutoSlots)
	default:
		return 1
	}
}
