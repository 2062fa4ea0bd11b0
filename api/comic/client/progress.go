package comicclient

import (
	"fmt"

	"plait/api/client/progress"
	comicschema "plait/api/comic/schema"
	"plait/api/schema"
	"plait/internal/comic"
	"plait/internal/core"
)

// Progress returns the words for chapters.
func Progress() progress.Kind {
	return progress.Kind{
		Noun: "page",
		Heading: func(t schema.Task) string {
			o := comicschema.TaskOf(t).Options
			return o.From + " → " + o.To
		},
		Stages: []progress.Stage{
			{Name: "Read", Count: func(t schema.Task) int { return comicschema.TaskOf(t).Details.Detected }},
			{Name: "Translate", Count: func(t schema.Task) int { return comicschema.TaskOf(t).Details.Translated }},
			{Name: "Letter", Count: func(t schema.Task) int { return t.Progress.Done }},
		},
		Outcome: outcome, Summary: summary,
	}
}

func outcome(i schema.Item) string {
	p := comicschema.PageOf(i)
	if p.NoChangeReason == comic.NoText {
		return "no text, left as it is"
	}
	text := progress.Count(p.Regions, "text")
	if p.Untranslated > 0 {
		text += fmt.Sprintf(", %d left untranslated", p.Untranslated)
	}
	if p.Mode == comic.ModeFallback {
		text += ", by the fallback"
	}
	return text
}

func summary(t schema.Task) (lines []string) {
	details := comicschema.TaskOf(t).Details
	if details.FallbackCount > 0 {
		lines = append(lines, progress.Count(details.FallbackCount, "page")+" used the fallback")
	}
	if details.UntranslatedCount > 0 {
		why := ": no model gave an acceptable translation"
		if comicschema.TaskOf(t).Options.Translator == core.TranslatorScript {
			why = ": the script has no translation"
		}
		lines = append(lines, progress.Count(details.UntranslatedCount, "text")+" left as drawn"+why)
	}
	for _, i := range t.Items {
		if p := comicschema.PageOf(i); p.Missing != "" {
			lines = append(lines, LeftOut(p.Name, p.Missing))
		}
	}
	return lines
}

// LeftOut reports which characters of a page's translations no font has.
func LeftOut(page, missing string) string {
	return page + ": no font has " + comic.CodePoints(missing) + ": left out"
}

// NoTranslator explains that no translator is available when pages of a task failed for that reason and the successful ones contained
// nothing to translate; it is empty otherwise.
func NoTranslator(task schema.Task) (why string) {
	for _, i := range task.Items {
		p := comicschema.PageOf(i)
		switch {
		case p.Failure != nil && p.Failure.Code == core.CodeTranslatorMissing:
			why = p.Failure.Message
		case p.Status == core.StatusSuccess && p.NoChangeReason != comic.NoText:
			return ""
		}
	}
	return why
}

// NoTranslatorAdvice says how to go on after [NoTranslator]: how to choose a translator, or to fill in the script at the path.
func NoTranslatorAdvice(task schema.Task, why, script string) []string {
	return append(progress.NoTranslator(task, why),
		"Then run the same command again. Or translate by hand: fill in",
		"  "+script,
		"and run the same command with --script "+script,
	)
}
