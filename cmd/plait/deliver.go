package main

import (
	"context"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"time"

	"plait/api/client"
	"plait/api/schema"
	"plait/installation"
	"plait/internal/comic"
	"plait/internal/core"
	"plait/internal/files"
)

// deliver writes what a task has made, and says where.
func (t *translation) deliver(ctx context.Context, api *client.Client, task schema.Task) error {
	switch {
	case noTranslator(task):
		return t.saveProject(ctx, api, task)
	case task.Status == core.StatusCanceled:
		t.display.end("The task was canceled.")
		return &exitError{status: exitFailed}
	case task.SuccessCount == 0:
		return fmt.Errorf("no page succeeded: %s", firstFailure(task))
	}
	if err := t.fetch(ctx, api, task.ID, t.target); err != nil {
		return err
	}
	if t.flags.stages != "" {
		if err := t.keepStages(ctx, api, task); err != nil {
			return err
		}
	}
	t.display.end(t.summary(task)...)
	if task.Status == core.StatusPartial {
		return &exitError{status: exitPartial}
	}
	return nil
}

// fetch writes the result of a task where it belongs.
func (a *access) fetch(ctx context.Context, api *client.Client, task string, r files.Result) error {
	return r.Write(ctx, task, installation.ArchiveLimits(&a.config.Config), func(w io.Writer) error { return api.Result(ctx, task, w) })
}

func (t *translation) summary(task schema.Task) []string {
	lines := []string{fmt.Sprintf("%d of %s in %s", task.SuccessCount, count(task.TotalCount, "page"), clock(time.Duration(task.Progress.ElapsedMS)*time.Millisecond))}
	if task.FallbackCount > 0 {
		lines = append(lines, count(task.FallbackCount, "page")+" used the fallback")
	}
	if task.UntranslatedCount > 0 {
		lines = append(lines, count(task.UntranslatedCount, "text")+" left untranslated: no model gave a fit translation")
	}
	if u := task.Usage; u != nil {
		lines = append(lines, fmt.Sprintf("%s (estimated: %s)", describeUsage(u.Usage), describeUsage(u.Estimated)))
	}
	for _, p := range task.Pages {
		if p.Failure != nil {
			lines = append(lines, fmt.Sprintf("%s stays as it was: failed in %s: %s", p.Name, p.Failure.Stage, p.Failure.Message))
		}
	}
	for _, p := range task.Pages {
		if p.Missing != "" {
			lines = append(lines, leftOut(p.Name, p.Missing))
		}
	}
	lines = append(lines, t.target.Lines()...)
	if t.flags.stages != "" {
		lines = append(lines, "→ "+t.flags.stages)
	}
	return append(lines, "task "+task.ID)
}

func firstFailure(task schema.Task) string {
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

// missingTranslator is the sentence of the pages that wanted a translator.
func missingTranslator(task schema.Task) string {
	for _, p := range task.Pages {
		if p.Failure != nil && p.Failure.Code == core.CodeTranslatorMissing {
			return p.Failure.Message
		}
	}
	return ""
}

// noTranslator tells a chapter that nobody translated: pages were refused for want of a translator, and those that
// succeeded had nothing to translate.
func noTranslator(task schema.Task) bool {
	missing := false
	for _, p := range task.Pages {
		switch {
		case p.Failure != nil && p.Failure.Code == core.CodeTranslatorMissing:
			missing = true
		case p.Status == core.StatusSuccess && p.NoChangeReason != comic.NoText:
			return false
		}
	}
	return missing
}

// saveProject writes what was read, as a script to fill in, when there is nobody to translate it, and says the ways on.
func (t *translation) saveProject(ctx context.Context, api *client.Client, task schema.Task) error {
	path := t.target.Beside(".script.json")
	_, err := os.Stat(path)
	if errors.Is(err, fs.ErrNotExist) { // one that is there may hold hours of somebody's work
		err = files.Write(path, func(w io.Writer) error { return api.Script(ctx, task.ID, "json", w) })
	}
	if err != nil {
		return err
	}
	t.display.end(
		fmt.Sprintf("%s read, but there is nobody to translate: %s. Ways on:", count(task.TotalCount, "page"), missingTranslator(task)),
		"  a key     set OPENAI_API_KEY, GEMINI_API_KEY, ANTHROPIC_API_KEY or DEEPL_AUTH_KEY",
		"  Ollama    start it here with a model: ollama pull gemma3 && ollama serve",
		"  a URL     set OPENAI_BASE_URL, and PLAIT_TRANSLATOR_MODEL, to any OpenAI-compatible server",
		"Then run the same command again. Or translate by hand: fill in",
		"  "+path,
		"and run the same command with --script "+path,
	)
	return &exitError{status: exitNoTranslator}
}
