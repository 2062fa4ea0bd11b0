package batch

import (
	"plait/internal/comic"
	"plait/internal/core"
)

// Record is what a program is told of a page as one JSON object: what was found on it, and of an erased page what became of it.
type Record struct {
	Page string `json:"page"`
	// File is the path of the written page; empty where none is written.
	File string `json:"file,omitempty"`
	// Width and Height are in pixels.
	Width    int            `json:"width"`
	Height   int            `json:"height"`
	FromLang string         `json:"from_lang"`
	Elapsed  core.ElapsedMS `json:"elapsed_ms"`
	// ChangedPixels is how many pixels of an erased page differ; nil of a page that is only read.
	ChangedPixels *int `json:"changed_pixels,omitempty"`
	// Regions are never null.
	Regions []comic.Region `json:"regions"`
}

// RecordRead is the record of the page of that name, which was read.
func RecordRead(page string, found comic.DetectOutput) Record {
	return Record{
		Page: page, Width: found.Width, Height: found.Height, FromLang: found.FromLang, Elapsed: found.Elapsed,
		Regions: append([]comic.Region{}, found.Regions...),
	}
}

// RecordErased is the record of the page of that name, which was erased.
func RecordErased(page string, done ErasedPage) Record {
	r := RecordRead(page, done.DetectOutput)
	r.File, r.ChangedPixels = done.File, &done.ChangedPixels
	return r
}
