package window

import (
	"fmt"
	"runtime"
	"slices"
	"strconv"
	"strings"

	"plait/internal/core"
	"plait/internal/onnx"
)

// Device is a device that runs stages.
type Device struct {
	Kind onnx.Device
	// ID is the number of the device among those of its kind. Two devices with the number of one GPU use it through a stream each. For
	// the CPU it only gives the device a name of its own.
	ID int
	// Threads is the number of CPU threads of the device.
	Threads int
}

func (d Device) String() string { return fmt.Sprintf("%s:%d", d.Kind, d.ID) }

// maxDevices is the number of devices for which a schedule has work.
const maxDevices = 3

// ParseDevices reads a list such as cpu, cpu:0,cpu:1 or cuda:0,cuda:1: one device, two, or a third that prepares. All are of one kind.
// The cores of the machine are shared out to the devices that are CPUs.
//
// Errors: CodeInvalidInput.
func ParseDevices(list string) ([]Device, error) {
	var devices []Device
	for text := range strings.SplitSeq(list, ",") {
		kind, id, numbered := strings.Cut(strings.TrimSpace(text), ":")
		d := Device{Kind: onnx.Device(kind), Threads: 1}
		if numbered {
			var err error
			if d.ID, err = strconv.Atoi(id); err != nil || d.ID < 0 {
				return nil, core.Errorf(core.CodeInvalidInput, "the number of device %q is not a number from 0", text)
			}
		}
		if d.Kind.Provider() == "" {
			return nil, core.Errorf(core.CodeInvalidInput, "device %q is not known; known are cpu, cuda, coreml, directml", text)
		}
		devices = append(devices, d)
	}
	if len(devices) > maxDevices {
		return nil, core.Errorf(core.CodeInvalidInput, "%d devices are given, of at most %d", len(devices), maxDevices)
	}
	for i := range devices {
		if devices[i].Kind != devices[0].Kind {
			return nil, core.NewError(core.CodeInvalidInput, "the devices of a video are of one kind")
		}
		if devices[i].Kind == onnx.CPU {
			devices[i].Threads = max(1, runtime.NumCPU()/len(devices))
		}
	}
	return devices, nil
}

// DeviceNames returns a name for each device. The second stream of a GPU has its number after the name of the GPU.
func DeviceNames(devices []Device) []string {
	var names []string
	for i, d := range devices {
		name := d.String()
		if slices.Contains(names, name) {
			name = fmt.Sprintf("%s.%d", name, i)
		}
		names = append(names, name)
	}
	return names
}
