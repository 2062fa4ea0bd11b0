// Package videoinstallation registers videos: it opens the engines of the catalog in the processes of an installation.
package videoinstallation

import (
	"context"
	"errors"
	"fmt"
	"log/slog"
	"os"
	"runtime"
	"slices"
	"strings"

	videosteps "plait/activities/video"
	videoapi "plait/api/video"
	videoclient "plait/api/video/client"
	videoschema "plait/api/video/schema"
	"plait/installation"
	"plait/internal/assets"
	"plait/internal/config"
	"plait/internal/core"
	"plait/internal/records"
	"plait/internal/video"
	"plait/internal/video/comfyui"
	"plait/internal/video/mark"
	"plait/internal/video/motion"
	"plait/internal/video/openai"
	"plait/internal/video/remote"
	videotasks "plait/tasks/video"
	"plait/workers"
	videoworkers "plait/workers/video"
	videoflow "plait/workflows/video"
)

// Kind returns the kind of videos.
func Kind() installation.Kind {
	return installation.Kind{
		Name: video.Kind, Path: videoschema.Path, Roles: []workers.Role{videoworkers.Role, videoworkers.RoleUpscale, workers.RoleTranslate},
		Queues:  []string{videoflow.QueueOf(video.MotionName), videoflow.QueueOf(video.UpscaleName), videoflow.QueueExtend},
		Service: service, Steps: steps, Checks: checks, Progress: videoclient.Progress(),
	}
}

// service makes the service of videos.
func service(p installation.Process) (installation.Service, error) {
	catalog, err := openCatalog(p.Config)
	if err != nil {
		return installation.Service{}, err
	}
	videos := videotasks.New(videotasks.Deps{Records: p.Records, Blobs: p.Blobs, Catalog: catalog})
	return installation.Service{Tasks: videos.Kind(), API: videoapi.Kind(videos, p.Records)}, nil
}

// Estimate estimates a request by the prices of the catalog. Errors: INVALID_INPUT, UNKNOWN_MODEL.
func Estimate(l *config.Loaded, r videotasks.Request) (videotasks.Estimate, error) {
	catalog, err := openCatalog(l)
	if err != nil {
		return videotasks.Estimate{}, err
	}
	return videotasks.EstimateOf(catalog, r)
}

func openCatalog(l *config.Loaded) (video.Catalog, error) {
	catalog, err := video.OpenCatalog(l.Video.Catalog)
	if err != nil {
		return catalog, core.Errorf(core.CodeInvalidInput, "video.catalog: %w", err)
	}
	return catalog, nil
}

// steps opens the engines for the roles video and upscale.
func steps(ctx context.Context, w installation.Worker) (installation.Steps, error) {
	extend, err := extender(w)
	if err != nil {
		return installation.Steps{}, err
	}
	programs := &programs{config: w.Config, log: w.Log}
	deps := videosteps.Deps{Host: w.Host, Engines: map[string]videosteps.Engine{}, Extend: extend, Program: programs.open}
	closeAll := func() error { return nil }
	if slices.Contains(w.Roles, videoworkers.Role) {
		catalog, err := openCatalog(w.Config)
		if err != nil {
			return installation.Steps{}, err
		}
		held, err := openSlots(ctx, w.Config, catalog)
		if err != nil {
			return installation.Steps{}, err
		}
		if held != nil {
			closeAll = func() error {
				held.Close()
				return nil
			}
		}
		if err := addEngines(&deps, w, catalog, programs, held); err != nil {
			return installation.Steps{}, errors.Join(err, closeAll())
		}
	}
	if slices.Contains(w.Roles, videoworkers.RoleUpscale) {
		u, closeRanks, err := upscaler(ctx, w)
		if err != nil {
			return installation.Steps{}, errors.Join(err, closeAll())
		}
		closeSlots := closeAll
		deps.Upscaler, closeAll = u, func() error { return errors.Join(closeRanks(), closeSlots()) }
	}
	a := videosteps.New(deps)
	if err := a.Sweep(); err != nil {
		w.Log.Warn("files of killed workers stay", "error", err)
	}
	return installation.Steps{Kind: videoworkers.Kind(a, w.Config.Worker.TranslateSlots), Close: closeAll}, nil
}

// openSlots opens the records for the slots of engines and servers, which have a connection each. It returns nil for a catalog without servers.
func openSlots(ctx context.Context, l *config.Loaded, catalog video.Catalog) (*records.Store, error) {
	n := 0
	for _, e := range catalog.Engines {
		n += len(e.Servers) * e.Slots
	}
	if n == 0 {
		return nil, nil //nolint:nilnil // nobody needs one
	}
	return records.Open(ctx, l.Database.URL, records.Options{MaxConns: 1, Slots: 2 * n})
}

