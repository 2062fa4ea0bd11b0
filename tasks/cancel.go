package tasks

import (
	"context"
	"log/slog"

	"plait/internal/core"
	"plait/internal/records"
	"plait/workflows"
)

// Cancel asks a task to stop. The wish is durable when this returns; pages in work end first, and those that have a
// result keep it. It fails with CONFLICT when the task has ended, and with NOT_FOUND.
func (s *Service) Cancel(ctx context.Context, tenant, id string) (records.Task, error) {
	t, err := s.records.RequestCancel(ctx, tenant, id)
	if err != nil {
		return records.Task{}, err
	}
	reach, cancel := context.WithTimeout(ctx, startTimeout)
	defer cancel()
	if err := s.cancel(reach, t); err != nil {
		s.log.Warn("a task is to be canceled, and waits for the sweeper to do it", slog.String("task", id), slog.Any("error", err))
		return t, nil
	}
	return s.records.Task(ctx, tenant, id)
}

// cancel cancels the workflow, or ends the task when it has none.
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

// Delete deletes an ended task and the blobs that only it named. It fails with CONFLICT while the task runs, and with
// NOT_FOUND.
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
		s.log.Warn("the blobs of a deleted task stay until the sweeper comes", slog.String("task", id), slog.Any("error", err))
	}
	return nil
}
