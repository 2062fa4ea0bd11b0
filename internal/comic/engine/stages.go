package engine

import (
	"context"
	"image"
	"slices"

	"plait/internal/comic"
	"plait/internal/comic/layers"
	"plait/internal/comic/letter"
	"plait/internal/comic/mask"
	"plait/internal/core"
	"plait/internal/picture"
	"plait/internal/raster/bitmap"
)

// Erased is a page with the lettering of some regions removed.
type Erased struct {
	// Image has the size of the page. Outside the mask it equals the page, byte for byte.
	Image *image.NRGBA
	holes *bitmap.Bitmap
	// Kept are the indices of the sounds and labels over art that stay as drawn, because they could not be erased cleanly.
	Kept []int
	// found is the analysis of the page for lettering, if it was done in advance.
	found *letter.Found
}

// Mask has the size of the page: 255 where lettering was erased, and 0 elsewhere.
func (e *Erased) Mask() *image.Gray {
	m := image.NewGray(e.holes.Rect)
	for i, p := range e.holes.Pix {
		m.Pix[i] = 255 * p
	}
	return m
}

// Erased is the erased page if it was prepared for rendering, or nil. Callers must not change it.
func (c *Context) Erased() *Erased { return c.erased }

// Picture is the decoded page. Callers must not change it.
func (c *Context) Picture() *picture.Picture { return c.picture }

// Erase removes the lettering of some or all regions of c, except for [Erased.Kept]. It fails when ctx ends, and with CodeDevice when a
// model fails.
func (e *Engine) Erase(ctx context.Context, c *Context, regions []comic.Region) (*Erased, error) {
	glyphs, err := mask.Glyphs(ctx, c.picture.Image, regions, c.besides(regions))
	if err != nil {
		return nil, err
	}
	filled, err := e.filler.Fill(ctx, c.picture.Image, glyphs)
	if err != nil {
		return nil, err
	}
	kept, err := e.unclean(ctx, filled, regions, glyphs)
	if err != nil {
		return nil, err
	}
	if len(kept) > 0 {
		glyphs = without(glyphs, kept)
		if filled, err = e.filler.Fill(ctx, c.picture.Image, glyphs); err != nil {
			return nil, err
		}
	}
	return &Erased{Image: filled, holes: glyphs.Merged(), Kept: kept}, nil
}

// besides are the regions on the page that are not in some.
func (c *Context) besides(some []comic.Region) []comic.Region {
	return slices.DeleteFunc(slices.Clone(c.regions), func(r comic.Region) bool {
		return r.Absent() || slices.ContainsFunc(some, func(o comic.Region) bool { return o.Index == r.Index })
	})
}

// Render erases the regions that have a translation and letters it in their place. It combines [Engine.Letter] and [Lettered.Encode], and
// fails as they do.
func (e *Engine) Render(ctx context.Context, c *Context, translations []core.Translation) ([]byte, comic.RenderReport, error) {
	page, err := e.Letter(ctx, c, translations)
	if err != nil {
		return nil, comic.RenderReport{}, err
	}
	return page.Encode(ctx)
}

// Letter erases the regions that have a translation and letters it in their place. It fails with CodeRenderInputInvalid unless there is
// exactly one translation for each region.
func (e *Engine) Letter(ctx context.Context, c *Context, translations []core.Translation) (*Lettered, error) {
	watch := c.preparing.goOn()
	translated, missing, err := e.withText(c, translations)
	if err != nil {
		return nil, err
	}
	if translated.empty() {
		return &Lettered{context: c, report: comic.RenderReport{Missing: eachOnce(missing)}, watch: watch}, nil
	}
	erased, err := e.erased(ctx, c, translated.replaced)
	if err != nil {
		return nil, err
	}
	erased = erased.toDraw(c)
	painted := layers.Difference(c.picture.Image, erased.Image)
	watch.lap("erase")
	report, err := e.letterer.Draw(ctx, c.lettering(erased, translated, translations), e.style)
	if err != nil {
		return nil, err
	}
	watch.lap("render")
	page := &Lettered{context: c, image: erased.Image, erased: painted, report: comic.RenderReport{Annotated: erased.Kept}, watch: watch}
	for _, l := range report.Regions {
		missing += l.Missing
	}
	for _, text := range overflow(report) {
		page.report.Overflow = append(page.report.Overflow, text.Index)
	}
	page.report.Missing = eachOnce(missing)
	return page, nil
}

