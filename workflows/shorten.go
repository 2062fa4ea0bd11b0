package workflows

import (
	"slices"

	"go.temporal.io/sdk/workflow"

	"plait/internal/pipeline"
)

// asksShorter reports whether a translator can be asked for shorter texts: a script has said what it has to say.
func (r *pageRun) asksShorter() bool { return r.options.Translator != pipeline.TranslatorScript }

// shorten asks once for shorter texts of what is too long, while the host keeps the detect context, and puts those that are had
// into the input of the render. Without any, the page is lettered as it is. A history that was recorded before there was this step
// has no render that tells what is too long, and so never comes here.
func (r *pageRun) shorten(ctx workflow.Context, found pipeline.DetectOutput, in *pipeline.RenderInput, tooLong []pipeline.TightText) {
	in.AskShorter = false
	said := make(map[int]string, len(in.Translations))
	for _, t := range in.Translations {
		said[t.Index] = t.Text
	}
	asked := pipeline.ShortenInput{Page: r.page, Options: r.options, FromLang: found.FromLang}
	for _, t := range tooLong {
		if t.Index >= 0 && t.Index < len(found.Regions) {
			asked.Texts = append(asked.Texts, pipeline.LongText{TightText: t, Source: found.Regions[t.Index].Text, Translation: said[t.Index]})
		}
	}
	var shorter pipeline.ShortenOutput
	if err := r.step(ctx, pipeline.StageRender, shortenOptions(), pipeline.StepShorten, asked, &shorter); err != nil {
		workflow.GetLogger(ctx).Warn("no shorter texts", "page", r.page.Index, "error", err)
		return
	}
	in.Translations = slices.Clone(in.Translations)
	for _, t := range shorter.Translations {
		at := slices.IndexFunc(in.Translations, func(o pipeline.Translation) bool { return o.Index == t.Index })
		if at >= 0 && t.Text != "" {
			in.Translations[at].Text = t.Text
			in.Shortened = append(in.Shortened, t.Index)
		}
	}
}
