package documentinstallation

import (
	"context"
	"errors"
	"io"
	"log/slog"
	"os"
	"path/filepath"
	"sync"

	"plait/internal/config"
	"plait/internal/document"
	"plait/internal/document/estimate"
	"plait/internal/document/pdf"
	"plait/internal/files"
	"plait/internal/translate"
	"plait/internal/translators"
	"plait/tasks"
	documenttasks "plait/tasks/document"
)

// Estimator predicts what translations take. It is safe for concurrent use.
type Estimator struct {
	config *config.Loaded
	reader *pdf.Engine
	count  func(string) int
	// prompts counts the tokens of the instructions of one call.
	prompts func(domain, from, to string) (int, error)
}

// NewEstimator makes an estimator that reads files with an engine.
func NewEstimator(l *config.Loaded, reader *pdf.Engine, log *slog.Logger) *Estimator {
	e := &Estimator{config: l, reader: reader, count: translators.TokenCounter(l.AssetsDir, log)}
	if e.count == nil {
		e.count = translate.CountCharacters
	}
	translator := sync.OnceValues(func() (translate.Estimator, error) { return translators.PromptEstimator(&l.Config) })
	e.prompts = func(domain, from, to string) (int, error) {
		t, err := translator()
		if err != nil {
			return 0, err
		}
		prompts, err := translate.LoadPrompts(domain, l.Translator.PromptsDir)
		if err != nil {
			return 0, err
		}
		return t.Estimate(translate.Request{From: from, To: to, Prompts: prompts, Segments: []translate.Segment{{Text: "x"}}}).InputTokens, nil
	}
	return e
}

// Estimate predicts what the translation of pages of a file takes. Long documents are not read: only their pages are counted. It fails with
// INVALID_DOCUMENT and PASSWORD_REQUIRED.
func (e *Estimator) Estimate(ctx context.Context, file io.ReaderAt, size int64, o document.Options) (found estimate.Estimate, err error) {
	if len(o.Pages) >= e.config.Document.EstimatePages {
		return estimate.Configured(e.config.Document).Unread(len(o.Pages)), nil
	}
	f, err := e.reader.Open(ctx, file, size, pdf.Options{})
	if err != nil {
		return found, err
	}
	defer func() { err = errors.Join(err, f.Close()) }()
	pages, err := estimate.Read(ctx, f, o.Pages, estimate.Configured(e.config.Document).Scan, e.count)
	if err != nil {
		return found, err
	}
	found, _, err = e.Of(pages, o)
	return found, err
}

// Of predicts what the translation of pages with these texts takes, and returns what it assumes of the model.
func (e *Estimator) Of(pages []estimate.Page, o document.Options) (estimate.Estimate, estimate.Model, error) {
	m := estimate.Model{Reasoning: e.config.Document.Reasoning}
	var err error
	m.PromptTokens, err = e.prompts(o.Domain, o.From, o.To)
	return estimate.Configured(e.config.Document).Of(pages, m), m, err
}

// EstimateFile predicts what a request for the translation of a file takes, on this machine.
func EstimateFile(ctx context.Context, l *config.Loaded, path string, r documenttasks.Request, log *slog.Logger) (found estimate.Estimate, err error) {
	reader := pdf.New(pdf.Config{CacheDir: cacheDir(l), Instances: 1})
	defer func() { err = errors.Join(err, reader.Close()) }()
	file, err := os.Open(path)
	if err != nil {
		return found, files.Plain(err)
	}
	defer file.Close()
	info, err := file.Stat()
	if err != nil {
		return found, err
	}
	r.Files = []tasks.Upload{{Name: filepath.Base(path), File: file, Size: info.Size()}}
	return documenttasks.New(requestDeps(l, reader, log)).Estimate(ctx, r)
}

func countPages(ctx context.Context, reader *pdf.Engine, file io.ReaderAt, size int64) (pages int, err error) {
	opened, err := reader.Open(ctx, file, size, pdf.Options{})
	if err != nil {
		return 0, err
	}
	defer func() { err = errors.Join(err, opened.Close()) }()
	return opened.Pages(), nil
}
