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

// startTimeout is how long a client waits for Temporal; the sweeper starts a task that has not been started by then.
const startTimeout = 5 * time.Second

// startAccepted starts the workflow of a task that is already durable. A failure to start does not fail the request.
func (s *Service) startAccepted(ctx context.Context, t records.Task) {
	if t.Status != core.StatusQueued || t.CancelRequestedAt != nil {
		return
	}
	ctx, cancel := context.WithTimeout(context.WithoutCancel(ctx), startTimeout)
	defer cancel()
	if err := s.start(ctx, t); err != nil && !errors.Is(err, errWaiting) {
		s.log.Warn("an accepted task waits for the sweeper to start it", slog.String("task", t.ID), slog.Any("error", err))
	}
}

// errWaiting: the tenant has as many running tasks as its tier allows. The task starts when one of them ends.
var errWaiting = errors.New("the task waits for a place among the running tasks of its tenant")

var errNothingLeft = errors.New("no item remains to be processed")

// start starts the workflow of a task for the items that have not ended.
func (s *Service) start(ctx context.Context, t records.Task) error {
	items, err := s.records.Items(ctx, t.ID)
	if err != nil {
		return err
	}
	in := workflows.TaskInput{
		TaskID: t.ID, Tenant: t.Tenant, Kind: t.Kind, Title: t.Title, Options: t.Options, Window: s.window,
		Retry: t.RetryCount,
	}
	if t.PauseRevision > 0 {
		pause := pauseOf(t)
		in.Pause = &pause
	}
	carried := workflows.Counts{Modes: map[core.Mode]int{}}
	for _, i := range items {
		switch {
		case !i.Status.Ended():
			in.Items = append(in.Items, i.Ref)
		case i.Status == core.StatusSuccess:
			carried.Success++
			carried.Modes[i.Mode]++
		default:
			carried.Failed++
		}
	}
	if carried.Ended() > 0 {
		in.Carried = &carried
	}
	// A retry of a task whose result could not be made has no items left; its workflow makes the result.
	if len(in.Items) == 0 && (t.RetryCount == 0 || carried.Success == 0) {
		return errNothingLeft
	}
	dispatched, share, err := s.records.DispatchTask(ctx, t.ID)
	if err != nil {
		return err
	}
	if !dispatched {
		return errWaiting
	}
	return workflows.Start(ctx, s.temporal, in, workflows.Share(share))
}

// startWaiting starts tasks whose tenants have a free place among their running tasks.
func (s *Service) startWaiting(ctx context.Context, swept *Swept) error {
	waiting, err := s.records.WaitingTasks(ctx, sweepTasks)
	for i := 0; err == nil && i < len(waiting); i++ {
		err = s.startAgain(ctx, waiting[i], swept)
	}
	return err
}
