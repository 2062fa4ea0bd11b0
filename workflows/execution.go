package workflows

import (
	"context"
	"errors"

	commonpb "go.temporal.io/api/common/v1"
	enumspb "go.temporal.io/api/enums/v1"
	"go.temporal.io/api/serviceerror"
	workflowpb "go.temporal.io/api/workflow/v1"
	"go.temporal.io/sdk/client"
	"go.temporal.io/sdk/converter"

	"plait/internal/core"
)

// State is the state of a task in Temporal.
type State string

// The states.
const (
	StateRunning State = "running"
	// StateClosed is any end: completed, failed, canceled, timed out or terminated.
	StateClosed State = "closed"
	// StateClosing: the run of an earlier retry has not closed yet.
	StateClosing State = "closing"
	// StateUnknown: never started, or closed longer ago than histories are kept.
	StateUnknown State = "unknown"
)

// Execution is the state of a task's workflow.
type Execution struct {
	State State
	// RunID is the latest run, of any retry; empty when there is none.
	RunID string
	// Paused means that the workflow has received a pause.
	Paused bool
}

// StateOf returns Temporal's state of a task that was never retried. It fails with CodeUnavailable.
func StateOf(ctx context.Context, c client.Client, taskID string) (State, error) {
	e, err := ExecutionOf(ctx, c, taskID, 0)
	return e.State, err
}

// ExecutionOf returns Temporal's state of a task's workflow, for the given retry or a later one; retry 0 is the first run of the task. It
// fails with CodeUnavailable.
func ExecutionOf(ctx context.Context, c client.Client, taskID string, retry int) (Execution, error) {
	description, err := c.DescribeWorkflowExecution(ctx, taskID, "")
	var missing *serviceerror.NotFound
	if errors.As(err, &missing) {
		return Execution{State: StateUnknown}, nil
	}
	if err != nil {
		return Execution{}, core.Wrap(core.CodeUnavailable, err, "Temporal does not describe the task")
	}
	info := description.GetWorkflowExecutionInfo()
	e := Execution{RunID: info.GetExecution().GetRunId(), State: stateOf(info, retry)}
	var status string
	decode(info.GetSearchAttributes().GetIndexedFields()[keyStatus.GetName()], &status)
	e.Paused = status == string(core.StatusPaused)
	return e, nil
}

func stateOf(info *workflowpb.WorkflowExecutionInfo, retry int) State {
	var of int
	decode(info.GetSearchAttributes().GetIndexedFields()[keyRetry.GetName()], &of)
	running := info.GetStatus() == enumspb.WORKFLOW_EXECUTION_STATUS_RUNNING
	switch {
	case running && of < retry:
		return StateClosing
	case running:
		return StateRunning
	case of < retry:
		return StateUnknown
	default:
		return StateClosed
	}
}

// decode leaves into unchanged when there is no payload, or one that is not Plait's.
func decode(payload *commonpb.Payload, into any) {
	if payload != nil {
		_ = converter.GetDefaultDataConverter().FromPayload(payload, into)
	}
}
