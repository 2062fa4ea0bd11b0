package comic

import (
	"context"
	"fmt"

	enumspb "go.temporal.io/api/enums/v1"
	"go.temporal.io/sdk/client"
	"go.temporal.io/sdk/temporal"
	"go.temporal.io/sdk/workflow"

	"plait/internal/comic"
	"plait/internal/core"
	"plait/workflows"
)

// WorkflowAlternatives is the name of [Alternatives].
const WorkflowAlternatives = "comic.Alternatives"

// StartAlternatives starts a request for other translations of a region. While one is in progress for the region, another one is that one: both
// come after the same request. It fails with CodeUnavailable when Temporal does not answer.
func StartAlternatives(ctx context.Context, c client.Client, in comic.AlternativesInput, share workflows.Share) error {
	options := startOptions(alternativesID(in), "alternatives on ", in.Page, in.Options, share)
	options.WorkflowIDConflictPolicy = enumspb.WORKFLOW_ID_CONFLICT_POLICY_USE_EXISTING
	if _, err := c.ExecuteWorkflow(ctx, options, WorkflowAlternatives, in); err != nil {
		return core.Wrap(core.CodeUnavailable, err, "Temporal does not start the request for alternatives")
	}
	return nil
}

func alternativesID(in comic.AlternativesInput) string {
	return fmt.Sprintf("%s/regions/%d/alternatives/%s", editID(in.Page), in.Region, in.After)
}

// Alternatives asks a model for other translations of a region, and records them or why there are none. It is no part of [Edit], because the
// page stays as it is and no device is needed.
func Alternatives(ctx workflow.Context, in comic.AlternativesInput) error {
	options := workflows.ModelStep(QueueTranslate)
	options.Summary = workflows.Clip("alternatives · " + in.Page.Name)
	options.ScheduleToCloseTimeout = alternativesPatience
	options.RetryPolicy.MaximumAttempts = alternativesTries
	err := workflow.ExecuteActivity(workflow.WithActivityOptions(ctx, options), comic.StepAlternatives, in).Get(ctx, nil)
	if err == nil || temporal.IsCanceledError(err) {
		return err
	}
	record := workflows.RecordStep()
	record.Summary = "no alternatives"
	return workflow.ExecuteActivity(workflow.WithActivityOptions(ctx, record), comic.StepNoAlternatives,
		comic.NoAlternativesInput{AlternativesInput: in, Failure: workflows.FailureOf(err)}).Get(ctx, nil)
}
