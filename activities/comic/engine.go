package comic

import (
	"context"

	"plait/internal/comic"
	"plait/internal/core"
	"plait/internal/lease"
)

// Engine detects regions in pictures and renders translations into them. Its results depend only on image, models and parameters; it
// observes ctx and is safe for concurrent use. Tests implement it too.
//
// Detection, recognition, erasing and lettering need the device: [Decoded.Detect], ReadArea, Prepare, Overflow and Letter. Decode and
// [Lettered.Encode] do not.
type Engine interface {
	// Bytes is the maximum memory of an image from Decode to [Lettered.Encode]. It fails as Decode does, where the head of the file
	// shows it.
	Bytes(image []byte) (int64, error)
	// Decode decodes an image.
	Decode(ctx context.Context, image []byte) (Decoded, error)
	// Prepare returns a context that renders the same bytes as c, faster, for these and other translations of the same regions.
	Prepare(ctx context.Context, c lease.Value, translations []core.Translation) (lease.Value, error)
	// Revise returns a context with other choices of people for the regions of c. It needs no device.
	Revise(c lease.Value, regions []comic.Region) (lease.Value, error)
	// ReadArea reads the text in a rectangle of the page of c, in which detect has found none, as one region. Where nothing can be read, the
	// region is unread. It needs the device.
	ReadArea(ctx context.Context, c lease.Value, area comic.Area, from string) (comic.Region, error)
	// Overflow returns the translations that do not fit at a legible size: exactly those that the report of the rendered page names.
	// It is fast on a context of Prepare.
	Overflow(ctx context.Context, c lease.Value, translations []core.Translation) ([]comic.OverflowText, error)
	// Letter erases and letters the page of a context.
	Letter(ctx context.Context, c lease.Value, translations []core.Translation) (Lettered, error)
}

// Decoded is a page as pixels.
type Decoded interface {
	// Detect finds and reads the regions of the page. It sets Width, Height, Regions, FromLang and Elapsed of the output; Elapsed
	// includes decoding. Without regions the context is undefined.
	Detect(ctx context.Context, o comic.Options) (lease.Value, comic.DetectOutput, error)
	// With returns the context of a page whose regions an earlier Detect found. It needs no device.
	With(regions []comic.Region, o comic.Options) lease.Value
}

// Lettered is a page with its translations, as pixels.
type Lettered interface {
	// Encode writes the page in the format of its source. The report covers everything since detect.
	Encode(ctx context.Context) ([]byte, comic.RenderReport, error)
	// Layers is the page taken apart, as a file of package layers, or nil without a translation. It may run beside Encode.
	Layers(ctx context.Context) ([]byte, error)
}

// typedEngine is an engine with its own types of contexts and pages.
type typedEngine[C lease.Value, D typedDecoded[C], L Lettered] interface {
	Bytes(image []byte) (int64, error)
	Decode(ctx context.Context, image []byte) (D, error)
	Prepare(ctx context.Context, c C, translations []core.Translation) (C, error)
	Revise(c C, regions []comic.Region) C
	ReadArea(ctx context.Context, c C, area comic.Area, from string) (comic.Region, error)
	Overflow(ctx context.Context, c C, translations []core.Translation) ([]comic.OverflowText, error)
	Letter(ctx context.Context, c C, translations []core.Translation) (L, error)
}

type typedDecoded[C lease.Value] interface {
	Detect(ctx context.Context, o comic.Options) (C, comic.DetectOutput, error)
	With(regions []comic.Region, o comic.Options) C
}

// EngineOf makes an Engine of one with its own types, such as that of plait/internal/comic.
func EngineOf[C lease.Value, D typedDecoded[C], L Lettered](e typedEngine[C, D, L]) Engine {
	return adapter[C, D, L]{e}
}

type adapter[C lease.Value, D typedDecoded[C], L Lettered] struct{ engine typedEngine[C, D, L] }

func (a adapter[C, D, L]) Bytes(image []byte) (int64, error) { return a.engine.Bytes(image) }

func (a adapter[C, D, L]) Decode(ctx context.Context, image []byte) (Decoded, error) {
	page, err := a.engine.Decode(ctx, image)
	return decoded[C, D]{page}, err
}

type decoded[C lease.Value, D typedDecoded[C]] struct{ page D }

func (d decoded[C, D]) Detect(ctx context.Context, o comic.Options) (lease.Value, comic.DetectOutput, error) {
	return d.page.Detect(ctx, o)
}

func (d decoded[C, D]) With(regions []comic.Region, o comic.Options) lease.Value {
	return d.page.With(regions, o)
}

func (a adapter[C, D, L]) Letter(ctx context.Context, c lease.Value, translations []core.Translation) (Lettered, error) {
	own, err := a.own(c)
	if err != nil {
		return nil, err
	}
	return a.engine.Letter(ctx, own, translations)
}

func (a adapter[C, D, L]) Prepare(ctx context.Context, c lease.Value, translations []core.Translation) (lease.Value, error) {
	own, err := a.own(c)
	if err != nil {
		return nil, err
	}
	return a.engine.Prepare(ctx, own, translations)
}

func (a adapter[C, D, L]) Revise(c lease.Value, regions []comic.Region) (lease.Value, error) {
	own, err := a.own(c)
	if err != nil {
		return nil, err
	}
	return a.engine.Revise(own, regions), nil
}

func (a adapter[C, D, L]) ReadArea(ctx context.Context, c lease.Value, area comic.Area, from string) (comic.Region, error) {
	own, err := a.own(c)
	if err != nil {
		return comic.Region{}, err
	}
	return a.engine.ReadArea(ctx, own, area, from)
}

func (a adapter[C, D, L]) Overflow(ctx context.Context, c lease.Value, translations []core.Translation) ([]comic.OverflowText, error) {
	own, err := a.own(c)
	if err != nil {
		return nil, err
	}
	return a.engine.Overflow(ctx, own, translations)
}

func (a adapter[C, D, L]) own(c lease.Value) (C, error) {
	own, ok := c.(C)
	if !ok {
		return own, core.Errorf(core.CodeInternal, "a detect context of another engine: %T", c)
	}
	return own, nil
}
