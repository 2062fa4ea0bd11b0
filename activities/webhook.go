package activities

import (
	"context"
	"log/slog"
	"time"

	"github.com/prometheus/client_golang/prometheus"
	"go.temporal.io/sdk/activity"

	"plait/internal/core"
	"plait/internal/records"
)

// outageWait is the time until the next attempt when the database did not answer, which is no fault of the receiver.
const outageWait = 5 * time.Second

func roundOf(in core.WebhookInput) records.Round {
	return records.Round{DeliveryID: in.DeliveryID, Number: in.Round, Tenant: in.Tenant}
}

// SendWebhook sends a message once. It fails with UNAVAILABLE when the message has to be sent again, and with INVALID_INPUT, which is not
// retried, when the receiver is gone.
func (h *Host) SendWebhook(ctx context.Context, in core.WebhookInput) error {
	working, leave := Heartbeat(ctx, false)
	defer leave()
	outcome, err := h.Webhooks.Send(working, roundOf(in))
	switch {
	case err != nil:
		h.Log.Warn("a webhook was not sent, or its answer not recorded", slog.String("delivery", in.DeliveryID), slog.Any("error", err))
		if core.CodeOf(err) == core.CodeUnavailable {
			err = core.Wrap(core.CodeUnavailable, err, core.PublicMessage(err)).WithRetryAfter(outageWait)
		}
		return h.Failure(ctx, err)
	case outcome.Attempt == nil:
		return nil
	}
	h.Metrics.webhookSent(outcome.Attempt)
	switch {
	case outcome.Done:
		return nil
	case outcome.Gone():
		return h.Failure(ctx, core.NewError(core.CodeInvalidInput, outcome.Attempt.Error))
	}
	again := core.NewError(core.CodeUnavailable, outcome.Attempt.Error)
	if outcome.RetryAfter > in.Schedule.Wait(int(activity.GetInfo(ctx).Attempt)) {
		again = again.WithRetryAfter(outcome.RetryAfter)
	}
	return h.Failure(ctx, again)
}

// FailWebhook gives up a message.
func (h *Host) FailWebhook(ctx context.Context, in core.WebhookInput) error {
	err := h.Records.FailDelivery(ctx, roundOf(in))
	if err == nil {
		h.Metrics.webhookFailed()
	}
	return h.RecordFailed(ctx, err)
}

// The outcomes of attempts, and the end without success.
const (
	webhookDelivered   = "delivered"
	webhookRefused     = "refused"
	webhookUnreachable = "unreachable"
	webhookGivenUp     = "given_up"
)

func newWebhookCounter() *prometheus.CounterVec {
	c := prometheus.NewCounterVec(prometheus.CounterOpts{
		Name: "plait_webhooks_total",
		Help: "Attempts to deliver a message, by outcome: delivered, refused (another answer than 2xx) or unreachable. given_up counts messages.",
	}, []string{"outcome"})
	for _, outcome := range []string{webhookDelivered, webhookRefused, webhookUnreachable, webhookGivenUp} {
		c.WithLabelValues(outcome)
	}
	return c
}

func (m *Metrics) webhookSent(a *records.Attempt) {
	if m == nil {
		return
	}
	outcome := webhookUnreachable
	switch {
	case a.Delivered:
		outcome = webhookDelivered
	case a.Status != 0:
		outcome = webhookRefused
	}
	m.webhooks.WithLabelValues(outcome).Inc()
}

func (m *Metrics) webhookFailed() {
	if m != nil {
		m.webhooks.WithLabelValues(webhookGivenUp).Inc()
	}
}
