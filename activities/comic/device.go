package comic

import (
	"context"

	"plait/activities"
	"plait/internal/comic"
	"plait/internal/core"
	"plait/internal/lease"
)

// Device is the engine on the devices of a process.
type Device struct {
	engine  Engine
	devices *activities.Devices
}

// Take admits a page when there is room for it: an image is decoded, work is called with it while the device is held, and the page
// that it returns is encoded. Without an image there is no page to call work with, and without a page of work there is no result. The
// end of ctx ends the waiting; so does a worker that stops, whose work goes on.
func (d *Device) Take(
	ctx context.Context, stage core.Stage, image []byte, work func(Decoded) (Lettered, error),
) (result []byte, report comic.RenderReport, err error) {
	admission, err := d.devices.Admit(ctx)
	if err != nil {
		return nil, report, err
	}
	defer admission.Leave()
	page, err := d.decode(ctx, image)
	if err != nil {
		return nil, report, err
	}
	var lettered Lettered
	err = admission.Hold(ctx, comic.Kind, stage, func() (err error) {
		lettered, err = work(page)
		return err
	})
	if err != nil || lettered == nil {
		return nil, report, err
	}
	defer activities.Span(ctx, "encode")()
	return lettered.Encode(ctx)
}

func (d *Device) decode(ctx context.Context, image []byte) (Decoded, error) {
	if image == nil {
		return nil, nil
	}
	defer activities.Span(ctx, "decode")()
	return d.engine.Decode(ctx, image)
}

// Detect finds and reads the regions of an encoded image, once admitted.
func (d *Device) Detect(
	ctx context.Context, stage core.Stage, image []byte, o comic.Options,
) (left lease.Value, found comic.DetectOutput, err error) {
	_, _, err = d.Take(ctx, stage, image, func(page Decoded) (_ Lettered, err error) {
		left, found, err = page.Detect(ctx, o)
		return nil, err
	})
	return left, found, err
}

// Render letters the page of a context, once admitted, and returns it encoded.
func (d *Device) Render(
	ctx context.Context, stage core.Stage, c lease.Value, translations []core.Translation,
) ([]byte, comic.RenderReport, error) {
	return d.Take(ctx, stage, nil, func(Decoded) (Lettered, error) { return d.engine.Letter(ctx, c, translations) })
}
