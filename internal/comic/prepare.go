package comic

import (
	"context"
	"image"
	"slices"

	"plait/internal/pipeline"
)

// Prepare is c with the lettering of the translated regions erased: rendering it with any texts of the same regions only
// letters and encodes, and gives the same bytes as rendering c. It fails as [Engine.Render].
func (e *Engine) Prepare(ctx context.Context, c *Context, translations []pipeline.Translation) (*Context, error) {
	if err := pipeline.CheckTranslations(len(c.regions), translations); err != nil {
		return nil, err
	}
	translated := withText(c.regions, translations)
	if len(translated) == 0 {
		return c, nil
	}
	erased, err := e.Erase(ctx, c, translated)
	if err != nil {
		return nil, err
	}
	prepared := *c
	prepared.erased, prepared.without = erased, indexes(translated)
	return &prepared, nil
}

// erase is Erase, or a copy of what was erased ahead.
func (e *Engine) erase(ctx context.Context, c *Context, regions []pipeline.Region) (*Erased, error) {
	if c.erased == nil || !slices.Equal(c.without, indexes(regions)) {
		return e.Erase(ctx, c, regions)
	}
	ahead := c.erased.Image
	return &Erased{
		Image: &image.NRGBA{Pix: slices.Clone(ahead.Pix), Stride: ahead.Stride, Rect: ahead.Rect},
		holes: c.erased.holes,
	}, nil
}

func indexes(regions []pipeline.Region) []int {
	list := make([]int, len(regions))
	for i, r := range regions {
		list[i] = r.Index
	}
	return list
}
