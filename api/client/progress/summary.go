package progress

import (
	"context"
	"fmt"
	"slices"
	"time"

	"plait/api/schema"
	"plait/internal/core"
)

// Summary describes how a task ended, line by line, when some of its items succeeded.
func (k Kinds) Summary(task schema.Task) []string {
	words := k.of(task)
	lines := []string{fmt.Sprintf("%d of %s in %s",
		task.SuccessCount, Count(task.TotalCount, words.Noun), Clock(time.Duration(task.Progress.ElapsedMS)*time.Millisecond))}
	lines = append(lines, words.Summary(task)...)
	if u := task.Usage; u != nil {
		lines = append(lines, fmt.Sprintf("%s (estimate: %s)", Usage(u.Usage), Usage(u.Estimated)))
	}
	for _, i := range task.Items {
		if i.Failure != nil {
			lines = append(lines, fmt.Sprintf("%s stays as it was: %s", i.Name, failed(*i.Failure)))
		}
	}
	return lines
}

// Report returns what the server has to say of a task that has ended, beside its summary.
func (k Kinds) Report(ctx context.Context, get Get, task schema.Task) ([]string, error) {
	if report := k.of(task).Report; report != nil {
		return report(ctx, get, task)
	}
	return nil, nil
}

// Waits reports whether no item of a task has started and the task is not paused.
func Waits(t schema.Task) bool {
	begun := func(i schema.Item) bool { return i.Status != core.StatusQueued }
	return t.Status != core.StatusPaused && !t.Status.Ended() && !slices.ContainsFunc(t.Items, begun)
}

// Noun returns the name of an item of the task.
func (k Kinds) Noun(task schema.Task) string { return k.of(task).Noun }

// Heading describes a task.
func (k Kinds) Heading(task schema.Task) string { return k.of(task).Heading(task) }

// Usage formats usage for people: "12 model calls, 34567 tokens, cost 0.0123 in the currency of translator.prices".
func Usage(u core.Usage) string {
	cost := "no price in translator.prices"
	if u.CostMicros > 0 {
		cost = fmt.Sprintf("cost %.4f in the currency of translator.prices", float64(u.CostMicros)/1e6)
	}
	return fmt.Sprintf("%s, %s, %s", Count(u.Calls, "model call"), Count(u.InputTokens+u.OutputTokens, "token"), cost)
}

// FirstFailure returns the reason why a task failed, when none of its items succeeded.
func FirstFailure(task schema.Task) string {
	for _, i := range task.Items {
		if i.Failure != nil {
			return i.Name + " " + failed(*i.Failure)
		}
	}
	if task.Failure != nil {
		return task.Failure.Message
	}
	return "the server does not say why"
}

// NoTranslator returns lines that name the ways to choose a translator, for a task that was only read. why is the reason of a failure
// with the code TRANSLATOR_MISSING.
func NoTranslator(task schema.Task, why string) []string {
	return []string{
		fmt.Sprintf("%s read, but there is no translator: %s. Choose one:", Count(task.TotalCount, "page"), why),
		"  a key     set OPENAI_API_KEY, GEMINI_API_KEY, ANTHROPIC_API_KEY or DEEPL_AUTH_KEY",
		"  Ollama    start it here with a model: ollama pull gemma3 && ollama serve",
		"  a URL     set OPENAI_BASE_URL, and PLAIT_TRANSLATOR_MODEL, to any OpenAI-compatible server",
	}
}

// NoTranslatorAdvice says how to go on when a task made nothing because there is no translator; it is nil otherwise.
func NoTranslatorAdvice(task schema.Task) []string {
	for _, i := range task.Items {
		if i.Failure != nil && i.Failure.Code == core.CodeTranslatorMissing && task.SuccessCount == 0 {
			return append(NoTranslator(task, i.Failure.Message), "Then run the same command again.")
		}
	}
	return nil
}
