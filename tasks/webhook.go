package tasks

import (
	"context"
	"log/slog"
	"time"

	"golang.org/x/sync/errgroup"

	"plait/internal/core"
	"plait/internal/records"
	"plait/workflows"
)

const (
	// webhooksEvery is how soon the end of a task is told: a poll reads an index that is empty when nothing waits.
	webhooksEvery = 2 * time.Second
	// webhookBatch bounds one listing, and webhookStarts the starts at once.
	webhookBatch  = 100
	webhookStarts = 8
	// terminatedAfter is how long after its schedule a delivery without an end counts as terminated.
	terminatedAfter = time.Hour
)

// RunWebhooks starts the deliveries of messages as they are written, until ctx ends. Any number of processes may do so.
func (s *Service) RunWebhooks(ctx context.Context) error {
	ticker := time.NewTicker(webhooksEvery)
	defer ticker.Stop()
	failed := false
	for {
		err := s.StartWebhooks(ctx)
		if err != nil && ctx.Err() == nil && !failed {
			s.log.Warn("messages to webhooks wait", slog.Any("error", err))
		}
		failed = err != nil
		select {
		case <-ctx.Done():
			return nil
		case <-ticker.C:
		}
	}
}

// StartWebhooks starts the workflow of each delivery that has none. A start that repeats another, in this process or in a different one,
// changes nothing.
func (s *Service) StartWebhooks(ctx context.Context) error {
	for {
		waiting, err := s.records.UnstartedDeliveries(ctx, webhookBatch)
		if err != nil {
			return err
		}
		group, started := errgroup.WithContext(ctx)
		group.SetLimit(webhookStarts)
		for _, r := range waiting {
			group.Go(func() error { return s.startWebhook(started, r) })
		}
		if err := group.Wait(); err != nil || len(waiting) < webhookBatch {
			return err
		}
	}
}

func (s *Service) startWebhook(ctx context.Context, r records.Round) error {
	err := workflows.StartWebhook(ctx, s.temporal, core.WebhookInput{
		DeliveryID: r.DeliveryID, Round: r.Number, Tenant: r.Tenant, Schedule: s.webhooks,
	})
	if err != nil {
		return err
	}
	return s.records.DeliveryStarted(ctx, r)
}

// sweepWebhooks gives up deliveries whose workflows were terminated, removes old ones, and measures how long the others wait.
func (s *Service) sweepWebhooks(ctx context.Context, swept *Swept) error {
	patience := s.webhooks.OrDefaults().Patience + terminatedAfter
	err := inBatches(patience, sweepEvents, &swept.DeliveriesGivenUp, func(limit int) (int, error) {
		return s.records.GiveUpDeliveries(ctx, patience, limit)
	})
	if err != nil {
		return err
	}
	err = inBatches(s.retention.Deliveries, sweepEvents, &swept.DeliveriesRemoved, func(limit int) (int, error) {
		return s.records.RemoveDeliveries(ctx, s.retention.Deliveries, limit)
	})
	if err != nil {
		return err
	}
	age, err := s.records.OldestPendingDelivery(ctx)
	s.metrics.webhooksWait(age)
	return err
}
