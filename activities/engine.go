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
	// Render erases and letters the page of a context and returns it encoded in the format of its source.
	Render(ctx context.Context, c ctxcache.Context, translations []pipeline.Translation) ([]byte, pipeline.ElapsedMS, error)
}

// typedEngine is an engine whose context is a type of its own.
type typedEngine[C ctxcache.Context] interface {
	Detect(ctx context.Context, image []byte, o pipeline.Options) (C, pipeline.DetectOutput, error)
	Render(ctx context.Context, c C, translations []pipeline.Translation) ([]byte, pipeline.ElapsedMS, error)
}

// EngineOf makes an Engine of one that knows only its own contexts, such as that of plait/internal/comic.
func EngineOf[C ctxcache.Context](e typedEngine[C]) Engine { return adapter[C]{e} }

type adapter[C ctxcache.Context] struct{ engine typedEngine[C] }

func (a adapter[C]) Detect(ctx context.Context, image []byte, o pipeline.Options) (ctxcache.Context, pipeline.DetectOutput, error) {
	return a.engine.Detect(ctx, image, o)
}

func (a adapter[C]) Render(ctx context.Context, c ctxcache.Context, translations []pipeline.Translation) ([]byte, pipeline.ElapsedMS, error) {
	own, ok := c.(C)
	if !ok {
		return nil, nil, pipeline.Errorf(pipeline.CodeInternal, "a detect context of another engine: %T", c)
	}
	return a.engine.Render(ctx, own, translations)
}