func addEngines(deps *videosteps.Deps, w installation.Worker, catalog video.Catalog, programs *programs, held *records.Store) error {
	l := w.Config
	sign, err := openMark(l)
	if err != nil {
		return err
	}
	deps.Mark = sign.Draw
	for _, e := range catalog.Engines {
		switch e.Protocol {
		case video.ProtocolMotion:
			deps.Engines[e.Name] = videosteps.Engine{Generator: &motion.Engine{Program: programs.open}, Slots: motionSlots(l)}
		case video.ProtocolUpscale: // of another role
		case video.ProtocolOpenAI:
			open := func(base string) remote.Server { return openai.Open(base, os.Getenv(e.KeyEnv)) }
			deps.Engines[e.Name] = openServers(e, catalog, programs, held, open)
		case video.ProtocolComfyUI:
			workflows, err := openWorkflows(catalog, e.Name)
			if err != nil {
				return err
			}
			open := func(base string) remote.Server { return comfyui.Open(base, os.Getenv(e.KeyEnv), workflows) }
			deps.Engines[e.Name] = openServers(e, catalog, programs, held, open)
		}
	}
	return nil
}

// openServers opens an engine of servers. Their slots are shared by all processes: a process holds one of the engine to take a video, and then
// one of a server.
func openServers(e video.Engine, catalog video.Catalog, p *programs, held *records.Store, open func(base string) remote.Server) videosteps.Engine {
	made := videosteps.Engine{Slots: len(e.Servers) * e.Slots}
	made.Acquire = func(ctx context.Context) (func(), error) {
		slot, err := held.AcquireSlot(ctx, "video engine "+e.Name, made.Slots)
		if err != nil {
			return nil, err
		}
		return slot.Release, nil
	}
	made.Generator = remote.New(remote.Config{
		Name: e.Name, Servers: e.Servers, Slots: e.Slots, Program: p.open, Open: open,
		Remote: func(name string) string {
			m, _ := catalog.Model(name)
			return m.AtServer()
		},
		TrySlot: func(ctx context.Context, name string, n int) (context.Context, func(), error) {
			slot, err := held.TrySlot(ctx, name, n)
			if err != nil || slot == nil {
				return nil, nil, err
			}
			return slot.Context(), slot.Release, nil
		},
	})
	return made
}

// openWorkflows reads the workflows of the models of an engine.
func openWorkflows(catalog video.Catalog, engine string) (map[string]comfyui.Workflow, error) {
	workflows := map[string]comfyui.Workflow{}
	for _, m := range catalog.Models {
		if m.Engine != engine {
			continue
		}
		w, err := openWorkflow(m)
		if err != nil {
			return nil, core.Errorf(core.CodeInvalidInput, "video.catalog: model %q: %w", m.Name, err)
		}
		workflows[m.AtServer()] = w
	}
	return workflows, nil
}

func openWorkflow(m video.Model) (comfyui.Workflow, error) {
	f, err := os.Open(m.Workflow)
	if err != nil {
		return comfyui.Workflow{}, err
	}
	defer func() { _ = f.Close() }() // read-only
	w, err := comfyui.ParseWorkflow(f, m.FrameRate)
	if err != nil {
		return w, fmt.Errorf("%s: %w", m.Workflow, err)
	}
	if slices.ContainsFunc(m.Types, func(t video.Type) bool { return (t == video.ImageToVideo) != w.TakesImage() }) {
		return w, fmt.Errorf("%s: a workflow with {{image}} is of type %s alone, and one without it of another", m.Workflow, video.ImageToVideo)
	}
	return w, nil
}

func motionSlots(l *config.Loaded) int {
	if l.Video.MotionSlots > 0 {
		return l.Video.MotionSlots
	}
	return max(runtime.GOMAXPROCS(0)/2, 1)
}

// openMark opens the font of the sign of machine-made videos.
func openMark(l *config.Loaded) (*mark.Mark, error) {
	set, err := assets.Open(l.AssetsDir)
	if err != nil {
		return nil, core.Wrap(core.CodeModelMissing, err, "the assets are incomplete")
	}
	fonts := set.Fonts()
	i := slices.IndexFunc(fonts, func(f assets.Font) bool { return f.Family == markFamily && f.Weight == markWeight })
	if i < 0 {
		return nil, core.Errorf(core.CodeModelMissing, "the font %s is missing", markFamily)
	}
	return mark.Open(fonts[i].Path)
}

// The font of the sign has its Chinese characters.
const (
	markFamily = "Noto Sans SC"
	markWeight = 500
)

// checks are those of `plait doctor`.
func checks(l *config.Loaded, _ bool) []installation.Check {
	return []installation.Check{{Part: "videos", Examine: func(ctx context.Context) (found, remedy string, err error) {
		catalog, err := openCatalog(l)
		if err != nil {
			return "", "correct the file that video.catalog names", err
		}
		for _, e := range catalog.Engines {
			if e.Protocol != video.ProtocolComfyUI {
				continue
			}
			if _, err := openWorkflows(catalog, e.Name); err != nil {
				return "", "correct the workflows that the file of video.catalog names", err
			}
		}
		found = "models " + strings.Join(catalog.ModelNames(), ", ")
		p := &programs{config: l, log: slog.New(slog.DiscardHandler)}
		program, err := p.find()
		if core.CodeOf(err) == core.CodeModelMissing && l.Video.FFmpeg == "" {
			return found + "; ffmpeg is fetched when a video first needs it", "", nil
		}
		if err != nil {
			return "", "correct video.ffmpeg", err
		}
		version, err := program.Version(ctx)
		return found + "; " + version, "install an ffmpeg with libx264, or set video.ffmpeg", err
	}}}
}
