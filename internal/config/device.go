package config

import "runtime"

// cpu is the device that is the processor itself.
const cpu = "cpu"

// maxAutoSlots bounds the automatic slots of a CPU. A page of 1240x1751 pixels takes up to 0.4 GB (measured), the most memory that an
// item of any kind takes.
const maxAutoSlots = 4

// DeviceSlots is the number of items that are on the device of a host at once, from 1. Without worker.device_slots a CPU takes one for
// each core, up to 4: two items on one thread each finish before one after the other on two threads. A GPU takes one.
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
