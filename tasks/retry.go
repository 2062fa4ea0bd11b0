package tasks

import (
	"context"

	"plait/internal/records"
)

// Retry asks for the failed pages of a partial or failed task once more; the others stay as they are, and what was paid for
// is not paid for again. The wish is durable when this returns. Asking twice is asking once, until the task has ended again.
// It fails with CONFLICT for a task that runs for the first time, succeeded, was canceled, or whose images are gone, and with
// NOT_FOUND.
func (s *Service) Retry(ctx context.Context, tenant, id string) (records.Task, error) {
	t, err := s.records.RetryTask(ctx, tenant, id)
	if err != nil {
		return records.Task{}, err
	}
	s.startAccepted(ctx, t)
	return t, nil
}
