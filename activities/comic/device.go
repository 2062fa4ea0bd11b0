package comic

import (
	"context"

	"golang.org/x/sync/errgroup"

	"plait/activities"
	"plait/internal/comic"
	"plait/internal/core"
	"plait/internal/lease"
	"plait/internal/memory"
)

// Device is the engine on the devices of a process.
type Device struct {
	engine  Engine
	devices *activities.Devices
}

// Take waits until a page is admitted and decodes image, calls work while it holds the device, and encodes the page that work
// returns. With a nil image, work gets a nil page; when work returns a nil page, there is no result. The wait ends with ctx, or when
// the worker stops; work in progress goes on after a stop.
func (d *Device) Take(
	ctx context.Context, stage core.Stage, image []byte, work func(Decoded) (Lettered, error),
) (result []byte, report comic.RenderReport, err error) {
	return d.take(ctx, stage, image, work, encodeInLayers)
}

func (d *Device) take(
	ctx context.Context, stage core.Stage, image []byte, work func(Decoded) (Lettered, error),
	encode func(context.Context, Lettered) ([]byte, comic.RenderReport, error),
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
	return encode(ctx, lettered)
}

// encodeInLayers also takes the page apart, for those who go on with it in a painting program. That takes a quarter of the time of
// encoding, beside it.
func encodeInLayers(ctx context.Context, page Lettered) (result []byte, report comic.RenderReport, err error) {
	var layers []byte
	group, ctx := errgroup.WithContext(ctx)
	group.Go(func() (err error) {
		layers, err = page.Layers(ctx)
		return err
	})
	group.Go(func() (err error) {
		result, report, err = page.Encode(ctx)
		return err
	})
	err = group.Wait()
	report.Layers = layers
	return result, report, err
}

func (d *Device) decode(ctx context.Context, image []byte) (Decoded, error) {
	if image == nil {
		return nil, nil
	}
	defer activities.Span(ctx, "decode")()
	return d.engine.Decode(ctx, image)
}

// Reserve waits for the memory that an image takes from decoding to encoding. It comes before admission, so that a page that waits
// for memory does not keep others from the device.
func (d *Device) Reserve(ctx context.Context, image []byte) (*memory.Reservation, error) {
	bytes, err := d.engine.Bytes(image)
	if err != nil {
		return nil, err
	}
	return d.devices.Reserve(ctx, bytes, memory.Admit)
}

// Detect finds and reads the regions of an encoded image, once admitted. The caller releases the memory of the returned context;
// without regions there is none.
func (d *Device) Detect(
	ctx context.Context, stage core.Stage, image []byte, o comic.Options,
) (left Context, found comic.DetectOutput, err error) {
	reserved, err := d.Reserve(ctx, image)
	if err != nil {
		return left, found, err
	}
	_, _, err = d.Take(ctx, stage, image, func(page Decoded) (_ Lettered, err error) {
		left.Value, found, err = page.Detect(ctx, o)
		return nil, err
	})
	if err != nil || len(found.Regions) == 0 {
		reserved.Release()
		return left, found, err
	}
	reserved.Keep(left.Bytes())
	left.Memory = reserved
	return left, found, nil
}

// Render letters the page of a context, once admitted, and returns it encoded, without its layers.
func (d *Device) Render(
	ctx context.Context, stage core.Stage, c lease.Value, translations []core.Translation,
) ([]byte, comic.RenderReport, error) {
	return d.letter(ctx, stage, c, func() (Lettered, error) { return d.engine.Letter(ctx, c, translations) },
		func(ctx context.Context, page Lettered) ([]byte, comic.RenderReport, error) { return page.Encode(ctx) })
}

// Letter calls draw, once admitted, and encodes the page that it returns. Draw letters the page of a context, or returns nil when
// shorter texts are needed first.
func (d *Device) Letter(
	ctx context.Context, stage core.Stage, c lease.Value, draw func() (Lettered, error),
) ([]byte, comic.RenderReport, error) {
	return d.letter(ctx, stage, c, draw, encodeInLayers)
}

func (d *Device) letter(
	ctx context.Context, stage core.Stage, c lease.Value, draw func() (Lettered, error),
	encode func(context.Context, Lettered) ([]byte, comic.RenderReport, error),
) ([]byte, comic.RenderReport, error) {
	reserved, err := d.devices.Reserve(ctx, letteringBytes(c), memory.Finish)
	if err != nil {
		return nil, comic.RenderReport{}, err
	}
	defer reserved.Release()
	return d.take(ctx, stage, nil, func(Decoded) (Lettered, error) { return draw() }, encode)
}

// letteringBytes is the memory of lettering and encoding a page, besides its context: a picture of it without text, the changed
// pixels, and their alpha. For a page with alpha that is 11 bytes a pixel, and its context has 8; for one without, 5, and its
// context has 4.
func letteringBytes(c lease.Value) int64 { return c.Bytes() * 3 / 2 }
