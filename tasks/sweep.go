package tasks

import (
	"context"
	"errors"
	"log/slog"
	"time"

	"plait/internal/core"
	"plait/internal/records"
	"plait/workflows"
)

const (
	// unstartedAfter is how long a request in progress has to start its workflow.
	unstartedAfter = 30 * time.Second
	// staleAfter is how long a running task may make no progress before the sweep asks Temporal about it.
	staleAfter = time.Minute
	// sweepTasks and sweepPages bound one sweep to 1,000 tasks of each listing; the next sweep continues from there.
	sweepTasks = 100
	sweepPages = 10
	sweepBlobs = 500
)

// Swept counts the actions of a sweep.
type Swept struct {
	// Started, Canceled, Terminated and Finished count tasks whose workflow was started or canceled, or that were ended.
	Started, Canceled, Terminated, Finished int
	// Signaled counts tasks that received their pause or resumption once more.
	Signaled int
	// Edited counts items whose edits were waiting to be applied.
	Edited int
	// FilesRemoved counts tasks whose files were removed, and TasksDeleted tasks that were deleted entirely; AnswersErased and
	// CallsDeleted count model calls; UploadsExpired counts uploads that no request named.
	FilesRemoved, TasksDeleted, AnswersErased, CallsDeleted, UploadsExpired int
	// EventsRemoved counts entries of the log of events.
	EventsRemoved int
	// DeliveriesGivenUp counts messages to webhooks whose workflow was terminated, and DeliveriesRemoved those past their retention.
	DeliveriesGivenUp, DeliveriesRemoved int
	// RequestsForgotten counts idempotency keys of requests that created no task.
	RequestsForgotten int
	// BlobsRemoved counts blobs that no row named.
	BlobsRemoved int
}

// Sweep repairs the state after crashes, outages and operator actions: tasks with a row and no workflow, tasks whose workflow is gone,
// cancellations that did not reach Temporal, edits that were not applied, and blobs without a row. It also removes data that is past its
// retention. Any number of processes may sweep.
func (s *Service) Sweep(ctx context.Context) (swept Swept, err error) {
	s.sweeping.Lock()
	defer s.sweeping.Unlock()
	defer func() { s.metrics.sweptOnce(swept) }()
	err = errors.Join(
		s.sweepTasks(ctx, &s.unstarted, s.records.UnstartedTasks, unstartedAfter, &swept),
		s.sweepTasks(ctx, &s.stale, s.records.StaleTasks, staleAfter, &swept),
		s.startWaiting(ctx, &swept),
		s.sweepKinds(ctx, &swept),
		s.sweepRetention(ctx, &swept),
		s.sweepBlobs(ctx, &swept),
		s.sweepWebhooks(ctx, &swept),
		s.countWork(ctx),
	)
	return swept, err
}

// countWork shows the tasks that have not ended in the metrics.
func (s *Service) countWork(ctx context.Context) error {
	list, err := s.records.Work(ctx)
	if err == nil {
		s.metrics.work(list)
	}
	return err
}

// RunSweeper sweeps immediately and then at the interval every, until ctx ends, and starts waiting tasks when others have ended. It logs a
// failed sweep, and the next one tries again.
func (s *Service) RunSweeper(ctx context.Context, every time.Duration) error {
	ticker := time.NewTicker(every)
	defer ticker.Stop()
	freed, leave := s.records.WatchWaiting()
	defer leave()
	for {
		swept, err := s.Sweep(ctx)
		switch {
		case ctx.Err() != nil:
			return nil
		case err != nil:
			s.log.Warn("the sweep failed", slog.Any("error", err))
		case swept != Swept{}:
			s.log.Info("swept", slog.Any("swept", swept))
		}
		if !s.waitForTick(ctx, ticker.C, freed) {
			return nil
		}
	}
}

// waitForTick starts waiting tasks as places become free, until the next tick. It returns false when ctx has ended.
func (s *Service) waitForTick(ctx context.Context, tick <-chan time.Time, freed <-chan struct{}) bool {
	for {
		select {
		case <-ctx.Done():
			return false
		case <-tick:
			return true
		case <-freed:
			if err := s.startWaiting(ctx, new(Swept)); err != nil && ctx.Err() == nil {
				s.log.Warn("waiting tasks wait for the next sweep", slog.Any("error", err))
			}
		}
	}
}

