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

// read reads the lines of a page, and identifies their language if from names none. The lines of a page in a script that no loaded model
// reads are unread, because their texts are guesses.
func (e *Engine) read(ctx context.Context, img *image.NRGBA, found []detect.Line, from string) (regions.Page, error) {
	quads := make([]raster.Quad, len(found))
	for i, l := range found {
		quads[i] = l.Quad.Inset(l.Slack)
	}
	lines, err := e.recognizer.Read(ctx, img, quads)
	if err != nil {
		return regions.Page{}, err
	}
	given := from != languages.Auto && from != "" && from != languages.Undetermined
	language, foreign := from, false
	if !given {
		language = languageOf(lines)
	}
	again := scripts.Page{Image: img, Quads: quads, Readings: lines, Language: language, Given: given}
	if err := scripts.Reread(ctx, e.others, again); err != nil {
		return regions.Page{}, err
	}
	if !given {
		language = languageOf(lines)
		if again.Foreign() {
			language, foreign = languages.Undetermined, true
		} else if len(scripts.Lacking(e.others, language)) > 0 {
			foreign = true
		}
	}
	page := regions.Page{Image: img, Language: language}
	for i, l := range lines {
		if !languages.IsCJK(language) {
			l = l.Sideways()
		}
		page.Lines = append(page.Lines, regions.Line{
			Quad: found[i].Quad.From(l.Turns), Slack: found[i].Slack, Text: l.Text, Prob: l.Prob, Vertical: l.Vertical, Unread: foreign,
		})
	}
	return page, nil
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
func (e *Engine) group(ctx context.Context, page regions.Page, order comic.ReadingOrder) ([]comic.Region, error) {
	if e.bubbles != nil {
		boxes, err := e.bubbles.Find(ctx, page.Image)
		if err != nil {
			return nil, err
		}
		for i, l := range page.Lines {
			page.Lines[i].Bubble = bubbles.Around(boxes, l.Quad) + 1
		}
	}
	page.RightToLeft = order.RightToLeft(page.Language)
	return regions.Group(ctx, page)
}
