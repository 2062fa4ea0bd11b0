package progress

import (
	"fmt"
	"time"

	"plait/api/schema"
	"plait/internal/comic"
	"plait/internal/core"
)

// Summary tells how a task ended, line by line, where some of its items succeeded.
func Summary(task schema.Task) []string {
	lines := []string{fmt.Sprintf("%d of %s in %s", task.SuccessCount, Count(task.TotalCount, "page"), Clock(time.Duration(task.Progress.ElapsedMS)*time.Millisecond))}
	if task.FallbackCount > 0 {
		lines = append(lines, Count(task.FallbackCount, "page")+" used the fallback")
	}
	if task.UntranslatedCount > 0 {
		lines = append(lines, Count(task.UntranslatedCount, "text")+" left untranslated: no model gave a fit translation")
	}
	if u := task.Usage; u != nil {
		lines = append(lines, fmt.Sprintf("%s (estimate: %s)", Usage(u.Usage), Usage(u.Estimated)))
	}
	for _, p := range task.Pages {
		if p.Failure != nil {
			lines = append(lines, fmt.Sprintf("%s stays as it was: failed in %s: %s", p.Name, p.Failure.Stage, p.Failure.Message))
		}
	}
	for _, p := range task.Pages {
		if p.Missing != "" {
			lines = append(lines, LeftOut(p.Name, p.Missing))
		}
	}
	return lines
}

// LeftOut says which characters of its translations a page is without.
func LeftOut(page, missing string) string {
	return page + ": no font has " + comic.CodePoints(missing) + ": left out"
}

// Usage is for people: "12 model calls, 34567 tokens, cost 0.0123 by translator.prices".
func Usage(u core.Usage) string {
	cost := "no price in translator.prices"
	if u.CostMicros > 0 {
		cost = fmt.Sprintf("cost %.4f by translator.prices", float64(u.CostMicros)/1e6)
	}
	return fmt.Sprintf("%s, %s, %s", Count(u.Calls, "model call"), Count(u.InputTokens+u.OutputTokens, "token"), cost)
}

// FirstFailure is why a task failed, where none of its items succeeded.
func FirstFailure(task schema.Task) string {
	for _, p := range task.Pages {
		if p.Failure != nil {
			return fmt.Sprintf("%s failed in %s: %s", p.Name, p.Failure.Stage, p.Failure.Message)
		}
	}
	if task.Failure != nil {
		return task.Failure.Message
	}
	return "the server does not say why"
}

// NoTranslator is why nobody translated a task, where its pages were refused for want of a translator, and those that succeeded had
// nothing to translate; empty otherwise.
func NoTranslator(task schema.Task) (why string) {
	for _, p := range task.Pages {
		switch {
		case p.Failure != nil && p.Failure.Code == core.CodeTranslatorMissing:
			why = p.Failure.Message
		case p.Status == core.StatusSuccess && p.NoChangeReason != comic.NoText:
			return ""
		}
	}
	return why
}
