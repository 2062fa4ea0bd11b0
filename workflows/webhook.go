package workflows

import (
	"context"
	"errors"
	"strconv"
	"time"

	enumspb "go.temporal.io/api/enums/v1"
	"go.temporal.io/api/serviceerror"
	"go.temporal.io/sdk/client"
	"go.temporal.io/sdk/temporal"
	"go.temporal.io/sdk/workflow"

	"plait/internal/core"
)

const (
	// WorkflowWebhook is the name of [Webhook].
	WorkflowWebhook = "webhook"
	// QueueWebhooks is the task queue of the steps that send messages. They wait for the servers of tenants, so that they must not take
	// the place of steps that write records.
	QueueWebhooks = "plait-webhooks"
	// sendTimeout bounds one attempt: the 20 seconds that a receiver has, and what is read and written before and after.
	sendTimeout = 40 * time.Second
)

// StartWebhook starts the workflow of a round of a delivery. Starting it again does nothing, whether it runs or has ended. It fails with
// CodeUnavailable when Temporal does not answer.
func StartWebhook(ctx context.Context, c client.Client, in core.WebhookInput) error {
	_, err := c.ExecuteWorkflow(ctx, client.StartWorkflowOptions{
		ID:                                       webhookID(in),
		TaskQueue:                                QueueControl,
		WorkflowIDReusePolicy:                    enumspb.WORKFLOW_ID_REUSE_POLICY_REJECT_DUPLICATE,
		WorkflowExecutionErrorWhenAlreadyStarted: true,
		Priority:                                 PriorityOf(in.Tenant, Share{}),
		TypedSearchAttributes:                    temporal.NewSearchAttributes(KeyTenant.ValueSet(in.Tenant)),
	}, WorkflowWebhook, in)
	var started *serviceerror.WorkflowExecutionAlreadyStarted
	if err == nil || errors.As(err, &started) {
		return nil
	}
	return core.Wrap(core.CodeUnavailable, err, "Temporal does not start the delivery")
}

// webhookID names each round, so that the second start of one finds the first.
func webhookID(in core.WebhookInput) string {
	id := "webhook-" + in.DeliveryID
	if in.Round > 0 {
		id += "-" + strconv.Itoa(in.Round)
	}
	return id
}

// Webhook sends a message until it has arrived or its schedule is over, and then records that it failed. Between two attempts only the
// server holds it. It fails only when it is canceled.
func Webhook(ctx workflow.Context, in core.WebhookInput) error {
	schedule := in.Schedule.OrDefaults()
	send := workflow.WithActivityOptions(ctx, workflow.ActivityOptions{
		TaskQueue:              QueueWebhooks,
		ScheduleToCloseTimeout: schedule.Patience,
		StartToCloseTimeout:    sendTimeout,
		HeartbeatTimeout:       heartbeatTimeout,
		RetryPolicy: &temporal.RetryPolicy{
			InitialInterval: schedule.FirstWait, BackoffCoefficient: core.WebhookBackoff, MaximumInterval: schedule.LongestWait,
		},
	})
	err := workflow.ExecuteActivity(send, core.StepSendWebhook, in).Get(ctx, nil)
	if err == nil || temporal.IsCanceledError(err) {
		return err
	}
	return workflow.ExecuteActivity(workflow.WithActivityOptions(ctx, RecordStep()), core.StepFailWebhook, in).Get(ctx, nil)
}