// lettering is what is lettered of the page. Regions that were kept get their translation beside them.
func (c *Context) lettering(erased *Erased, regions chosen, translations []core.Translation) letter.Page {
	p := letter.Page{
		Erased: erased.Image, Original: c.picture.Image, Annotated: slices.Clone(regions.annotated), Translations: translations, Lang: c.language,
		Found: erased.found,
	}
	p.Drawn = c.besides(slices.Concat(regions.replaced, regions.annotated))
	for _, r := range regions.replaced {
		if r.Override.Erased {
			continue
		}
		if slices.Contains(erased.Kept, r.Index) {
			p.Annotated = append(p.Annotated, r)
		} else {
			p.Regions = append(p.Regions, r)
		}
	}
	return p
}

// Overflow returns the translations that would not fit at a legible size, in the order of the regions: the same as [Engine.Render] would
// report as overflow. On a context of [Engine.Prepare] with the same regions translated it only computes the layout, in some milliseconds
// a page; on any other it erases first. It fails as [Engine.Render] does.
func (e *Engine) Overflow(ctx context.Context, c *Context, translations []core.Translation) ([]comic.OverflowText, error) {
	translated, _, err := e.withText(c, translations)
	if err != nil || translated.empty() {
		return nil, err
	}
	erased, err := e.erased(ctx, c, translated.replaced)
	if err != nil {
		return nil, err
	}
	report, err := e.letterer.LayOut(ctx, c.lettering(erased, translated, translations), e.style)
	return overflow(report), err
}

// overflow are the texts that do not fit, in the order of the report.
func overflow(r letter.Report) (list []comic.OverflowText) {
	for _, l := range r.Regions {
		if l.Fit != letter.Fits {
			list = append(list, comic.OverflowText{Index: l.Index, Room: l.Room})
		}
	}
	return list
}

// eachOnce are the distinct characters of a text, in order of appearance.
func eachOnce(text string) string {
	var out []rune
	for _, c := range text {
		if !slices.Contains(out, c) {
			out = append(out, c)
		}
	}
	return string(out)
}

// Decoded is a decoded page before detection. It is never changed.
type Decoded struct {
	engine   *Engine
	picture  *picture.Picture
	original []byte
	watch    *stopwatch
}

// workPerPixel is the memory, in bytes a pixel, that a step needs at most besides the decoded page, measured on 50 megapixels full of
// text and tone by the peak of `plait read` and of lettering.
const workPerPixel = 8

// Bytes is the greatest memory of a page at any time from decoding to encoding, in bytes. It fails as [picture.Probe] does.
func (e *Engine) Bytes(image []byte) (int64, error) {
	info, err := picture.Probe(image, e.limits)
	if err != nil {
		return 0, err
	}
	return info.Bytes() + workPerPixel*int64(info.Width)*int64(info.Height) + int64(len(image)), nil
}

// Decode decodes a page. It runs no model, so it needs no device. It fails with CodeInvalidImage and
// CodeImageTooLarge, and when ctx ends.
func (e *Engine) Decode(ctx context.Context, image []byte) (*Decoded, error) {
	watch := newStopwatch()
	page, err := picture.Decode(ctx, image, e.limits)
	if err != nil {
		return nil, err
	}
	watch.lap("decode")
	return &Decoded{engine: e, picture: page, original: image, watch: watch}, nil
}
