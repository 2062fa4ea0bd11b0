package tasks

import (
	"context"
	"log/slog"

	"plait/internal/core"
	"plait/internal/records"
	"plait/workflows"
)

// Pause keeps a task from beginning pages and model calls, until [Service.Resume]; what it has begun ends. The wish is
// durable when this returns, and wishing twice is wishing once. It fails with CONFLICT when the task has ended, and with
// NOT_FOUND.
func (s *Service) Pause(ctx context.Context, tenant, id string) (records.Task, error) {
	return s.setPaused(ctx, tenant, id, true)
}

// Resume ends a pause, by the rules of [Service.Pause].
func (s *Service) Resume(ctx context.Context, tenant, id string) (records.Task, error) {
	return s.setPaused(ctx, tenant, id, false)
}

func (s *Service) setPaused(ctx context.Context, tenant, id string, paused bool) (records.Task, error) {
	t, err := s.records.SetPaused(ctx, tenant, id, paused)
	if err != nil {
		return records.Task{}, err
	}
	reach, cancel := context.WithTimeout(context.WithoutCancel(ctx), startTimeout)
	defer cancel()
	err = workflows.SignalPause(reach, s.temporal, t.ID, pauseOf(t))
	switch core.CodeOf(err) {
	case "":
	case core.CodeNotFound:
		s.startAccepted(ctx, t) // it was paused before it was started
	default:
		s.log.Warn("a task is to pause or to go on, and waits for the sweeper to tell it", slog.String("task", id), slog.Any("error", err))
	}
	return t, nil
}

// pauseOf is what the workflow of a task is told of its pauses.
func pauseOf(t records.Task) workflows.Pause {
	return workflows.Pause{Paused: t.Status == core.StatusPaused, Revision: t.PauseRevision}
}