type listing func(context.Context, time.Duration, int, records.Cursor) ([]records.Task, records.Cursor, error)

// sweepTasks continues through a listing from where the last sweep stopped. It skips a task that cannot be repaired, so that later tasks
// are still repaired; when Temporal or the database does not answer, the sweep ends.
func (s *Service) sweepTasks(ctx context.Context, at *records.Cursor, list listing, olderThan time.Duration, swept *Swept) error {
	for range sweepPages {
		tasks, next, err := list(ctx, olderThan, sweepTasks, *at)
		if err != nil {
			return err
		}
		for _, t := range tasks {
			err := s.repair(ctx, t, swept)
			switch core.CodeOf(err) {
			case "":
			case core.CodeUnavailable, core.CodeCanceled:
				return err
			default:
				s.log.Error("a task cannot be repaired", slog.String("task", t.ID), slog.Any("error", err))
			}
		}
		*at = next
		if next.IsZero() {
			return nil
		}
	}
	return nil
}

// repair reconciles a task with its workflow.
func (s *Service) repair(ctx context.Context, t records.Task, swept *Swept) error {
	e, err := workflows.ExecutionOf(ctx, s.temporal, t.ID, t.RetryCount)
	if err != nil {
		return err
	}
	switch {
	case e.State == workflows.StateClosing: // the task is about to end; the next sweep checks it again
		return nil
	case t.CancelRequestedAt != nil && e.State != workflows.StateClosed:
		if err := s.cancel(ctx, t); err != nil {
			return err
		}
		swept.Canceled++
	case e.State == workflows.StateUnknown:
		return s.startAgain(ctx, t, swept)
	case e.State == workflows.StateClosed:
		return s.endTerminated(ctx, t, swept)
	case e.Paused != pauseOf(t).Paused:
		if err := workflows.SignalPause(ctx, s.temporal, t.ID, pauseOf(t)); err != nil {
			return err
		}
		swept.Signaled++
	}
	return nil
}

// startAgain starts a workflow that was never started, or that Temporal lost. Its steps find their earlier results in the records.
func (s *Service) startAgain(ctx context.Context, t records.Task, swept *Swept) error {
	if t.Status == core.StatusPaused && t.StartedAt == nil {
		return nil // the resumption starts it
	}
	err := s.start(ctx, t)
	if errors.Is(err, errWaiting) {
		return nil
	}
	if errors.Is(err, errNothingLeft) {
		swept.Finished++
		_, err = s.records.FinishTask(ctx, core.FinishTaskInput{TaskID: t.ID, Retry: t.RetryCount})
		return err
	}
	if err != nil {
		return err
	}
	s.log.Info("started a task that had no workflow", slog.String("task", t.ID))
	swept.Started++
	return nil
}

func (s *Service) endTerminated(ctx context.Context, t records.Task, swept *Swept) error {
	ended, err := s.records.MarkTerminated(ctx, t)
	if err != nil || !ended {
		return err
	}
	s.log.Warn("the workflow of a task was terminated", slog.String("task", t.ID))
	swept.Terminated++
	return nil
}

func (s *Service) sweepKinds(ctx context.Context, swept *Swept) error {
	var failures []error
	for _, k := range s.kinds {
		if k.Sweep == nil {
			continue
		}
		edited, err := k.Sweep(ctx)
		swept.Edited += edited
		failures = append(failures, err)
	}
	return errors.Join(failures...)
}

// sweepBlobs removes blobs that requests, steps and deletions left behind, and uploads that no request named.
func (s *Service) sweepBlobs(ctx context.Context, swept *Swept) error {
	expiredUploads, err := s.records.ExpireUploads(ctx, sweepBlobs)
	if err != nil {
		return err
	}
	swept.UploadsExpired = expiredUploads
	var failures []error
	var after core.BlobRef
	for range sweepPages {
		expired, err := s.records.ExpiredBlobs(ctx, sweepBlobs, after)
		if err != nil {
			return errors.Join(append(failures, err)...)
		}
		removed, err := s.records.RemoveBlobs(ctx, expired, s.blobs.Delete)
		swept.BlobsRemoved += removed
		if err != nil {
			failures = append(failures, err)
		}
		if len(expired) < sweepBlobs {
			break
		}
		after = expired[len(expired)-1]
	}
	return errors.Join(failures...)
}
