package tasks

import (
	"context"
	"errors"
	"time"

	"plait/internal/core"
	"plait/internal/records"
)

// Retention is how long ended tasks and unused data are kept. A zero field means forever, except for Uploads.
type Retention struct {
	// Files applies to the inputs, results and other files of an ended task, and Tasks to the task itself with its items and texts.
	Files, Tasks time.Duration
	// Answers applies to the texts of model answers, and Calls to the ledger of model calls.
	Answers, Calls time.Duration
	// Uploads is how long a client may take between uploading a file and naming it in a request. Defaults to a day.
	Uploads time.Duration
	// Events applies to the log of events, of which the newest MaxEvents are kept at most.
	Events    time.Duration
	MaxEvents int
	// Deliveries applies to messages to webhooks that were delivered or given up, or whose endpoint is paused.
	Deliveries time.Duration
}

const (
	defaultUploads = 24 * time.Hour
	// sweepCalls bounds a batch of ledger rows, sweepEvents one of events, and sweepRequests one of idempotency keys.
	sweepCalls    = 1000
	sweepEvents   = 10_000
	sweepRequests = 10_000
)

// sweepRetention removes data that is past its retention, in batches: each is a separate transaction, so that the next sweep continues
// after a crash. Concurrent processes skip each other's rows.
func (s *Service) sweepRetention(ctx context.Context, swept *Swept) error {
	keep := s.retention
	var inUse []string
	for _, k := range s.kinds {
		if k.FilesInUse != "" {
			inUse = append(inUse, k.FilesInUse)
		}
	}
	return errors.Join(
		inBatches(keep.Files, sweepTasks, &swept.FilesRemoved, func(limit int) (int, error) {
			return s.records.RemoveFiles(ctx, keep.Files, limit, inUse...)
		}),
		inBatches(keep.Tasks, sweepTasks, &swept.TasksDeleted, func(limit int) (int, error) {
			return s.deleteExpired(ctx, "", keep.Tasks, limit)
		}),
		s.sweepLifetimes(ctx, swept),
		inBatches(keep.Answers, sweepCalls, &swept.AnswersErased, func(limit int) (int, error) {
			return s.records.EraseAnswers(ctx, keep.Answers, limit)
		}),
		inBatches(keep.Calls, sweepCalls, &swept.CallsDeleted, func(limit int) (int, error) {
			return s.records.DeleteCalls(ctx, keep.Calls, limit)
		}),
		inBatches(keep.Events, sweepEvents, &swept.EventsRemoved, func(limit int) (int, error) {
			return s.records.RemoveEvents(ctx, keep.Events, keep.MaxEvents, limit)
		}),
		inBatches(records.RequestLifetime, sweepRequests, &swept.RequestsForgotten, func(limit int) (int, error) {
			return s.records.RemoveRequests(ctx, limit)
		}),
	)
}

// inBatches adds the number of removed rows to total. It stops when nothing is left, or after sweepPages batches.
func inBatches(keep time.Duration, limit int, total *int, batch func(limit int) (int, error)) error {
	if keep <= 0 {
		return nil
	}
	for range sweepPages {
		n, err := batch(limit)
		*total += n
		if err != nil || n < limit {
			return err
		}
	}
	return nil
}

// sweepLifetimes deletes the tasks of kinds that keep theirs for a shorter time.
func (s *Service) sweepLifetimes(ctx context.Context, swept *Swept) error {
	var failures []error
	for _, k := range s.kinds {
		failures = append(failures, inBatches(k.Lifetime, sweepTasks, &swept.TasksDeleted, func(limit int) (int, error) {
			return s.deleteExpired(ctx, k.Name, k.Lifetime, limit)
		}))
	}
	return errors.Join(failures...)
}

// deleteExpired deletes a batch of old tasks of a kind; an empty one is every kind. It skips tasks that are deleted or retried meanwhile.
func (s *Service) deleteExpired(ctx context.Context, kind core.Kind, keep time.Duration, limit int) (deleted int, err error) {
	expired, err := s.records.ExpiredTasks(ctx, kind, keep, limit)
	if err != nil {
		return 0, err
	}
	for _, t := range expired {
		err := s.Delete(ctx, t.Tenant, t.ID)
		switch core.CodeOf(err) {
		case "":
			deleted++
		case core.CodeNotFound, core.CodeConflict:
		default:
			return deleted, err
		}
	}
	return deleted, nil
}
