package engine

import (
	"context"
	"slices"

	"plait/internal/comic"
	"plait/internal/core"
	"plait/internal/picture"
	"plait/internal/raster"
)

// Prepare returns a copy of c in which the translated regions are erased and the analysis for lettering is done. Rendering it with any
// texts for the same regions only letters, and encodes what differs from the rendering before, and gives the same bytes as rendering c. It
// returns c if that is prepared already. It fails as [Engine.Render] does.
func (e *Engine) Prepare(ctx context.Context, c *Context, translations []core.Translation) (*Context, error) {
	translated, _, err := e.withText(c, translations)
	if err != nil || translated.empty() || c.isPrepared(translated.replaced) {
		return c, err
	}
	watch := c.preparing.goOn()
	erased, err := e.Erase(ctx, c, translated.replaced)
	if err != nil {
		return nil, err
	}
	if erased.found, err = e.letterer.Find(c.lettering(erased, translated, translations)); err != nil {
		return nil, err
	}
	watch.lap("erase")
	prepared := *c
	prepared.erased, prepared.without, prepared.preparing = erased, indexes(translated.replaced), *watch
	if prepared.written == nil {
		prepared.written = &picture.Written{}
	}
	return &prepared, nil
}

// erased returns the result of Erase, or what Prepare erased, which must not be changed.
func (e *Engine) erased(ctx context.Context, c *Context, regions []comic.Region) (*Erased, error) {
	if !c.isPrepared(regions) {
		return e.Erase(ctx, c, regions)
	}
	return c.erased, nil
}

func (c *Context) isPrepared(regions []comic.Region) bool {
	return c.erased != nil && slices.Equal(c.without, indexes(regions))
}

// toDraw returns e, or a copy of it that may be drawn on if e belongs to c.
func (e *Erased) toDraw(c *Context) *Erased {
	if e != c.erased {
		return e
	}
	own := *e
	own.Image = raster.Clone(e.Image)
	return &own
}

// bytes is the memory of the erased page in bytes.
func (e *Erased) bytes() int64 {
	size := int64(len(e.Image.Pix) + len(e.holes.Pix))
	if e.found != nil {
		size += e.found.Bytes()
	}
	return size
}

// indexes are the indices of regions; of those that are only erased, the complements.
func indexes(regions []comic.Region) []int {
	list := make([]int, len(regions))
	for i, r := range regions {
		if list[i] = r.Index; r.Override.Erased {
			list[i] = ^r.Index
		}
	}
	return list
}
