// Package documentinstallation registers documents: it opens the dependencies of PDF files in the processes of an installation.
package documentinstallation

import (
	"context"
	"errors"
	"io"
	"log/slog"
	"runtime"
	"slices"

	"golang.org/x/sync/semaphore"

	documentsteps "plait/activities/document"
	documentapi "plait/api/document"
	documentclient "plait/api/document/client"
	documentschema "plait/api/document/schema"
	"plait/installation"
	"plait/internal/assets"
	"plait/internal/config"
	"plait/internal/core"
	"plait/internal/document"
	"plait/internal/document/engine"
	"plait/internal/document/pdf"
	"plait/internal/document/pdfedit"
	"plait/internal/memory"
	"plait/internal/onnx"
	"plait/internal/translators"
	documenttasks "plait/tasks/document"
	"plait/workers"
	documentworkers "plait/workers/document"
	documentflow "plait/workflows/document"
)

// Kind returns the kind of documents.
func Kind() installation.Kind {
	return installation.Kind{
		Name: document.Kind, Path: documentschema.Path, Roles: []workers.Role{documentworkers.Role, workers.RoleTranslate},
		Queues:  []string{documentflow.QueueLayout, documentflow.QueueTypeset, documentflow.QueueTranslate},
		Service: service, Steps: steps, Checks: checks, Progress: documentclient.Progress(),
	}
}

// countedAtOnce is the number of uploads whose pages an API process counts at the same time.
const countedAtOnce = 2

// service makes the service of documents.
func service(p installation.Process) (installation.Service, error) {
	reader := pdf.New(pdf.Config{CacheDir: cacheDir(p.Config), Instances: countedAtOnce})
	deps := requestDeps(p.Config, reader, p.Log)
	deps.Records, deps.Blobs = p.Records, p.Blobs
	documents := documenttasks.New(deps)
	return installation.Service{Tasks: documents.Kind(), API: documentapi.Kind(documents, p.Records)}, nil
}

// requestDeps are the dependencies with which requests are read.
func requestDeps(l *config.Loaded, reader *pdf.Engine, log *slog.Logger) documenttasks.Deps {
	return documenttasks.Deps{
		CountPages: func(ctx context.Context, file io.ReaderAt, size int64) (int, error) {
			return countPages(ctx, reader, file, size)
		},
		Decrypt: decrypt(), Estimate: NewEstimator(l, reader, log).Estimate, MaxPages: l.Document.MaxPages,
	}
}

// decrypt returns a function that decrypts one file at a time, because the objects of the file are in memory meanwhile.
func decrypt() func(ctx context.Context, file io.ReadSeeker, password string, w io.Writer) error {
	turn := semaphore.NewWeighted(1)
	return func(ctx context.Context, file io.ReadSeeker, password string, w io.Writer) error {
		if err := turn.Acquire(ctx, 1); err != nil {
			return err
		}
		defer turn.Release(1)
		return pdfedit.Decrypt(ctx, file, password, w)
	}
}

// steps opens translators and, for the role document, the engine.
func steps(_ context.Context, w installation.Worker) (installation.Steps, error) {
	l := w.Config
	set, err := translators.New(&l.Config, w.Records, translators.NewMetrics(w.Registry), w.Blobs, w.Log)
	if err != nil {
		return installation.Steps{}, err
	}
	deps := documentsteps.Deps{
		Host: w.Host, Workers: pagesAtOnce(l), Translators: set.Model,
		TranslateSlots: l.Worker.TranslateSlots, TableSlots: l.Document.TableSlots, PromptsDir: l.Translator.PromptsDir,
		CountTokens: translators.TokenCounter(l.AssetsDir, w.Log), Estimate: NewEstimator(l, nil, w.Log).Of,
	}
	closeEngine := func() error { return nil }
	if slices.Contains(w.Roles, documentworkers.Role) {
		if !slices.Contains(w.Roles, workers.RoleGPU) { // which bounds the memory of its process itself
			memory.CollectEarly()
		}
		if deps.Engine, err = openEngine(l); err != nil {
			return installation.Steps{}, err
		}
		closeEngine = deps.Engine.Close
	}
	a := documentsteps.New(deps)
	return installation.Steps{
		Kind:  documentworkers.Kind(a),
		Close: func() error { return errors.Join(a.Close(), closeEngine()) },
	}, nil
}

// maxPagesAtOnce bounds the default number of pages at the same time: each has an instance of PDFium with some 100 MB.
const maxPagesAtOnce = 4

func pagesAtOnce(l *config.Loaded) int {
	if l.Document.Workers > 0 {
		return l.Document.Workers
	}
	return min(runtime.GOMAXPROCS(0), maxPagesAtOnce)
}

func openEngine(l *config.Loaded) (*engine.Engine, error) {
	set, err := assets.Open(l.AssetsDir)
	if err != nil {
		return nil, core.Wrap(core.CodeModelMissing, err, "the assets are incomplete")
	}
	var added []onnx.Entry
	if l.Models.Manifest != "" {
		if added, err = onnx.ReadManifest(l.Models.Manifest); err != nil {
			return nil, err
		}
	}
	return engine.Open(engine.Config{
		Assets: set, Models: added, CacheDir: cacheDir(l), Workers: pagesAtOnce(l), Threads: 1, Device: onnx.CPU, Library: l.Device.Library,
		Confidence: l.Document.Confidence,
	})
}

// checks are those of `plait doctor`.
func checks(l *config.Loaded, _ bool) []installation.Check {
	return []installation.Check{{Part: "documents", Examine: func(context.Context) (found, remedy string, err error) {
		e, err := openEngine(l)
		if err != nil {
			return "", "fetch the assets again: make assets", err
		}
		return "the layout model and the fonts are loaded", "", e.Close()
	}}}
}
