package activities

import (
	"context"

	"plait/internal/ctxcache"
	"plait/internal/pipeline"
)

// Engine turns pictures into regions, and regions with translations into pictures. It is a pure function of image,
// models and parameters, honors ctx, and is safe for concurrent use. The tests have one of their own.
type Engine interface {
	// Detect finds and reads the regions of an encoded image. Of the output it fills Width, Height, Regions, FromLang
	// and Elapsed. The context has no meaning when there are no regions.
	Detect(ctx context.Context, image []byte, o pipeline.Options) (ctxcache.Context, pipeline.DetectOutput, error)
	// Prepare is a context that renders the same translations, and others of the same regions, to the same bytes as c, and
	// faster.
	Prepare(ctx context.Context, c ctxcache.Context, translations []pipeline.Translation) (ctxcache.Context, error)
	// Tight tells the translations that do not fit at a legible size: exactly those that Render will report. It is quick on
	// a context of Prepare.
	Tight(ctx context.Context, c ctxcache.Context, translations []pipeline.Translation) ([]pipeline.TightText, error)
	// Render erases and letters the page of a context and returns it encoded in the format of its source.
	Render(ctx context.Context, c ctxcache.Context, translations []pipeline.Translation) ([]byte, pipeline.RenderReport, error)
}

// typedEngine is an engine whose context is a type of its own.
type typedEngine[C ctxcache.Context] interface {
	Detect(ctx context.Context, image []byte, o pipeline.Options) (C, pipeline.DetectOutput, error)
	Prepare(ctx context.Context, c C, translations []pipeline.Translation) (C, error)
	Tight(ctx context.Context, c C, translations []pipeline.Translation) ([]pipeline.TightText, error)
	Render(ctx context.Context, c C, translations []pipeline.Translation) ([]byte, pipeline.RenderReport, error)
}

// EngineOf makes an Engine of one that knows only its own contexts, such as that of plait/internal/comic.
func EngineOf[C ctxcache.Context](e typedEngine[C]) Engine { return adapter[C]{e} }

type adapter[C ctxcache.Context] struct{ engine typedEngine[C] }

func (a adapter[C]) Detect(ctx context.Context, image []byte, o pipeline.Options) (ctxcache.Context, pipeline.DetectOutput, error) {
	return a.engine.Detect(ctx, image, o)
}

func (a adapter[C]) Render(ctx context.Context, c ctxcache.Context, translations []pipeline.Translation) ([]byte, pipeline.RenderReport, error) {
	own, err := a.own(c)
	if err != nil {
		return nil, pipeline.RenderReport{}, err
	}
	return a.engine.Render(ctx, own, translations)
}

func (a adapter[C]) Prepare(ctx context.Context, c ctxcache.Context, translations []pipeline.Translation) (ctxcache.Context, error) {
	own, err := a.own(c)
	if err != nil {
		return nil, err
	}
	return a.engine.Prepare(ctx, own, translations)
}

func (a adapter[C]) Tight(ctx context.Context, c ctxcache.Context, translations []pipeline.Translation) ([]pipeline.TightText, error) {
	own, err := a.own(c)
	if err != nil {
		return nil, err
	}
	return a.engine.Tight(ctx, own, translations)
}

func (a adapter[C]) own(c ctxcache.Context) (C, error) {
	own, ok := c.(C)
	if !ok {
		return own, pipeline.Errorf(pipeline.CodeInternal, "a detect context of another engine: %T", c)
	}
	return own, nil
}
