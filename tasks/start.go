package tasks

import (
	"context"
	"encoding/json"
	"errors"
	"log/slog"
	"time"

	"plait/internal/comic"
	"plait/internal/core"
	"plait/internal/records"
	"plait/workflows"
)

// startTimeout is how long a client waits for Temporal; a task that is not started by then is started by the sweeper.
const startTimeout = 5 * time.Second

// startAccepted starts the workflow of a task that is durable already, so that a failure is no failure of the request.
func (s *Service) startAccepted(ctx context.Context, t records.Task) {
	if t.Status != core.StatusQueued || t.CancelRequestedAt != nil {
		return
	}
	ctx, cancel := context.WithTimeout(context.WithoutCancel(ctx), startTimeout)
	defer cancel()
	if err := s.start(ctx, t); err != nil {
		s.log.Warn("a task is accepted, and waits for the sweeper to start it", slog.String("task", t.ID), slog.Any("error", err))
	}
}

var errNothingLeft = errors.New("no page is left to do")

// start starts the workflow of a task for the pages that have not ended.
func (s *Service) start(ctx context.Context, t records.Task) error {
	pages, err := s.records.Pages(ctx, t.ID)
	if err != nil {
		return err
	}
	options, err := json.Marshal(t.Options)
	if err != nil {
		return core.Wrap(core.CodeInternal, err, "the options of the task are no JSON")
	}
	in := workflows.TaskInput{
		TaskID: t.ID, Tenant: t.Tenant, Kind: t.Kind, Title: t.Title, Options: options, Window: s.limits.Window,
		Retry: t.RetryCount,
	}
	if t.PauseRevision > 0 {
		pause := pauseOf(t)
		in.Pause = &pause
	}
	for _, p := range pages {
		if !p.Status.Ended() {
			in.Items = append(in.Items, p.Ref)
		}
	}
	if t.SuccessCount+t.FailedCount > 0 {
		in.Carried = &workflows.Counts{Success: t.SuccessCount, Failed: t.FailedCount}
		if t.FallbackCount > 0 {
			in.Carried.Modes = map[core.Mode]int{comic.ModeFallback: t.FallbackCount}
		}
	}
	if len(in.Items) == 0 {
		return errNothingLeft
	}
	return workflows.Start(ctx, s.temporal, in)
}
