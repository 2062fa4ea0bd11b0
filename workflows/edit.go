package workflows

import (
	"context"
	"fmt"
	"time"

	enumspb "go.temporal.io/api/enums/v1"
	"go.temporal.io/sdk/client"
	"go.temporal.io/sdk/temporal"
	"go.temporal.io/sdk/workflow"

	"plait/internal/comic"
	"plait/internal/core"
)

// EditWorkflowName is the name of [EditWorkflow], which never changes; signalEdited says that a page has a new edit.
const (
	EditWorkflowName = "EditWorkflow"
	signalEdited     = "edited"
)

// EditInput is the input of [EditWorkflow].
type EditInput struct {
	Options comic.Options `json:"options"`
	Page    core.Item     `json:"page"`
}

// StartEdit has a page rendered again with the edits that the records hold. The execution that is at it, if there is one, is
// told, and goes on. It fails with CodeUnavailable when Temporal does not answer.
func StartEdit(ctx context.Context, c client.Client, in EditInput) error {
	id := editID(in.Page)
	_, err := c.SignalWithStartWorkflow(ctx, id, signalEdited, nil, client.StartWorkflowOptions{
		ID:                    id,
		TaskQueue:             QueueControl,
		WorkflowIDReusePolicy: enumspb.WORKFLOW_ID_REUSE_POLICY_ALLOW_DUPLICATE,
		// A person is waiting for it.
		Priority:      temporal.Priority{PriorityKey: core.FirstPriority, FairnessKey: fairnessKey(in.Page.Tenant)},
		StaticSummary: clip("edit of " + in.Page.Name),
		TypedSearchAttributes: temporal.NewSearchAttributes(
			keyTenant.ValueSet(in.Page.Tenant),
			keyTargetLanguage.ValueSet(in.Options.To),
		),
	}, EditWorkflowName, in)
	if err != nil {
		return core.Wrap(core.CodeUnavailable, err, "Temporal does not start the edit")
	}
	return nil
}

// editID is a workflow id that no task has: theirs have no slash.
func editID(p core.Item) string { return fmt.Sprintf("%s/pages/%d", p.TaskID, p.Index) }

// EditWorkflow renders an edited page, and stays for further edits while a host keeps its detect context, so that these
// cost only their lettering. What an edit says stands in the records and not in its signal: one that is lost or comes twice
// changes nothing. A page has an execution of its own, and not an update of its task's, because most tasks have ended when
// a person comes to read them, and because the history of a task then stays what it did.
func EditWorkflow(ctx workflow.Context, in EditInput) error {
	e := &editing{in: in, edited: workflow.GetSignalChannel(ctx, signalEdited)}
	for {
		for e.edited.ReceiveAsync(nil) { // one rendering shows them all
		}
		if err := e.render(ctx); err != nil {
			return err
		}
		if !e.wait(ctx) {
			return ctx.Err()
		}
		if workflow.GetInfo(ctx).GetContinueAsNewSuggested() {
			return workflow.NewContinueAsNewError(ctx, EditWorkflowName, in)
		}
	}
}

// editing is one run of the workflow.
type editing struct {
	in     EditInput
	edited workflow.ReceiveChannel
	// kept is where the detect context lies, and until when; its ContextID is empty when there is none.
	kept comic.EditOutput
}

// render makes the result of the page show its edits, or records why it does not. It fails only when it is canceled.
func (e *editing) render(ctx workflow.Context) error {
	err := e.step(ctx)
	if err == nil || temporal.IsCanceledError(err) {
		return err
	}
	e.kept = comic.EditOutput{}
	options := recordOptions()
	options.Summary = "edit failed"
	err = workflow.ExecuteActivity(workflow.WithActivityOptions(ctx, options), comic.StepRecordEditFailure,
		comic.RecordEditFailureInput{Page: e.in.Page, Failure: failureOf(err)}).Get(ctx, nil)
	if err != nil && !temporal.IsCanceledError(err) {
		workflow.GetLogger(ctx).Error("the failure of an edit is not recorded", "page", e.in.Page.Index, "error", err)
		return nil
	}
	return err
}

// step renders on the host of the detect context, or on any host when there is none or it is lost.
func (e *editing) step(ctx workflow.Context) error {
	if e.kept.ContextID != "" {
		err := e.run(ctx, comic.StageRender, hostOptions(e.kept.HostQueue, 0))
		if err == nil || failureOf(err).Code.RetryRule() != core.RetryFallback {
			return err
		}
		e.kept = comic.EditOutput{}
	}
	return e.run(ctx, comic.StagePage, deviceOptions(QueueGPU))
}

func (e *editing) run(ctx workflow.Context, stage core.Stage, options workflow.ActivityOptions) error {
	options.Summary = clip("edit · " + e.in.Page.Name)
	var output comic.EditOutput
	err := workflow.ExecuteActivity(workflow.WithActivityOptions(ctx, options), comic.StepEdit, comic.EditInput{
		Page: e.in.Page, Options: e.in.Options, ContextID: e.kept.ContextID,
	}).Get(ctx, &output)
	if err != nil {
		return &stageError{stage: stage, err: err}
	}
	e.kept = output
	return nil
}

// wait returns true when there is another edit, and false when the detect context is not kept any longer.
func (e *editing) wait(ctx workflow.Context) bool {
	if e.kept.ContextID != "" {
		kept := time.Duration(e.kept.TTLSeconds) * time.Second
		if more, _ := e.edited.ReceiveWithTimeout(ctx, kept, nil); more {
			return ctx.Err() == nil
		}
	}
	// A signal that came with the end of the time is still there.
	return ctx.Err() == nil && e.edited.ReceiveAsync(nil)
}
