package engine

import (
	"context"
	"image"
	"strings"

	"plait/internal/comic"
	"plait/internal/comic/bubbles"
	"plait/internal/comic/detect"
	"plait/internal/comic/ocr"
	"plait/internal/comic/regions"
	"plait/internal/comic/scripts"
	"plait/internal/core"
	"plait/internal/languages"
	"plait/internal/raster"
)

// reading is the result of recognition on a page.
type reading struct {
	found    []detect.Line
	lines    []ocr.Reading
	language string
	// foreign says that the page is in a script that no loaded model reads, so the texts of its lines are guesses.
	foreign bool
}

// read reads the lines of a page, and identifies their language if from names none.
func (e *Engine) read(ctx context.Context, img *image.NRGBA, found []detect.Line, from string) (reading, error) {
	quads := make([]raster.Quad, len(found))
	for i, l := range found {
		quads[i] = l.Quad.Inset(l.Slack)
	}
	lines, err := e.recognizer.Read(ctx, img, quads)
	if err != nil {
		return reading{}, err
	}
	r := reading{found: found, lines: lines, language: from}
	given := from != languages.Auto && from != "" && from != languages.Undetermined
	if !given {
		r.language = languageOf(lines)
	}
	page := scripts.Page{Image: img, Quads: quads, Readings: lines, Language: r.language, Given: given}
	if err := scripts.Reread(ctx, e.others, page); err != nil {
		return reading{}, err
	}
	if !given {
		r.language = languageOf(lines)
		if page.Foreign() {
			r.language, r.foreign = languages.Undetermined, true
		} else if len(scripts.Lacking(e.others, r.language)) > 0 {
			r.foreign = true
		}
	}
	if !languages.IsCJK(r.language) {
		for i, l := range r.lines {
			r.lines[i] = l.Sideways()
		}
	}
	return r, nil
}

// outlined are the lines with their readings, for grouping.
func (r reading) outlined() []regions.Line {
	lines := make([]regions.Line, len(r.found))
	for i, l := range r.lines {
		lines[i] = regions.Line{
			Quad: r.found[i].Quad.From(l.Turns), Slack: r.found[i].Slack,
			Text: l.Text, Prob: l.Prob, Vertical: l.Vertical, Unread: r.foreign,
		}
	}
	return lines
}

// checkSource fails with CodeUnknownLanguage if no loaded model reads the script of the given language.
func (e *Engine) checkSource(from string) error {
	if lacking := scripts.Lacking(e.others, from); len(lacking) > 0 {
		return core.Errorf(core.CodeUnknownLanguage,
			"source language %q is written in %s, which no loaded model reads; add a recognizer of that script to the manifest of models (models.manifest)",
			from, strings.Join(lacking, ", "))
	}
	return nil
}

// languageOf is the language of the lines that are no noise: on a page without text that is read as Chinese characters.
func languageOf(readings []ocr.Reading) string {
	var sure []string
	for _, r := range readings {
		if r.Prob >= comic.LeastReading {
			sure = append(sure, r.Text)
		}
	}
	return regions.Language(sure)
}

// group joins the lines of a page into regions. If a model has found bubbles, a region never has lines of two of them, and text in a
// bubble is dialogue.
func (e *Engine) group(ctx context.Context, img *image.NRGBA, r reading, o comic.Options) ([]comic.Region, error) {
	lines := r.outlined()
	if e.bubbles != nil {
		boxes, err := e.bubbles.Find(ctx, img)
		if err != nil {
			return nil, err
		}
		for i, bubble := range bubbles.Divide(boxes, detect.Quads(r.found)) {
			lines[i].Bubble = bubble + 1
		}
	}
	return regions.Group(ctx, regions.Page{
		Image: img, Lines: lines, Language: r.language, RightToLeft: o.Order.RightToLeft(r.language),
	})
}
