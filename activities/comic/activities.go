// Package comic is the steps of a page of a comic, from detect to the finished page, and those of its edits.
//
// A repeated detect leaves a new context; a repeated translate uses the recorded translations. A repeated request for shorter texts
// uses the recorded answer; later pages get the texts in their first form, so that their own requests stay the same and are not paid
// for twice.
package comic

import (
	"context"
	"log/slog"

	"golang.org/x/sync/singleflight"

	"plait/activities"
	"plait/internal/comic"
	"plait/internal/core"
	"plait/internal/lease"
	"plait/internal/memory"
	"plait/internal/records"
	comicrecords "plait/internal/records/comic"
	"plait/internal/translate"
)

// DefaultMaxImageBytes is the default limit of a page file in bytes: the limit of an upload.
const DefaultMaxImageBytes = 64 << 20

// Deps are the dependencies of the steps of comics. A process needs only those of its roles: Engine for role gpu, Translators for
// the roles gpu and translate.
type Deps struct {
	*activities.Host
	Engine Engine
	// Translators returns the translator that a task asks for. It fails with CodeTranslatorMissing.
	Translators func(ctx context.Context, o comic.Options) (translate.Translator, error)
	// TranslateSlots is the number of concurrent translations across all processes; 0 is 1.
	TranslateSlots int
	// ContextPages is how many previous pages of the chapter a request contains; 0 is translate.ContextPages, and a negative number
	// none.
	ContextPages int
	// UntranslatedKinds are the kinds of regions that are not translated and stay as drawn.
	UntranslatedKinds comic.RegionKinds
	// MaxImageBytes is the limit of a page file in bytes; 0 is DefaultMaxImageBytes.
	MaxImageBytes int64
	// Metrics may be nil.
	Metrics *Metrics
}

// Activities are the steps. Their Temporal names are the Step constants of plait/internal/comic.
type Activities struct {
	*activities.Host
	pages       comicrecords.Store
	device      *Device
	engine      Engine
	translators func(ctx context.Context, o comic.Options) (translate.Translator, error)
	slots       activities.Slots
	// contextPages is how many previous pages a request contains.
	contextPages int
	// untranslatedKinds are the kinds of regions that stay as drawn.
	untranslatedKinds comic.RegionKinds
	maxImageBytes     int64
	// translating are the translations in progress in this process.
	translating singleflight.Group
	log         *slog.Logger
	metrics     *Metrics
}

// do runs a step of a page and reads the page when the run begins. Recorded and work are as in [activities.Step].
func do[T any](
	ctx context.Context, a *Activities, s activities.Step[T],
	recorded func(comicrecords.Page) (T, bool), work func(context.Context, comicrecords.Page) (T, error),
) (T, error) {
	var page comicrecords.Page
	s.Kind, s.Run.Rank, s.Run.FailureStage = comic.Kind, comic.Rank(s.Run.Stage), comic.FailureStage(s.Run.Stage, s.Run.Mode)
	s.Details = []records.Statement{comicrecords.ReadPage(s.Run.Item, &page)}
	s.Recorded = func(records.Item) (T, bool) { return recorded(page) }
	s.Work = func(ctx context.Context, _ records.Item) (T, error) { return work(ctx, page) }
	return s.Do(ctx, a.Host)
}

// New makes the steps.
func New(d Deps) *Activities {
	a := &Activities{
		Host: d.Host, pages: comicrecords.New(d.Records), device: &Device{engine: d.Engine, devices: d.Devices}, engine: d.Engine, translators: d.Translators,
		slots:             activities.Slots{Name: "translate", Count: max(d.TranslateSlots, 1)},
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
	return a
}

// Device is the engine on the devices of this process. All use of the engine is admitted by it.
func (a *Activities) Device() *Device { return a.device }

// TranslateSlots names the slots of concurrent translations across all processes.
func (a *Activities) TranslateSlots() int { return a.slots.Count }

// Context is the detect context of a page: what detect keeps in this process for render.
type Context struct {
	lease.Value
	ImageHash core.BlobRef
	// Regions is the number of regions that detect found.
	Regions int
	// Memory is the reservation for the context. Whoever detected or found the context releases it.
	Memory *memory.Reservation
}

// FindContext finds the detect context of a render and checks the input of the render against it. It fails with the codes of the
// split contract, in this order: CACHE_MISS, TASK_EXPIRED, IMAGE_HASH_MISMATCH, RENDER_INPUT_INVALID.
func FindContext(leases *lease.Cache, id string, image core.BlobRef, translations []core.Translation) (Context, error) {
	c, err := contextOf(leases, id, image)
	if err != nil {
		return Context{}, err
	}
	if err := core.CheckTranslations(c.Regions, translations); err != nil {
		c.Memory.Release()
		return Context{}, err
	}
	return c, nil
}

// contextOf finds the detect context of an image. It fails with CACHE_MISS, TASK_EXPIRED or IMAGE_HASH_MISMATCH.
func contextOf(leases *lease.Cache, id string, image core.BlobRef) (Context, error) {
	found, err := leases.Lookup(id)
	if err != nil {
		return Context{}, err
	}
	c, ok := found.Value.(Context)
	switch {
	case !ok:
		err = core.Errorf(core.CodeCacheMiss, "the lease is not a detect context")
	case c.ImageHash != image:
		err = core.NewError(core.CodeImageHashMismatch, "the detect context is of another image")
	}
	if err != nil {
		found.Memory.Release()
		return Context{}, err
	}
	c.Memory = found.Memory
	return c, nil
}
