package activities

import (
	"context"
	"log/slog"

	"golang.org/x/sync/singleflight"

	"plait/internal/blob"
	"plait/internal/comic"
	"plait/internal/lease"
	"plait/internal/records"
	"plait/internal/translate"
)

// DefaultMaxImageBytes bounds what is read of a page: the limit of an upload.
const DefaultMaxImageBytes = 64 << 20

// Deps are what the steps work with. A process needs only what its roles use: Engine and Contexts belong to role gpu,
// Translators to roles gpu and translate.
type Deps struct {
	Engine Engine
	// Translators finds the translator that a task asks for. It fails with CodeTranslatorMissing.
	Translators func(ctx context.Context, o comic.Options) (translate.Translator, error)
	Blobs       blob.Store
	Records     *records.Store
	Contexts    *lease.Cache
	// Host names this machine in the records; HostQueue is the task queue of this very process.
	Host      string
	HostQueue string
	// DeviceSlots is how many pages are on the device at once; 0 is 1.
	DeviceSlots int
	// TranslateSlots is how many translations are asked for at once, over all processes; 0 is 1.
	TranslateSlots int
	// ContextPages is how many previous pages of the chapter a translator is given; 0 is translate.ContextPages, and a
	// negative number none.
	ContextPages int
	// UntranslatedKinds are the kinds of regions that no model is asked for, and that stay as they are drawn.
	UntranslatedKinds comic.RegionKinds
	// MaxImageBytes bounds what is read of a page; 0 is DefaultMaxImageBytes.
	MaxImageBytes int64
	Log           *slog.Logger
	// Metrics may be nil.
	Metrics *Metrics
}

// Activities are the steps. Their names as Temporal knows them are the Step constants of plait/internal/core and plait/internal/comic.
type Activities struct {
	engine         Engine
	translators    func(ctx context.Context, o comic.Options) (translate.Translator, error)
	blobs          blob.Store
	records        *records.Store
	contexts       *lease.Cache
	host           string
	hostQueue      string
	device         *Device
	translateSlots int
	contextPages   int
	// untranslatedKinds are left as drawn.
	untranslatedKinds comic.RegionKinds
	maxImageBytes     int64
	// queueWait is that of the host queue.
	queueWait queueWait
	// translating are the pages that are being translated in this process.
	translating singleflight.Group
	log         *slog.Logger
	metrics     *Metrics
}

// New makes the steps.
func New(d Deps) *Activities {
	a := &Activities{
		engine: d.Engine, translators: d.Translators, blobs: d.Blobs, records: d.Records, contexts: d.Contexts,
		host: d.Host, hostQueue: d.HostQueue,
		device:            newDevice(d.Engine, max(d.DeviceSlots, 1), d.Metrics),
		translateSlots:    max(d.TranslateSlots, 1),
		contextPages:      d.ContextPages,
		untranslatedKinds: d.UntranslatedKinds,
		maxImageBytes:     d.MaxImageBytes,
		log:               d.Log,
		metrics:           d.Metrics,
	}
	if a.contextPages == 0 {
		a.contextPages = translate.ContextPages
	}
	if a.maxImageBytes <= 0 {
		a.maxImageBytes = DefaultMaxImageBytes
	}
	if a.log == nil {
		a.log = slog.New(slog.DiscardHandler)
	}
	return a
}

// Contexts is the cache of this process, nil without role gpu.
func (a *Activities) Contexts() *lease.Cache { return a.contexts }

// Device is the device of this process: whatever uses the engine is admitted by it.
func (a *Activities) Device() *Device { return a.device }

// HostQueue is the task queue of this process.
func (a *Activities) HostQueue() string { return a.hostQueue }
