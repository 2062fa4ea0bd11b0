// Package comicinstallation registers comics: it opens the dependencies of chapters in the processes of an installation.
package comicinstallation

import (
	"context"
	"slices"

	comicsteps "plait/activities/comic"
	comicapi "plait/api/comic"
	comicclient "plait/api/comic/client"
	comicschema "plait/api/comic/schema"
	"plait/installation"
	"plait/internal/comic"
	"plait/internal/comic/engine"
	"plait/internal/config"
	"plait/internal/files"
	"plait/internal/translators"
	comictasks "plait/tasks/comic"
	"plait/workers"
	comicworkers "plait/workers/comic"
	comicflow "plait/workflows/comic"
)

// Kind returns the kind of comics.
func Kind() installation.Kind {
	return installation.Kind{
		Name: comic.Kind, Path: comicschema.Path, Roles: []workers.Role{workers.RoleGPU, workers.RoleTranslate},
		Queues:  []string{comicflow.QueueDetect, comicflow.QueuePage, comicflow.QueueTranslate},
		Service: service, Steps: steps, Checks: checks, Progress: comicclient.Progress(), ResultOf: files.ResultOf,
	}
}

// service makes the service of chapters. It refuses source languages that the models cannot read, if the workers have the models of this
// configuration.
func service(p installation.Process) (installation.Service, error) {
	d := comictasks.Deps{
		Records: p.Records, Blobs: p.Blobs, Temporal: p.Temporal, Log: p.Log,
		Limits: comictasks.Limits{
			Picture: engine.PictureLimits(&p.Config.Config), Archive: installation.ArchiveLimits(&p.Config.Config), MaxPages: p.Config.Limits.MaxPages,
		},
	}
	d.Estimate = func(ctx context.Context, chapter translators.Unread) (translators.Estimate, error) {
		return chapter.Estimate(ctx, &p.Config.Config)
	}
	if p.ModelsOfWorkers {
		added, err := engine.AddedModels(&p.Config.Config)
		if err != nil {
			return installation.Service{}, err
		}
		d.CheckSource = func(from string) error { return engine.CheckSource(added, from) }
	}
	chapters := comictasks.New(d)
	return installation.Service{Tasks: chapters.Kind(), API: comicapi.Kind(chapters, p.Records)}, nil
}

// steps opens translators and, on a host with a device, the engine and the split contract over HTTP.
func steps(ctx context.Context, w installation.Worker) (installation.Steps, error) {
	split, err := startHostAPI(ctx, w)
	if err != nil {
		return installation.Steps{}, err
	}
	deps, err := Dependencies(w)
	if err != nil {
		split.close()
		return installation.Steps{}, err
	}
	closeEngine := func() error { return nil }
	if slices.Contains(w.Roles, workers.RoleGPU) {
		opened, err := openEngine(ctx, w.Config)
		if err != nil {
			split.close()
			return installation.Steps{}, err
		}
		deps.Engine, closeEngine = comicsteps.EngineOf(opened), opened.Close
	}
	a := comicsteps.New(deps)
	split.ready(a)
	return installation.Steps{
		Kind: comicworkers.Kind(a),
		Run:  func(ctx context.Context) error { return split.run(ctx, w.Drain) },
		Close: func() error {
			split.close() // before the engine that its requests use
			return closeEngine()
		},
	}, nil
}

// Dependencies returns the dependencies of the steps in a worker, without an engine.
func Dependencies(w installation.Worker) (comicsteps.Deps, error) {
	l := w.Config
	set, err := translators.New(&l.Config, w.Records, translators.NewMetrics(w.Registry), w.Blobs, w.Log)
	if err != nil {
		return comicsteps.Deps{}, err
	}
	return comicsteps.Deps{
		Host: w.Host, Metrics: comicsteps.NewMetrics(w.Registry), Translators: set.Of,
		TranslateSlots: l.Worker.TranslateSlots, ContextPages: contextPages(l.Translator.ContextPages),
		MaxImageBytes: int64(l.Limits.MaxPageBytes), UntranslatedKinds: translators.UntranslatedKinds(l.Translator),
	}, nil
}

func openEngine(ctx context.Context, l *config.Loaded) (*engine.Engine, error) {
	c, err := engine.Configured(&l.Config)
	if err != nil {
		return nil, err
	}
	return engine.Open(ctx, c)
}

// contextPages converts a configured 0 (no context) into the value with which the steps distinguish it from "not set".
func contextPages(n int) int {
	if n == 0 {
		return -1
	}
	return n
}
