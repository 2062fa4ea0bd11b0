package batch

import (
	"context"
	"maps"
	"time"

	"plait/internal/comic"
	"plait/internal/comic/engine"
	"plait/internal/comic/overlay"
	"plait/internal/core"
	"plait/internal/files"
	"plait/internal/picture"
	"plait/internal/raster/bitmap"
)

// Reader reads the text of pages.
type Reader struct {
	Options comic.Options
	// Overlays are the paths of pictures of the pages with their regions marked; nil writes none.
	Overlays []string
}

// Read finds the regions of page i.
func (r *Reader) Read(ctx context.Context, e *Engine, i int, page []byte, found *comic.DetectOutput) error {
	c, out, err := e.Detect(ctx, page, r.Options)
	if *found = out; err != nil || r.Overlays == nil {
		return err
	}
	return writeOverlay(r.Overlays[i], c)
}

// writeOverlay writes a page with its regions marked.
func writeOverlay(path string, page *engine.Context) error {
	marked, err := overlay.Draw(page.Picture().Image, page.Regions())
	if err != nil {
		return err
	}
	return files.WritePNG(path, marked)
}

// Eraser removes the text of pages.
type Eraser struct {
	From string
	// PNG writes every page as PNG.
	PNG bool
	// Files are the paths of the erased pages. Masks are the paths of their masks, or nil.
	Files, Masks []string
}

// ErasedPage is the result of erasing a page.
type ErasedPage struct {
	comic.DetectOutput
	File string
	// ChangedPixels is the number of pixels that differ from the original page.
	ChangedPixels int
}

// Erase removes the text of page i. The elapsed times are those of reading, "erase", "encode" and "total".
func (r *Eraser) Erase(ctx context.Context, e *Engine, i int, page []byte, done *ErasedPage) error {
	start := time.Now()
	c, found, err := e.Detect(ctx, page, comic.Options{From: r.From})
	if err != nil {
		return err
	}
	done.File, done.DetectOutput, done.Elapsed = r.Files[i], found, maps.Clone(found.Elapsed)
	last := time.Now()
	lap := func(part string) {
		done.Elapsed[part] = time.Since(last).Milliseconds()
		last = time.Now()
	}
	erased, err := e.Erase(ctx, c, found.Regions)
	if err != nil {
		return err
	}
	lap("erase")
	done.ChangedPixels = bitmap.Changed(c.Picture().Image, erased.Image, erased.Image.Rect, 0).Count()
	if r.Masks != nil {
		if err := files.WritePNG(r.Masks[i], erased.Mask()); err != nil {
			return err
		}
	}
	last = time.Now()
	original := c.Picture()
	format := original.Format
	if r.PNG {
		format = picture.PNG
	}
	if len(found.Regions) > 0 || format != original.Format {
		if page, err = original.Encode(ctx, erased.Image, format); err != nil {
			return err
		}
	}
	lap("encode")
	done.Elapsed["total"] = time.Since(start).Milliseconds()
	return files.WriteBytes(r.Files[i], page)
}

// Record describes a page to other programs, as a JSON object: what was read on it, and the outcome if it was erased.
type Record struct {
	Page string `json:"page"`
	// File is the path of the written page; empty if none was written.
	File string `json:"file,omitempty"`
	// Width and Height are in pixels.
	Width    int            `json:"width"`
	Height   int            `json:"height"`
	FromLang string         `json:"from_lang"`
	Elapsed  core.ElapsedMS `json:"elapsed_ms"`
	// ChangedPixels is the number of pixels that erasing changed; nil for a page that was only read.
	ChangedPixels *int `json:"changed_pixels,omitempty"`
	// Regions are never null.
	Regions []comic.Region `json:"regions"`
}

// RecordRead is the record of a page that was read.
func RecordRead(page string, found comic.DetectOutput) Record {
	return Record{
		Page: page, Width: found.Width, Height: found.Height, FromLang: found.FromLang, Elapsed: found.Elapsed,
		Regions: append([]comic.Region{}, found.Regions...),
	}
}

// RecordErased is the record of a page that was erased.
func RecordErased(page string, done ErasedPage) Record {
	r := RecordRead(page, done.DetectOutput)
	r.File, r.ChangedPixels = done.File, &done.ChangedPixels
	return r
}
