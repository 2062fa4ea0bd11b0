package comic

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
	"plait/workflows"
)

// WorkflowEdit is the name of [Edit]; signalEdited signals a new edit of the page.
const (
	WorkflowEdit = "comic.Edit"
	signalEdited = "edited"
)

// EditInput is the input of [Edit].
type EditInput struct {
	Options comic.Options `json:"options"`
	Page    core.Item     `json:"page"`
}

// StartEdit starts the rendering of a page with the edits in the records. An execution in progress receives a signal and continues. It
// fails with CodeUnavailable when Temporal does not answer.
func StartEdit(ctx context.Context, c client.Client, in EditInput, share workflows.Share) error {
	id := editID(in.Page)
	_, err := c.SignalWithStartWorkflow(ctx, id, signalEdited, nil, startOptions(id, "edit of ", in.Page, in.Options, share), WorkflowEdit, in)
	if err != nil {
		return core.Wrap(core.CodeUnavailable, err, "Temporal does not start the edit")
	}
	return nil
}

// startOptions are those of a workflow beside a task, for which a person waits at a page.
func startOptions(id, summary string, page core.Item, o comic.Options, share workflows.Share) client.StartWorkflowOptions {
	return client.StartWorkflowOptions{
		ID:                    id,
		TaskQueue:             workflows.QueueControl,
		WorkflowIDReusePolicy: enumspb.WORKFLOW_ID_REUSE_POLICY_ALLOW_DUPLICATE,
		Priority:              workflows.InteractivePriority(page.Tenant, share),
		StaticSummary:         workflows.Clip(summary + page.Name),
		TypedSearchAttributes: temporal.NewSearchAttributes(
			workflows.KeyTenant.ValueSet(page.Tenant),
			workflows.KeyTargetLanguage.ValueSet(o.To),
		),
	}
}

// editID cannot equal the workflow id of a task, because task ids contain no slash.
func editID(p core.Item) string { return fmt.Sprintf("%s/pages/%d", p.TaskID, p.Index) }

// Edit renders an edited page, and waits for further edits while a host keeps its lease, so that these need only new lettering. The edits
// are in the records and not in the signal: a lost or repeated signal changes nothing. A page has its own execution, instead of an update
// of its task's workflow, because most tasks have ended when a person reads them, and because the task's history then contains only the
// task.
func Edit(ctx workflow.Context, in EditInput) error {
	e := &editing{in: in, edited: workflow.GetSignalChannel(ctx, signalEdited)}
	for {
		for e.edited.ReceiveAsync(nil) { // one rendering shows all of them
		}
		if err := e.render(ctx); err != nil {
			return err
		}
		e.translate(ctx)
		if !e.wait(ctx) {
			return ctx.Err()
		}
		if workflow.GetInfo(ctx).GetContinueAsNewSuggested() && e.translation == nil {
			return workflow.NewContinueAsNewError(ctx, WorkflowEdit, in)
		}
	}
}

// editing is one run of the workflow.
type editing struct {
	in     EditInput
	edited workflow.ReceiveChannel
	// kept is the lease's place and expiry; its LeaseID is empty when there is no lease.
	kept comic.EditOutput
	// translation is that of regions that people drew, while it is under way.
	translation workflow.Future
}

// translate begins to translate the regions that people drew, once they are read. The page can be rendered meanwhile.
func (e *editing) translate(ctx workflow.Context) {
	if !e.kept.Untranslated || e.translation != nil {
		return
	}
	options := workflows.ModelStep(QueueTranslate)
	options.Summary = workflows.Clip("drawn · " + e.in.Page.Name)
	options.ScheduleToCloseTimeout = drawnPatience
	e.translation = workflow.ExecuteActivity(workflow.WithActivityOptions(ctx, options), comic.StepTranslateDrawn,
		comic.TranslateDrawnInput{Page: e.in.Page, Options: e.in.Options})
}

// translated ends the translation of drawn regions. If it has failed, the page says why, and a person can translate them.
func (e *editing) translated(ctx workflow.Context) {
	err := e.translation.Get(ctx, nil)
	e.translation = nil
	if err != nil && !temporal.IsCanceledError(err) {
		_ = e.fail(ctx, err) // it fails only when ctx is done
	}
}

// render makes the result of the page show its edits, or records why it cannot. It fails only when it is canceled.
func (e *editing) render(ctx workflow.Context) error {
	err := e.step(ctx)
	if err == nil || temporal.IsCanceledError(err) {
		return err
	}
	e.kept = comic.EditOutput{}
	return e.fail(ctx, err)
}

// fail records why the result does not show the edits, and fails only when the workflow is canceled.
func (e *editing) fail(ctx workflow.Context, err error) error {
	options := workflows.RecordStep()
	options.Summary = "edit failed"
	err = workflow.ExecuteActivity(workflow.WithActivityOptions(ctx, options), comic.StepRecordEditFailure,
		comic.RecordEditFailureInput{Page: e.in.Page, Failure: workflows.FailureOf(err)}).Get(ctx, nil)
	if err != nil && !temporal.IsCanceledError(err) {
		workflow.GetLogger(ctx).Error("the failure of an edit is not recorded", "page", e.in.Page.Index, "error", err)
		return nil
	}
	return err
}

// step renders on the host of the lease, or on any host when there is no lease or it is lost.
func (e *editing) step(ctx workflow.Context) error {
	if e.kept.LeaseID != "" {
		err := e.run(ctx, comic.StageRender, workflows.HostStep(e.kept.Lease))
		if err == nil || !workflows.IsLeaseLost(err) {
			return err
		}
		e.kept = comic.EditOutput{}
	}
	return e.run(ctx, comic.StagePage, workflows.DeviceStep(QueuePage))
}

func (e *editing) run(ctx workflow.Context, stage core.Stage, options workflow.ActivityOptions) error {
	options.Summary = workflows.Clip("edit · " + e.in.Page.Name)
	var output comic.EditOutput
	err := workflows.Execute(ctx, workflows.Step{Stage: stage, Name: comic.StepEdit, Options: options}, comic.EditInput{
		Page: e.in.Page, Options: e.in.Options, LeaseID: e.kept.LeaseID,
	}, &output)
	if err == nil {
		e.kept = output
	}
	return err
}

// wait returns true when there is another edit or a new translation, and false when the lease has expired.
func (e *editing) wait(ctx workflow.Context) bool {
	if e.translation != nil {
		workflow.NewSelector(ctx).
			AddReceive(e.edited, func(c workflow.ReceiveChannel, _ bool) { c.Receive(ctx, nil) }).
			AddFuture(e.translation, func(workflow.Future) { e.translated(ctx) }).
			AddReceive(ctx.Done(), func(workflow.ReceiveChannel, bool) {}).
			Select(ctx)
		return ctx.Err() == nil
	}
	if e.kept.LeaseID != "" {
		kept := time.Duration(e.kept.TTLSeconds) * time.Second
		if more, _ := e.edited.ReceiveWithTimeout(ctx, kept, nil); more {
			return ctx.Err() == nil
		}
	}
	// The signal may arrive together with the end of the wait.
	return ctx.Err() == nil && e.edited.ReceiveAsync(nil)
}
