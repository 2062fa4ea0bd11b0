// Package engine is the page engine: it finds and reads the text of a comic page, removes it, and letters translations in its place.
//
// [Engine.Decode] turns the bytes of an image into pixels. [Decoded.Detect] turns these into regions and a [Context]: the decoded page
// with what was found on it. [Engine.Letter] turns a context and translations into the finished page, and [Lettered.Encode] that into
// bytes. [Engine.Detect] and [Engine.Render] do two of these steps each. Only Detect and Letter need the device; a caller whose device is
// shared holds it for these alone.
//
// Every step is a pure function of image, models and parameters: the same input gives the same bytes, on any number of threads and in
// every mode. The engine keeps nothing between calls but its models; a [Context] belongs to the caller.
//
// Each step is a package:
//
//	detect        boxes of the lines of text
//	ocr           the characters of each line
//	mangaocr      the same for Japanese, with a model that a manifest adds
//	scripts       the same for scripts that the base model lacks
//	bubbles       speech bubbles, with a model that a manifest adds
//	regions       lines grouped into regions, with their colors, direction and kind
//	readingorder  the order in which regions are read
//	mask          the pixels of the lettering
//	inpaint       what is painted in place of the lettering
//	textarea      where a translation may stand
//	letter        line breaks, size, color and drawing of the translation
//	overlay       a page with its regions marked, for people who check it
package engine

import (
	"context"
	"slices"

	"plait/internal/comic"
	"plait/internal/comic/letter"
	"plait/internal/core"
	"plait/internal/picture"
)

// Context is a detect context: the decoded page and what was found on it. It is never changed after Detect.
type Context struct {
	picture  *picture.Picture
	original []byte
	regions  []comic.Region
	language string
	sounds   comic.SoundMode
	// erased is the page without the lettering of some regions, if it was prepared for them, or nil. without are these regions, as indexes
	// returns them.
	erased  *Erased
	without []int
	// written is what was written of the results of a prepared page, or nil.
	written *picture.Written
	// preparing is the time that the preparation took.
	preparing stopwatch
}

// Bytes is the memory that the context holds, in bytes.
func (c *Context) Bytes() int64 {
	size := c.picture.Bytes() + int64(len(c.original))
	if c.erased != nil {
		size += c.erased.bytes() + int64(len(c.original)) // a result is about as long
	}
	return size
}

// Regions are the regions of the page in reading order.
func (c *Context) Regions() []comic.Region { return c.regions }

// Detect decodes a page and finds and reads its text: [Engine.Decode] and [Decoded.Detect] in one, failing as they do.
func (e *Engine) Detect(ctx context.Context, image []byte, o comic.Options) (*Context, comic.DetectOutput, error) {
	page, err := e.Decode(ctx, image)
	if err != nil {
		return nil, comic.DetectOutput{}, err
	}
	return page.Detect(ctx, o)
}

// Detect finds and reads the text of a page. Of the output it fills size, regions, language and elapsed times, among them that
// of decoding. A page without text has no regions, which is not an error. It fails with CodeDevice, and with CodeUnknownLanguage
// if no loaded model reads the script of the given language.
func (p *Decoded) Detect(ctx context.Context, o comic.Options) (*Context, comic.DetectOutput, error) {
	page, watch := p.picture, p.watch.goOn()
	e, err := p.engine.reads(ctx, o)
	if err != nil {
		return nil, comic.DetectOutput{}, err
	}
	if err := e.checkSource(o.From); err != nil {
		return nil, comic.DetectOutput{}, err
	}
	found, err := e.detector.Lines(ctx, page.Image)
	if err != nil {
		return nil, comic.DetectOutput{}, err
	}
	watch.lap("detect")
	said, err := e.read(ctx, page.Image, found, o.From)
	if err != nil {
		return nil, comic.DetectOutput{}, err
	}
	grouped, err := e.group(ctx, said, o.Order)
	if err != nil {
		return nil, comic.DetectOutput{}, err
	}
	for i := range grouped {
		grouped[i].TargetLang = o.To
		grouped[i].Emphasized = letter.Emphasized(page.Image, grouped[i])
	}
	watch.lap("ocr")
	c := &Context{picture: page, original: p.original, regions: grouped, language: o.To, sounds: o.Sounds}
	return c, comic.DetectOutput{
		Width: page.Width, Height: page.Height, Regions: grouped, FromLang: said.Language, Elapsed: watch.total(),
	}, nil
}

// reads returns an engine with the models that read pages with these options.
func (e *Engine) reads(ctx context.Context, o comic.Options) (*Engine, error) {
	if !o.Fast {
		return e, nil
	}
	fast := *e
	var err error
	fast.reader, err = e.small.reader(ctx)
	return &fast, err
}

// With returns the context of a page whose regions an earlier Detect found, with the same options. It runs no model. Lettering it gives
// the same bytes as lettering the context of that Detect.
func (p *Decoded) With(regions []comic.Region, o comic.Options) *Context {
	return &Context{picture: p.picture, original: p.original, regions: regions, language: o.To, sounds: o.Sounds, preparing: *p.watch.goOn()}
}

// Revise returns a copy of the context with other choices of people for its regions, in the order of the context, and with regions that
// people drew after them. It keeps what is prepared unless regions, kinds or lines change, on which erasing depends.
func (e *Engine) Revise(c *Context, regions []comic.Region) *Context {
	revised := *c
	revised.regions = regions
	same := func(a, b comic.Region) bool {
		return a.Kind == b.Kind && a.Absent() == b.Absent() && slices.Equal(a.Lines, b.Lines)
	}
	if !slices.EqualFunc(c.regions, regions, same) {
		revised.erased, revised.without = nil, nil
	}
	return &revised
}

// chosen are the regions of a page that get a text, or are only erased.
type chosen struct{ replaced, annotated []comic.Region }

func (c chosen) empty() bool { return len(c.replaced)+len(c.annotated) == 0 }

// withText returns the regions to replace and those to annotate: regions with a translation of which a font has at least one character,
// and those that a person wants erased.
// The other regions stay as drawn, such as those that say the same as their translation. missing has the characters that no font has.
// It fails with CodeRenderInputInvalid unless there is exactly one translation for each region.
func (e *Engine) withText(c *Context, translations []core.Translation) (some chosen, missing string, err error) {
	if err := core.CheckTranslations(len(c.regions), translations); err != nil {
		return chosen{}, "", err
	}
	texts := core.TextsByRegion(translations)
	for _, r := range c.regions {
		if r.Override.Erased && !r.Override.Deleted {
			some.replaced = append(some.replaced, r)
			continue
		}
		if texts[r.Index] == "" || r.Says(texts[r.Index]) || r.Override.Deleted || r.Kind == comic.KindEffect && c.sounds == comic.SoundsKeep {
			continue
		}
		draws, lacking, err := e.letterer.Draws(c.language, texts[r.Index])
		if err != nil {
			return chosen{}, "", err
		}
		missing += lacking
		switch {
		case !draws:
		case r.Kind == comic.KindEffect && c.sounds == comic.SoundsAnnotate:
			some.annotated = append(some.annotated, r)
		default:
			some.replaced = append(some.replaced, r)
		}
	}
	return some, missing, nil
}
