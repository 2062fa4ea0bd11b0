package batch

import (
	"plait/internal/comic"
	"plait/internal/core"
)

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
