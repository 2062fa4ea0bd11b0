package tasks

import (
	"context"
	"log/slog"

	"plait/internal/core"
	"plait/internal/records"
	"plait/workflows"
)

// Cancel cancels a task. The request is durable when Cancel returns. Items in progress finish first, and items with a result keep it. It
// fails with CONFLICT when the task has ended, and with NOT_FOUND.
func (s *Service) Cancel(ctx context.Context, tenant, id string) (records.Task, error) {
	t, err := s.records.RequestCancel(ctx, tenant, id)
	if err != nil {
		return records.Task{}, err
	}
	reach, cancel := context.WithTimeout(ctx, startTimeout)
	defer cancel()
	if err := s.cancel(reach, t); err != nil {
		s.log.Warn("the cancellation of a task waits for the sweeper", slog.String("task", id), slog.Any("error", err))
		return t, nil
	}
	return s.records.Task(ctx, tenant, id)
}

// cancel cancels the workflow, or ends the task when it has no workflow.
func (s *Service) cancel(ctx context.Context, t records.Task) error {
	e, err := workflows.ExecutionOf(ctx, s.temporal, t.ID, t.RetryCount)
	if err != nil {
		return err
	}
	if e.State != workflows.StateUnknown {
		err = workflows.Cancel(ctx, s.temporal, t.ID)
	}
	if e.State == workflows.StateUnknown || core.CodeOf(err) == core.CodeNotFound {
		_, err = s.records.FinishTask(ctx, core.FinishTaskInput{TaskID: t.ID, Retry: t.RetryCount, Canceled: true})
	}
	return err
}

// Delete deletes an ended task and the blobs that no other task names. It fails with CONFLICT while the task runs, and with NOT_FOUND.
func (s *Service) Delete(ctx context.Context, tenant, id string) error {
	t, err := s.records.Task(ctx, tenant, id)
	if err != nil {
		return err
	}
	var details []records.Statement
	if deleting := s.kinds[t.Kind].Deleting; deleting != nil {
		details = deleting(tenant, id)
	}
	orphaned, err := s.records.DeleteTask(ctx, tenant, id, details...)
	if err != nil {
		return err
	}
	if _, err := s.records.RemoveBlobs(ctx, orphaned, s.blobs.Delete); err != nil {
		s.log.Warn("the blobs of a deleted task wait for the sweeper to remove them", slog.String("task", id), slog.Any("error", err))
	}
	return nil
}

// Pause stops a task from starting items and model calls until [Service.Resume]; those in progress finish. The request is durable when
// Pause returns, and repeating it changes nothing. It fails with CONFLICT when the task has ended, and with NOT_FOUND.
func (s *Service) Pause(ctx context.Context, tenant, id string) (records.Task, error) {
	return s.setPaused(ctx, tenant, id, true)
}

// Resume ends a pause; durability and errors are as for [Service.Pause].
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
		s.startAccepted(ctx, t) // the task was paused before it was started
	default:
		s.log.Warn("the pause or resumption of a task waits for the sweeper", slog.String("task", id), slog.Any("error", err))
	}
	return t, nil
}

// pauseOf returns the state of pauses that the workflow of a task receives.
func pauseOf(t records.Task) workflows.Pause {
	return workflows.Pause{Paused: t.Status == core.StatusPaused, Revision: t.PauseRevision}
}

// Retry runs the failed items of a partial or failed task once more. The other items stay unchanged, and recorded model calls are not paid
// for again. The request is durable when Retry returns, and repeating it changes nothing until the task has ended again. It fails with
// CONFLICT for a task that is running for the first time, has succeeded, was canceled, or whose files are removed, and with NOT_FOUND.
func (s *Service) Retry(ctx context.Context, tenant, id string) (records.Task, error) {
	t, err := s.records.RetryTask(ctx, tenant, id)
	if err != nil {
		return records.Task{}, err
	}
	s.startAccepted(ctx, t)
	return t, nil
}
