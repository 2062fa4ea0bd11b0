package comic

import (
	"context"
	"image"
	"strings"

	"plait/internal/comic/bubbles"
	"plait/internal/comic/ocr"
	"plait/internal/comic/order"
	"plait/internal/comic/regions"
	"plait/internal/comic/scripts"
	"plait/internal/pipeline"
)

// sureReading is the least probability of a line that has a say in the language of its page: noise on a page without
// text reads as Chinese characters.
const sureReading = 0.6

// read reads the lines of a page, and tells its language where from names none.
func (e *Engine) read(ctx context.Context, img *image.NRGBA, quads []pipeline.Quad, from string) ([]ocr.Reading, string, error) {
	readings, err := e.recognizer.Read(ctx, img, quads)
	if err != nil {
		return nil, "", err
	}
	language, given := from, from != pipeline.LanguageAuto && from != ""
	if !given {
		language = languageOf(readings)
	}
	err = scripts.Reread(ctx, e.others, scripts.Page{Image: img, Quads: quads, Readings: readings, Language: language, Given: given})
	if err != nil {
		return nil, "", err
	}
	if !given {
		language = languageOf(readings)
	}
	return readings, language, nil
}

// checkSource fails with CodeUnknownLanguage where no loaded model reads the script of a given language.
func (e *Engine) checkSource(from string) error {
	if lacking := scripts.Lacking(e.others, from); len(lacking) > 0 {
		return pipeline.Errorf(pipeline.CodeUnknownLanguage,
			"source language %q is written in %s, which no loaded model reads; add a recognizer of that script to the manifest of models (models.manifest)",
			from, strings.Join(lacking, ", "))
	}
	return nil
}

func languageOf(readings []ocr.Reading) string {
	var sure []string
	for _, r := range readings {
		if r.Prob >= sureReading {
			sure = append(sure, r.Text)
		}
	}
	return regions.Language(sure)
}

// group joins the lines of a page into regions. Where a model has found bubbles, lines of two of them never share a
// region, and what stands in one is dialogue.
func (e *Engine) group(ctx context.Context, img *image.NRGBA, quads []pipeline.Quad, readings []ocr.Reading, language string) ([]pipeline.Region, error) {
	lines := make([]regions.Line, len(quads))
	for i, r := range readings {
		lines[i] = regions.Line{Quad: quads[i], Text: r.Text, Prob: r.Prob, Vertical: r.Vertical}
	}
	if e.bubbles == nil {
		return regions.Group(img, lines, language), nil
	}
	boxes, err := e.bubbles.Find(ctx, img)
	if err != nil {
		return nil, err
	}
	in := bubbles.Divide(boxes, quads)
	var all []pipeline.Region
	for bubble := -1; bubble < len(boxes); bubble++ {
		var together []regions.Line
		for i, l := range lines {
			if in[i] == bubble {
				together = append(together, l)
			}
		}
		if len(together) == 0 {
			continue
		}
		for _, r := range regions.Group(img, together, language) {
			if bubble >= 0 {
				r.Kind = pipeline.KindDialogue
			}
			all = append(all, r)
		}
	}
	return order.Sort(img, all, language), nil
}
