package comictasks

import (
	"context"
	"log/slog"
	"time"

	"github.com/google/uuid"

	"plait/internal/comic"
	"plait/internal/core"
	"plait/internal/records"
	comicrecords "plait/internal/records/comic"
	"plait/workflows"
	comicflow "plait/workflows/comic"
)

// Edit changes translations of a page, which is then rendered again with them; no model is called. Author is the name of the editor. The
// edit is durable when Edit returns, and repeating it changes nothing. It fails with NOT_FOUND, with CONFLICT while the page has no
// result or when a region has another translation than the editor expects, and with INVALID_INPUT for a region that the page does not have.
func (s *Service) Edit(
	ctx context.Context, t records.Task, page int, author string, edits []comicrecords.RegionEdit,
) (comicrecords.Page, error) {
	o, err := comic.ParseOptions(t.Options)
	if err != nil {
		return comicrecords.Page{}, err
	}
	p, err := s.chapters.EditPage(ctx, t.Tenant, t.ID, page, author, edits)
	if err == nil && p.Edit.Pending() {
		s.renderEdit(ctx, o, p)
	}
	return p, err
}

// Prepare has a page with a result prepared for its first edit, which is then shown sooner. It fails as Edit does, and with UNAVAILABLE when the
// request is not accepted.
func (s *Service) Prepare(ctx context.Context, t records.Task, page int) error {
	o, err := comic.ParseOptions(t.Options)
	if err != nil {
		return err
	}
	ref, err := s.chapters.Editable(ctx, t.Tenant, t.ID, page)
	if err != nil {
		return err
	}
	ctx, cancel := context.WithTimeout(ctx, startTimeout)
	defer cancel()
	return s.startEdit(ctx, comicflow.EditInput{Options: o, Page: ref})
}

// Draw adds a region where the reading has missed a text. Its text is then read, and translated if there is a model. The index of the region
// is the last one of the page that Draw returns. It fails as Edit does.
func (s *Service) Draw(ctx context.Context, t records.Task, page int, area comic.Area) (comicrecords.Page, error) {
	o, err := comic.ParseOptions(t.Options)
	if err != nil {
		return comicrecords.Page{}, err
	}
	p, err := s.chapters.DrawRegion(ctx, t.Tenant, t.ID, page, area)
	if err == nil {
		s.renderEdit(ctx, o, p)
	}
	return p, err
}

// Split divides a region, and returns the index of its second part. It fails as Edit does.
func (s *Service) Split(ctx context.Context, t records.Task, page int, author string, split comicrecords.RegionSplit) (second int, err error) {
	o, err := comic.ParseOptions(t.Options)
	if err != nil {
		return 0, err
	}
	p, second, err := s.chapters.SplitRegion(ctx, t.Tenant, t.ID, page, author, split)
	if err == nil {
		s.renderEdit(ctx, o, p)
	}
	return second, err
}

// Alternatives has a model asked for other translations of a region, which appear with the region. It fails as Edit does, and with UNAVAILABLE when
// the request is not accepted.
func (s *Service) Alternatives(ctx context.Context, t records.Task, page, region, count int) error {
	o, err := comic.ParseOptions(t.Options)
	if err != nil {
		return err
	}
	in, err := s.chapters.AlternativesOf(ctx, t.Tenant, t.ID, page, region)
	if err != nil {
		return err
	}
	in.Options, in.Request, in.Count = o, uuid.NewString(), count
	share, err := s.deps.Records.ShareOf(ctx, t.Tenant)
	if err != nil {
		return err
	}
	ctx, cancel := context.WithTimeout(ctx, startTimeout)
	defer cancel()
	return comicflow.StartAlternatives(ctx, s.deps.Temporal, in, workflows.Share(share))
}

// renderEdit starts the rendering of an edited page, even when its client has gone.
func (s *Service) renderEdit(ctx context.Context, o comic.Options, p comicrecords.Page) {
	ctx, cancel := context.WithTimeout(context.WithoutCancel(ctx), startTimeout)
	defer cancel()
	if err := s.startEdit(ctx, comicflow.EditInput{Options: o, Page: p.Ref}); err != nil {
		s.deps.Log.Warn("an accepted edit waits for the sweeper to start it", slog.String("page", p.Ref.String()), slog.Any("error", err))
	}
}

const (
	// startTimeout is how long a client waits for Temporal; the sweeper starts an edit that has not been started by then.
	startTimeout = 5 * time.Second
	// unrenderedAfter is how long a rendering may take before the sweeper starts it again: a page of a strip takes a minute.
	unrenderedAfter = 2 * time.Minute
	// editsAtOnce bounds one sweep, which takes the oldest edits first.
	editsAtOnce = 100
)

func (s *Service) startEdit(ctx context.Context, in comicflow.EditInput) error {
	share, err := s.deps.Records.ShareOf(ctx, in.Page.Tenant)
	if err != nil {
		return err
	}
	return comicflow.StartEdit(ctx, s.deps.Temporal, in, workflows.Share(share))
}

// sweepEdits starts the rendering of pages whose edits wait because Temporal was unreachable or lost them. An execution in progress
// receives the edit once more, which changes nothing.
func (s *Service) sweepEdits(ctx context.Context) (edited int, err error) {
	waiting, err := s.chapters.UnrenderedEdits(ctx, unrenderedAfter, editsAtOnce)
	if err != nil {
		return 0, err
	}
	for _, p := range waiting {
		t, err := s.chapters.Task(ctx, p.Tenant, p.TaskID)
		if core.CodeOf(err) == core.CodeNotFound {
			continue // deleted meanwhile
		}
		if err != nil {
			return edited, err
		}
		o, err := comic.ParseOptions(t.Options)
		if err != nil {
			return edited, err
		}
		if err := s.startEdit(ctx, comicflow.EditInput{Options: o, Page: p}); err != nil {
			return edited, err
		}
		edited++
	}
	return edited, nil
}
