package workflows

import (
	"go.temporal.io/sdk/workflow"

	"plait/internal/comic"
	"plait/internal/core"
)

// asksShorter reports whether a translator can be asked for shorter texts: a script has said what it has to say.
func (r *pageRun) asksShorter() bool { return r.options.Translator != core.TranslatorScript }

// shorten asks once for shorter texts of what is too long, while the host keeps the detect context, and puts those that are had
// into the input of the render. Without any, the page is lettered as it is. A history that was recorded before there was this step
// has no render that tells what is too long, and so never comes here.
func (r *pageRun) shorten(ctx workflow.Context, found comic.DetectOutput, in *comic.RenderInput, tooLong []comic.OverflowText) {
	in.AskShorter = false
	asked := comic.ShortenInput{
		Page: r.page, Options: r.options, FromLang: found.FromLang,
		Texts: comic.LongTexts(tooLong, found.Regions, in.Translations),
	}
	var shorter comic.ShortenOutput
	if err := r.step(ctx, comic.StageRender, shortenOptions(), comic.StepShorten, asked, &shorter); err != nil {
		workflow.GetLogger(ctx).Warn("no shorter texts", "page", r.page.Index, "error", err)
		return
	}
	in.Translations, in.Shortened = comic.Shorten(in.Translations, shorter.Translations)
}
